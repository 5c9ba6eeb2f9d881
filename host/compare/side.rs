//! One of two runs, in the few bytes a case that comparing needs.

use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::error::SideError;
use super::points::Point;
use crate::case::TestCase;
use crate::policy::Scale;
use crate::run::{CheckedReader, Header, ResultRecord, RunFileError, RunReader};

/// The first half of a text's SHA-256. Two of a thousand million texts share
/// one with a chance below 10^-20.
pub(super) type Key = [u8; 16];

/// One run, read.
pub struct Side {
    path: PathBuf,
    pub(super) header: Header,
    pub(super) scales: Vec<Scale>,
    /// For each case, in order.
    pub(super) rows: Vec<u64>,
    pub(super) keys: Vec<Keys>,
    /// For each metric, for each case.
    pub(super) points: Vec<Vec<Point>>,
    pub(super) complete: bool,
}

/// What tells a case.
#[derive(Clone, Copy, Default)]
pub(super) struct Keys {
    /// Whether a case is stored.
    pub(super) stored: bool,
    pub(super) name: Option<Key>,
    pub(super) input: Option<Key>,
}

impl Side {
    /// Reads the run file at `path`.
    ///
    /// # Errors
    ///
    /// It can't be read, is damaged, or contradicts itself.
    pub fn read(path: &Path) -> Result<Side, SideError> {
        let mut reader = CheckedReader::open(path)?;
        let scales = reader.descriptions().iter().map(|each| each.scale);
        let mut side = Side {
            path: path.to_owned(),
            header: reader.header().clone(),
            scales: scales.collect(),
            rows: Vec::new(),
            keys: Vec::new(),
            points: vec![Vec::new(); reader.header().metrics.len()],
            complete: false,
        };
        while let Some(record) = reader.next_result()? {
            side.rows.push(record.row);
            let case = case(&record);
            side.keys
                .push(case.as_ref().map_or_else(Keys::default, Keys::of));
            for (points, data) in side.points.iter_mut().zip(&record.metrics) {
                points.push(Point::of(data));
            }
        }
        side.complete = reader.closing().is_some();
        Ok(side)
    }

    /// Reads both at once.
    ///
    /// # Errors
    ///
    /// As for [`Side::read`], of A first.
    pub fn read_both(a: &Path, b: &Path) -> Result<[Side; 2], SideError> {
        let (a, b) = std::thread::scope(|scope| {
            let a = scope.spawn(|| Side::read(a));
            let b = Side::read(b);
            (a.join(), b)
        });
        let a = a.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        Ok([a?, b?])
    }

    /// The path as given.
    pub(super) fn path(&self) -> String {
        self.path.display().to_string()
    }

    /// Reads the file once more.
    pub(super) fn reader(&self) -> Result<RunReader<BufReader<File>>, RunFileError> {
        RunReader::open(&self.path)
    }

    /// The place of the metric of this name.
    pub(super) fn place(&self, name: &str) -> Option<usize> {
        let metrics = &self.header.metrics;
        metrics.iter().position(|metric| metric.name == name)
    }
}

impl Keys {
    fn of(case: &TestCase) -> Keys {
        Keys {
            stored: true,
            name: case.name.as_deref().map(key),
            input: case.input.as_deref().map(key),
        }
    }
}

/// The stored case, if there is one that can be read.
pub(super) fn case(record: &ResultRecord) -> Option<TestCase> {
    record.case.as_ref().and_then(|case| case.read().ok())
}

fn key(text: &str) -> Key {
    let digest = Sha256::digest(text.as_bytes());
    let mut key = Key::default();
    key.copy_from_slice(&digest[..16]);
    key
}
