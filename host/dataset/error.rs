//! Why a data set can't be opened or read, and why a row can't be.

use std::io;

use super::format::ForeignEncoding;

/// Why a data set as a whole can't be read.
///
/// `label` is the path as it was given.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "each variant's message says what it is")]
pub enum DataSetError {
    #[error("data set `{label}` doesn't exist: check the path")]
    Missing { label: String },
    #[error("data set `{label}` is a directory: give the path of a file")]
    Directory { label: String },
    #[error("data set `{label}` may not be read by this user: change its permissions")]
    Permission { label: String },
    #[error("data set `{label}` can't be opened: {source}")]
    Open { label: String, source: io::Error },
    #[error("data set `{label}` can't be read on from line {line}: {source}")]
    Read {
        label: String,
        line: u64,
        source: io::Error,
    },
    #[error(
        "data set `{label}` holds no rows, so there is nothing to measure: check what wrote it"
    )]
    Empty { label: String },
    #[error("data set `{label}` is {what}: {remedy}")]
    Encoded {
        label: String,
        what: &'static str,
        remedy: &'static str,
    },
    #[error(
        "can't tell the format of data set `{label}`, which begins with `{first}`: give \
         `--format jsonl`, `--format json` or `--format csv`"
    )]
    UnknownFormat { label: String, first: String },
    #[error(
        "data set `{label}` begins with `{{`, so it is not a JSON array: give `--format jsonl` \
         if each line is a row, or wrap the rows in `[` and `]`"
    )]
    ObjectNotArray { label: String },
    #[error("data set `{label}` is not a JSON array, which begins with `[`: give its `--format`")]
    NotAnArray { label: String },
    #[error(
        "`--delimiter` applies to CSV, but data set `{label}` is read as {format}: drop it, or \
         give `--format csv`"
    )]
    DelimiterWithoutCsv {
        label: String,
        format: super::Format,
    },
    #[error(
        "the header of data set `{label}` can't be read, since it {cause}: mend the first line"
    )]
    UnreadableHeader { label: String, cause: String },
    #[error("the header of data set `{label}` has column `{column}` twice: rename one of them")]
    DuplicateColumn { label: String, column: String },
    #[error(
        "the header of data set `{label}` names no field of a test case; its columns are \
         {columns}: map one, as in `--map actual_output=COLUMN`, or give the `--delimiter`"
    )]
    NoKnownColumn { label: String, columns: String },
    #[error(
        "field `{field}` is mapped to column `{column}`, which data set `{label}` doesn't have; \
         its columns are {columns}: {remedy}"
    )]
    MappedColumnMissing {
        label: String,
        field: &'static str,
        column: String,
        columns: String,
        remedy: String,
    },
}

impl DataSetError {
    pub(super) fn open(label: &str, source: io::Error) -> DataSetError {
        let label = label.to_owned();
        match source.kind() {
            io::ErrorKind::NotFound => DataSetError::Missing { label },
            io::ErrorKind::PermissionDenied => DataSetError::Permission { label },
            _ => DataSetError::Open { label, source },
        }
    }

    pub(super) fn read(label: &str, line: u64, source: io::Error) -> DataSetError {
        DataSetError::Read {
            label: label.to_owned(),
            line,
            source,
        }
    }

    pub(super) fn encoded(label: &str, encoding: ForeignEncoding) -> DataSetError {
        DataSetError::Encoded {
            label: label.to_owned(),
            what: encoding.what,
            remedy: encoding.remedy,
        }
    }
}

/// Why one row is no test case.
///
/// Names the field and the cause; file, row and line are for the caller to
/// put in front, from [`RawRow`](super::RawRow).
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct RowError {
    /// One sentence: lowercase, no full stop.
    pub message: String,
}

impl RowError {
    pub(super) fn new(message: impl Into<String>) -> RowError {
        RowError {
            message: message.into(),
        }
    }
}

/// What is wrong with a field's value, and where inside it.
#[derive(Debug)]
pub(super) struct Fault {
    /// The way into the field, such as `[2].name`; empty for the field itself.
    at: String,
    /// A predicate, such as `is a number, not a string`.
    what: String,
}

impl Fault {
    pub(super) fn new(what: impl Into<String>) -> Fault {
        Fault {
            at: String::new(),
            what: what.into(),
        }
    }

    /// The same fault, seen from a value that holds the faulty one at `step`.
    pub(super) fn inside(mut self, step: &str) -> Fault {
        self.at.insert_str(0, step);
        self
    }

    /// The same fault with a remedy.
    pub(super) fn advised(mut self, remedy: &str) -> Fault {
        self.what.push_str(": ");
        self.what.push_str(remedy);
        self
    }

    /// The row's error, where `field` was read from the column or key `origin`.
    pub(super) fn in_field(self, field: &str, origin: &str) -> RowError {
        let Fault { at, what } = self;
        if field == origin {
            RowError::new(format!("field `{field}{at}` {what}"))
        } else {
            RowError::new(format!("field `{field}{at}` (from `{origin}`) {what}"))
        }
    }
}
