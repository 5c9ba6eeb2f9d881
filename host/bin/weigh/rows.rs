//! The test cases of a run, to measure them again.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use weighbridge::contract::digest_reader;
use weighbridge::dataset::{DataSet, Parser, RawRow};
use weighbridge::run::{Header, ResultRecord};

/// Where the test cases come from: the data set, if it is there and the one
/// that was measured, or else the run file.
pub(crate) enum Rows {
    DataSet(Box<DataSet>),
    Stored,
}

impl Rows {
    pub(crate) fn new(
        data: Option<&Path>,
        header: &Header,
        notes: &mut Vec<String>,
    ) -> anyhow::Result<Rows> {
        let recorded = &header.data_set;
        let path = data.map_or_else(|| PathBuf::from(&recorded.path), Path::to_owned);
        let digest = regular(&path).and_then(digest_reader);
        let why_not = match (digest, &recorded.digest) {
            (Ok(digest), Some(wanted)) if digest == *wanted => {
                let options = recorded.options().map_err(|error| {
                    anyhow::anyhow!("the data set can't be read as it was: {error}")
                })?;
                return Ok(Rows::DataSet(Box::new(DataSet::open(&path, &options)?)));
            }
            (_, None) => "it came from standard input".to_owned(),
            (Err(error), _) => format!("it can't be read: {error}"),
            (Ok(digest), Some(wanted)) => format!("it is {digest} now and was {wanted}"),
        };
        let path = path.display();
        if data.is_some() {
            anyhow::bail!("`{path}` is not the data set of this run: {why_not}");
        }
        notes.push(format!(
            "data set `{path}` isn't used ({why_not}): the cases in the run file are measured"
        ));
        Ok(Rows::Stored)
    }

    pub(crate) fn parser(&self) -> Option<Parser> {
        match self {
            Rows::DataSet(data_set) => Some(data_set.parser()),
            Rows::Stored => None,
        }
    }

    /// Whether there are rows of the data set after the last result, which
    /// the run should have measured.
    pub(crate) fn has_more(&mut self, header: &Header) -> anyhow::Result<bool> {
        let Rows::DataSet(data_set) = self else {
            return Ok(false);
        };
        let next = data_set.next_row()?;
        let limit = header.data_set.limit.unwrap_or(u64::MAX);
        Ok(next.is_some_and(|raw| raw.row <= limit))
    }

    /// The row of this result.
    pub(crate) fn next(&mut self, record: &ResultRecord) -> anyhow::Result<Option<RawRow>> {
        let Rows::DataSet(data_set) = self else {
            return Ok(None);
        };
        while let Some(raw) = data_set.next_row()? {
            if raw.row == record.row {
                return Ok(Some(raw));
            }
        }
        Ok(None)
    }
}

/// Opens a file that ends: the path comes from a run file, which anybody may
/// have written.
fn regular(path: &Path) -> io::Result<File> {
    if !std::fs::metadata(path)?.is_file() {
        return Err(io::Error::other("it is no regular file"));
    }
    File::open(path)
}
