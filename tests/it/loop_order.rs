//! The loop: order, completeness, errors and stopping.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use weighbridge::case::TestCase;
use weighbridge::evaluate::{CaseResult, Ended, Row, Weighing, evaluate};
use weighbridge::outcome::ErrorCode;
use weighbridge::plugin::Limits;
use weighbridge::policy::{Policy, Verdict};

use crate::guests;

fn weighings() -> [Weighing; 1] {
    weighings_for(2)
}

fn weighings_for(jobs: usize) -> [Weighing; 1] {
    [Weighing {
        metric: guests::load_for("unreachable", Limits::default(), jobs).expect("it loads"),
        policy: Policy::default(),
    }]
}

/// Every seventh row can't be read, every fifth makes the guest trap.
fn row(number: u64) -> Row {
    let answer = if number.is_multiple_of(5) {
        "x"
    } else {
        "fine"
    };
    Row {
        row: number,
        line: number,
        case: if number.is_multiple_of(7) {
            Err("broken".to_owned())
        } else {
            Ok(TestCase {
                actual_output: Some(answer.to_owned()),
                ..TestCase::default()
            })
        },
        unread: Vec::new(),
        known: Vec::new(),
    }
}

fn counting(rows: u64) -> impl FnMut() -> Result<Option<u64>, String> {
    let mut numbers = 1..=rows;
    move || Ok(numbers.next())
}

#[test]
fn every_row_has_one_record_in_input_order_whatever_the_jobs() {
    for jobs in [1, 2, 7] {
        let weighings = weighings_for(jobs);
        let mut seen: Vec<CaseResult> = Vec::new();
        let ended = evaluate(
            &weighings,
            "data",
            &AtomicBool::new(false),
            counting(3000),
            row,
            |result| result,
            |result| {
                seen.push(result);
                Ok(())
            },
        );
        assert_eq!(ended, Ok(Ended::Complete));
        assert_eq!(seen.len(), 3000);
        for (result, number) in seen.iter().zip(1..) {
            assert_eq!(result.row.row, number);
            let code = match number {
                number if number % 7 == 0 => Some(ErrorCode::UnreadableRow),
                number if number % 5 == 0 => Some(ErrorCode::Trap),
                _ => None,
            };
            assert_eq!(result.metrics[0].error_code, code, "row {number}");
            assert_eq!(result.verdict == Verdict::Passed, code.is_none());
        }
    }
}

#[test]
fn an_input_failure_names_row_and_line() {
    let weighings = weighings();
    let mut messages = Vec::new();
    let ended = evaluate(
        &weighings,
        "data",
        &AtomicBool::new(false),
        counting(7),
        row,
        |result| result.metrics[0].error.clone(),
        |message: Option<String>| {
            messages.extend(message);
            Ok(())
        },
    );
    assert_eq!(ended, Ok(Ended::Complete));
    assert_eq!(
        messages.last().map(String::as_str),
        Some("row 7, line 7 of `data`: broken")
    );
}

#[test]
fn an_error_of_the_source_ends_the_run_after_what_came_before() {
    let weighings = weighings();
    let mut numbers = 1..;
    let mut seen = 0;
    let ended = evaluate(
        &weighings,
        "data",
        &AtomicBool::new(false),
        || match numbers.next() {
            Some(number) if number <= 100 => Ok(Some(number)),
            _ => Err("the disk is gone".to_owned()),
        },
        row,
        |_| (),
        |()| {
            seen += 1;
            Ok(())
        },
    );
    assert_eq!(ended, Err("the disk is gone".to_owned()));
    assert_eq!(seen, 100);
}

#[test]
fn an_error_of_the_sink_ends_the_run() {
    let weighings = weighings();
    let mut seen = 0;
    let ended = evaluate(
        &weighings,
        "data",
        &AtomicBool::new(false),
        counting(1_000_000),
        row,
        |_| (),
        |()| {
            seen += 1;
            if seen == 50 {
                Err("the disk is full".to_owned())
            } else {
                Ok(())
            }
        },
    );
    assert_eq!(ended, Err("the disk is full".to_owned()));
    assert_eq!(seen, 50);
}

#[test]
fn stopping_keeps_an_unbroken_beginning() {
    let weighings = weighings();
    let stop = AtomicBool::new(false);
    let mut seen: Vec<u64> = Vec::new();
    let ended = evaluate(
        &weighings,
        "data",
        &stop,
        counting(1_000_000),
        row,
        |result| result.row.row,
        |number| {
            seen.push(number);
            if number == 200 {
                stop.store(true, Ordering::Relaxed);
            }
            Ok::<_, String>(())
        },
    );
    assert_eq!(ended, Ok(Ended::Interrupted));
    assert!(seen.len() < 1_000_000);
    assert!(seen.iter().copied().eq(1..=seen.len() as u64));
}

#[test]
fn a_slow_row_holds_back_only_a_bounded_number_of_results() {
    let weighings = weighings();
    let taken = AtomicU64::new(0);
    let ahead = AtomicU64::new(0);
    let mut numbers = 1..=20_000;
    let release = AtomicBool::new(false);
    let ended = evaluate(
        &weighings,
        "data",
        &AtomicBool::new(false),
        || {
            taken.fetch_add(1, Ordering::Relaxed);
            Ok::<_, String>(numbers.next())
        },
        |number| {
            // The first row waits until the others have got as far as they
            // may, which shows in `taken` standing still.
            if number == 1 {
                let mut last = 0;
                let mut still = 0;
                while still < 2000 {
                    std::thread::yield_now();
                    let now = taken.load(Ordering::Relaxed);
                    still = if now == last && now > 1 { still + 1 } else { 0 };
                    last = now;
                }
                ahead.store(last, Ordering::Relaxed);
                release.store(true, Ordering::Relaxed);
            }
            row(number)
        },
        |_| (),
        |()| Ok(()),
    );
    assert_eq!(ended, Ok(Ended::Complete));
    assert!(release.load(Ordering::Relaxed));
    assert!(ahead.load(Ordering::Relaxed) <= 513, "{ahead:?}");
}

#[test]
#[should_panic(expected = "unreachable")]
fn assert_test_panics_with_the_failing_metric() {
    weighbridge::assert_test::assert_test(
        &TestCase {
            actual_output: Some("x".to_owned()),
            ..TestCase::default()
        },
        &weighings(),
    );
}

#[test]
fn assert_test_passes_a_good_case() {
    weighbridge::assert_test::assert_test(
        &TestCase {
            actual_output: Some("fine".to_owned()),
            ..TestCase::default()
        },
        &weighings(),
    );
}
