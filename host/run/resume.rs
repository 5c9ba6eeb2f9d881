//! Going on with a run file: what it holds already, and whether it is of the
//! same run.

use std::path::Path;

use serde_json::Value;

use super::checked::CheckedReader;
use super::problem::RunFileError;
use super::record::Header;
use crate::dataset::Options;
use crate::summary::Tally;

/// A run file that can't be gone on with.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say it")]
pub enum ResumeError {
    #[error(transparent)]
    File(#[from] RunFileError),
    #[error(
        "run file `{path}` is of another run: `{part}` is {stored} in it and {now} now; \
         give the same again, or begin another file with `--reuse {path}`"
    )]
    OtherRun {
        path: String,
        part: String,
        stored: String,
        now: String,
    },
}

/// What a run file holds already.
#[derive(Clone, Debug, PartialEq)]
pub struct Progress {
    /// Results in it, which are the first rows of the data set.
    pub rows: u64,
    /// Bytes up to the end of the last result. What follows is an unfinished
    /// line, or the closing record.
    pub end: u64,
    /// Whether it has a closing record.
    pub complete: bool,
    /// Counts of its results.
    pub tally: Tally,
}

impl Progress {
    /// Reads the run file at `path`, which must be of the run that `header`
    /// begins: the same data set, metrics, policies, limits and versions.
    /// Command, time, jobs and paths may differ. `None` if it stopped before
    /// its header was whole.
    ///
    /// # Errors
    ///
    /// The file can't be read, is damaged, or is of another run.
    pub fn read(path: &Path, header: &Header) -> Result<Option<Progress>, ResumeError> {
        let mut reader = match CheckedReader::open(path) {
            Ok(reader) => reader,
            Err(error) if error.problem.is_before_header() => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        let mut stored = reader.header().clone();
        // Older files don't say whether they keep cases.
        stored.cases = stored.cases.or(header.cases);
        if let Some(difference) = difference(&stored, header) {
            return Err(ResumeError::OtherRun {
                path: reader.path().to_owned(),
                part: difference.part,
                stored: difference.one,
                now: difference.other,
            });
        }
        let mut rows = 0;
        let mut end = reader.offset();
        while let Some(record) = reader.next_result()? {
            rows = record.row;
            end = reader.offset();
        }
        Ok(Some(Progress {
            rows,
            end,
            complete: reader.closing().is_some(),
            tally: reader.tally().clone(),
        }))
    }
}

/// A part of two headers that isn't equal, with both values as JSON.
struct Difference {
    part: String,
    one: String,
    other: String,
}

/// The first difference between two headers that makes them headers of
/// different runs.
fn difference(one: &Header, other: &Header) -> Option<Difference> {
    let value = |header: &Header| serde_json::to_value(comparable(header)).expect("it is JSON");
    first_difference("", &value(one), &value(other))
}

/// The header without what two runs with the same results may differ in.
fn comparable(header: &Header) -> Header {
    let mut header = header.clone();
    header.command.clear();
    header.started.clear();
    header.jobs = 0;
    header.data_set.path.clear();
    // Older files don't say what was the default.
    let longest = header.data_set.max_row_bytes;
    header.data_set.max_row_bytes = longest.or(Some(Options::default().max_row_bytes as u64));
    for metric in &mut header.metrics {
        metric.source.clear();
    }
    for run in &mut header.reused {
        run.path.clear();
    }
    header
}

fn first_difference(path: &str, one: &Value, other: &Value) -> Option<Difference> {
    match (one, other) {
        (Value::Object(one), Value::Object(other)) => {
            let keys: std::collections::BTreeSet<&String> =
                one.keys().chain(other.keys()).collect();
            keys.into_iter().find_map(|key| {
                let at = match path {
                    "" => key.clone(),
                    path => format!("{path}.{key}"),
                };
                let value = |map: &serde_json::Map<String, Value>| {
                    map.get(key).cloned().unwrap_or(Value::Null)
                };
                first_difference(&at, &value(one), &value(other))
            })
        }
        (Value::Array(one), Value::Array(other)) if one.len() == other.len() => one
            .iter()
            .zip(other)
            .enumerate()
            .find_map(|(place, (one, other))| {
                first_difference(&format!("{path}[{place}]"), one, other)
            }),
        (one, other) if one == other => None,
        (one, other) => Some(Difference {
            part: path.to_owned(),
            one: one.to_string(),
            other: other.to_string(),
        }),
    }
}
