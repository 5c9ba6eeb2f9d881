//! The paired bootstrap: how much a mean would vary with other cases.

use std::num::NonZeroUsize;
use std::thread;

use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64;
use sha2::{Digest, Sha256};

use crate::summary::{Interval, Method};

/// Values that are summed up before what rounding took is looked at.
const BLOCK: u32 = 1024;

/// The mean of `values`, which aren't empty and whose sum is finite.
pub(super) fn mean(values: &[f64]) -> f64 {
    let mut sum = Sum::default();
    values.iter().for_each(|&value| sum.add(value));
    let (lowest, highest) = ends(values);
    // Rounding must not put a mean beyond what it is the mean of.
    (sum.total() / values.len() as f64).clamp(lowest, highest)
}

/// The 95 % percentile interval of the mean of `differences`, whose sum is
/// finite, from so many resamples: with k = ⌊0.025 (draws + 1)⌋ it reaches
/// from the k-th mean to the k-th last (B. Efron, R. J. Tibshirani, "An
/// Introduction to the Bootstrap", 1993, sections 12.5 and 13.3). `None` below
/// two differences, and above 2^32.
///
/// Each draw has a random stream of its own, so that the result depends on the
/// seed and not on the number of threads.
pub(super) fn interval(
    differences: &[f64],
    draws: u32,
    seed: u64,
    threads: NonZeroUsize,
) -> Option<Interval> {
    let count = u32::try_from(differences.len())
        .ok()
        .filter(|&count| count >= 2)?;
    let (lowest, highest) = ends(differences);
    if lowest == highest {
        return Some(Interval::new(lowest, highest, Method::Bootstrap));
    }
    let mut means = vec![0.0; draws as usize];
    let share = means.len().div_ceil(threads.get()).max(1);
    thread::scope(|scope| {
        for (part, means) in means.chunks_mut(share).enumerate() {
            let first = part * share;
            scope.spawn(move || {
                for (draw, mean) in (first..).zip(means) {
                    let places = Places::new(stream(seed, draw as u64), count);
                    *mean = resampled_mean(differences, places).clamp(lowest, highest);
                }
            });
        }
    });
    means.sort_by(f64::total_cmp);
    let rank = ((u64::from(draws) + 1) / 40).max(1) as usize;
    let (low, high) = (means[rank - 1], means[means.len() - rank]);
    Some(Interval::new(low, high, Method::Bootstrap))
}

/// The random numbers of one draw. They are seeded by a hash, since streams
/// of PCG whose numbers are close to each other are correlated.
fn stream(seed: u64, draw: u64) -> Pcg64 {
    let mut hasher = Sha256::new_with_prefix(b"weighbridge paired bootstrap");
    hasher.update(seed.to_le_bytes());
    hasher.update(draw.to_le_bytes());
    Pcg64::from_seed(hasher.finalize().into())
}

fn resampled_mean(differences: &[f64], mut places: Places) -> f64 {
    let mut sum = Sum::default();
    let mut left = places.count;
    while left > 0 {
        let block = left.min(BLOCK);
        let mut sums = [0.0; 2];
        for _ in 0..block / 2 {
            let [one, other] = places.two();
            sums[0] += differences[one];
            sums[1] += differences[other];
        }
        if block % 2 == 1 {
            sums[0] += differences[places.two()[0]];
        }
        sum.add(sums[0] + sums[1]);
        left -= block;
    }
    sum.total() / f64::from(places.count)
}

/// Random places below `count`, each as likely as any other (D. Lemire, "Fast
/// Random Integer Generation in an Interval", 2019). Not rand's own method,
/// which another version may change, and intervals with it.
struct Places {
    random: Pcg64,
    count: u32,
    /// Products whose lower half is below this would make some places likelier.
    refused: u32,
}

impl Places {
    fn new(random: Pcg64, count: u32) -> Places {
        Places {
            random,
            count,
            refused: count.wrapping_neg() % count,
        }
    }

    fn two(&mut self) -> [usize; 2] {
        let word = self.random.next_u64();
        [self.place(word as u32), self.place((word >> 32) as u32)]
    }

    fn place(&mut self, mut word: u32) -> usize {
        loop {
            let product = u64::from(word) * u64::from(self.count);
            if product as u32 >= self.refused {
                return (product >> 32) as usize;
            }
            word = self.random.next_u64() as u32;
        }
    }
}

/// A sum with what rounding took from it (A. Neumaier, "Rundungsfehleranalyse
/// einiger Verfahren zur Summation endlicher Summen", 1974).
#[derive(Default)]
struct Sum {
    rounded: f64,
    lost: f64,
}

impl Sum {
    fn add(&mut self, value: f64) {
        let sum = self.rounded + value;
        self.lost += if self.rounded.abs() >= value.abs() {
            (self.rounded - sum) + value
        } else {
            (value - sum) + self.rounded
        };
        self.rounded = sum;
    }

    fn total(&self) -> f64 {
        self.rounded + self.lost
    }
}

fn ends(values: &[f64]) -> (f64, f64) {
    values
        .iter()
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &value| {
            (low.min(value), high.max(value))
        })
}
