//! Exit codes: the only place that makes them from counts.

use weighbridge::evaluate::Ended;
use weighbridge::summary::Summary;

pub(crate) const COULD_NOT_START: u8 = 2;
pub(crate) const INTERRUPTED: u8 = 130;
pub(crate) const INFRASTRUCTURE: u8 = 4;
pub(crate) const REFUSED: u8 = 5;

/// Shown below `weigh --help`.
pub(crate) const HELP: &str = "\
Exit codes:
  0    everything measured and passed
  1    everything measured, some verdict failed; or verify found a difference
  2    could not start: usage, configuration, data set or metric
  3    incomplete: some pair has an input or metric failure
  4    incomplete: some pair has an infrastructure failure, or the run broke off
  5    refused: a digest differs
  130  interrupted, the run file is kept";

/// The exit code of a run that ended like this. Infrastructure outranks
/// metric and input, since only it can be mended by running again; both
/// outrank a failed verdict, which an incomplete measurement can't support.
pub(crate) fn code(ended: Ended, summary: &Summary) -> u8 {
    if ended == Ended::Interrupted {
        INTERRUPTED
    } else if summary.total(|metric| metric.infrastructure_failures) > 0 {
        INFRASTRUCTURE
    } else if summary.total(|metric| metric.input_failures + metric.metric_failures) > 0 {
        3
    } else if summary.cases.failed > 0 {
        1
    } else {
        0
    }
}
