//! The test cases of a run, to measure them again.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use weighbridge::contract::digest_reader;
use weighbridge::dataset::{DataSet, Parser, RawRow};
use weighbridge::run::{Contradiction, Header};
use weighbridge::verify::StoredResult;

/// Where the test cases come from: the data set, if it is there and the one
/// that was measured, or else the run file.
pub(crate) enum Rows {
    DataSet {
        rows: Box<DataSet>,
        /// The last row of the run.
        limit: u64,
    },
    Stored,
}

/// What there is for a result.
pub(crate) enum Found {
    /// Its row.
    Row(RawRow),
    /// No row that could be its own.
    Strange(Contradiction),
    /// No data set; only the case in the run file, if it is there.
    NoDataSet,
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
                return Ok(Rows::DataSet {
                    rows: Box::new(DataSet::open(&path, &options)?),
                    limit: recorded.limit.unwrap_or(u64::MAX),
                });
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
            Rows::DataSet { rows, .. } => Some(rows.parser()),
            Rows::Stored => None,
        }
    }

    /// A row of the data set after the last result, which the run should have
    /// measured: what the closing record on this line contradicts.
    pub(crate) fn missing(&mut self, line: u64) -> anyhow::Result<Option<Contradiction>> {
        let Rows::DataSet { rows, limit } = self else {
            return Ok(None);
        };
        let next = rows.next_row()?.filter(|raw| raw.row <= *limit);
        Ok(next.map(|_| Contradiction {
            line,
            row: None,
            metric: None,
            what: "the data set has more rows than the run file has results".to_owned(),
        }))
    }

    /// The row of this result.
    pub(crate) fn next(&mut self, stored: &StoredResult) -> anyhow::Result<Found> {
        let Rows::DataSet { rows, limit } = self else {
            return Ok(Found::NoDataSet);
        };
        let record = &stored.record;
        let strange = |what: String| Ok(Found::Strange(stored.contradiction(what)));
        if record.row > *limit {
            return strange(format!("the run ends after row {limit}"));
        }
        loop {
            match rows.next_row()? {
                Some(raw) if raw.row < record.row => {}
                Some(raw) if raw.row == record.row && raw.line == record.line => {
                    return Ok(Found::Row(raw));
                }
                Some(raw) => {
                    return strange(format!(
                        "it stands in line {} of the data set, and the result says {}",
                        raw.line, record.line
                    ));
                }
                None => return strange("the data set has no such row".to_owned()),
            }
        }
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
