//! The header of a CSV, and how the cells below it are read.

use std::borrow::Cow;

use super::csv::{self, Splitter};
use super::mapping::{Mapping, Source as MappedSource};
use super::source::{Content, Source};
use super::target::{self, Target};
use super::{DataSetError, RowError};

/// How the cells of a record are read, settled by the header.
#[derive(Debug)]
pub(super) struct Plan {
    delimiter: u8,
    pub(super) columns: Vec<Column>,
}

/// One column and the fields that are read from it.
#[derive(Debug)]
pub(super) struct Column {
    /// The header's cell without blanks around it, or the column's number.
    pub(super) name: String,
    pub(super) reads: Vec<Read>,
}

/// One field that is read from a column.
#[derive(Debug)]
pub(super) struct Read {
    pub(super) target: Target,
    /// The mapped source, or `None` for a column of the field's own name.
    pub(super) source: Option<MappedSource>,
}

impl Plan {
    /// Reads the header and lays `mapping` over it.
    pub(super) fn read(
        splitter: &mut Splitter,
        source: &mut Source,
        label: &str,
        mapping: &Mapping,
    ) -> Result<Plan, DataSetError> {
        let unreadable = |cause: String| DataSetError::UnreadableHeader {
            label: label.to_owned(),
            cause,
        };
        let header = splitter
            .next(source)
            .map_err(|error| DataSetError::read(label, source.line(), error))?
            .ok_or_else(|| DataSetError::Empty {
                label: label.to_owned(),
            })?;
        let delimiter = splitter.delimiter();
        let names = match &header.content {
            Content::Bad(error) => return Err(unreadable(format!("is no record: {error}"))),
            Content::Text(text) => cells(text, delimiter).map_err(unreadable)?,
        };
        let columns: Vec<Column> = (names.iter().enumerate())
            .map(|(index, name)| Column::new(index, name.trim(), mapping))
            .collect();
        check_header(&columns, label, mapping)?;
        Ok(Plan { delimiter, columns })
    }

    /// The cells of a record, as many as there are columns.
    pub(super) fn cells<'a>(&self, text: &'a [u8]) -> Result<Vec<Cow<'a, str>>, RowError> {
        let cells =
            cells(text, self.delimiter).map_err(|cause| RowError::new(format!("row {cause}")))?;
        if cells.len() == self.columns.len() {
            return Ok(cells);
        }
        Err(RowError::new(format!(
            "row has {}, but the header has {}: quote cells that hold the delimiter",
            count(cells.len(), "cell"),
            count(self.columns.len(), "column"),
        )))
    }
}

impl Column {
    fn new(index: usize, name: &str, mapping: &Mapping) -> Column {
        let name = if name.is_empty() {
            format!("column {}", index + 1)
        } else {
            name.to_owned()
        };
        let direct = Target::from_name(&name).filter(|&target| !mapping.covers(target));
        let mapped = mapping.iter().filter(|(_, source)| source.key() == name);
        let reads = direct
            .map(|target| (target, None))
            .into_iter()
            .chain(mapped.map(|(target, source)| (target, Some(source.clone()))))
            .map(|(target, source)| Read { target, source })
            .collect();
        Column { name, reads }
    }
}

fn check_header(columns: &[Column], label: &str, mapping: &Mapping) -> Result<(), DataSetError> {
    let label = || label.to_owned();
    let names: Vec<&str> = columns.iter().map(|column| column.name.as_str()).collect();
    let listed = || {
        let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
        quoted.join(", ")
    };
    for (index, name) in names.iter().enumerate() {
        if names[..index].contains(name) {
            return Err(DataSetError::DuplicateColumn {
                label: label(),
                column: (*name).to_owned(),
            });
        }
    }
    for (target, source) in mapping.iter() {
        if !names.contains(&source.key()) {
            let remedy = match target::nearest(source.key(), names.iter().copied()) {
                Some(nearest) => format!("did you mean `{nearest}`?"),
                None => "name one of these".to_owned(),
            };
            return Err(DataSetError::MappedColumnMissing {
                label: label(),
                field: target.as_str(),
                column: source.key().to_owned(),
                columns: listed(),
                remedy,
            });
        }
    }
    if columns.iter().all(|column| column.reads.is_empty()) {
        return Err(DataSetError::NoKnownColumn {
            label: label(),
            columns: listed(),
        });
    }
    Ok(())
}

/// The cells of one record, or a predicate that says why there are none.
fn cells(text: &[u8], delimiter: u8) -> Result<Vec<Cow<'_, str>>, String> {
    match std::str::from_utf8(text) {
        Ok(text) => Ok(csv::cells(text, delimiter)),
        Err(error) => Err(format!(
            "is not UTF-8 at byte {}: convert the file",
            error.valid_up_to() + 1
        )),
    }
}

fn count(number: usize, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {noun}{plural}")
}
