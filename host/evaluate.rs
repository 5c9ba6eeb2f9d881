//! The loop: rows in, one result a row out, in input order.
//!
//! Workers take rows from a shared source and measure them, so splitting the
//! data set is the only sequential part. Results wait until all earlier ones
//! are out; how many may wait is bounded, and so is memory.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::case::TestCase;
use crate::metric_data::MetricData;
use crate::outcome::{ErrorCode, ErrorKind, Failure, Observation, Outcome};
use crate::plugin::Metric;
use crate::policy::{self, Policy, Verdict};

/// Results per worker that may wait for an earlier one.
const WAITING_PER_JOB: u64 = 256;

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
/// `next` is called under a lock and should only split the input; `read` and
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
        for _ in 0..jobs {
            std::thread::Builder::new()
                .name("weighbridge-worker".to_owned())
                .stack_size(stack)
                .spawn_scoped(scope, || {
                    let _closes_on_panic = CloseOnPanic(&line);
                    work(&line, stop, |row| {
                        if stop.load(Ordering::Relaxed) {
                            return None;
                        }
                        let result = weigh(read(row), weighings);
                        let cut_off = stop.load(Ordering::Relaxed) && ran_out_of_time(&result);
                        (!cut_off).then(|| finish(result))
                    });
                })
                .expect("a thread can be started");
        }
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

/// Measures one row with every metric, on a thread with [`stack_bytes`].
pub(crate) fn weigh(row: Row, weighings: &[Weighing]) -> CaseResult {
    let metrics: Vec<(MetricData, Verdict)> = weighings
        .iter()
        .map(|weighing| {
            let observation = match &row.case {
                Ok(case) => locate(weighing.metric.measure_here(case), &row),
                Err(message) => {
                    let failure = Failure::new(ErrorCode::UnreadableRow, message.clone());
                    locate(Observation::without_instance(failure), &row)
                }
            };
            let identity = weighing.metric.identity();
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
fn locate(mut observation: Observation, row: &Row) -> Observation {
    if let Outcome::Failed(failure) = &mut observation.outcome
        && failure.code.kind() == ErrorKind::Input
    {
        let name = match row.case.as_ref().ok().and_then(|case| case.name.as_ref()) {
            Some(name) => format!(" (case `{name}`)"),
            None => String::new(),
        };
        failure.message = format!(
            "row {}, line {}{name}: {}",
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

/// Where rows come from and where results go, shared by the workers.
struct Line<N, M, T, E> {
    source: Mutex<Source<N>>,
    sink: Mutex<Sink<M, T, E>>,
    moved: Condvar,
    waiting: u64,
}

struct Source<N> {
    next: N,
    taken: u64,
    open: bool,
}

struct Sink<M, T, E> {
    emit: M,
    early: BTreeMap<u64, T>,
    emitted: u64,
    held_back: bool,
    open: bool,
    error: Option<E>,
}

impl<R, T, E, N, M> Line<N, M, T, E>
where
    N: FnMut() -> Result<Option<R>, E>,
    M: FnMut(T) -> Result<(), E>,
{
    fn new(jobs: usize, next: N, emit: M) -> Line<N, M, T, E> {
        Line {
            source: Mutex::new(Source {
                next,
                taken: 0,
                open: true,
            }),
            sink: Mutex::new(Sink {
                emit,
                early: BTreeMap::new(),
                emitted: 0,
                held_back: false,
                open: true,
                error: None,
            }),
            moved: Condvar::new(),
            waiting: WAITING_PER_JOB * jobs as u64,
        }
    }

    /// Up to `size` next rows and the place of the first, once there is room
    /// for their results.
    fn take(&self, size: usize, stop: &AtomicBool) -> Option<(u64, Vec<R>)> {
        let mut source = lock(&self.source);
        if !source.open || stop.load(Ordering::Relaxed) {
            return None;
        }
        let mut sink = lock(&self.sink);
        while sink.open && source.taken >= sink.emitted + self.waiting {
            sink.held_back = true;
            sink = self
                .moved
                .wait(sink)
                .unwrap_or_else(PoisonError::into_inner);
        }
        let open = sink.open;
        drop(sink);
        if !open {
            source.open = false;
            return None;
        }
        let first = source.taken;
        let mut rows = Vec::with_capacity(size);
        while rows.len() < size && source.open {
            match (source.next)() {
                Ok(Some(row)) => rows.push(row),
                Ok(None) => source.open = false,
                Err(error) => {
                    source.open = false;
                    lock(&self.sink).error.get_or_insert(error);
                }
            }
        }
        source.taken += rows.len() as u64;
        (!rows.is_empty()).then_some((first, rows))
    }

    /// Puts results in their places, from `first` on, and emits all that are
    /// due.
    fn give(&self, first: u64, results: Vec<T>) {
        let mut sink = lock(&self.sink);
        sink.early.extend((first..).zip(results));
        while sink.open {
            let due = sink.emitted;
            let Some(result) = sink.early.remove(&due) else {
                break;
            };
            match (sink.emit)(result) {
                Ok(()) => sink.emitted += 1,
                Err(error) => {
                    sink.open = false;
                    sink.error = Some(error);
                }
            }
        }
        // Only one worker can wait, since it holds the source meanwhile; a
        // call of the system for nobody would cost more than the row.
        let held_back = std::mem::take(&mut sink.held_back);
        drop(sink);
        if held_back {
            self.moved.notify_all();
        }
    }

    fn end(self, stop: &AtomicBool) -> Result<Ended, E> {
        let sink = self
            .sink
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        match sink.error {
            Some(error) => Err(error),
            None if stop.load(Ordering::Relaxed) => Ok(Ended::Interrupted),
            None => Ok(Ended::Complete),
        }
    }
}

impl<N, M, T, E> Line<N, M, T, E> {
    /// Lets no further row in and no further result out.
    fn close(&self) {
        lock(&self.sink).open = false;
        self.moved.notify_all();
    }
}

/// Keeps the other workers from waiting for a result that will never come.
struct CloseOnPanic<'a, N, M, T, E>(&'a Line<N, M, T, E>);

impl<N, M, T, E> Drop for CloseOnPanic<'_, N, M, T, E> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.close();
        }
    }
}

/// A lock whose holder panicked still guards whole data: every change above
/// is one assignment, and the panic itself is passed on by the scope.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
