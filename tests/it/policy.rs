//! Verdicts: policy applied to outcomes.

use weighbridge::assert_test::failure_message;
use weighbridge::metric_data::{Identity, MetricData, Status};
use weighbridge::outcome::{ErrorCode, Failure, Measurement, Observation, Outcome};
use weighbridge::policy::{Direction, Policy, Scale, Threshold, Verdict, decide, decide_case};

const UP: Scale = Scale {
    direction: Direction::HigherIsBetter,
    lowest: 0.0,
    highest: 1.0,
};
const DOWN: Scale = Scale {
    direction: Direction::LowerIsBetter,
    lowest: 0.0,
    highest: 10.0,
};

fn measured(score: f64) -> Outcome {
    Outcome::Measured(Measurement {
        score,
        reason: None,
        breakdown: Vec::new(),
    })
}

fn failed() -> Outcome {
    Outcome::Failed(Failure::new(ErrorCode::Trap, "it trapped"))
}

fn policy(threshold: Option<f64>, strict: bool) -> Policy {
    Policy {
        threshold: threshold.map(|value| Threshold::try_from(value).expect("it is finite")),
        strict,
    }
}

#[test]
fn a_score_meets_its_threshold_or_not() {
    for (score, scale, threshold, strict, verdict) in [
        (0.5, UP, Some(0.5), false, Verdict::Passed),
        (0.499, UP, Some(0.5), false, Verdict::Failed),
        (0.999, UP, Some(0.5), true, Verdict::Failed),
        (1.0, UP, Some(0.5), true, Verdict::Passed),
        (1.0, UP, None, true, Verdict::Passed),
        (0.0, UP, None, false, Verdict::Passed),
        (3.0, DOWN, Some(3.0), false, Verdict::Passed),
        (3.1, DOWN, Some(3.0), false, Verdict::Failed),
        (0.1, DOWN, Some(3.0), true, Verdict::Failed),
        (0.0, DOWN, None, true, Verdict::Passed),
    ] {
        let policy = policy(threshold, strict);
        assert_eq!(
            decide(&measured(score), &scale, &policy),
            verdict,
            "{score} {scale:?} {policy:?}"
        );
    }
}

#[test]
fn without_a_score_nothing_passes() {
    for policy in [
        policy(None, false),
        policy(Some(0.0), false),
        policy(None, true),
    ] {
        assert_eq!(decide(&failed(), &UP, &policy), Verdict::Failed);
        let skip = Outcome::Skipped {
            reason: "not mine".to_owned(),
        };
        assert_eq!(decide(&skip, &UP, &policy), Verdict::None);
    }
}

#[test]
fn a_case_passes_if_nothing_failed_and_something_passed() {
    use Verdict::{Failed, None, Passed};
    for (verdicts, case) in [
        (vec![], None),
        (vec![None, None], None),
        (vec![None, Passed], Passed),
        (vec![Passed, Failed, None], Failed),
        (vec![Failed, Passed], Failed),
    ] {
        assert_eq!(decide_case(verdicts.clone()), case, "{verdicts:?}");
    }
}

#[test]
fn thresholds_are_finite() {
    for text in ["NaN", "inf", "-inf", "half", ""] {
        assert!(text.parse::<Threshold>().is_err(), "{text}");
    }
}

fn record(outcome: Outcome, policy: &Policy) -> MetricData {
    let identity = Identity {
        name: "exact-json".to_owned(),
        version: "sha256:00".to_owned(),
        contract: "sha256:11".to_owned(),
        scale: UP,
    };
    let observation = Observation {
        outcome,
        ..Observation::without_instance(Failure::new(ErrorCode::Trap, ""))
    };
    MetricData::new(&identity, policy, observation)
}

#[test]
fn a_failure_has_no_score_and_no_reason() {
    let data = record(failed(), &policy(Some(0.5), false));
    assert_eq!((data.score, data.reason.clone()), (None, None));
    assert_eq!(data.status, Status::Failed);
    assert_eq!(data.success, Some(false));
    let json = serde_json::to_value(&data).expect("it is plain data");
    assert!(json["score"].is_null() && json["reason"].is_null());
    assert_eq!(json["errorKind"], "metric");
    assert_eq!(json["errorCode"], "trap");
}

#[test]
fn records_have_the_names_of_the_classic_harness() {
    let json = serde_json::to_value(record(measured(1.0), &Policy::default())).expect("plain");
    for name in [
        "name",
        "threshold",
        "success",
        "score",
        "reason",
        "strictMode",
        "evaluationModel",
        "error",
        "evaluationCost",
        "verboseLogs",
        "inputTokenCount",
        "outputTokenCount",
    ] {
        assert!(json.get(name).is_some(), "{name}");
    }
}

#[test]
fn an_assertion_lists_each_failing_metric() {
    let policy = policy(Some(0.5), false);
    let records = [
        record(measured(1.0), &policy),
        record(measured(0.25), &policy),
        record(failed(), &policy),
    ];
    assert_eq!(
        failure_message(&records).expect("two failed"),
        "Metrics: exact-json (score: 0.25, threshold: 0.5, strict: false, error: none, reason: none), \
         exact-json (score: none, threshold: 0.5, strict: false, error: it trapped, reason: none) failed"
    );
    assert_eq!(failure_message(&records[..1]), None);
}
