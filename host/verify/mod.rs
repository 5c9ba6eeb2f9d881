//! Whether a run file says what measuring again gives.

mod compared;
mod difference;

use rand::seq::index;
use rand_pcg::Pcg64;

pub use compared::{Compared, StoredResult};
pub use difference::{Difference, Fuel, differences, is_repeatable};

use crate::run::Contradiction;

/// What verifying a run file came to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Verification {
    /// Results in the run file.
    pub results: u64,
    /// Whether it has a closing record.
    pub complete: bool,
    /// Where it contradicts itself.
    pub contradictions: Vec<Contradiction>,
    /// Pairs of case and metric that were measured again.
    pub measured: u64,
    /// Pairs of them that came out otherwise.
    pub differing: u64,
    /// How they differ, up to some number of pairs.
    pub differences: Vec<Difference>,
    /// Pairs with an infrastructure failure, then or now, of which nothing can
    /// be said.
    pub infrastructure: u64,
    /// Rows whose test case is neither in the run file nor to be read.
    pub without_case: u64,
    /// Sentences about how it was done.
    pub notes: Vec<String>,
}

impl Verification {
    /// Whether nothing was found.
    pub fn is_clean(&self) -> bool {
        self.contradictions.is_empty() && self.differing == 0
    }
}

/// `amount` of the numbers 1 to `total`, ascending; all of them if there
/// aren't more. The same seed draws the same numbers.
pub fn sample(total: u64, amount: u64, seed: u64) -> Vec<u64> {
    let length = usize::try_from(total).expect("a file of so many rows was read");
    let amount = usize::try_from(amount).unwrap_or(length).min(length);
    let mut rng = Pcg64::new(u128::from(seed), 0);
    let mut rows: Vec<u64> = index::sample(&mut rng, length, amount)
        .into_iter()
        .map(|index| index as u64 + 1)
        .collect();
    rows.sort_unstable();
    rows
}
