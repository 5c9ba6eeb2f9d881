//! New verdicts over stored scores. Nothing is measured, and no score or
//! contract changes.

use std::fmt;

use super::record::{Header, PolicyChange, Rejudgement, ResultRecord};
use crate::metric_data::Inconsistent;
use crate::plugin::Description;
use crate::policy::{self, Policy, Scale, Threshold, ThresholdOutsideScale, Verdict};

/// A change that can't be made. Each message says what to write instead.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say it")]
pub enum RejudgeError {
    #[error("the run has no metric `{name}`: it has {known}")]
    UnknownMetric { name: String, known: String },
    #[error("metric `{name}` gets two thresholds: give one")]
    TwoThresholds { name: String },
    #[error(transparent)]
    Threshold(#[from] ThresholdOutsideScale),
}

/// The policies of a run's metrics, in the header's order.
#[derive(Clone, Debug, PartialEq)]
pub struct Policies {
    scales: Vec<Scale>,
    policies: Vec<Policy>,
}

impl Policies {
    /// Those that the run was judged by.
    pub fn of(header: &Header, descriptions: &[Description]) -> Policies {
        Policies {
            scales: descriptions.iter().map(|each| each.scale).collect(),
            policies: header.metrics.iter().map(|metric| metric.policy).collect(),
        }
    }

    /// These policies with new thresholds and strictness, and what that
    /// changes in `header`. A new threshold alone ends an old strict, which
    /// would otherwise go on overruling it.
    ///
    /// # Errors
    ///
    /// A metric isn't in the run, has two thresholds, or one that lies outside
    /// its scale.
    pub fn changed(
        &self,
        header: &Header,
        thresholds: &[(String, Threshold)],
        strict: &[String],
    ) -> Result<(Policies, Vec<PolicyChange>), RejudgeError> {
        let place = |name: &str| {
            let found = header.metrics.iter().position(|metric| metric.name == name);
            found.ok_or_else(|| RejudgeError::UnknownMetric {
                name: name.to_owned(),
                known: known(header),
            })
        };
        let mut changed = self.clone();
        for (index, (name, threshold)) in thresholds.iter().enumerate() {
            if thresholds[..index].iter().any(|(other, _)| other == name) {
                return Err(RejudgeError::TwoThresholds { name: name.clone() });
            }
            let place = place(name)?;
            threshold.check(name, &self.scales[place])?;
            changed.policies[place] = Policy {
                threshold: Some(*threshold),
                strict: false,
            };
        }
        for name in strict {
            changed.policies[place(name)?].strict = true;
        }
        let policies = self.policies.iter().zip(&changed.policies);
        let changes = header
            .metrics
            .iter()
            .zip(policies)
            .filter(|(_, (from, to))| from != to)
            .map(|(metric, (from, to))| PolicyChange {
                metric: metric.name.clone(),
                from: *from,
                to: *to,
            })
            .collect();
        Ok((changed, changes))
    }

    /// The header of the run under these policies.
    pub fn header(&self, header: &Header, rejudgement: Rejudgement) -> Header {
        let mut header = header.clone();
        for (metric, policy) in header.metrics.iter_mut().zip(&self.policies) {
            metric.policy = *policy;
        }
        header.rejudged.push(rejudgement);
        header
    }

    /// Judges a result anew: threshold, strict and success of each metric, and
    /// success of the case. A failed pair stays failed.
    ///
    /// # Errors
    ///
    /// A stored status contradicts its score.
    pub fn judge(&self, record: &mut ResultRecord) -> Result<Verdict, Inconsistent> {
        let (judgements, verdict) = self.judgements(record)?;
        for (data, judgement) in record.metrics.iter_mut().zip(judgements) {
            data.success = judgement.success;
            data.threshold = judgement.threshold;
            data.strict_mode = judgement.strict;
        }
        record.success = verdict.success();
        Ok(verdict)
    }

    /// What these policies make of a result: of each metric, and of the case.
    ///
    /// # Errors
    ///
    /// A stored status contradicts its score.
    pub(super) fn judgements(
        &self,
        record: &ResultRecord,
    ) -> Result<(Vec<Judgement>, Verdict), Inconsistent> {
        let mut case = Verdict::None;
        let policies = self.scales.iter().zip(&self.policies);
        let judgements = record.metrics.iter().zip(policies);
        let judgements = judgements.map(|(data, (scale, policy))| {
            let verdict = policy::decide(&data.outcome()?, scale, policy);
            case = policy::decide_case([case, verdict]);
            Ok(Judgement {
                success: verdict.success(),
                threshold: policy.bar(scale),
                strict: policy.strict,
            })
        });
        let judgements = judgements.collect::<Result<_, _>>()?;
        Ok((judgements, case))
    }
}

/// What a policy writes into a record.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Judgement {
    pub(super) success: Option<bool>,
    pub(super) threshold: Option<f64>,
    pub(super) strict: bool,
}

impl fmt::Display for Judgement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.success {
            Some(success) => write!(f, "success {success}")?,
            None => f.write_str("success null")?,
        }
        match (self.threshold, self.strict) {
            (Some(threshold), false) => write!(f, " (threshold {threshold})"),
            (Some(threshold), true) => write!(f, " (threshold {threshold}, strict)"),
            (None, _) => f.write_str(" (no threshold)"),
        }
    }
}

fn known(header: &Header) -> String {
    let names: Vec<String> = header
        .metrics
        .iter()
        .map(|metric| format!("`{}`", metric.name))
        .collect();
    names.join(", ")
}
