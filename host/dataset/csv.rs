//! CSV after RFC 4180: finds where each record ends, then its cells.
//!
//! A blank line is no record. A quote matters only at the start of a cell;
//! elsewhere in an unquoted cell it is text. The crate `csv` reads alike, but
//! stores a record of any length and takes 50 µs to set up, too long to do for
//! each row; the tests hold the two against each other.

use std::borrow::Cow;
use std::io;

use super::Delimiter;
use super::source::{Piece, Row, Source};

/// Splits a CSV into records.
pub(super) struct Splitter {
    delimiter: u8,
    /// The last record ended in CR, so an LF at once is not a line of its own.
    after_cr: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    CellStart,
    Plain,
    Quoted,
    /// After a quote in a quoted cell: its end, or half of a doubled one.
    QuoteSeen,
}

/// How far a record is read.
struct Progress {
    state: State,
    lines: u64,
    stray_text: bool,
}

impl Splitter {
    pub(super) fn new(delimiter: Delimiter) -> Splitter {
        Splitter {
            delimiter: delimiter.byte(),
            after_cr: false,
        }
    }

    pub(super) fn delimiter(&self) -> u8 {
        self.delimiter
    }

    /// The next record, without its line end.
    pub(super) fn next(&mut self, source: &mut Source) -> io::Result<Option<Piece>> {
        if !self.skip_blank_lines(source)? {
            return Ok(None);
        }
        let line = source.line();
        let mut row = Row::new(source.max_row_bytes());
        let mut progress = Progress {
            state: State::CellStart,
            lines: 0,
            stray_text: false,
        };
        loop {
            let chunk = source.chunk()?;
            if chunk.is_empty() {
                break;
            }
            let (used, ended) = progress.scan(chunk, self.delimiter);
            row.push(&chunk[..used]);
            if ended {
                self.after_cr = chunk[used] == b'\r';
                progress.lines += 1;
            }
            source.consume(used + usize::from(ended));
            source.count_lines(std::mem::take(&mut progress.lines));
            if ended {
                break;
            }
        }
        let defect = match progress {
            Progress {
                state: State::Quoted,
                ..
            } => Some("file ends inside a quoted cell: close its quote"),
            Progress {
                stray_text: true, ..
            } => Some("text follows the closing quote of a cell: double each quote inside a cell"),
            _ => None,
        };
        let content = row.finish(defect);
        Ok(Some(Piece { line, content }))
    }

    /// Returns whether anything follows.
    fn skip_blank_lines(&mut self, source: &mut Source) -> io::Result<bool> {
        loop {
            match source.chunk()?.first() {
                None => return Ok(false),
                Some(b'\n') => {
                    source.count_lines(u64::from(!self.after_cr));
                    self.after_cr = false;
                }
                Some(b'\r') => {
                    source.count_lines(1);
                    self.after_cr = true;
                }
                Some(_) => return Ok(true),
            }
            source.consume(1);
        }
    }
}

impl Progress {
    /// How many bytes of `chunk` belong to the record, and whether a line end
    /// that ends it follows them.
    fn scan(&mut self, chunk: &[u8], delimiter: u8) -> (usize, bool) {
        let mut at = 0;
        while at < chunk.len() {
            if self.state == State::Quoted {
                match memchr::memchr2(b'"', b'\n', &chunk[at..]) {
                    None => return (chunk.len(), false),
                    Some(text) => at += text + 1,
                }
                if chunk[at - 1] == b'"' {
                    self.state = State::QuoteSeen;
                } else {
                    self.lines += 1;
                }
                continue;
            }
            if self.state == State::Plain {
                match memchr::memchr3(delimiter, b'\n', b'\r', &chunk[at..]) {
                    None => return (chunk.len(), false),
                    Some(text) => at += text,
                }
            }
            self.state = match (self.state, chunk[at]) {
                (_, b'\n' | b'\r') => return (at, true),
                (_, byte) if byte == delimiter => State::CellStart,
                (State::CellStart | State::QuoteSeen, b'"') => State::Quoted,
                (State::QuoteSeen, _) => {
                    self.stray_text = true;
                    State::Plain
                }
                _ => State::Plain,
            };
            at += 1;
        }
        (at, false)
    }
}

/// The cells of a record that the splitter found to be without defect.
pub(super) fn cells(record: &str, delimiter: u8) -> Vec<Cow<'_, str>> {
    let mut cells = Vec::new();
    let mut rest = record;
    loop {
        let (cell, after) = match rest.strip_prefix('"') {
            Some(quoted) => quoted_cell(quoted),
            None => {
                let end = memchr::memchr(delimiter, rest.as_bytes()).unwrap_or(rest.len());
                (Cow::Borrowed(&rest[..end]), &rest[end..])
            }
        };
        cells.push(cell);
        match after.split_at_checked(1) {
            None => return cells,
            Some((_delimiter, next)) => rest = next,
        }
    }
}

/// The cell whose text begins after its opening quote, and what follows the
/// closing one.
fn quoted_cell(text: &str) -> (Cow<'_, str>, &str) {
    let bytes = text.as_bytes();
    let (mut end, mut doubled) = (0, false);
    loop {
        end += memchr::memchr(b'"', &bytes[end..]).expect("the splitter saw the closing quote");
        if bytes.get(end + 1) != Some(&b'"') {
            break;
        }
        doubled = true;
        end += 2;
    }
    let (cell, after) = (&text[..end], &text[end + 1..]);
    if doubled {
        (Cow::Owned(cell.replace("\"\"", "\"")), after)
    } else {
        (Cow::Borrowed(cell), after)
    }
}
