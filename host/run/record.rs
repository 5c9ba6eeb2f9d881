//! The records of a run file, one a line.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::case::TestCase;
use crate::evaluate::CaseResult;
use crate::metric_data::MetricData;
use crate::plugin::Description;
use crate::policy::Policy;
use crate::summary::Summary;

/// Name and number of the run file's format.
pub const FORMAT: &str = "weighbridge-run/1";

/// A line of a run file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "record", rename_all = "kebab-case")]
#[expect(missing_docs, reason = "each holds the record of that name")]
pub enum Record {
    Header(Header),
    Result(ResultRecord),
    Closing(Closing),
}

/// The same, borrowed, for writing.
#[derive(Serialize)]
#[serde(tag = "record", rename_all = "kebab-case")]
pub(super) enum RecordRef<'a> {
    Header(&'a Header),
    Result(&'a ResultRecord),
    Closing(&'a Closing),
}

impl RecordRef<'_> {
    /// The record as a line of JSON, line feed included.
    pub(super) fn to_line(&self) -> Vec<u8> {
        let mut line = serde_json::to_vec(self).expect("plain data with string keys is JSON");
        line.push(b'\n');
        line
    }
}

/// The first record: what is measured, and by what.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Header {
    /// Always [`FORMAT`].
    pub format: String,
    /// Version of this program.
    pub weighbridge: String,
    /// Version of wasmtime.
    pub wasmtime: String,
    /// The command line.
    pub command: Vec<String>,
    /// When the run began, RFC 3339 in UTC.
    pub started: String,
    /// The test cases.
    pub data_set: DataSetRecord,
    /// The metrics, in the order of every result's records.
    pub metrics: Vec<MetricRecord>,
    /// What a guest may use.
    pub limits: Value,
    /// Measurements side by side.
    pub jobs: u64,
}

/// The data set of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DataSetRecord {
    /// The path as given; `-` is standard input.
    pub path: String,
    /// How it is read: `jsonl`, `json` or `csv`.
    pub format: String,
    /// `sha256:` and the hex of the file's bytes; null for standard input.
    pub digest: Option<String>,
    /// Fields that are read from another column than their own.
    pub mapping: Value,
    /// Rows after which the run ends; null for all.
    pub limit: Option<u64>,
}

/// A metric of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MetricRecord {
    /// Its name in the run.
    pub name: String,
    /// Built-in name or path.
    pub source: String,
    /// `sha256:` and the hex of the component's bytes.
    pub version: String,
    /// The interface it exports, with the exact version.
    pub interface: String,
    /// Digest of everything a measurement depends on besides the test case.
    pub contract: String,
    /// Its configuration.
    pub config: Value,
    /// What it says of itself.
    pub description: Description,
    /// What its scores are judged by.
    pub policy: Policy,
    /// What its judge is; null for a metric without one.
    pub judge: Option<Value>,
}

/// One test case and what came of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ResultRecord {
    /// Number of the record in the data set, from 1.
    pub row: u64,
    /// Line of the file where it begins, from 1.
    pub line: u64,
    /// The verdict on the test case; null if it has only skips.
    pub success: Option<bool>,
    /// The test case; null if the row isn't one or cases are left out.
    pub case: Option<TestCase>,
    /// One record a metric, in the header's order.
    pub metrics: Vec<MetricData>,
}

impl ResultRecord {
    /// The record of `result`, with the test case itself if `with_case`.
    pub fn new(result: CaseResult, with_case: bool) -> ResultRecord {
        ResultRecord {
            row: result.row.row,
            line: result.row.line,
            success: result.verdict.success(),
            case: result.row.case.ok().filter(|_| with_case),
            metrics: result.metrics,
        }
    }

    /// The record as a line of a run file, line feed included.
    pub fn to_line(&self) -> Vec<u8> {
        RecordRef::Result(self).to_line()
    }
}

/// The last record. A file without one stopped early.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Closing {
    /// When the run ended, RFC 3339 in UTC.
    pub ended: String,
    /// Counts and means.
    pub summary: Summary,
}
