//! The run file: what was measured, by what, and what came of it.

mod check;
mod checked;
mod lines;
mod problem;
mod read;
mod record;
mod rejudge;
mod resume;
mod reuse;
mod stored;
mod write;

pub use check::{Check, Contradiction};
pub use checked::CheckedReader;
pub use problem::{RunFileError, RunFileProblem};
pub use read::RunReader;
pub use record::{
    Closing, DataSetRecord, FORMAT, Header, MetricRecord, PolicyChange, Rejudgement, ResultRecord,
    RunReference,
};
pub use rejudge::{Policies, RejudgeError};
pub use resume::{Progress, ResumeError};
pub use reuse::Reuse;
pub use stored::Stored;
pub use write::RunWriter;
