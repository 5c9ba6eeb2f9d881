//! Counts and means of a run, metric by metric. One metric is never averaged
//! with another.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::metric_data::{MetricData, Status};
use crate::outcome::ErrorKind;
use crate::policy::Verdict;

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

/// What one metric came to.
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
    /// Failures by code: how many, and the first one's message.
    pub failures: BTreeMap<String, FailureCount>,
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
    /// An empty summary of metrics with these names.
    pub fn new(names: impl IntoIterator<Item = String>) -> Summary {
        Summary {
            cases: CaseCounts::default(),
            metrics: names
                .into_iter()
                .map(|name| MetricSummary {
                    name,
                    ..MetricSummary::default()
                })
                .collect(),
        }
    }

    /// Counts one test case: its row, its records in the metrics' order and
    /// its verdict.
    pub fn add(&mut self, row: u64, records: &[MetricData], verdict: Verdict) {
        self.cases.total += 1;
        match verdict {
            Verdict::Passed => self.cases.passed += 1,
            Verdict::Failed => self.cases.failed += 1,
            Verdict::None => self.cases.no_verdict += 1,
        }
        for (summary, data) in self.metrics.iter_mut().zip(records) {
            summary.add(row, data);
        }
    }

    /// The sum of `count` over all metrics.
    pub fn total(&self, count: impl Fn(&MetricSummary) -> u64) -> u64 {
        self.metrics.iter().map(count).sum()
    }
}

impl MetricSummary {
    fn add(&mut self, row: u64, data: &MetricData) {
        match data.status {
            Status::Measured => self.add_score(data),
            Status::Skipped => self.skipped += 1,
            Status::Failed => self.add_failure(row, data),
        }
    }

    fn add_score(&mut self, data: &MetricData) {
        self.measured += 1;
        if data.success == Some(true) {
            self.passed += 1;
        } else {
            self.failed += 1;
        }
        let score = data.score.unwrap_or_default();
        // Welford's update: no large sum that a small score would vanish in.
        let mean = self.mean.unwrap_or_default();
        self.mean = Some(mean + (score - mean) / self.measured as f64);
    }

    fn add_failure(&mut self, row: u64, data: &MetricData) {
        match data.error_kind {
            Some(ErrorKind::Input) => self.input_failures += 1,
            Some(ErrorKind::Infrastructure) => self.infrastructure_failures += 1,
            Some(ErrorKind::Metric) | None => self.metric_failures += 1,
        }
        let code = data.error_code.map_or("unknown", |code| code.as_str());
        match self.failures.get_mut(code) {
            Some(entry) => entry.count += 1,
            None => {
                let entry = FailureCount {
                    count: 1,
                    row,
                    first: data.error.clone().unwrap_or_default(),
                };
                self.failures.insert(code.to_owned(), entry);
            }
        }
    }
}
