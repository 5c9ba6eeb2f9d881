//! McNemar's exact test.

use statrs::distribution::{Binomial, DiscreteCDF};

/// The two-sided probability of at least so uneven a change by chance, if each
/// changed verdict is as likely to change one way as the other: twice the
/// lower tail of a binomial distribution, at most 1 (Q. McNemar, "Note on the
/// sampling error of the difference between correlated proportions or
/// percentages", 1947, in its exact form). 1 if nothing changed.
pub(super) fn exact(one_way: u64, other_way: u64) -> f64 {
    let changed = one_way + other_way;
    let distribution = Binomial::new(0.5, changed).expect("a half is a probability");
    (2.0 * distribution.cdf(one_way.min(other_way))).min(1.0)
}
