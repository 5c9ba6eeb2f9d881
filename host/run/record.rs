//! The records of a run file, one a line. What a newer version adds to one
//! is kept in its `other`.

use std::collections::BTreeMap;
use std::error::Error;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::stored::Stored;
use crate::case::TestCase;
use crate::contract::{ContractParts, InexactNumber};
use crate::dataset::{Mapping, Options};
use crate::evaluate::CaseResult;
use crate::metric_data::MetricData;
use crate::plugin::Description;
use crate::policy::Policy;
use crate::summary::Summary;

/// Name and number of the run file's format.
pub const FORMAT: &str = "weighbridge-run/1";

/// A record, borrowed, for writing.
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
    /// Whether results hold their test cases; null in files older than the
    /// field.
    #[serde(default)]
    pub cases: Option<bool>,
    /// Earlier runs whose measurements are taken over.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reused: Vec<RunReference>,
    /// How the verdicts came to differ from those of the run that measured,
    /// oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rejudged: Vec<Rejudgement>,
    /// What this version doesn't know.
    #[serde(flatten)]
    pub other: Map<String, Value>,
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
    /// What separates CSV cells; null for the comma, or the tab of a `.tsv`.
    #[serde(default)]
    pub delimiter: Option<String>,
    /// Longest row that is read, in bytes; null in files older than the field.
    #[serde(default)]
    pub max_row_bytes: Option<u64>,
    /// Rows after which the run ends; null for all.
    pub limit: Option<u64>,
    /// What this version doesn't know.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

impl DataSetRecord {
    /// How the data set was read, to read it again.
    ///
    /// # Errors
    ///
    /// Format, delimiter or mapping is none that this version knows.
    pub fn options(&self) -> Result<Options, Box<dyn Error + Send + Sync>> {
        let mapping: BTreeMap<String, String> = serde_json::from_value(self.mapping.clone())?;
        let pairs = mapping
            .iter()
            .map(|(field, source)| format!("{field}={source}"));
        let delimiter = self.delimiter.as_deref();
        let defaults = Options::default();
        Ok(Options {
            format: Some(self.format.parse()?),
            mapping: Mapping::parse(pairs)?,
            delimiter: delimiter.map(str::parse).transpose()?,
            max_row_bytes: match self.max_row_bytes {
                Some(bytes) => usize::try_from(bytes)?,
                None => defaults.max_row_bytes,
            },
        })
    }
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
    /// Name and version of the virtual world it ran in; null for a component
    /// that imports nothing but `log`.
    #[serde(default)]
    pub environment: Option<String>,
    /// What it says of itself.
    pub description: Stored<Description>,
    /// What its scores are judged by.
    pub policy: Policy,
    /// What its judge is; null for a metric without one.
    pub judge: Option<Value>,
    /// What this version doesn't know.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

impl MetricRecord {
    /// The contract's digest, computed anew from its parts.
    ///
    /// # Errors
    ///
    /// The configuration holds an integer that a double can't represent.
    pub fn contract_of_parts(&self) -> Result<String, InexactNumber> {
        ContractParts {
            interface: &self.interface,
            metric: &self.version,
            config: &self.config,
            environment: self.environment.as_deref(),
            judge: self.judge.as_ref(),
        }
        .digest()
    }
}

/// A run file, by content.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunReference {
    /// The path as given.
    pub path: String,
    /// `sha256:` and the hex of the file's bytes.
    pub digest: String,
}

/// New verdicts over stored scores.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rejudgement {
    /// The run file whose scores these are.
    pub run: RunReference,
    /// When, RFC 3339 in UTC.
    pub at: String,
    /// What changed.
    pub changes: Vec<PolicyChange>,
}

/// A metric's policy before and after.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PolicyChange {
    /// The metric's name.
    pub metric: String,
    /// What its scores were judged by.
    pub from: Policy,
    /// What they are judged by now.
    pub to: Policy,
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
    pub case: Option<Stored<TestCase>>,
    /// One record a metric, in the header's order.
    pub metrics: Vec<MetricData>,
    /// What this version doesn't know.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

impl ResultRecord {
    /// The record of `result`, with the test case itself if `with_case`.
    pub fn new(result: CaseResult, with_case: bool) -> ResultRecord {
        let case = result.row.case.as_ref().ok().filter(|_| with_case);
        ResultRecord {
            row: result.row.row,
            line: result.row.line,
            success: result.verdict.success(),
            case: case.map(Stored::new),
            metrics: result.metrics,
            other: Map::new(),
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
    /// Counts and statistics.
    pub summary: Stored<Summary>,
    /// What this version doesn't know.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}
