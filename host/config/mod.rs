//! What people keep beside their data: the project file, which says what to
//! measure with what, and the lock, which says what that was.

mod keys;
mod lock;
mod project;

pub use lock::{LOCK_FILE, Lock, LockDifference, LockError, LockedMetric};
pub use project::{
    DataEntry, LimitEntries, MetricEntry, OutputEntry, PROJECT_FILE, Project, ProjectError, Size,
    schema,
};
