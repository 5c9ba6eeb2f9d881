//! Exit codes: the only place that makes them from counts.

use std::process::ExitCode;

use weighbridge::compare::Comparison;
use weighbridge::evaluate::Ended;
use weighbridge::summary::Summary;
use weighbridge::verify::Verification;

const FAILED: u8 = 1;
pub(crate) const COULD_NOT_START: u8 = 2;
const INCOMPLETE: u8 = 3;
pub(crate) const INTERRUPTED: u8 = 130;
pub(crate) const INFRASTRUCTURE: u8 = 4;
pub(crate) const REFUSED: u8 = 5;

/// Shown below `weigh --help`.
pub(crate) const HELP: &str = "\
Exit codes:
  0    everything measured and passed
  1    everything measured, some verdict failed; or verify found a difference
  2    could not start: usage, configuration, data set or metric
  3    incomplete: some pair has an input or metric failure, or every one was skipped
  4    incomplete: some pair has an infrastructure failure, or the run broke off
  5    refused: a digest differs
  130  interrupted, the run file is kept";

/// The exit code of a run that ended like this. Infrastructure outranks
/// metric and input, since only it can be mended by running again; both
/// outrank a failed verdict, which an incomplete measurement can't support.
pub(crate) fn of_run(ended: Ended, summary: &Summary) -> ExitCode {
    ExitCode::from(if ended == Ended::Interrupted {
        INTERRUPTED
    } else if summary.total(|metric| metric.infrastructure_failures) > 0 {
        INFRASTRUCTURE
    } else if summary.total(|metric| metric.input_failures + metric.metric_failures) > 0 {
        INCOMPLETE
    } else if summary.cases.failed > 0 {
        FAILED
    } else if summary.cases.passed == 0 && summary.cases.total > 0 {
        // Only skips: nothing passed, and a gate mustn't open on nothing.
        INCOMPLETE
    } else {
        0
    })
}

/// The exit code of new verdicts over a run, whole or stopped early.
pub(crate) fn of_rejudged(complete: bool, summary: &Summary) -> ExitCode {
    if complete {
        of_run(Ended::Complete, summary)
    } else {
        ExitCode::from(INFRASTRUCTURE)
    }
}

/// The exit code of a verification: what can't be compared doesn't outrank
/// what was found.
pub(crate) fn of_verification(found: &Verification) -> ExitCode {
    let incomplete = found.infrastructure > 0 || found.without_case > 0 || !found.complete;
    ExitCode::from(if !found.is_clean() {
        FAILED
    } else if incomplete {
        INFRASTRUCTURE
    } else {
        0
    })
}

/// The exit code of a comparison: one that leaves a metric out is a refusal.
pub(crate) fn of_comparison(comparison: &Comparison) -> ExitCode {
    let left_out = comparison
        .metrics
        .iter()
        .any(|metric| metric.found.is_none());
    ExitCode::from(if left_out { REFUSED } else { 0 })
}

/// The exit code of looking at a lock.
pub(crate) fn of_lock(holds: bool) -> ExitCode {
    ExitCode::from(if holds { 0 } else { REFUSED })
}
