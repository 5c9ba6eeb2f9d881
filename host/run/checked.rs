//! Reading a run file that must not contradict itself.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use super::check::Check;
use super::problem::RunFileError;
use super::read::RunReader;
use super::record::{Closing, Header, ResultRecord};
use crate::plugin::Description;
use crate::summary::Tally;

/// Reads results that fit the header and themselves: the contract of its
/// parts, scores on the scale, verdicts by the policy, digests of the stored
/// cases, rows without a gap. Whatever is made of a run file is made of these.
pub struct CheckedReader {
    reader: RunReader<BufReader<File>>,
    check: Check,
}

impl CheckedReader {
    /// Opens the file and checks its header.
    ///
    /// # Errors
    ///
    /// The file can't be read, doesn't begin with a header, or has one that
    /// contradicts itself.
    pub fn open(path: &Path) -> Result<CheckedReader, RunFileError> {
        let reader = RunReader::open(path)?;
        let check = Check::new(&reader);
        let checked = CheckedReader { reader, check };
        checked.refuse()?;
        Ok(checked)
    }

    /// The next result; `None` after the last.
    ///
    /// # Errors
    ///
    /// As for [`RunReader::next_result`], and if the result contradicts
    /// itself or the header.
    pub fn next_result(&mut self) -> Result<Option<ResultRecord>, RunFileError> {
        let Some(record) = self.reader.next_result()? else {
            return Ok(None);
        };
        self.check.result(self.reader.line(), &record);
        self.refuse()?;
        Ok(Some(record))
    }

    /// What was measured, and by what.
    pub fn header(&self) -> &Header {
        self.reader.header()
    }

    /// What each metric says of itself, in the header's order.
    pub fn descriptions(&self) -> &[Description] {
        self.reader.descriptions()
    }

    /// The path as given.
    pub fn path(&self) -> &str {
        self.reader.path()
    }

    /// Bytes up to the end of the last result that was read.
    pub fn offset(&self) -> u64 {
        self.reader.offset()
    }

    /// The closing record, as for [`RunReader::closing`].
    pub fn closing(&self) -> Option<&Closing> {
        self.reader.closing()
    }

    /// Counts of the results so far.
    pub fn tally(&self) -> &Tally {
        self.check.tally()
    }

    /// An empty tally of the run's metrics.
    pub fn empty_tally(&self) -> Tally {
        self.reader.empty_tally()
    }

    /// An error about the result that was read last.
    pub fn damaged(&self, reason: impl Into<String>) -> RunFileError {
        self.reader.damaged(reason)
    }

    fn refuse(&self) -> Result<(), RunFileError> {
        match self.check.found().first() {
            Some(first) => Err(self.reader.damaged(match &first.metric {
                Some(metric) => format!("metric `{metric}`: {}", first.what),
                None => first.what.clone(),
            })),
            None => Ok(()),
        }
    }
}
