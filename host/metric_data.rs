//! MetricData: the record of one test case and one metric.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::outcome::{ErrorCode, ErrorKind, Failure, Measurement, Observation, Outcome, Part};
use crate::policy::{self, Direction, Policy, Scale, Verdict};

/// Which metric a record is about.
#[derive(Clone, Debug, PartialEq)]
pub struct Identity {
    /// The name in this run, unique within it.
    pub name: String,
    /// `sha256:` and the hex of the component's bytes.
    pub version: String,
    /// Digest of everything a measurement depends on besides the test case.
    pub contract: String,
    /// The scale of its scores.
    pub scale: Scale,
}

/// The record of one test case and one metric, in DeepEval's names as far as
/// `output_token_count`; the rest is ours.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MetricData {
    /// The metric's name in this run.
    pub name: String,
    /// The score to reach: with `strict_mode` the perfect one.
    pub threshold: Option<f64>,
    /// The verdict; null where the metric doesn't apply.
    pub success: Option<bool>,
    /// The score; null where there is none, which is never a 0.
    pub score: Option<f64>,
    /// Why that score, or why the case was skipped.
    pub reason: Option<String>,
    /// Whether only the perfect score passes.
    pub strict_mode: bool,
    /// The judge's model; null for a metric without one.
    pub evaluation_model: Option<String>,
    /// Why there is no score.
    pub error: Option<String>,
    /// What the judge cost; null where nothing was asked.
    pub evaluation_cost: Option<f64>,
    /// What the metric wrote to `log`.
    pub verbose_logs: Option<String>,
    /// Tokens the judge read.
    pub input_token_count: Option<u64>,
    /// Tokens the judge wrote.
    pub output_token_count: Option<u64>,
    /// Whether there is a score, a failure or a skip.
    pub status: Status,
    /// Whose move it is after a failure.
    pub error_kind: Option<ErrorKind>,
    /// The exact cause of a failure.
    pub error_code: Option<ErrorCode>,
    /// `sha256:` and the hex of the component's bytes.
    pub version: String,
    /// Digest of everything the measurement depends on besides the case.
    pub contract: String,
    /// Digest of the test case as projected to the metric's fields; null if
    /// the row isn't a test case, or holds a number without a canonical form.
    pub case_digest: Option<String>,
    /// Which end of the scale is the good one.
    pub direction: Direction,
    /// Parts of the score.
    pub breakdown: Vec<Part>,
    /// Fuel the guest spent.
    pub fuel: u64,
    /// Most bytes of guest memory held at once.
    pub peak_memory: u64,
    /// Wall-clock microseconds.
    pub duration_micros: u64,
    /// Questions put to the judge.
    pub judge_calls: u64,
    /// Judge calls whose cost isn't known.
    pub unknown_costs: u64,
    /// The record that this one was taken over from; absent if it was
    /// measured in this run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reused_from: Option<Origin>,
    /// What this version doesn't know.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// Where a measurement was taken over from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    /// Digest of the run file.
    pub run: String,
    /// The row in it, from 1.
    pub row: u64,
}

/// Whether there is a score.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "the names say it")]
pub enum Status {
    Measured,
    Failed,
    Skipped,
}

impl Status {
    fn in_words(self) -> &'static str {
        match self {
            Status::Measured => "was measured",
            Status::Failed => "failed",
            Status::Skipped => "was skipped",
        }
    }
}

/// A record whose status and score don't go together.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("says it {status} and has {parts}")]
pub struct Inconsistent {
    status: &'static str,
    parts: &'static str,
}

impl MetricData {
    /// Assembles the record of `observation` under `policy`.
    pub fn new(identity: &Identity, policy: &Policy, observation: Observation) -> MetricData {
        let mut data = MetricData {
            name: identity.name.clone(),
            threshold: None,
            success: None,
            score: None,
            reason: None,
            strict_mode: false,
            evaluation_model: None,
            error: None,
            evaluation_cost: None,
            verbose_logs: (!observation.logs.is_empty()).then_some(observation.logs),
            input_token_count: None,
            output_token_count: None,
            status: Status::Measured,
            error_kind: None,
            error_code: None,
            version: identity.version.clone(),
            contract: identity.contract.clone(),
            case_digest: observation.case_digest,
            direction: identity.scale.direction,
            breakdown: Vec::new(),
            fuel: observation.fuel,
            peak_memory: observation.peak_memory,
            duration_micros: observation.duration_micros,
            judge_calls: 0,
            unknown_costs: 0,
            reused_from: None,
            other: Map::new(),
        };
        let verdict = policy::decide(&observation.outcome, &identity.scale, policy);
        data.set_verdict(verdict, &identity.scale, policy);
        match observation.outcome {
            Outcome::Measured(measurement) => {
                data.score = Some(measurement.score);
                data.reason = measurement.reason;
                data.breakdown = measurement.breakdown;
            }
            Outcome::Failed(failure) => {
                data.status = Status::Failed;
                data.error_kind = Some(failure.code.kind());
                data.error_code = Some(failure.code);
                data.error = Some(failure.message);
            }
            Outcome::Skipped { reason } => {
                data.status = Status::Skipped;
                data.reason = Some(reason);
            }
        }
        data
    }

    /// What came of the pair.
    ///
    /// # Errors
    ///
    /// The record was stored with a status that its score or error code
    /// contradicts.
    pub fn outcome(&self) -> Result<Outcome, Inconsistent> {
        match (self.status, self.score, self.error_code) {
            (Status::Measured | Status::Skipped, _, None) if self.error.is_some() => {
                Err(Inconsistent {
                    status: self.status.in_words(),
                    parts: "an error",
                })
            }
            (Status::Measured, Some(score), None) => Ok(Outcome::Measured(Measurement {
                score,
                reason: self.reason.clone(),
                breakdown: self.breakdown.clone(),
            })),
            (Status::Failed, None, Some(code)) => Ok(Outcome::Failed(Failure {
                code,
                message: self.error.clone().unwrap_or_default(),
            })),
            (Status::Skipped, None, None) => Ok(Outcome::Skipped {
                reason: self.reason.clone().unwrap_or_default(),
            }),
            (status, score, code) => Err(Inconsistent {
                status: status.in_words(),
                parts: match (score, code) {
                    (Some(_), None) => "a score",
                    (None, None) => "neither score nor error code",
                    (None, Some(_)) => "an error code",
                    (Some(_), Some(_)) => "both score and error code",
                },
            }),
        }
    }

    /// Whether the record may be one of an older version, which made no digest
    /// for pairs that were never measured.
    pub fn may_lack_digest(&self) -> bool {
        self.status == Status::Failed && self.case_digest.is_none()
    }

    /// Judges the stored outcome by `policy`. Only threshold, strict and
    /// success change.
    ///
    /// # Errors
    ///
    /// As for [`MetricData::outcome`].
    pub fn judge(&mut self, scale: &Scale, policy: &Policy) -> Result<Verdict, Inconsistent> {
        let verdict = policy::decide(&self.outcome()?, scale, policy);
        self.set_verdict(verdict, scale, policy);
        Ok(verdict)
    }

    fn set_verdict(&mut self, verdict: Verdict, scale: &Scale, policy: &Policy) {
        self.threshold = policy.bar(scale);
        self.strict_mode = policy.strict;
        self.success = verdict.success();
    }
}
