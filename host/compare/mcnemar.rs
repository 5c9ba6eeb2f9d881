//! McNemar's exact test.

use std::f64::consts::LN_2;

use statrs::distribution::{Binomial, Discrete};

/// The two-sided probability of at least so uneven a change by chance, if each
/// changed verdict is as likely to change one way as the other: twice the
/// lower tail of a binomial distribution, at most 1 (Q. McNemar, "Note on the
/// sampling error of the difference between correlated proportions or
/// percentages", 1947, in its exact form). 1 if nothing changed; 0 if it is
/// less than a double can hold.
pub fn mcnemar(one_way: u64, other_way: u64) -> f64 {
    let (changed, fewer) = (one_way + other_way, one_way.min(other_way));
    if one_way == other_way {
        return 1.0;
    }
    // Summed from its largest term down. The incomplete beta function, by which
    // statrs has the whole tail, doesn't converge for millions of changes.
    let (mut term, mut sum) = (1.0, 1.0);
    for successes in (1..=fewer).rev() {
        term *= successes as f64 / (changed - successes + 1) as f64;
        sum += term;
        if term < sum * f64::EPSILON / 4.0 {
            break;
        }
    }
    let distribution = Binomial::new(0.5, changed).expect("a half is a probability");
    let logarithm: f64 = distribution.ln_pmf(fewer) + f64::ln(sum) + LN_2;
    logarithm.exp().min(1.0)
}
