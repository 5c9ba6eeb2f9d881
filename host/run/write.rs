//! Writing a run file, append-only.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use super::record::{Closing, Header, RecordRef};

/// How long a finished result may wait in memory.
const FLUSH_EVERY: Duration = Duration::from_millis(250);

/// Appends records to a run file, flushing a few times a second.
pub struct RunWriter<W: Write> {
    out: io::BufWriter<W>,
    flushed: Instant,
}

impl<W: Write> RunWriter<W> {
    /// Begins the file with its header.
    ///
    /// # Errors
    ///
    /// The header can't be written.
    pub fn new(out: W, header: &Header) -> io::Result<RunWriter<W>> {
        let mut writer = RunWriter::resume(out);
        writer.out.write_all(&RecordRef::Header(header).to_line())?;
        writer.out.flush()?;
        Ok(writer)
    }

    /// Goes on with a file that has its header and some results; `out` is at
    /// the end of the last of them.
    pub fn resume(out: W) -> RunWriter<W> {
        RunWriter {
            out: io::BufWriter::with_capacity(256 << 10, out),
            flushed: Instant::now(),
        }
    }

    /// Appends a line made by [`ResultRecord::to_line`](super::ResultRecord::to_line).
    ///
    /// # Errors
    ///
    /// The file can't be written.
    pub fn append(&mut self, line: &[u8]) -> io::Result<()> {
        self.out.write_all(line)?;
        if self.flushed.elapsed() >= FLUSH_EVERY {
            self.flush()?;
        }
        Ok(())
    }

    /// Hands everything appended so far to the operating system.
    ///
    /// # Errors
    ///
    /// The file can't be written.
    pub fn flush(&mut self) -> io::Result<()> {
        self.flushed = Instant::now();
        self.out.flush()
    }

    /// Ends the file with its closing record.
    ///
    /// # Errors
    ///
    /// The file can't be written.
    pub fn close(mut self, closing: &Closing) -> io::Result<()> {
        self.out.write_all(&RecordRef::Closing(closing).to_line())?;
        self.out.flush()
    }
}
