//! Standard output, which may be closed or full.

use std::io::{self, ErrorKind, Write};

use anyhow::Context;

use crate::complain;

/// Writes `text`. A reader that has seen enough is no error.
pub(crate) fn write(text: &str) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        written => written.context("standard output can't be written"),
    }
}

/// Says what kept a table from being printed. The run file is what counts, so
/// the exit code stays its own.
pub(crate) fn note(printed: io::Result<()>) {
    match printed {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            complain(&format!("standard output can't be written: {error}"));
        }
        _ => {}
    }
}
