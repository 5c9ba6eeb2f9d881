//! The paired bootstrap: how much a mean would vary with other cases.

use std::thread;

use rand::RngExt;
use rand_pcg::Pcg64;

use crate::summary::{Interval, Method};

/// The 95 % percentile interval of the mean of `differences`, from so many
/// resamples (B. Efron, R. J. Tibshirani, "An Introduction to the Bootstrap",
/// 1993, section 13.3). `None` below two differences.
///
/// Each draw has a random stream of its own, so that the result depends on the
/// seed and not on the number of threads.
pub(super) fn interval(differences: &[f64], draws: u32, seed: u64) -> Option<Interval> {
    let count = u32::try_from(differences.len())
        .ok()
        .filter(|&count| count >= 2)?;
    let mut means = vec![0.0; draws as usize];
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let share = means.len().div_ceil(threads).max(1);
    thread::scope(|scope| {
        for (part, means) in means.chunks_mut(share).enumerate() {
            let first = part * share;
            scope.spawn(move || {
                for (draw, mean) in (first..).zip(means) {
                    *mean = resampled_mean(differences, count, seed, draw as u64);
                }
            });
        }
    });
    means.sort_by(f64::total_cmp);
    let quantile = |share: f64| means[(share * f64::from(draws)).ceil() as usize - 1];
    let (low, high) = (quantile(0.025), quantile(0.975));
    (low.is_finite() && high.is_finite()).then(|| Interval::new(low, high, Method::Bootstrap))
}

fn resampled_mean(differences: &[f64], count: u32, seed: u64, draw: u64) -> f64 {
    let mut rng = Pcg64::new(u128::from(seed), u128::from(draw));
    let sum: f64 = (0..count)
        .map(|_| differences[rng.random_range(0..count) as usize])
        .sum();
    sum / f64::from(count)
}
