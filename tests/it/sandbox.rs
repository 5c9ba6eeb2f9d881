//! Each limit, met by a guest that misbehaves on one case of three.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use weighbridge::case::TestCase;
use weighbridge::evaluate::{Row, Weighing, evaluate};
use weighbridge::metric_data::{MetricData, Status};
use weighbridge::outcome::{ErrorCode, ErrorKind, Outcome};
use weighbridge::plugin::{Limits, Metric, Sandbox, Source};
use weighbridge::policy::Policy;

use crate::guests;

fn case(answer: &str) -> TestCase {
    TestCase {
        actual_output: Some(answer.to_owned()),
        ..TestCase::default()
    }
}

/// Runs the guest on a good case, a bad one and a good one.
fn around(metric: Metric) -> [MetricData; 3] {
    let weighings = [Weighing {
        metric,
        policy: Policy::default(),
    }];
    let mut answers = ["fine", "x", "fine"].into_iter().zip(1..);
    let mut records = Vec::new();
    let ended = evaluate(
        &weighings,
        "data",
        &AtomicBool::new(false),
        || Ok::<_, std::convert::Infallible>(answers.next()),
        |(answer, row)| Row {
            row,
            line: row,
            case: Ok(case(answer)),
            unread: Vec::new(),
            known: Vec::new(),
        },
        |result| result,
        |mut result| {
            records.append(&mut result.metrics);
            Ok(())
        },
    );
    assert!(ended.is_ok());
    records.try_into().expect("one record a case")
}

/// The bad case fails with `code` and a message that holds `words`; the ones
/// around it score 1.
fn check_with(name: &str, limits: Limits, code: ErrorCode, words: &str) {
    let metric = guests::load(name, limits).unwrap_or_else(|error| panic!("{name}: {error}"));
    let [before, bad, after] = around(metric);
    assert_eq!(before.score, Some(1.0), "{name}: {:?}", before.error);
    assert_eq!(after.score, Some(1.0), "{name}: {:?}", after.error);
    assert_eq!(before.fuel, after.fuel, "{name}: equal cases, equal fuel");
    let message = bad.error.expect("a failure has a message");
    assert_eq!(bad.error_code, Some(code), "{name}: {message}");
    assert_eq!(bad.status, Status::Failed, "{name}");
    assert_eq!(bad.error_kind, Some(code.kind()), "{name}");
    assert_eq!(bad.score, None, "{name}: a failure is never a score");
    assert!(message.contains(words), "{name}: {message}");
}

fn check(name: &str, code: ErrorCode, words: &str) {
    check_with(name, Limits::default(), code, words);
}

#[test]
fn an_endless_loop_runs_out_of_fuel() {
    let limits = Limits {
        fuel: 50_000_000,
        ..Limits::default()
    };
    check_with("endless-loop", limits, ErrorCode::OutOfFuel, "--max-fuel");
}

#[test]
fn an_endless_loop_with_fuel_for_ever_meets_the_wall_clock() {
    let limits = Limits {
        fuel: u64::MAX >> 2,
        timeout: Duration::from_millis(200),
        ..Limits::default()
    };
    check_with("endless-loop", limits, ErrorCode::WallClock, "--timeout");
    assert_eq!(ErrorCode::WallClock.kind(), ErrorKind::Infrastructure);
}

#[test]
fn deep_recursion_overflows_the_guest_stack_only() {
    check("deep-recursion", ErrorCode::StackOverflow, "--max-stack");
    let limits = Limits {
        stack_bytes: 64 << 20,
        ..Limits::default()
    };
    check_with(
        "deep-recursion",
        limits,
        ErrorCode::StackOverflow,
        "--max-stack",
    );
}

#[test]
fn growth_past_the_limit_ends_the_guest_even_if_it_could_go_on() {
    check("memory-growth", ErrorCode::OutOfMemory, "--max-memory");
}

#[test]
fn memories_are_summed() {
    check("memories-growth", ErrorCode::OutOfMemory, "--max-memory");
}

#[test]
fn growth_past_a_maximum_of_its_own_is_the_guests_affair() {
    let metric = guests::load("own-maximum", Limits::default()).expect("it loads");
    let observation = metric.measure(&case("fine"));
    assert!(
        matches!(observation.outcome, Outcome::Measured(ref found) if found.score == 1.0),
        "{observation:?}"
    );
}

#[test]
fn tables_are_limited() {
    check(
        "table-growth",
        ErrorCode::OutOfTables,
        "--max-table-elements",
    );
}

#[test]
fn resource_handles_are_limited() {
    check("handles", ErrorCode::OutOfHandles, "--max-handles");
}

#[test]
fn a_reason_of_200_mib_is_not_copied() {
    check("long-reason", ErrorCode::OutputTooLarge, "--max-output");
}

#[test]
fn a_log_flood_ends_the_guest_and_the_other_logs_are_kept() {
    check("log-flood", ErrorCode::LogTooLarge, "--max-log");
    let metric = guests::load("log-flood", Limits::default()).expect("it loads");
    let [before, _, after] = around(metric);
    assert_eq!(before.verbose_logs.as_deref(), Some("guest"));
    assert_eq!(after.verbose_logs.as_deref(), Some("guest"));
}

#[test]
fn unreachable_is_a_trap() {
    check("unreachable", ErrorCode::Trap, "unreachable");
}

#[test]
fn scores_are_finite_and_in_range() {
    check("nan", ErrorCode::ScoreNotFinite, "NaN");
    check("infinity", ErrorCode::ScoreNotFinite, "inf");
    check("out-of-range", ErrorCode::ScoreOutOfRange, "from 0 to 1");
    check("bad-part", ErrorCode::ScoreNotFinite, "`part`");
}

#[test]
fn results_keep_to_the_canonical_abi() {
    for guest in [
        "bad-pointer",
        "bad-result-pointer",
        "bad-text",
        "bad-discriminant",
    ] {
        check(guest, ErrorCode::InvalidResult, "canonical ABI");
    }
}

#[test]
fn work_inside_one_bulk_operation_costs_fuel() {
    let limits = Limits {
        timeout: Duration::from_secs(600),
        ..Limits::default()
    };
    check_with("bulk-fill", limits, ErrorCode::OutOfFuel, "--max-fuel");
}

#[test]
fn a_metric_fails_and_skips_in_its_own_words() {
    check("refuses", ErrorCode::Internal, "out of order");
    let metric = guests::load("skips", Limits::default()).expect("it loads");
    let [_, skipped, _] = around(metric);
    assert_eq!(skipped.status, Status::Skipped);
    assert_eq!(skipped.success, None);
    assert_eq!(skipped.reason.as_deref(), Some("not my kind"));
}

#[test]
fn no_state_survives_a_case() {
    let metric = guests::load("counter", Limits::default()).expect("it loads");
    let mut fuel = Vec::new();
    for _ in 0..200 {
        let observation = metric.measure(&case("fine"));
        fuel.push(observation.fuel);
        assert!(
            matches!(observation.outcome, Outcome::Measured(ref found) if found.score == 1.0),
            "{observation:?}"
        );
    }
    fuel.dedup();
    assert_eq!(fuel.len(), 1, "equal cases, equal fuel: {fuel:?}");
}

#[test]
fn a_large_test_case_is_an_input_failure() {
    let limits = Limits {
        case_bytes: 1000,
        ..Limits::default()
    };
    let metric = guests::load("counter", limits).expect("it loads");
    let Outcome::Failed(failure) = metric.measure(&case(&"a".repeat(1000))).outcome else {
        panic!("1000 letters and their braces are more than 1000 bytes");
    };
    assert_eq!(failure.code, ErrorCode::CaseTooLarge);
    assert!(
        failure.message.contains("--max-case"),
        "{}",
        failure.message
    );
}

#[test]
fn what_can_never_be_instantiated_is_refused_at_load() {
    for (guest, words) in [
        ("many-memories", "--max-memories"),
        ("many-tables", "--max-tables"),
        ("large-memory", "--max-memory"),
        ("large-table", "--max-table-elements"),
        ("start-trap", "code `trap`"),
        ("needs-judge", "asks for a judge"),
    ] {
        let error = guests::load(guest, Limits::default())
            .err()
            .unwrap_or_else(|| panic!("{guest} loads"));
        assert!(error.to_string().contains(words), "{guest}: {error}");
    }
    let limits = Limits {
        instances: 1,
        ..Limits::default()
    };
    let error = guests::load("log-flood", limits)
        .err()
        .expect("it has several instances");
    assert!(error.to_string().contains("--max-instances"), "{error}");
    let limits = Limits {
        fuel: 10_000_000,
        ..Limits::default()
    };
    let error = guests::load("start-loop", limits)
        .err()
        .expect("it never starts");
    assert!(error.to_string().contains("code `out-of-fuel`"), "{error}");
}

#[test]
fn an_interrupted_sandbox_ends_every_call() {
    let limits = Limits {
        fuel: u64::MAX >> 2,
        timeout: Duration::from_secs(3600),
        ..Limits::default()
    };
    let folder = tempfile::tempdir().expect("there is a temporary folder");
    let source = Source::Path(guests::file(folder.path(), "endless-loop"));
    let sandbox = Sandbox::new(limits, 1);
    let metric =
        Metric::load(&sandbox, None, &source, None, &serde_json::json!({})).expect("it loads");
    sandbox.interrupt();
    let Outcome::Failed(failure) = metric.measure(&case("x")).outcome else {
        panic!("an endless loop has no result");
    };
    assert_eq!(failure.code, ErrorCode::WallClock);
}
