//! How scores are distributed, in bounded memory.

use std::collections::BTreeMap;

use super::{Histogram, Quantiles};
use crate::policy::Scale;

/// Most different cells that are counted apart. With every bit of the mantissa
/// dropped, signs and exponents alone make no more.
const CELLS: usize = 4096;

/// Cells of a histogram.
const BARS: usize = 20;

/// Counts of scores by value.
///
/// Values are counted exactly until there are more than [`CELLS`] of them;
/// then the lowest bits that tell them apart are dropped, one by one. What is
/// left depends on the scores alone and not on their order.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Distribution {
    scale: Scale,
    counts: BTreeMap<u64, u64>,
    /// Bits dropped from every key.
    shift: u32,
    total: u64,
    min: f64,
    max: f64,
    bars: [u64; BARS],
}

impl Distribution {
    pub(super) fn new(scale: Scale) -> Distribution {
        Distribution {
            scale,
            counts: BTreeMap::new(),
            shift: 0,
            total: 0,
            min: f64::INFINITY,
            max: f64::NEG_INFINITY,
            bars: [0; BARS],
        }
    }

    /// Counts a finite score.
    pub(super) fn add(&mut self, score: f64) {
        self.total += 1;
        self.min = self.min.min(score);
        self.max = self.max.max(score);
        self.bars[bar(score, &self.scale)] += 1;
        *self.counts.entry(key(score) >> self.shift).or_default() += 1;
        while self.counts.len() > CELLS {
            self.drop_a_bit();
        }
    }

    pub(super) fn histogram(&self) -> Option<Histogram> {
        (self.total > 0).then(|| Histogram {
            lowest: self.scale.lowest,
            highest: self.scale.highest,
            counts: self.bars.to_vec(),
        })
    }

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

    /// Half a cell: the mantissa, which is at least 1, has 52 bits behind the
    /// point.
    fn relative_error(&self) -> f64 {
        match self.shift {
            0 => 0.0,
            shift => 2.0_f64.powi(shift as i32 - 53),
        }
    }

    fn quantile(&self, percent: u64) -> f64 {
        let rank = (u128::from(self.total) * u128::from(percent))
            .div_ceil(100)
            .max(1);
        let mut seen = 0_u128;
        for (&cell, &count) in &self.counts {
            seen += u128::from(count);
            if seen >= rank {
                return self.middle(cell).clamp(self.min, self.max);
            }
        }
        self.max
    }

    fn middle(&self, cell: u64) -> f64 {
        match self.shift {
            0 => value(cell),
            shift => value((cell << shift) + (1 << (shift - 1))),
        }
    }

    fn drop_a_bit(&mut self) {
        self.shift += 1;
        for (cell, count) in std::mem::take(&mut self.counts) {
            *self.counts.entry(cell >> 1).or_default() += count;
        }
    }
}

/// A number for each double, in the doubles' order; one for both zeros.
fn key(score: f64) -> u64 {
    const SIGN: u64 = 1 << 63;
    let bits = (score + 0.0).to_bits();
    if bits & SIGN == 0 { bits | SIGN } else { !bits }
}

fn value(key: u64) -> f64 {
    const SIGN: u64 = 1 << 63;
    f64::from_bits(if key & SIGN == 0 { !key } else { key & !SIGN })
}

/// The histogram's cell of a score. Halves keep the width of a huge scale
/// finite.
fn bar(score: f64, scale: &Scale) -> usize {
    let width = scale.highest / 2.0 - scale.lowest / 2.0;
    let place = (score / 2.0 - scale.lowest / 2.0) / width * BARS as f64;
    // A cast of a float is cut to the type's range.
    (place as usize).min(BARS - 1)
}
