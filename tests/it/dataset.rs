//! Data sets: what is read from a file, and what is said about one that can't be.

mod csv;
mod json;
mod mapping;
mod opening;
mod properties;
mod rows;
mod tool_calls;

use std::io::{BufReader, Cursor};
use std::path::PathBuf;

use weighbridge::case::TestCase;
use weighbridge::dataset::{DataSet, DataSetError, Format, Mapping, Options};

/// A row as it was read: its number, its line, and its case or message.
#[derive(Debug, PartialEq)]
struct Row {
    row: u64,
    line: u64,
    case: Result<TestCase, String>,
    unread: Vec<String>,
}

fn options(format: Format) -> Options {
    Options {
        format: Some(format),
        ..Options::default()
    }
}

fn mapped(format: Format, pairs: &[&str]) -> Options {
    Options {
        mapping: Mapping::parse(pairs).expect("the test's mapping is valid"),
        ..options(format)
    }
}

fn open(text: impl AsRef<[u8]>, options: &Options) -> Result<DataSet, DataSetError> {
    let reader = BufReader::new(Cursor::new(text.as_ref().to_vec()));
    DataSet::from_reader(Box::new(reader), "data", options)
}

fn rows_of(mut set: DataSet) -> Vec<Row> {
    let parser = set.parser();
    let mut rows = Vec::new();
    while let Some(raw) = set.next_row().expect("memory can be read") {
        let parsed = parser.parse(&raw);
        rows.push(Row {
            row: raw.row,
            line: raw.line,
            case: parsed.case.map_err(|error| error.message),
            unread: parsed.unread,
        });
    }
    rows
}

fn read(text: impl AsRef<[u8]>, options: &Options) -> Vec<Row> {
    rows_of(open(text, options).expect("the data set opens"))
}

/// The only row of `text`.
fn read_one(text: impl AsRef<[u8]>, options: &Options) -> Row {
    let mut rows = read(text, options);
    assert_eq!(rows.len(), 1, "{rows:?}");
    rows.remove(0)
}

/// The test case of the only row of `text`.
fn case(text: impl AsRef<[u8]>, options: &Options) -> TestCase {
    read_one(text, options)
        .case
        .expect("the row is a test case")
}

/// Where rows stand and which are bad: `(row, line, message)`, with an empty
/// message for a good one.
fn outline(rows: Vec<Row>) -> Vec<(u64, u64, String)> {
    rows.into_iter()
        .map(|row| (row.row, row.line, row.case.err().unwrap_or_default()))
        .collect()
}

#[track_caller]
fn check_outline(text: impl AsRef<[u8]>, options: &Options, expected: &[(u64, u64, &str)]) {
    let found = outline(read(text, options));
    let found: Vec<_> = found
        .iter()
        .map(|(row, line, message)| (*row, *line, message.as_str()))
        .collect();
    assert_eq!(found, expected);
}

/// Checks the message about the only row of `text`.
#[track_caller]
fn check_bad(text: impl AsRef<[u8]>, options: &Options, expected: &str) {
    let message = read_one(text, options).case.expect_err("the row is bad");
    assert_eq!(message, expected);
}

fn fixture(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("tests/fixtures/dataset")
        .join(name)
}
