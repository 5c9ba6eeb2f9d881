//! Counting a run, result by result.

use super::distribution::Distribution;
use super::histogram::Cells;
use super::{Bounds, CaseCounts, FailureCount, Interval, MetricSummary, PassRate, Range, Summary};
use crate::metric_data::{MetricData, Status};
use crate::outcome::ErrorKind;
use crate::policy::{Direction, Scale, Verdict};

/// Counts of a run so far, in memory that doesn't grow with it.
#[derive(Clone, Debug, PartialEq)]
pub struct Tally {
    cases: CaseCounts,
    metrics: Vec<MetricTally>,
}

#[derive(Clone, Debug, PartialEq)]
struct MetricTally {
    scale: Scale,
    /// Counts, without statistics.
    counts: MetricSummary,
    moments: Moments,
    distribution: Distribution,
    cells: Cells,
}

impl Tally {
    /// An empty tally of metrics with these names and scales.
    pub fn new(metrics: impl IntoIterator<Item = (String, Scale)>) -> Tally {
        let metrics = metrics.into_iter().map(|(name, scale)| MetricTally {
            scale,
            counts: MetricSummary {
                name,
                ..MetricSummary::default()
            },
            moments: Moments::default(),
            distribution: Distribution::new(),
            cells: Cells::new(scale),
        });
        Tally {
            cases: CaseCounts::default(),
            metrics: metrics.collect(),
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
        for (metric, data) in self.metrics.iter_mut().zip(records) {
            metric.add(row, data);
        }
    }

    /// Test cases so far.
    pub fn cases(&self) -> u64 {
        self.cases.total
    }

    /// Counts and statistics of what was added.
    pub fn finish(&self) -> Summary {
        Summary {
            cases: self.cases,
            metrics: self.metrics.iter().map(MetricTally::finish).collect(),
        }
    }
}

impl MetricTally {
    fn add(&mut self, row: u64, data: &MetricData) {
        match data.status {
            Status::Measured => self.add_score(data),
            Status::Skipped => self.counts.skipped += 1,
            Status::Failed => self.add_failure(row, data),
        }
    }

    fn add_score(&mut self, data: &MetricData) {
        // A record that was read is checked to have one.
        let Some(score) = data.score else { return };
        self.counts.measured += 1;
        if data.success == Some(true) {
            self.counts.passed += 1;
        } else {
            self.counts.failed += 1;
        }
        self.moments.add(score);
        self.distribution.add(score);
        self.cells.add(score);
    }

    fn add_failure(&mut self, row: u64, data: &MetricData) {
        let counts = &mut self.counts;
        match data.error_kind {
            Some(ErrorKind::Input) => counts.input_failures += 1,
            Some(ErrorKind::Infrastructure) => counts.infrastructure_failures += 1,
            Some(ErrorKind::Metric) | None => counts.metric_failures += 1,
        }
        let code = data.error_code.map_or("unknown", |code| code.as_str());
        match counts.failures.get_mut(code) {
            Some(entry) => entry.count += 1,
            None => {
                let entry = FailureCount {
                    count: 1,
                    row,
                    first: data.error.clone().unwrap_or_default(),
                };
                counts.failures.insert(code.to_owned(), entry);
            }
        }
    }

    fn finish(&self) -> MetricSummary {
        let counts = &self.counts;
        let mean = (counts.measured > 0).then_some(self.moments.mean);
        let standard_error = self.moments.standard_error();
        MetricSummary {
            mean,
            standard_error,
            interval: mean
                .zip(standard_error)
                .and_then(|(mean, error)| Interval::normal(mean, error, &self.scale)),
            pass_rate: (counts.measured > 0).then(|| PassRate {
                rate: counts.passed as f64 / counts.measured as f64,
                interval: Interval::wilson(counts.passed, counts.measured),
            }),
            quantiles: self.distribution.quantiles(),
            histogram: (counts.measured > 0).then(|| self.cells.histogram()),
            bounds: (counts.missing() > 0).then(|| self.bounds()),
            ..counts.clone()
        }
    }

    fn bounds(&self) -> Bounds {
        let counts = &self.counts;
        let total = (counts.measured + counts.missing()) as f64;
        let share = counts.measured as f64 / total;
        let mean = self.moments.mean;
        let with = |score: f64| {
            // Neither summand exceeds its score, so that no sum overflows; and
            // rounding must not put it off the scale or beyond the mean.
            let sum = mean * share + score * (1.0 - share);
            sum.clamp(mean.min(score), mean.max(score))
        };
        let (bad, good) = match self.scale.direction {
            Direction::HigherIsBetter => (self.scale.lowest, self.scale.highest),
            Direction::LowerIsBetter => (self.scale.highest, self.scale.lowest),
        };
        Bounds {
            mean: Range {
                worst: with(bad),
                best: with(good),
            },
            pass_rate: Range {
                worst: counts.passed as f64 / total,
                best: (counts.passed + counts.missing()) as f64 / total,
            },
        }
    }
}

/// Mean and squared deviations, updated score by score, so that there is no
/// large sum in which a small score would vanish (B. P. Welford, "Note on a
/// Method for Calculating Corrected Sums of Squares and Products", 1962).
#[derive(Clone, Debug, Default, PartialEq)]
struct Moments {
    count: u64,
    mean: f64,
    squares: f64,
}

impl Moments {
    fn add(&mut self, score: f64) {
        self.count += 1;
        let count = self.count as f64;
        let distance = score - self.mean;
        if distance.is_finite() {
            self.mean += distance / count;
        } else {
            // Both ends of a scale as wide as all doubles.
            self.mean = self.mean * ((count - 1.0) / count) + score / count;
        }
        self.squares += distance * (score - self.mean);
    }

    /// `None` below two scores, or where squares leave the range of doubles.
    fn standard_error(&self) -> Option<f64> {
        if self.count < 2 {
            return None;
        }
        let variance = self.squares / (self.count - 1) as f64;
        let error = (variance / self.count as f64).sqrt();
        error.is_finite().then_some(error)
    }
}
