//! Counts and statistics of a run, metric by metric. One metric is never
//! averaged with another, and a failure never counts as a score.

mod distribution;
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
    /// the count; null below two scores.
    #[serde(default)]
    pub standard_error: Option<f64>,
    /// Interval of the mean, cut to the metric's scale.
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
/// percent of the scores don't exceed (definition 1 of Hyndman and Fan,
/// "Sample Quantiles in Statistical Packages", 1996).
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
    /// How far each may be from the exact one, as a share of it; 0 unless
    /// there are thousands of different scores. Lowest and highest are exact.
    pub relative_error: f64,
}

/// Counts of scores in cells of equal width.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Histogram {
    /// Where the first cell begins: the scale's lowest score.
    pub lowest: f64,
    /// Where the last cell ends: the scale's highest score, which belongs to
    /// it.
    pub highest: f64,
    /// Scores in each cell. A cell holds its lower end.
    pub counts: Vec<u64>,
}

/// What a run can and can't look like with the scores that it lacks.
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
