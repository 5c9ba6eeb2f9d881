//! Numbers as the quotients they are written as, and how near two are.

use std::cmp::Ordering;

use crate::decimal::Decimal;

/// A number: a decimal, or a fraction of two integers.
#[derive(Clone, Debug)]
pub(crate) struct Number {
    numerator: Decimal,
    /// At least 1 and short: see [`Number::fraction`].
    denominator: Decimal,
}

/// How two numbers compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Nearness {
    Equal,
    WithinTolerance,
    Different,
}

impl Number {
    pub(crate) fn decimal(decimal: Decimal) -> Number {
        Number {
            numerator: decimal,
            denominator: Decimal::from_integer(false, 1),
        }
    }

    /// `whole` and `numerator`/`denominator`, each below 10^18; the
    /// denominator isn't 0.
    pub(crate) fn fraction(negative: bool, whole: u64, numerator: u64, denominator: u64) -> Number {
        let numerator = u128::from(whole) * u128::from(denominator) + u128::from(numerator);
        Number {
            numerator: Decimal::from_integer(negative, numerator),
            denominator: Decimal::from_integer(false, denominator.into()),
        }
    }

    /// Compares with what was expected: equal, or else no further from it than
    /// the larger of `absolute` and `relative` × |expected|. All exact.
    pub(crate) fn nearness(&self, expected: &Number, absolute: f64, relative: f64) -> Nearness {
        // a/b and c/d are as far apart as ad and cb, measured in units of bd.
        let left = self.numerator.times(&expected.denominator);
        let right = expected.numerator.times(&self.denominator);
        if left == right {
            return Nearness::Equal;
        }
        let distance = left.distance(&right);
        let near = |limit: Decimal| distance.compare_magnitude(&limit) != Ordering::Greater;
        let near_absolute = || {
            let unit = self.denominator.times(&expected.denominator);
            near(unit.times(&Decimal::from_double(absolute)))
        };
        let near_relative = || near(right.times(&Decimal::from_double(relative)).magnitude());
        if (absolute > 0.0 && near_absolute()) || (relative > 0.0 && near_relative()) {
            Nearness::WithinTolerance
        } else {
            Nearness::Different
        }
    }
}
