//! A run file, line by line.

use std::borrow::Cow;
use std::io::{BufRead, Read};

use serde::Deserialize;

use super::problem::RunFileProblem;

/// Longest line that is read: a row and every metric's output at their
/// default limits, many times over.
const LONGEST_LINE: u64 = 1 << 30;

/// What a line is.
#[derive(Deserialize)]
pub(super) struct Kind<'a> {
    #[serde(borrow)]
    pub(super) record: Cow<'a, str>,
}

/// Whole lines, with their numbers and where they end.
pub(super) struct Lines<R> {
    input: R,
    /// The line that was read last, or what there is of an unfinished one.
    pub(super) line: Vec<u8>,
    /// Its number, from 1.
    pub(super) number: u64,
    /// Bytes up to its end.
    pub(super) offset: u64,
}

impl<R: BufRead> Lines<R> {
    pub(super) fn new(input: R) -> Lines<R> {
        Lines {
            input,
            line: Vec::new(),
            number: 0,
            offset: 0,
        }
    }

    /// Reads the next whole line; false if there is none.
    pub(super) fn advance(&mut self) -> Result<bool, RunFileProblem> {
        self.line.clear();
        let mut input = self.input.by_ref().take(LONGEST_LINE);
        let length = input.read_until(b'\n', &mut self.line)? as u64;
        if self.line.last() == Some(&b'\n') {
            self.number += 1;
            self.offset += length;
            return Ok(true);
        }
        if length == LONGEST_LINE {
            self.number += 1;
            return Err(self.damaged(format!("it is longer than {LONGEST_LINE} bytes")));
        }
        Ok(false)
    }

    /// The word under `record`. Our own lines begin with it, so that most
    /// lines are read once.
    pub(super) fn kind(&self) -> Result<Cow<'_, str>, RunFileProblem> {
        if self.line.starts_with(b"{\"record\":\"result\",") {
            return Ok(Cow::Borrowed("result"));
        }
        Ok(self.read::<Kind>()?.record)
    }

    pub(super) fn read<'a, T: Deserialize<'a>>(&'a self) -> Result<T, RunFileProblem> {
        serde_json::from_slice(&self.line).map_err(|error| self.damaged(explain(&error)))
    }

    pub(super) fn damaged(&self, reason: impl Into<String>) -> RunFileProblem {
        RunFileProblem::Damaged {
            line: self.number,
            reason: reason.into(),
        }
    }
}

/// A message of serde_json, whose own line number is always 1.
pub(super) fn explain(error: &serde_json::Error) -> String {
    let text = error.to_string();
    match text.rsplit_once(" at line ") {
        Some((message, _)) => format!("{message}, in column {}", error.column()),
        None => text,
    }
}
