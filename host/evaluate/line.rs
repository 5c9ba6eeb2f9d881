//! Where rows come from and where results go, shared by the workers.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use super::Ended;

/// Results per worker that may wait for an earlier one.
const WAITING_PER_JOB: u64 = 256;

/// A source of rows and a sink of results, in the same order.
pub(super) struct Line<N, M, T, E> {
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
    pub(super) fn new(jobs: usize, next: N, emit: M) -> Line<N, M, T, E> {
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
    pub(super) fn take(&self, size: usize, stop: &AtomicBool) -> Option<(u64, Vec<R>)> {
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
        let room = (sink.emitted + self.waiting).saturating_sub(source.taken);
        drop(sink);
        if !open {
            source.open = false;
            return None;
        }
        let first = source.taken;
        let size = size.min(usize::try_from(room).unwrap_or(size));
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
    pub(super) fn give(&self, first: u64, results: Vec<T>) {
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

    pub(super) fn end(self, stop: &AtomicBool) -> Result<Ended, E> {
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
    pub(super) fn close(&self) {
        lock(&self.sink).open = false;
        self.moved.notify_all();
    }
}

/// Keeps the other workers from waiting for a result that will never come.
pub(super) struct CloseOnPanic<'a, N, M, T, E>(pub(super) &'a Line<N, M, T, E>);

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
