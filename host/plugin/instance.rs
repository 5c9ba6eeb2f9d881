//! One call on one fresh instance. Nothing survives it but what it returns.

use wasmtime::Store;

use super::bindings::{LoggingMetricPre, Lowered, wit};
use super::engine::Sandbox;
use super::failure::{Stage, classify};
use super::guest::Guest;
use crate::case::TestCase;
use crate::outcome::{ErrorCode, Failure, Measurement, Outcome, Part};
use crate::policy::Scale;

/// What a call came to and what it took.
pub(super) struct Call<T> {
    pub(super) result: T,
    pub(super) logs: String,
    pub(super) fuel: u64,
    pub(super) peak_memory: u64,
}

/// Asks the component what it is under this configuration.
pub(super) fn describe(
    sandbox: &Sandbox,
    pre: &LoggingMetricPre<Guest>,
    config: &str,
) -> Call<Result<Result<wit::Description, wit::Failure>, Failure>> {
    let mut store = sandbox.store();
    let result = pre
        .instantiate(&mut store)
        .map_err(|error| classify(&error, Stage::Instantiation, &sandbox.limits))
        .and_then(|instance| {
            instance
                .weighbridge_metric_metric()
                .call_describe(&mut store, config)
                .map_err(|error| classify(&error, Stage::Call, &sandbox.limits))
        });
    finish(sandbox, store, result)
}

/// Measures `case`, which holds only the metric's declared fields.
pub(super) fn measure(
    sandbox: &Sandbox,
    pre: &LoggingMetricPre<Guest>,
    scale: &Scale,
    case: &TestCase,
    config: &str,
) -> Call<Outcome> {
    let mut store = sandbox.store();
    let outcome = match pre.instantiate(&mut store) {
        Err(error) => Outcome::Failed(classify(&error, Stage::Instantiation, &sandbox.limits)),
        Ok(instance) => {
            let result = Lowered::new(case).with(|case| {
                instance
                    .weighbridge_metric_metric()
                    .call_measure(&mut store, case, config)
            });
            match result {
                Err(error) => Outcome::Failed(classify(&error, Stage::Call, &sandbox.limits)),
                Ok(Err(failure)) => refused(failure),
                Ok(Ok(measurement)) => checked(measurement, scale),
            }
        }
    };
    finish(sandbox, store, outcome)
}

fn finish<T>(sandbox: &Sandbox, store: Store<Guest>, result: T) -> Call<T> {
    let left = store
        .get_fuel()
        .expect("the engine was configured with fuel");
    let guest = store.into_data();
    Call {
        result,
        fuel: sandbox.limits.fuel - left,
        peak_memory: guest.peak_memory,
        logs: guest.logs,
    }
}

/// What it means that the metric returned a failure.
fn refused(failure: wit::Failure) -> Outcome {
    let code = match failure.kind {
        Some(wit::FailureKind::NotApplicable) => {
            return Outcome::Skipped {
                reason: failure.message,
            };
        }
        Some(wit::FailureKind::UnsuitableCase) => ErrorCode::UnsuitableCase,
        Some(wit::FailureKind::UnusableJudgement) => ErrorCode::UnusableJudgement,
        Some(wit::FailureKind::Internal) | None => ErrorCode::Internal,
    };
    Outcome::Failed(Failure::new(code, failure.message))
}

/// The measurement, if its numbers are what the description promised.
fn checked(measurement: wit::Measurement, scale: &Scale) -> Outcome {
    let fail = |code, message: String| Outcome::Failed(Failure::new(code, message));
    if !measurement.score.is_finite() {
        return fail(
            ErrorCode::ScoreNotFinite,
            format!(
                "the metric returned {} as its score: return a failure where there is no score",
                measurement.score
            ),
        );
    }
    if !scale.contains(measurement.score) {
        return fail(
            ErrorCode::ScoreOutOfRange,
            format!(
                "the metric returned the score {} and describes a range from {} to {}: mend one of the two",
                measurement.score, scale.lowest, scale.highest
            ),
        );
    }
    if let Some(part) = measurement
        .breakdown
        .iter()
        .find(|part| !part.score.is_finite())
    {
        return fail(
            ErrorCode::ScoreNotFinite,
            format!(
                "the metric returned {} as the score of part `{}`: leave out a part without a score",
                part.score, part.name
            ),
        );
    }
    Outcome::Measured(Measurement {
        // Turns a negative zero into zero.
        score: measurement.score + 0.0,
        reason: measurement.reason,
        breakdown: measurement
            .breakdown
            .into_iter()
            .map(|part| Part {
                name: part.name,
                score: part.score + 0.0,
                reason: part.reason,
            })
            .collect(),
    })
}
