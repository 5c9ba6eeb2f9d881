//! Which scores there are, in bounded memory.

use std::collections::BTreeMap;

use super::Quantiles;

/// Most values that are counted apart. With all 52 bits of the mantissa
/// dropped, signs and exponents alone make no more.
const VALUES: usize = 4096;

/// Counts of scores by value.
///
/// Values are counted exactly until there are more than [`VALUES`] of them;
/// then the lowest bits of all are dropped, one by one. What is left depends
/// on the scores alone and not on their order.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Distribution {
    counts: BTreeMap<u64, u64>,
    /// Bits dropped from every key.
    shift: u32,
    total: u64,
    min: f64,
    max: f64,
}

impl Distribution {
    pub(super) fn new() -> Distribution {
        Distribution {
            counts: BTreeMap::new(),
            shift: 0,
            total: 0,
            min: f64::INFINITY,
            max: f64::NEG_INFINITY,
        }
    }

    /// Counts a finite score.
    pub(super) fn add(&mut self, score: f64) {
        // Makes both zeros one.
        let score = score + 0.0;
        self.total += 1;
        self.min = self.min.min(score);
        self.max = self.max.max(score);
        *self.counts.entry(key(score) >> self.shift).or_default() += 1;
        while self.counts.len() > VALUES {
            self.drop_a_bit();
        }
    }

    /// `None` if there are no scores.
    pub(super) fn quantiles(&self) -> Option<Quantiles> {
        (self.total > 0).then(|| Quantiles {
            min: self.min,
            p5: self.quantile(5),
            p25: self.quantile(25),
            median: self.quantile(50),
            p75: self.quantile(75),
            p95: self.quantile(95),
            max: self.max,
            relative_error: self.relative_error(),
        })
    }

    /// The dropped bits of a mantissa, which is at least 1 and has 52 bits
    /// behind the point.
    fn relative_error(&self) -> f64 {
        match self.shift {
            0 => 0.0,
            shift => 2.0_f64.powi(shift as i32 - 52),
        }
    }

    fn quantile(&self, percent: u64) -> f64 {
        let rank = (u128::from(self.total) * u128::from(percent))
            .div_ceil(100)
            .max(1);
        let mut seen = 0_u128;
        for (&key, &count) in &self.counts {
            seen += u128::from(count);
            if seen >= rank {
                return self.value(key).clamp(self.min, self.max);
            }
        }
        self.max
    }

    /// The value of a key: with bits dropped, the one nearest to 0 of those
    /// that share it. So 0, 0.5 and 1, the scores that come up most, are
    /// themselves.
    fn value(&self, key: u64) -> f64 {
        let dropped = (1 << self.shift) - 1;
        let first = key << self.shift;
        if first & SIGN == 0 {
            value(first | dropped)
        } else {
            value(first)
        }
    }

    fn drop_a_bit(&mut self) {
        self.shift += 1;
        for (key, count) in std::mem::take(&mut self.counts) {
            *self.counts.entry(key >> 1).or_default() += count;
        }
    }
}

const SIGN: u64 = 1 << 63;

/// A number for each double, in the doubles' order.
fn key(score: f64) -> u64 {
    let bits = score.to_bits();
    if bits & SIGN == 0 { bits | SIGN } else { !bits }
}

fn value(key: u64) -> f64 {
    f64::from_bits(if key & SIGN == 0 { !key } else { key & !SIGN })
}
