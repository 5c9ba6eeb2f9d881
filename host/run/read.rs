//! Reading a run file, line by line.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use serde::Deserialize;

use super::lines::{Kind, Lines, explain};
use super::problem::{RunFileError, RunFileProblem};
use super::record::{Closing, FORMAT, Header, ResultRecord};
use crate::plugin::Description;
use crate::summary::Tally;

/// Reads a run file from its header on.
///
/// A last line without a line feed is one that was being written when the run
/// stopped: it isn't read, and isn't an error. Everything else that isn't a
/// record in its place is [`RunFileProblem::Damaged`].
pub struct RunReader<R> {
    lines: Lines<R>,
    path: String,
    header: Header,
    descriptions: Vec<Description>,
    last_row: u64,
    closing: Option<Closing>,
}

impl RunReader<BufReader<File>> {
    /// Opens the file and reads its header.
    ///
    /// # Errors
    ///
    /// The file can't be read, or doesn't begin with a header.
    pub fn open(path: &Path) -> Result<RunReader<BufReader<File>>, RunFileError> {
        let name = path.display().to_string();
        match File::open(path) {
            Ok(file) => RunReader::new(BufReader::with_capacity(256 << 10, file), name),
            Err(error) => Err(RunFileError {
                path: name,
                problem: error.into(),
            }),
        }
    }
}

impl<R: BufRead> RunReader<R> {
    /// Reads the header from `input`; `path` names it in errors.
    ///
    /// # Errors
    ///
    /// `input` can't be read, or doesn't begin with a header.
    pub fn new(input: R, path: String) -> Result<RunReader<R>, RunFileError> {
        let mut lines = Lines::new(input);
        match read_header(&mut lines) {
            Ok((header, descriptions)) => Ok(RunReader {
                lines,
                path,
                header,
                descriptions,
                last_row: 0,
                closing: None,
            }),
            Err(problem) => Err(RunFileError { path, problem }),
        }
    }

    /// The path as given.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// What was measured, and by what.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// What each metric says of itself, in the header's order.
    pub fn descriptions(&self) -> &[Description] {
        &self.descriptions
    }

    /// An empty tally of the run's metrics.
    pub fn empty_tally(&self) -> Tally {
        let names = self.header.metrics.iter().map(|metric| metric.name.clone());
        let scales = self.descriptions.iter().map(|each| each.scale);
        Tally::new(names.zip(scales))
    }

    /// The closing record, once [`RunReader::next_result`] has returned
    /// `None`; a file that has none stopped early.
    pub fn closing(&self) -> Option<&Closing> {
        self.closing.as_ref()
    }

    /// Bytes up to the end of the last record that was read.
    pub fn offset(&self) -> u64 {
        self.lines.offset
    }

    /// The number of the line that was read last, from 1.
    pub fn line(&self) -> u64 {
        self.lines.number
    }

    /// The next result; `None` after the last.
    ///
    /// # Errors
    ///
    /// The file can't be read, or has something other than a record there.
    pub fn next_result(&mut self) -> Result<Option<ResultRecord>, RunFileError> {
        let result = self.read_result();
        result.map_err(|problem| self.error(problem))
    }

    /// An error about the line that was read last.
    pub fn damaged(&self, reason: impl Into<String>) -> RunFileError {
        self.error(self.lines.damaged(reason))
    }

    pub(super) fn error(&self, problem: RunFileProblem) -> RunFileError {
        RunFileError {
            path: self.path.clone(),
            problem,
        }
    }

    fn read_result(&mut self) -> Result<Option<ResultRecord>, RunFileProblem> {
        if !self.advance_to_result()? {
            return Ok(None);
        }
        let mut record: ResultRecord = self.lines.read()?;
        record.other.remove("record");
        self.check(&record)
            .map_err(|reason| self.lines.damaged(reason))?;
        self.last_row = record.row;
        Ok(Some(record))
    }

    /// Moves to the line of the next result; false after the last.
    pub(super) fn advance_to_result(&mut self) -> Result<bool, RunFileProblem> {
        while self.lines.advance()? {
            if self.closing.is_some() {
                return Err(self.lines.damaged("it follows the closing record"));
            }
            match self.lines.kind()?.as_ref() {
                "result" => return Ok(true),
                "closing" => {
                    let mut closing: Closing = self.lines.read()?;
                    closing.other.remove("record");
                    self.closing = Some(closing);
                }
                "header" => return Err(self.lines.damaged("it is a second header")),
                other => {
                    let reason = format!("a record `{other}` is unknown to this version");
                    return Err(self.lines.damaged(reason));
                }
            }
        }
        Ok(false)
    }

    /// Reads some of the line that was reached last.
    pub(super) fn read_line<'a, T: Deserialize<'a>>(&'a self) -> Result<T, RunFileProblem> {
        self.lines.read()
    }

    /// Where the line that was reached last begins, in bytes.
    pub(super) fn line_start(&self) -> u64 {
        self.lines.offset - self.lines.line.len() as u64
    }

    /// Whether `record` can be a result of this run, as far as every reader
    /// has to know.
    fn check(&self, record: &ResultRecord) -> Result<(), String> {
        if record.row <= self.last_row {
            return Err(format!(
                "row {} comes after row {}",
                record.row, self.last_row
            ));
        }
        let (found, expected) = (record.metrics.len(), self.header.metrics.len());
        if found != expected {
            return Err(format!(
                "it has records of {found} metrics, and the header names {expected}"
            ));
        }
        for (data, metric) in record.metrics.iter().zip(&self.header.metrics) {
            if data.name != metric.name {
                return Err(format!(
                    "metric `{}` stands where the header names `{}`",
                    data.name, metric.name
                ));
            }
            for (what, found, named) in [
                ("version", &data.version, &metric.version),
                ("contract", &data.contract, &metric.contract),
            ] {
                if found != named {
                    return Err(format!(
                        "metric `{}` has {what} {found} there, and {named} in the header",
                        data.name
                    ));
                }
            }
            data.outcome()
                .map_err(|reason| format!("metric `{}` {reason}", data.name))?;
        }
        Ok(())
    }
}

fn read_header<R: BufRead>(
    lines: &mut Lines<R>,
) -> Result<(Header, Vec<Description>), RunFileProblem> {
    #[derive(Deserialize)]
    struct Format {
        format: String,
    }
    /// How every run file begins.
    const BEGINNING: &[u8] = b"{\"record\":\"header\"";
    let foreign = |reason: String| RunFileProblem::NotARunFile(reason);
    if !lines.advance()? {
        let begun = &lines.line;
        return Err(if begun.is_empty() {
            RunFileProblem::Empty
        } else if begun.starts_with(BEGINNING) || BEGINNING.starts_with(begun) {
            RunFileProblem::NoHeader
        } else {
            foreign("it has no end".to_owned())
        });
    }
    let kind: Kind =
        serde_json::from_slice(&lines.line).map_err(|error| foreign(explain(&error)))?;
    if kind.record != "header" {
        return Err(foreign(format!("it is a record `{}`", kind.record)));
    }
    let format: Format = lines.read()?;
    if format.format != FORMAT {
        return Err(RunFileProblem::UnknownFormat(format.format));
    }
    let mut header: Header = lines.read()?;
    header.other.remove("record");
    let descriptions = header
        .metrics
        .iter()
        .map(|metric| {
            metric.description.read().map_err(|error| {
                let reason = explain(&error);
                lines.damaged(format!("description of metric `{}`: {reason}", metric.name))
            })
        })
        .collect::<Result<_, _>>()?;
    Ok((header, descriptions))
}
