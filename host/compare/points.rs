//! What two runs found on the same cases, counted and subtracted.

use std::num::NonZeroUsize;
use std::str::FromStr;

use serde::Serialize;

use super::{DRAWS, bootstrap, mcnemar};
use crate::metric_data::MetricData;
use crate::outcome::ErrorCode;
use crate::policy::Direction;
use crate::summary::Interval;

/// What one run found on one case with one metric.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(
    tag = "status",
    rename_all = "kebab-case",
    rename_all_fields = "camelCase"
)]
pub enum Point {
    /// A score, and whether it passed.
    Measured {
        /// On the metric's scale.
        score: f64,
        /// Whether it passed.
        success: bool,
    },
    /// A failure.
    Failed {
        /// Its cause.
        error_code: ErrorCode,
    },
    /// The metric doesn't apply.
    Skipped,
}

impl Point {
    pub(super) fn of(data: &MetricData) -> Point {
        match (data.score, data.error_code) {
            (Some(score), _) => Point::Measured {
                score,
                success: data.success == Some(true),
            },
            (None, Some(error_code)) => Point::Failed { error_code },
            (None, None) => Point::Skipped,
        }
    }
}

/// What became of a case. A failure comes before a skip: one that was skipped
/// in one run and failed in the other became a failure, or recovered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "the names say it")]
pub enum Change {
    Improved,
    Worse,
    Same,
    BecameFailure,
    Recovered,
    FailedInBoth,
    SkippedInOne,
    SkippedInBoth,
}

impl Change {
    /// Each of them, in the order of tables.
    pub const ALL: [Change; 8] = [
        Change::Improved,
        Change::Worse,
        Change::Same,
        Change::BecameFailure,
        Change::Recovered,
        Change::FailedInBoth,
        Change::SkippedInOne,
        Change::SkippedInBoth,
    ];

    /// What became of a case on a scale of this direction.
    pub fn of([a, b]: [Point; 2], direction: Direction) -> Change {
        match (a, b) {
            (Point::Failed { .. }, Point::Failed { .. }) => Change::FailedInBoth,
            (_, Point::Failed { .. }) => Change::BecameFailure,
            (Point::Failed { .. }, _) => Change::Recovered,
            (Point::Skipped, Point::Skipped) => Change::SkippedInBoth,
            (Point::Skipped, _) | (_, Point::Skipped) => Change::SkippedInOne,
            (Point::Measured { score: a, .. }, Point::Measured { score: b, .. }) => {
                let higher = direction == Direction::HigherIsBetter;
                if a == b {
                    Change::Same
                } else if (b > a) == higher {
                    Change::Improved
                } else {
                    Change::Worse
                }
            }
        }
    }

    /// The word for it, as on the command line.
    pub fn as_str(self) -> &'static str {
        match self {
            Change::Improved => "improved",
            Change::Worse => "worse",
            Change::Same => "same",
            Change::BecameFailure => "became-failure",
            Change::Recovered => "recovered",
            Change::FailedInBoth => "failed-in-both",
            Change::SkippedInOne => "skipped-in-one",
            Change::SkippedInBoth => "skipped-in-both",
        }
    }
}

impl FromStr for Change {
    type Err = String;

    fn from_str(text: &str) -> Result<Change, String> {
        let known = Change::ALL
            .into_iter()
            .find(|change| change.as_str() == text);
        known.ok_or_else(|| {
            let words = Change::ALL.map(|change| format!("`{}`", change.as_str()));
            format!("write one of {}", words.join(", "))
        })
    }
}

/// Pairs by what became of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the names say it")]
pub struct Changes {
    pub improved: u64,
    pub worse: u64,
    pub same: u64,
    pub became_failure: u64,
    pub recovered: u64,
    pub failed_in_both: u64,
    pub skipped_in_one: u64,
    pub skipped_in_both: u64,
}

impl Changes {
    pub(super) fn count(points: &[[Point; 2]], direction: Direction) -> Changes {
        let mut changes = Changes::default();
        for &pair in points {
            *match Change::of(pair, direction) {
                Change::Improved => &mut changes.improved,
                Change::Worse => &mut changes.worse,
                Change::Same => &mut changes.same,
                Change::BecameFailure => &mut changes.became_failure,
                Change::Recovered => &mut changes.recovered,
                Change::FailedInBoth => &mut changes.failed_in_both,
                Change::SkippedInOne => &mut changes.skipped_in_one,
                Change::SkippedInBoth => &mut changes.skipped_in_both,
            } += 1;
        }
        changes
    }
}

/// The mean of B − A over the cases with two scores.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Difference {
    /// Pairs with two scores.
    pub cases: u64,
    /// Mean of B − A.
    pub mean: f64,
    /// Its interval; null below two cases.
    pub interval: Option<Interval>,
    /// Draws of the bootstrap.
    pub draws: u32,
    /// Its seed.
    pub seed: u64,
}

impl Difference {
    /// Of these scores in A and B, drawn by so many threads, which change
    /// nothing. `None` without scores, or where the mean leaves the range of
    /// doubles.
    pub fn of(scores: &[[f64; 2]], seed: u64, threads: NonZeroUsize) -> Option<Difference> {
        let factor = factor(scores);
        let differences: Vec<f64> = scores
            .iter()
            .map(|[a, b]| b * factor - a * factor)
            .collect();
        if differences.is_empty() {
            return None;
        }
        let mean = bootstrap::mean(&differences) / factor;
        let interval = bootstrap::interval(&differences, DRAWS, seed, threads)
            .map(|found| Interval::new(found.low / factor, found.high / factor, found.method))
            .filter(|found| found.low.is_finite() && found.high.is_finite());
        mean.is_finite().then_some(Difference {
            cases: differences.len() as u64,
            mean,
            interval,
            draws: DRAWS,
            seed,
        })
    }
}

/// A power of two by which scores are multiplied so that no sum of up to 2^32
/// differences overflows. It is 1 unless there are scores beyond 10^270, beside
/// which what it takes from the smallest ones is nothing.
fn factor(scores: &[[f64; 2]]) -> f64 {
    let largest = scores
        .iter()
        .flatten()
        .fold(0.0_f64, |largest, score| largest.max(score.abs()));
    if largest > 1e270 {
        2.0_f64.powi(-200)
    } else {
        1.0
    }
}

/// The scores of the cases that have two.
pub(super) fn scores(points: &[[Point; 2]]) -> Vec<[f64; 2]> {
    points
        .iter()
        .filter_map(|pair| match *pair {
            [
                Point::Measured { score: a, .. },
                Point::Measured { score: b, .. },
            ] => Some([a, b]),
            _ => None,
        })
        .collect()
}

/// Verdicts of the cases with two scores.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Verdicts {
    /// Passed in both.
    pub passed: u64,
    /// Failed in both.
    pub failed: u64,
    /// Failed in A, passed in B.
    pub came_to_pass: u64,
    /// Passed in A, failed in B.
    pub came_to_fail: u64,
    /// How likely so uneven a change of verdicts is by chance: McNemar's exact
    /// two-sided test.
    pub p_value: f64,
}

impl Verdicts {
    pub(super) fn count(points: &[[Point; 2]]) -> Verdicts {
        let mut verdicts = Verdicts::default();
        for pair in points {
            let [
                Point::Measured { success: a, .. },
                Point::Measured { success: b, .. },
            ] = *pair
            else {
                continue;
            };
            *match (a, b) {
                (true, true) => &mut verdicts.passed,
                (false, false) => &mut verdicts.failed,
                (false, true) => &mut verdicts.came_to_pass,
                (true, false) => &mut verdicts.came_to_fail,
            } += 1;
        }
        verdicts.p_value = mcnemar::mcnemar(verdicts.came_to_pass, verdicts.came_to_fail);
        verdicts
    }
}
