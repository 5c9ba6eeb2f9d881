//! Why two runs can't be compared.

use crate::run::RunFileError;

/// Why two runs can't be compared.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say it")]
pub enum SideError {
    #[error(transparent)]
    File(#[from] RunFileError),
    #[error(
        "run files `{a}` and `{b}` have no metric in common, so there is nothing to compare: measure one under the other's name with `--name`"
    )]
    NoMetric { a: String, b: String },
    #[error(transparent)]
    Pairing(#[from] PairingError),
}

/// Why cases can't be paired.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say it")]
pub enum PairingError {
    #[error("run file `{path}` holds no test cases: pair with `--by row`")]
    NoCases { path: String },
    #[error(
        "cases can't be paired by {by}, since {rows} of run file `{path}` has none: pair with another `--by`"
    )]
    Absent {
        path: String,
        rows: String,
        by: &'static str,
    },
    #[error(
        "cases can't be paired by {by}, since rows {first} and {second} of run file `{path}` have the same: pair with another `--by`"
    )]
    Twice {
        path: String,
        first: u64,
        second: u64,
        by: &'static str,
    },
    #[error(
        "the cases of the two runs can't be told to be the same: they have no unique names or inputs, and the runs have {a} and {b} rows of different data sets; if rows correspond, say `--by row`"
    )]
    Unknown { a: usize, b: usize },
    #[error(
        "paired by {by}, no case is in both runs, which have {a} and {b} rows: check that they are of the same cases, or pair with another `--by`"
    )]
    NoneInCommon {
        by: &'static str,
        a: usize,
        b: usize,
    },
}
