//! The project file.

use std::collections::BTreeMap;
use std::fmt;
use std::num::NonZeroU64;
use std::path::PathBuf;

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::Deserialize;
use serde_json::{Map, Value};
use toml::de::DeTable;

use super::keys;
use crate::policy::Threshold;

/// The project file's name.
pub const PROJECT_FILE: &str = "weighbridge.toml";

/// A Weighbridge project: what to measure, with which metrics, and how. Paths
/// are relative to the folder of this file.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", default, deny_unknown_fields)]
#[schemars(title = "weighbridge.toml")]
pub struct Project {
    /// The test cases.
    #[schemars(with = "DataEntry")]
    pub data: Option<DataEntry>,
    /// The metrics, in the order of their records.
    #[serde(rename = "metric")]
    pub metrics: Vec<MetricEntry>,
    /// What a metric may use.
    pub limits: LimitEntries,
    /// What is written.
    pub output: OutputEntry,
    /// Ask for scores only: no threshold is needed, and none is applied.
    pub score_only: bool,
    /// Measurements side by side; one for each core if absent.
    #[schemars(with = "u16", range(min = 1, max = 1024))]
    pub jobs: Option<u16>,
}

/// The test cases.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct DataEntry {
    /// JSON Lines, a JSON array or CSV.
    pub path: PathBuf,
    /// jsonl, json or csv; by extension, then by the first byte, if absent.
    #[serde(default)]
    #[schemars(with = "String", extend("enum" = ["jsonl", "json", "csv"]))]
    pub format: Option<String>,
    /// What separates CSV cells: one character, or `tab`.
    #[serde(default)]
    #[schemars(with = "String")]
    pub delimiter: Option<String>,
    /// Fields that are read from another column or key; a source that begins
    /// with `/` is a JSON Pointer.
    #[serde(default)]
    pub map: BTreeMap<String, String>,
    /// End after this many rows.
    #[serde(default)]
    #[schemars(with = "NonZeroU64")]
    pub limit: Option<NonZeroU64>,
    /// Longest row that is read.
    #[serde(default)]
    #[schemars(with = "Size")]
    pub max_row_bytes: Option<Size>,
}

/// A metric.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct MetricEntry {
    /// A built-in name, or a path with a slash or `.wasm`.
    pub plugin: String,
    /// What to call it; its own name if absent.
    #[serde(default)]
    #[schemars(with = "String")]
    pub name: Option<String>,
    /// Pass from this score on (or down to it, where lower is better).
    #[serde(default)]
    #[schemars(with = "f64")]
    pub threshold: Option<Threshold>,
    /// Pass only with the perfect score.
    #[serde(default)]
    pub strict: bool,
    /// Its configuration.
    #[serde(default)]
    pub config: Map<String, Value>,
    /// The judge it is bound to, for a metric that asks one.
    #[serde(default)]
    #[schemars(with = "String")]
    pub judge: Option<String>,
}

/// What a metric may use; what is absent has its default.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", default, deny_unknown_fields)]
pub struct LimitEntries {
    /// Fuel for one measurement, about one unit an instruction.
    #[schemars(with = "u64")]
    pub fuel: Option<u64>,
    /// Memory of a metric.
    #[schemars(with = "Size")]
    pub memory: Option<Size>,
    /// Seconds for one measurement, a backstop behind the fuel.
    #[schemars(with = "f64")]
    pub timeout: Option<f64>,
    /// WebAssembly stack.
    #[schemars(with = "Size")]
    pub stack: Option<Size>,
    /// Result of one measurement: reason and breakdown.
    #[schemars(with = "Size")]
    pub output: Option<Size>,
    /// Verbose logs of one measurement.
    #[schemars(with = "Size")]
    pub log: Option<Size>,
    /// Test case, declared fields only.
    #[schemars(with = "Size")]
    pub case: Option<Size>,
    /// Component file.
    #[schemars(with = "Size")]
    pub component: Option<Size>,
    /// Table elements of a metric.
    #[schemars(with = "u64")]
    pub table_elements: Option<u64>,
    /// Core instances within a component.
    #[schemars(with = "u32", range(min = 1, max = 1000))]
    pub instances: Option<u32>,
    /// Memories within a component.
    #[schemars(with = "u32", range(min = 1, max = 1000))]
    pub memories: Option<u32>,
    /// Tables within a component.
    #[schemars(with = "u32", range(min = 1, max = 1000))]
    pub tables: Option<u32>,
    /// Live resource handles of a metric.
    #[schemars(with = "u64")]
    pub handles: Option<u64>,
}

/// What is written.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", default, deny_unknown_fields)]
pub struct OutputEntry {
    /// The run file; `weigh-TIME.jsonl` in the working directory if absent.
    #[schemars(with = "PathBuf")]
    pub path: Option<PathBuf>,
    /// Keep the test cases in the run file, and not only their digests.
    pub cases: bool,
    /// Replace an existing run file.
    pub overwrite: bool,
}

impl Default for OutputEntry {
    fn default() -> OutputEntry {
        OutputEntry {
            path: None,
            cases: true,
            overwrite: false,
        }
    }
}

/// A number of bytes, or a text such as `64KiB`, `256MiB` or `1GiB`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(
    untagged,
    expecting = "expected a number of bytes, or a text such as \"256MiB\""
)]
pub enum Size {
    /// Bytes.
    Bytes(u64),
    /// A number with its unit.
    Text(String),
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Size::Bytes(bytes) => bytes.fmt(f),
            Size::Text(text) => text.fmt(f),
        }
    }
}

/// A project file that can't be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("project file `{path}`, line {line}: {problem}")]
pub struct ProjectError {
    /// The path as given.
    pub path: String,
    /// The line, from 1.
    pub line: usize,
    /// What is wrong there, and what to write instead.
    pub problem: String,
}

impl Project {
    /// Reads the text of a project file; `path` names it in errors.
    ///
    /// # Errors
    ///
    /// The text isn't TOML, or has a key or value that means nothing here.
    pub fn parse(text: &str, path: &str) -> Result<Project, ProjectError> {
        let at = |place: usize, problem: String| ProjectError {
            path: path.to_owned(),
            line: 1 + text[..place.min(text.len())].matches('\n').count(),
            problem,
        };
        let of_toml = |error: toml::de::Error| {
            let message = error.message().trim().replace('\n', ", ");
            let message = message.replace("expected f64", "expected a number");
            at(error.span().map_or(0, |span| span.start), message)
        };
        let document = DeTable::parse(text).map_err(of_toml)?;
        keys::check(document.get_ref(), &schema())
            .map_err(|problem| at(problem.place, problem.what))?;
        toml::from_str(text).map_err(|error| {
            let key = error
                .span()
                .and_then(|span| keys::key_at(document.get_ref(), span.start));
            let mut error = of_toml(error);
            if let Some(key) = key {
                error.problem = format!("`{key}`: {}", error.problem);
            }
            error
        })
    }
}

/// The JSON Schema (2020-12) of the project file.
pub fn schema() -> Value {
    let mut settings = SchemaSettings::draft2020_12();
    settings.inline_subschemas = true;
    let schema = settings.into_generator().into_root_schema_for::<Project>();
    let mut schema = schema.to_value();
    tidy(&mut schema);
    schema
}

/// Joins the lines of descriptions, and drops the defaults of what has none.
fn tidy(schema: &mut Value) {
    match schema {
        Value::Object(members) => {
            members.retain(|key, value| key != "default" || !value.is_null());
            if let Some(Value::String(description)) = members.get_mut("description") {
                *description = description.replace('\n', " ");
            }
            members.values_mut().for_each(tidy);
        }
        Value::Array(items) => items.iter_mut().for_each(tidy),
        _ => {}
    }
}
