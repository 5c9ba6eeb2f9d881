//! The loop: rows in, one result a row out, in input order.
//!
//! Workers take rows from a shared source and measure them, so splitting the
//! data set is the only sequential part. Results wait until all earlier ones
//! are out; how many may wait is bounded, and so is memory.

mod line;

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use line::{CloseOnPanic, Line};

use crate::case::TestCase;
use crate::metric_data::MetricData;
use crate::outcome::{ErrorCode, ErrorKind, Failure, Observation, Outcome};
use crate::plugin::Metric;
use crate::policy::{self, Policy, Verdict};

/// How long a worker is to stay with the rows it took at once.
const BATCH_TIME: Duration = Duration::from_millis(1);

/// Most rows a worker takes at once.
const LARGEST_BATCH: usize = 64;

/// A metric with the policy that its scores are judged by.
pub struct Weighing {
    /// What measures.
    pub metric: Metric,
    /// What decides.
    pub policy: Policy,
}

/// One row of a data set, read.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Number of the record, from 1.
    pub row: u64,
    /// Line of the file where it begins, from 1.
    pub line: u64,
    /// The test case, or why the row isn't one.
    pub case: Result<TestCase, String>,
    /// Columns or keys that nothing reads.
    pub unread: Vec<String>,
    /// Records that need no measuring, in the metrics' order; where it is
    /// `None` or too short, the metric measures.
    pub known: Vec<Option<MetricData>>,
}

/// What came of one row: exactly one record a metric, in their order.
#[derive(Clone, Debug, PartialEq)]
pub struct CaseResult {
    /// The row.
    pub row: Row,
    /// One record a metric.
    pub metrics: Vec<MetricData>,
    /// The verdict on the whole test case.
    pub verdict: Verdict,
}

/// How a loop ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// Every row has its result.
    Complete,
    /// `stop` was set; the results so far are out.
    Interrupted,
}

/// Measures every row that `next` gives with every metric.
///
/// `data_set` names the input in messages. `next` is called under a lock and should only split the input; `read` and
/// `finish` run side by side, on as many threads as the metrics' sandbox has
/// room for instances; `emit` gets what `finish`
/// returns, in input order, never two at once. When `stop` is set, rows under
/// way that end for want of time are dropped and no new ones are taken.
///
/// # Errors
///
/// The first error of `next` or `emit`. What was emitted before stays.
pub fn evaluate<R: Send, T: Send, E: Send>(
    weighings: &[Weighing],
    data_set: &str,
    stop: &AtomicBool,
    next: impl FnMut() -> Result<Option<R>, E> + Send,
    read: impl Fn(R) -> Row + Sync,
    finish: impl Fn(CaseResult) -> T + Sync,
    emit: impl FnMut(T) -> Result<(), E> + Send,
) -> Result<Ended, E> {
    let jobs = weighings
        .iter()
        .map(|weighing| weighing.metric.concurrency())
        .min()
        .unwrap_or(1);
    let line = Line::new(jobs, next, emit);
    let stack = stack_bytes(weighings);
    std::thread::scope(|scope| {
        let worker = || {
            let _closes_on_panic = CloseOnPanic(&line);
            work(&line, stop, |row| {
                if stop.load(Ordering::Relaxed) {
                    return None;
                }
                let result = weigh(read(row), Some(data_set), weighings);
                let cut_off = stop.load(Ordering::Relaxed) && ran_out_of_time(&result);
                (!cut_off).then(|| finish(result))
            });
        };
        let started = (0..jobs)
            .filter(|_| {
                std::thread::Builder::new()
                    .name("weighbridge-worker".to_owned())
                    .stack_size(stack)
                    .spawn_scoped(scope, worker)
                    .is_ok()
            })
            .count();
        // Fewer threads than asked for do the same work, only later.
        assert!(started > 0, "a thread can be started");
    });
    line.end(stop)
}

/// Bytes of native stack that a thread needs to call any of the metrics.
pub(crate) fn stack_bytes(weighings: &[Weighing]) -> usize {
    weighings
        .iter()
        .map(|weighing| weighing.metric.thread_stack_bytes())
        .max()
        .unwrap_or(2 << 20)
}

/// Measures one row with every metric, on a thread with [`stack_bytes`]. Input
/// failures say where in `data_set` the row is.
pub(crate) fn weigh(mut row: Row, data_set: Option<&str>, weighings: &[Weighing]) -> CaseResult {
    let known = std::mem::take(&mut row.known);
    let known = known.into_iter().chain(std::iter::repeat_with(|| None));
    let metrics: Vec<(MetricData, Verdict)> = weighings
        .iter()
        .zip(known)
        .map(|(weighing, known)| {
            let identity = weighing.metric.identity();
            if let Some(mut data) = known
                && let Ok(verdict) = data.judge(&identity.scale, &weighing.policy)
            {
                return (data, verdict);
            }
            let observation = match &row.case {
                Ok(case) => locate(weighing.metric.measure_here(case), &row, data_set),
                Err(message) => {
                    let failure = Failure::new(ErrorCode::UnreadableRow, message.clone());
                    locate(Observation::without_instance(failure), &row, data_set)
                }
            };
            let verdict = policy::decide(&observation.outcome, &identity.scale, &weighing.policy);
            let data = MetricData::new(identity, &weighing.policy, observation);
            (data, verdict)
        })
        .collect();
    CaseResult {
        verdict: policy::decide_case(metrics.iter().map(|(_, verdict)| *verdict)),
        metrics: metrics.into_iter().map(|(data, _)| data).collect(),
        row,
    }
}

/// Says in an input failure which row it is about.
fn locate(mut observation: Observation, row: &Row, data_set: Option<&str>) -> Observation {
    if let Some(data_set) = data_set
        && let Outcome::Failed(failure) = &mut observation.outcome
        && failure.code.kind() == ErrorKind::Input
    {
        let name = match row.case.as_ref().ok().and_then(|case| case.name.as_ref()) {
            Some(name) => format!(" (case `{name}`)"),
            None => String::new(),
        };
        failure.message = format!(
            "row {}, line {} of `{data_set}`{name}: {}",
            row.row, row.line, failure.message
        );
    }
    observation
}

fn ran_out_of_time(result: &CaseResult) -> bool {
    result
        .metrics
        .iter()
        .any(|data| data.error_code == Some(ErrorCode::WallClock))
}

/// Takes rows in batches and gives their results until there are no more.
/// `measure` returns `None` for a row that was cut off. A batch grows while it
/// takes less than [`BATCH_TIME`], so that fast metrics seldom meet at the
/// locks and slow ones share the rows evenly.
fn work<R, T, E, N, M>(line: &Line<N, M, T, E>, stop: &AtomicBool, measure: impl Fn(R) -> Option<T>)
where
    N: FnMut() -> Result<Option<R>, E>,
    M: FnMut(T) -> Result<(), E>,
{
    let mut size = 1;
    while let Some((mut place, rows)) = line.take(size, stop) {
        let started = Instant::now();
        let mut results = Vec::with_capacity(rows.len());
        for row in rows {
            let Some(result) = measure(row) else {
                line.give(place, results);
                line.close();
                return;
            };
            results.push(result);
            // Slow results don't wait for the rest of the batch.
            if started.elapsed() > BATCH_TIME {
                let count = results.len() as u64;
                line.give(place, std::mem::take(&mut results));
                place += count;
            }
        }
        line.give(place, results);
        size = if started.elapsed() < BATCH_TIME {
            (size * 2).min(LARGEST_BATCH)
        } else {
            (size / 2).max(1)
        };
    }
}
