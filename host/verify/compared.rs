//! A stored result, compared with what measuring again gave.

use super::Verification;
use super::difference::{Difference, Fuel, differences, is_repeatable};
use crate::evaluate::CaseResult;
use crate::run::{Contradiction, ResultRecord};

/// Most pairs whose differences are kept to be listed.
const LISTED_PAIRS: u64 = 20;

/// A result with its line in the run file.
#[derive(Clone, Debug)]
pub struct StoredResult {
    /// Line of the run file, from 1.
    pub line: u64,
    /// The result.
    pub record: ResultRecord,
}

impl StoredResult {
    /// Something in this result that contradicts the rest.
    pub fn contradiction(&self, what: impl Into<String>) -> Contradiction {
        Contradiction {
            line: self.line,
            row: Some(self.record.row),
            metric: None,
            what: what.into(),
        }
    }
}

/// What came of measuring a result again.
#[derive(Clone, Debug)]
pub struct Compared {
    /// The stored test case is another than the row of the data set.
    contradiction: Option<Contradiction>,
    /// For each pair its differences, or `None` if it can't be compared.
    pairs: Vec<Option<Vec<Difference>>>,
}

impl Compared {
    /// Compares a stored result with the new one.
    pub fn new(stored: &StoredResult, again: &CaseResult, fuel: Fuel) -> Compared {
        let record = &stored.record;
        let case = record.case.as_ref().and_then(|case| case.read().ok());
        let other_case = case.is_some() && case.as_ref() != again.row.case.as_ref().ok();
        let pairs = record.metrics.iter().zip(&again.metrics);
        let pairs = pairs.map(|(stored, again)| {
            (is_repeatable(stored) && is_repeatable(again))
                .then(|| differences(record.row, stored, again, fuel))
        });
        Compared {
            contradiction: other_case
                .then(|| stored.contradiction("the test case isn't that of the data set")),
            pairs: pairs.collect(),
        }
    }

    /// Adds it to what was found so far.
    pub fn note(self, found: &mut Verification) {
        found.contradictions.extend(self.contradiction);
        for pair in self.pairs {
            let Some(differences) = pair else {
                found.infrastructure += 1;
                continue;
            };
            found.measured += 1;
            if differences.is_empty() {
                continue;
            }
            found.differing += 1;
            if found.differing <= LISTED_PAIRS {
                found.differences.extend(differences);
            }
        }
    }
}
