//! Data sets: a file of test cases, split into rows and read one row at a time.
//!
//! Reading has two halves. [`DataSet::next_row`] only finds where a row ends,
//! so it can run under a lock that many workers share. [`Parser::parse`] turns
//! that row into a [`TestCase`](crate::case::TestCase) and needs no lock. A row
//! that can't be read is a value ([`RowError`]) and takes its place among the
//! others.

mod csv;
mod csv_plan;
mod error;
mod fields;
mod format;
mod json_array;
mod jsonl;
mod mapping;
mod parser;
mod source;
mod strict_json;
mod target;
mod tool_call;
mod value;

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

pub use error::{DataSetError, RowError};
pub use format::{Delimiter, DelimiterError, Format, FormatError};
pub use mapping::{Mapping, MappingError};
pub use parser::{ParsedRow, Parser};
pub(crate) use target::nearest;
pub use target::nearest_field;

use csv_plan::Plan;
use source::{Content, Piece, Source};

/// Reads JSON that is to be kept as it is: a key that stands twice in an
/// object, or an integer too long for 64 bits, is refused rather than dropped
/// or rounded.
///
/// # Errors
///
/// `text` isn't such JSON; the error is a predicate, such as
/// ``is not valid JSON at byte 7: expected `:` ``.
pub fn read_json(text: &str) -> Result<serde_json::Value, String> {
    strict_json::parse(text).map_err(|error| error.what)
}

/// How a data set is to be read.
#[derive(Clone, Debug)]
pub struct Options {
    /// The format; `None` lets the extension decide, then the first byte.
    pub format: Option<Format>,
    /// Which field is read from which column or key, where the names differ.
    pub mapping: Mapping,
    /// What separates the cells of a CSV; `None` is a comma, a tab for `.tsv`.
    pub delimiter: Option<Delimiter>,
    /// The longest row in bytes, without its line end. A longer one is skipped
    /// without being stored and becomes a bad row. 16 MiB by default.
    pub max_row_bytes: usize,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            format: None,
            mapping: Mapping::default(),
            delimiter: None,
            max_row_bytes: 16 << 20,
        }
    }
}

/// One row as it stands in the file, not yet read.
#[derive(Clone, Debug)]
pub struct RawRow {
    /// The row's number, from 1; a CSV header and blank lines have none.
    pub row: u64,
    /// The line of the file on which the row begins, from 1.
    pub line: u64,
    pub(in crate::dataset) content: Content,
}

/// An open data set that holds at least one row.
pub struct DataSet {
    label: String,
    source: Source,
    splitter: Splitter,
    parser: Parser,
    /// Read when the data set was opened, to know that it isn't empty.
    first: Option<Piece>,
    rows: u64,
    ended: bool,
}

enum Splitter {
    Jsonl,
    JsonArray(json_array::Splitter),
    Csv(csv::Splitter),
}

impl DataSet {
    /// Opens the data set at `path`; `-` is standard input.
    ///
    /// # Errors
    ///
    /// The file can't be opened, holds no row, is compressed or of another
    /// format, or its CSV header doesn't fit the mapping.
    pub fn open(path: &Path, options: &Options) -> Result<DataSet, DataSetError> {
        const BUFFER: usize = 256 << 10;
        if path == Path::new("-") {
            let reader = BufReader::with_capacity(BUFFER, io::stdin());
            return DataSet::start(Box::new(reader), "-".to_owned(), None, options);
        }
        let label = path.display().to_string();
        // Opening a directory succeeds on Unix; reading it would then fail.
        if path.is_dir() {
            return Err(DataSetError::Directory { label });
        }
        let file = File::open(path).map_err(|error| DataSetError::open(&label, error))?;
        let reader = BufReader::with_capacity(BUFFER, file);
        let extension = path.extension().and_then(|extension| extension.to_str());
        DataSet::start(Box::new(reader), label, extension, options)
    }

    /// Reads a data set from `reader`; `label` names it in messages.
    ///
    /// # Errors
    ///
    /// As for [`DataSet::open`].
    pub fn from_reader(
        reader: Box<dyn BufRead + Send>,
        label: impl Into<String>,
        options: &Options,
    ) -> Result<DataSet, DataSetError> {
        DataSet::start(reader, label.into(), None, options)
    }

    /// The path as it was given, `-` for standard input, or the reader's label.
    pub fn label(&self) -> &str {
        &self.label
    }

    /// The format in which the data set is read.
    pub fn format(&self) -> Format {
        match self.splitter {
            Splitter::Jsonl => Format::Jsonl,
            Splitter::JsonArray(_) => Format::JsonArray,
            Splitter::Csv(_) => Format::Csv,
        }
    }

    /// What turns this data set's rows into test cases; cheap to clone.
    pub fn parser(&self) -> Parser {
        self.parser.clone()
    }

    /// The next row, split off but not read; `None` after the last.
    ///
    /// # Errors
    ///
    /// Reading fails. Every later call returns `None`.
    pub fn next_row(&mut self) -> Result<Option<RawRow>, DataSetError> {
        if self.ended {
            return Ok(None);
        }
        let piece = match self.first.take() {
            Some(first) => Ok(Some(first)),
            None => self.splitter.next(&mut self.source),
        };
        match piece {
            Ok(Some(Piece { line, content })) => {
                self.rows += 1;
                Ok(Some(RawRow {
                    row: self.rows,
                    line,
                    content,
                }))
            }
            Ok(None) => {
                self.ended = true;
                Ok(None)
            }
            Err(error) => {
                self.ended = true;
                Err(DataSetError::read(&self.label, self.source.line(), error))
            }
        }
    }

    fn start(
        reader: Box<dyn BufRead + Send>,
        label: String,
        extension: Option<&str>,
        options: &Options,
    ) -> Result<DataSet, DataSetError> {
        let read_failed = |line, error| DataSetError::read(&label, line, error);
        let (prefix, reader) = source::read_prefix(reader).map_err(|e| read_failed(1, e))?;
        if let Some(encoding) = format::foreign_encoding(&prefix) {
            return Err(DataSetError::encoded(&label, encoding));
        }
        let mut source = Source::new(prefix, reader, options.max_row_bytes);
        let format = format::decide(&mut source, &label, extension, options)?;
        let (mut splitter, parser) = match format {
            Format::Jsonl => (
                Splitter::Jsonl,
                Parser::for_json(format, options.mapping.clone()),
            ),
            Format::JsonArray => {
                let splitter = json_array::Splitter::open(&mut source)
                    .map_err(|error| read_failed(source.line(), error))?
                    .ok_or_else(|| DataSetError::NotAnArray {
                        label: label.clone(),
                    })?;
                let parser = Parser::for_json(format, options.mapping.clone());
                (Splitter::JsonArray(splitter), parser)
            }
            Format::Csv => {
                let delimiter = format::delimiter(extension, options);
                let mut splitter = csv::Splitter::new(delimiter);
                let plan = Plan::read(&mut splitter, &mut source, &label, &options.mapping)?;
                (
                    Splitter::Csv(splitter),
                    Parser::for_csv(plan, options.mapping.clone()),
                )
            }
        };
        let first = splitter
            .next(&mut source)
            .map_err(|error| read_failed(source.line(), error))?;
        if first.is_none() {
            return Err(DataSetError::Empty { label });
        }
        Ok(DataSet {
            label,
            source,
            splitter,
            parser,
            first,
            rows: 0,
            ended: false,
        })
    }
}

impl std::fmt::Debug for DataSet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("DataSet")
            .field("label", &self.label)
            .field("format", &self.format())
            .field("rows", &self.rows)
            .finish_non_exhaustive()
    }
}

impl Splitter {
    fn next(&mut self, source: &mut Source) -> io::Result<Option<Piece>> {
        match self {
            Splitter::Jsonl => jsonl::next(source),
            Splitter::JsonArray(splitter) => splitter.next(source),
            Splitter::Csv(splitter) => splitter.next(source),
        }
    }
}
