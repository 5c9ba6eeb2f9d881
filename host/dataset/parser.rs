//! From the text of a row to its test case.

use std::borrow::Cow;
use std::sync::Arc;

use serde_json::{Map, Value};

use super::csv_plan::{Plan, Read};
use super::error::Fault;
use super::fields::Found;
use super::mapping::Mapping;
use super::source::Content;
use super::strict_json::{self, NotJson, type_of};
use super::target::{Kind, Target};
use super::{Format, RawRow, RowError};
use crate::case::TestCase;

/// A row, read.
#[derive(Clone, Debug)]
pub struct ParsedRow {
    /// The test case, or why the row is none.
    pub case: Result<TestCase, RowError>,
    /// The columns or keys of the row that nothing reads, so that a mistyped
    /// one can be noticed; a number of `usage` as `usage.NAME`.
    pub unread: Vec<String>,
}

/// What turns rows into test cases. Holds the mapping and a CSV's header, so
/// it reads only rows of the data set it comes from. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Parser {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    mapping: Mapping,
    rows: Rows,
}

#[derive(Debug)]
enum Rows {
    Json(Format),
    Csv(Plan),
}

impl Parser {
    pub(super) fn for_json(format: Format, mapping: Mapping) -> Parser {
        let rows = Rows::Json(format);
        let inner = Arc::new(Inner { mapping, rows });
        Parser { inner }
    }

    pub(super) fn for_csv(plan: Plan, mapping: Mapping) -> Parser {
        let rows = Rows::Csv(plan);
        let inner = Arc::new(Inner { mapping, rows });
        Parser { inner }
    }

    /// Reads a row. The same row always gives the same result.
    ///
    /// In JSON, null is absent and a value of a wrong type is an error. In a
    /// CSV every cell is text: an empty cell is the empty string in a text
    /// field and absent in any other; a list is a JSON array, or items
    /// between `|`, each without the blanks around it; `metadata`, `trace`
    /// and `usage` are JSON; numbers are written in decimal.
    pub fn parse(&self, row: &RawRow) -> ParsedRow {
        let text = match &row.content {
            Content::Text(text) => text,
            Content::Bad(error) => return ParsedRow::unreadable(error.clone()),
        };
        let mut found = Found::new(&self.inner.mapping);
        let read = match &self.inner.rows {
            Rows::Json(format) => object(text, *format).map(|row| find_json(row, &mut found)),
            Rows::Csv(plan) => find_csv(text, plan, &mut found),
        };
        match read {
            Ok(()) => {
                let (case, unread) = found.into_case();
                ParsedRow { case, unread }
            }
            Err(error) => ParsedRow::unreadable(error),
        }
    }
}

impl ParsedRow {
    fn unreadable(error: RowError) -> ParsedRow {
        ParsedRow {
            case: Err(error),
            unread: Vec::new(),
        }
    }
}

fn object(text: &[u8], format: Format) -> Result<Map<String, Value>, RowError> {
    let text = std::str::from_utf8(text).map_err(|error| {
        RowError::new(format!(
            "row is not UTF-8 at byte {}: convert the file",
            error.valid_up_to() + 1
        ))
    })?;
    match strict_json::parse(text) {
        Ok(Value::Object(members)) => Ok(members),
        Ok(other) => Err(RowError::new(format!(
            "row is {}, not an object{}",
            type_of(&other),
            match (format, other) {
                (Format::Jsonl, Value::Array(_)) =>
                    ": give `--format json` if the file is an array",
                _ => "",
            }
        ))),
        Err(NotJson { what, cut_short }) => Err(RowError::new(format!(
            "row {what}{}",
            if cut_short && format == Format::Jsonl {
                ", and in JSON Lines a row is one line"
            } else {
                ""
            }
        ))),
    }
}

fn find_json<'m>(row: Map<String, Value>, found: &mut Found<'m>) {
    let mapping = found.mapping();
    for (target, source) in mapping.iter() {
        if let Some(value) = source.find(&row) {
            found.put(target, Cow::Borrowed(source.as_str()), value.clone());
        }
    }
    for (key, value) in row {
        match Target::from_name(&key) {
            Some(target) if !mapping.covers(target) => found.put(target, key.into(), value),
            _ if mapping.reads(&key) => {}
            _ => found.unread.push(key),
        }
    }
}

fn find_csv<'m>(text: &[u8], plan: &'m Plan, found: &mut Found<'m>) -> Result<(), RowError> {
    let cells = plan.cells(text)?;
    for (column, cell) in plan.columns.iter().zip(&cells) {
        if column.reads.is_empty() {
            found.unread.push(column.name.clone());
        }
        for Read { target, source } in &column.reads {
            let (origin, value) = match source {
                None => (column.name.as_str(), from_cell(target.kind(), cell)),
                Some(source) if source.is_whole() => {
                    (source.as_str(), from_cell(target.kind(), cell))
                }
                Some(source) => {
                    let value = json_cell(cell)
                        .map(|value| source.within(&value).cloned().unwrap_or_default());
                    (source.as_str(), value)
                }
            };
            match value {
                Ok(value) => found.put(*target, Cow::Borrowed(origin), value),
                Err(fault) => found.fail(fault.in_field(target.as_str(), origin)),
            }
        }
    }
    Ok(())
}

/// A cell as the JSON value that its field takes; null where it is absent.
fn from_cell(kind: Kind, cell: &str) -> Result<Value, Fault> {
    let trimmed = cell.trim();
    match kind {
        Kind::Text => Ok(Value::String(cell.to_owned())),
        _ if trimmed.is_empty() => Ok(Value::Null),
        Kind::Json | Kind::Usage => match json_cell(cell)? {
            value @ (Value::Object(_) | Value::Array(_) | Value::Null) => Ok(value),
            other => Err(Fault::new(format!(
                "is {}, not a JSON object or array",
                type_of(&other)
            ))),
        },
        Kind::Texts | Kind::Passages | Kind::Tools if trimmed.starts_with('[') => json_cell(cell)
            .map_err(|fault| fault.advised("a cell that begins with `[` is a JSON array")),
        Kind::Tools if trimmed.starts_with('{') => Err(Fault::new(
            "begins with `{`: write a JSON array of tool calls, or names between `|`",
        )),
        Kind::Texts | Kind::Passages | Kind::Tools => items(trimmed),
        Kind::Real | Kind::Count => number(trimmed),
    }
}

/// A cell that holds JSON; null where it is blank.
fn json_cell(cell: &str) -> Result<Value, Fault> {
    if cell.trim().is_empty() {
        return Ok(Value::Null);
    }
    strict_json::parse(cell).map_err(|not_json| Fault::new(not_json.what))
}

fn items(cell: &str) -> Result<Value, Fault> {
    cell.split('|')
        .map(|item| match item.trim() {
            "" => Err(Fault::new(
                "has an empty item beside a `|`: remove the `|`, or write a JSON array",
            )),
            item => Ok(Value::String(item.to_owned())),
        })
        .collect()
}

fn number(cell: &str) -> Result<Value, Fault> {
    if let Ok(count) = cell.parse::<u64>() {
        return Ok(Value::from(count));
    }
    match cell.parse::<f64>() {
        // Rust also reads `inf` and `nan`, which are no numbers here.
        Ok(number) if number.is_finite() => Ok(Value::from(number)),
        _ => Err(Fault::new(format!("is `{cell}`, not a number"))),
    }
}
