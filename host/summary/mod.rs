//! Counts and statistics of a run, metric by metric. One metric is never
//! averaged with another, and a failure never counts as a score.

mod distribution;
mod histogram;
mod interval;
mod tally;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

pub(crate) use interval::Z;
pub use interval::{Interval, Method};
pub use tally::Tally;

/// What a run came to.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Summary {
    /// Counts of test cases.
    pub cases: CaseCounts,
    /// One entry a metric, in the run's order.
    pub metrics: Vec<MetricSummary>,
}

/// Counts of test cases by verdict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CaseCounts {
    /// All of them.
    pub total: u64,
    /// No metric failed and some passed.
    pub passed: u64,
    /// Some metric failed.
    pub failed: u64,
    /// Only skips.
    pub no_verdict: u64,
}

/// What one metric came to. Statistics are null where there is nothing to say,
/// and in run files older than they are.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MetricSummary {
    /// The metric's name.
    pub name: String,
    /// Pairs with a score.
    pub measured: u64,
    /// Measured pairs that passed.
    pub passed: u64,
    /// Measured pairs that didn't pass.
    pub failed: u64,
    /// Pairs without a score because of the data.
    pub input_failures: u64,
    /// Pairs without a score because of the metric.
    pub metric_failures: u64,
    /// Pairs without a score because of the machinery around it.
    pub infrastructure_failures: u64,
    /// Pairs to which the metric doesn't apply.
    pub skipped: u64,
    /// Mean score over the measured pairs; null if there are none.
    pub mean: Option<f64>,
    /// Standard error of the mean: sample deviation over the square root of
    /// the count; null below two scores, and where scores are so far apart
    /// that their squares are no doubles (about 1e154).
    #[serde(default)]
    pub standard_error: Option<f64>,
    /// Interval of the mean, cut to the metric's scale; null where the
    /// standard error is. It is too narrow for few scores: if all of two are
    /// equal, it is a point.
    #[serde(default)]
    pub interval: Option<Interval>,
    /// How many of the measured pairs passed.
    #[serde(default)]
    pub pass_rate: Option<PassRate>,
    /// Quantiles of the scores.
    #[serde(default)]
    pub quantiles: Option<Quantiles>,
    /// How the scores are spread over the scale.
    #[serde(default)]
    pub histogram: Option<Histogram>,
    /// Between which values mean and pass rate would lie if the failed pairs
    /// had scores; null if none failed.
    #[serde(default)]
    pub bounds: Option<Bounds>,
    /// Failures by code: how many, and the first one's message.
    pub failures: BTreeMap<String, FailureCount>,
}

impl MetricSummary {
    /// Pairs that should have a score and have none.
    pub fn missing(&self) -> u64 {
        self.input_failures + self.metric_failures + self.infrastructure_failures
    }
}

/// A share of measured pairs, from 0 to 1.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PassRate {
    /// The share that passed.
    pub rate: f64,
    /// Its interval.
    pub interval: Interval,
}

/// Quantiles of scores: each is the smallest score that at least so many
/// percent of the scores don't exceed (definition 1 of R. J. Hyndman and
/// Y. Fan, "Sample Quantiles in Statistical Packages", 1996; nearest rank).
///
/// Among more than 4,096 different scores, all but `min` and `max` are cut
/// towards 0 after some binary digits, which leaves scores like 0, 0.5 and 1
/// as they are.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the names say it")]
pub struct Quantiles {
    pub min: f64,
    pub p5: f64,
    pub p25: f64,
    pub median: f64,
    pub p75: f64,
    pub p95: f64,
    pub max: f64,
    /// How far each may be from the exact one, as a share of that (or of
    /// 2.2e-308, if that is smaller): 0 while nothing is cut, and about 0.004
    /// for a million scores spread evenly from 0 to 1.
    pub relative_error: f64,
}

/// Counts of scores in 20 cells of equal width. Cell `i`, from 0, begins at
/// ((20 − i) · `lowest` + i · `highest`) / 20.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Histogram {
    /// Where the first cell begins: the scale's lowest score.
    pub lowest: f64,
    /// Where the last cell ends: the scale's highest score, which belongs to
    /// it.
    pub highest: f64,
    /// Scores in each cell, which holds its lower end and not its upper.
    pub counts: Vec<u64>,
}

/// What a run would look like if its failed pairs had scores. Skipped pairs
/// are left out. No completion lies outside (C. F. Manski, "Nonparametric
/// Bounds on Treatment Effects", 1990).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Bounds {
    /// Of the mean: each failed pair at the bad, or the good, end of the scale.
    pub mean: Range,
    /// Of the pass rate: no failed pair passing, or every one.
    pub pass_rate: Range,
}

/// From worst to best. Where lower is better, the worst is the larger number.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Range {
    pub worst: f64,
    pub best: f64,
}

/// How often one error code came up.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FailureCount {
    /// How often.
    pub count: u64,
    /// The row of the first one.
    pub row: u64,
    /// The first one's message.
    pub first: String,
}

impl Summary {
    /// The sum of `count` over all metrics.
    pub fn total(&self, count: impl Fn(&MetricSummary) -> u64) -> u64 {
        self.metrics.iter().map(count).sum()
    }
}
