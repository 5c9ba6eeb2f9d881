//! The bytes of a data set, with the line they stand on.

use std::io::{self, BufRead, Chain, Cursor, Read};

use super::RowError;

/// The whole text of one row, or why there is none.
#[derive(Clone, Debug)]
pub(super) enum Content {
    Text(Vec<u8>),
    Bad(RowError),
}

/// One row as a splitter finds it.
pub(super) struct Piece {
    /// The line on which it begins, from 1.
    pub(super) line: u64,
    pub(super) content: Content,
}

/// What is left of a data set's bytes.
pub(super) struct Source {
    reader: Chain<Cursor<Vec<u8>>, Box<dyn BufRead + Send>>,
    line: u64,
    max_row_bytes: usize,
}

/// The first bytes of `reader` without a UTF-8 mark: eight, or as many as are
/// there, so that a format can be recognised whatever `reader` buffers.
pub(super) fn read_prefix(
    mut reader: Box<dyn BufRead + Send>,
) -> io::Result<(Vec<u8>, Box<dyn BufRead + Send>)> {
    let mut prefix = Vec::new();
    (&mut reader).take(8).read_to_end(&mut prefix)?;
    if prefix.starts_with("\u{feff}".as_bytes()) {
        prefix.drain(..3);
    }
    Ok((prefix, reader))
}

impl Source {
    pub(super) fn new(
        prefix: Vec<u8>,
        reader: Box<dyn BufRead + Send>,
        max_row_bytes: usize,
    ) -> Source {
        Source {
            reader: Cursor::new(prefix).chain(reader),
            line: 1,
            max_row_bytes,
        }
    }

    /// The line of the next byte, from 1.
    pub(super) fn line(&self) -> u64 {
        self.line
    }

    pub(super) fn count_lines(&mut self, lines: u64) {
        self.line += lines;
    }

    pub(super) fn max_row_bytes(&self) -> usize {
        self.max_row_bytes
    }

    /// The next bytes; none only at the end.
    pub(super) fn chunk(&mut self) -> io::Result<&[u8]> {
        let length = loop {
            match self.reader.fill_buf() {
                Ok(chunk) => break chunk.len(),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        };
        // Asking again at the end would read again, from a terminal say.
        if length == 0 {
            return Ok(&[]);
        }
        self.reader.fill_buf()
    }

    pub(super) fn consume(&mut self, bytes: usize) {
        self.reader.consume(bytes);
    }

    /// Skips blanks of JSON and returns the byte after them, not consumed.
    pub(super) fn skip_blank(&mut self) -> io::Result<Option<u8>> {
        loop {
            let chunk = self.chunk()?;
            if chunk.is_empty() {
                return Ok(None);
            }
            let blank = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\r' | b'\n');
            let skipped = chunk.iter().take_while(|byte| blank(byte)).count();
            let lines = count_newlines(&chunk[..skipped]);
            let next = chunk.get(skipped).copied();
            self.consume(skipped);
            self.line += lines;
            if next.is_some() {
                return Ok(next);
            }
        }
    }

    /// Appends to `line` up to and including the next newline, at most `limit`
    /// bytes. Returns whether the newline was reached.
    pub(super) fn read_line(&mut self, line: &mut Vec<u8>, limit: u64) -> io::Result<bool> {
        (&mut self.reader).take(limit).read_until(b'\n', line)?;
        let whole = line.last() == Some(&b'\n');
        self.line += u64::from(whole);
        Ok(whole)
    }

    /// Skips what is left of the current line.
    pub(super) fn skip_line(&mut self) -> io::Result<()> {
        self.reader.skip_until(b'\n')?;
        self.line += 1;
        Ok(())
    }

    /// Skips everything that is left.
    pub(super) fn skip_rest(&mut self) -> io::Result<()> {
        loop {
            let chunk = self.chunk()?;
            let (length, lines) = (chunk.len(), count_newlines(chunk));
            if length == 0 {
                return Ok(());
            }
            self.consume(length);
            self.line += lines;
        }
    }
}

pub(super) fn count_newlines(bytes: &[u8]) -> u64 {
    memchr::memchr_iter(b'\n', bytes).count() as u64
}

/// The bytes of a row as they are found, up to a limit.
pub(super) struct Row {
    bytes: Vec<u8>,
    limit: usize,
    too_long: bool,
}

impl Row {
    pub(super) fn new(limit: usize) -> Row {
        Row {
            bytes: Vec::new(),
            limit,
            too_long: false,
        }
    }

    /// Takes `bytes` in, or gives up all that was stored once over the limit.
    pub(super) fn push(&mut self, bytes: &[u8]) {
        if self.too_long || self.bytes.len() + bytes.len() > self.limit {
            self.too_long = true;
            self.bytes = Vec::new();
        } else {
            self.bytes.extend_from_slice(bytes);
        }
    }

    /// The row's text, unless it was too long or has a `defect`.
    pub(super) fn finish(self, defect: Option<&str>) -> Content {
        match defect {
            Some(defect) => Content::Bad(RowError::new(defect)),
            None if self.too_long => too_long(self.limit),
            None => Content::Text(self.bytes),
        }
    }
}

/// The content of a row that was not stored, since it is over `limit` bytes.
pub(super) fn too_long(limit: usize) -> Content {
    Content::Bad(RowError::new(format!(
        "row is longer than {limit} bytes: raise `--max-row-bytes`"
    )))
}
