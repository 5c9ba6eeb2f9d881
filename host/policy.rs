//! Policy: whether a score passes. The only place that turns outcomes into
//! verdicts; it never changes a measurement.

use serde::{Deserialize, Serialize};

use crate::outcome::Outcome;

/// Which end of the scale is the good one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "the names say it")]
pub enum Direction {
    HigherIsBetter,
    LowerIsBetter,
}

/// The scale of a metric's scores. One that is read from a file is checked.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Unchecked")]
pub struct Scale {
    /// Which end is the good one.
    pub direction: Direction,
    /// The lowest possible score; finite.
    pub lowest: f64,
    /// The highest possible score; finite, above `lowest`.
    pub highest: f64,
}

/// A scale as it is written down.
#[derive(Deserialize)]
struct Unchecked {
    direction: Direction,
    lowest: f64,
    highest: f64,
}

/// Two numbers between which there is no scale.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say it")]
pub enum InvalidScale {
    #[error("its lowest or highest score isn't finite: use a bounded scale")]
    Unbounded,
    #[error("its lowest score isn't below its highest: swap or mend them")]
    UpsideDown,
}

impl TryFrom<Unchecked> for Scale {
    type Error = InvalidScale;

    fn try_from(scale: Unchecked) -> Result<Scale, InvalidScale> {
        Scale::new(scale.direction, scale.lowest, scale.highest)
    }
}

impl Scale {
    /// The scale from `lowest` to `highest`.
    ///
    /// # Errors
    ///
    /// Either isn't finite, or `lowest` isn't below `highest`.
    pub fn new(direction: Direction, lowest: f64, highest: f64) -> Result<Scale, InvalidScale> {
        if !(lowest.is_finite() && highest.is_finite()) {
            return Err(InvalidScale::Unbounded);
        }
        if lowest >= highest {
            return Err(InvalidScale::UpsideDown);
        }
        Ok(Scale {
            direction,
            lowest,
            highest,
        })
    }

    /// The best possible score.
    pub fn perfect(&self) -> f64 {
        match self.direction {
            Direction::HigherIsBetter => self.highest,
            Direction::LowerIsBetter => self.lowest,
        }
    }

    /// Whether `score` is on the scale.
    pub fn contains(&self, score: f64) -> bool {
        (self.lowest..=self.highest).contains(&score)
    }
}

/// A score to reach; always finite.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "f64", into = "f64")]
pub struct Threshold(f64);

/// A threshold that isn't a finite number.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("threshold `{0}` isn't a finite number")]
pub struct InvalidThreshold(String);

/// A threshold that no score can be on the other side of.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error(
    "threshold `{threshold}` lies outside the scale of metric `{metric}`, {lowest} to {highest}: every case would get the same verdict"
)]
pub struct ThresholdOutsideScale {
    metric: String,
    threshold: f64,
    lowest: f64,
    highest: f64,
}

impl Threshold {
    /// Checks that this threshold lies on the scale of the metric so named.
    ///
    /// # Errors
    ///
    /// It doesn't.
    pub fn check(self, metric: &str, scale: &Scale) -> Result<(), ThresholdOutsideScale> {
        if scale.contains(self.0) {
            return Ok(());
        }
        Err(ThresholdOutsideScale {
            metric: metric.to_owned(),
            threshold: self.0,
            lowest: scale.lowest,
            highest: scale.highest,
        })
    }
}

impl TryFrom<f64> for Threshold {
    type Error = InvalidThreshold;

    fn try_from(value: f64) -> Result<Threshold, InvalidThreshold> {
        if value.is_finite() {
            Ok(Threshold(value))
        } else {
            Err(InvalidThreshold(value.to_string()))
        }
    }
}

impl std::str::FromStr for Threshold {
    type Err = InvalidThreshold;

    fn from_str(text: &str) -> Result<Threshold, InvalidThreshold> {
        let value: f64 = text
            .trim()
            .parse()
            .map_err(|_| InvalidThreshold(text.to_owned()))?;
        Threshold::try_from(value)
    }
}

impl From<Threshold> for f64 {
    fn from(threshold: Threshold) -> f64 {
        threshold.0
    }
}

/// Threshold and strictness of one metric.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Policy {
    /// The score to reach; `None` asks only for a score.
    pub threshold: Option<Threshold>,
    /// Only the perfect score passes, whatever the threshold.
    pub strict: bool,
}

impl Policy {
    /// The score that decides, on this scale; `None` if any score will do.
    pub fn bar(&self, scale: &Scale) -> Option<f64> {
        if self.strict {
            Some(scale.perfect())
        } else {
            self.threshold.map(f64::from)
        }
    }

    /// Whether this policy can fail a measured score.
    pub fn is_gate(&self) -> bool {
        self.strict || self.threshold.is_some()
    }
}

/// A policy applied to an outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// There is a score, and it is good enough.
    Passed,
    /// There is no score, or it isn't good enough.
    Failed,
    /// The metric doesn't apply.
    None,
}

impl Verdict {
    /// `success` of MetricData: true, false or null.
    pub fn success(self) -> Option<bool> {
        match self {
            Verdict::Passed => Some(true),
            Verdict::Failed => Some(false),
            Verdict::None => None,
        }
    }
}

/// The verdict of `policy` on `outcome`.
pub fn decide(outcome: &Outcome, scale: &Scale, policy: &Policy) -> Verdict {
    let score = match outcome {
        Outcome::Measured(measurement) => measurement.score,
        Outcome::Failed(_) => return Verdict::Failed,
        Outcome::Skipped { .. } => return Verdict::None,
    };
    let passed = match (policy.bar(scale), scale.direction) {
        (None, _) => true,
        (Some(bar), Direction::HigherIsBetter) => score >= bar,
        (Some(bar), Direction::LowerIsBetter) => score <= bar,
    };
    if passed {
        Verdict::Passed
    } else {
        Verdict::Failed
    }
}

/// The verdict on a whole test case: failed if any is, passed if none failed
/// and some passed, none if there are only skips.
pub fn decide_case(verdicts: impl IntoIterator<Item = Verdict>) -> Verdict {
    verdicts
        .into_iter()
        .fold(Verdict::None, |case, verdict| match (case, verdict) {
            (Verdict::Failed, _) | (_, Verdict::Failed) => Verdict::Failed,
            (Verdict::Passed, _) | (_, Verdict::Passed) => Verdict::Passed,
            (Verdict::None, Verdict::None) => Verdict::None,
        })
}
