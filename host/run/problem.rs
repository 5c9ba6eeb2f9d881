//! Why a run file can't be used.

use std::io;

use super::record::FORMAT;

/// A run file that can't be used. Each message follows the words
/// "run file `…` ".
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say it")]
pub enum RunFileProblem {
    #[error("can't be read ({0}): check its path and permissions")]
    Unreadable(#[from] io::Error),
    #[error("is no regular file: name the run file itself")]
    NotRegular,
    #[error("is being written by another process: wait for it")]
    BeingWritten,
    #[error("is empty: nothing was ever measured into it")]
    Empty,
    #[error("stopped within its header: nothing was measured into it")]
    NoHeader,
    #[error("is not a run file: line 1 is no header ({0})")]
    NotARunFile(String),
    #[error(
        "has format `{0}`, and this version reads `{FORMAT}`: use the version of weigh that wrote it"
    )]
    UnknownFormat(String),
    #[error(
        "is damaged in line {line}: {reason}; restore it from a copy, or measure again into another file"
    )]
    Damaged { line: u64, reason: String },
}

impl RunFileProblem {
    /// Whether the file stopped before its header was whole, so that nothing
    /// is lost by beginning it anew.
    pub fn is_before_header(&self) -> bool {
        matches!(self, RunFileProblem::Empty | RunFileProblem::NoHeader)
    }
}

/// A run file that can't be used, by name.
#[derive(Debug, thiserror::Error)]
#[error("run file `{path}` {problem}")]
pub struct RunFileError {
    /// The path as given.
    pub path: String,
    /// What is wrong with it.
    pub problem: RunFileProblem,
}
