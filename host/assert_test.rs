//! One test case in a test suite: fails the test when a metric fails.

use std::fmt::Write;

use crate::case::TestCase;
use crate::evaluate::{CaseResult, Row, Weighing, weigh};
use crate::metric_data::MetricData;

/// Measures `case` with every metric, as the body of a test.
///
/// # Panics
///
/// Some metric's verdict is a failure. The message lists each of them with
/// score, threshold, strict, error and reason.
#[track_caller]
pub fn assert_test(case: &TestCase, weighings: &[Weighing]) {
    let row = Row {
        row: 1,
        line: 1,
        case: Ok(case.clone()),
        unread: Vec::new(),
        known: Vec::new(),
    };
    let result = on_guest_stack(row, weighings);
    if let Some(message) = failure_message(&result.metrics) {
        panic!("{message}");
    }
}

/// What a failed [`assert_test`] says of these records; `None` if no metric
/// failed.
pub fn failure_message(records: &[MetricData]) -> Option<String> {
    let failed: Vec<&MetricData> = records
        .iter()
        .filter(|data| data.success == Some(false))
        .collect();
    if failed.is_empty() {
        return None;
    }
    let mut message = String::from("Metrics:");
    for (place, data) in failed.iter().enumerate() {
        write!(
            message,
            "{} {} (score: {}, threshold: {}, strict: {}, error: {}, reason: {})",
            if place == 0 { "" } else { "," },
            data.name,
            or_none(data.score.as_ref()),
            or_none(data.threshold.as_ref()),
            data.strict_mode,
            or_none(data.error.as_ref()),
            or_none(data.reason.as_ref()),
        )
        .expect("writing to a string can't fail");
    }
    message.push_str(" failed");
    Some(message)
}

fn on_guest_stack(row: Row, weighings: &[Weighing]) -> CaseResult {
    let stack = crate::evaluate::stack_bytes(weighings);
    std::thread::scope(|scope| {
        std::thread::Builder::new()
            .stack_size(stack)
            .spawn_scoped(scope, || weigh(row, None, weighings))
            .expect("a thread can be started")
            .join()
            .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

fn or_none<T: ToString>(value: Option<&T>) -> String {
    value.map_or_else(|| "none".to_owned(), T::to_string)
}
