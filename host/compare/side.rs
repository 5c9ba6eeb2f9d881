//! One of two runs, in the few bytes a pair that comparing needs.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::pairing::PairingError;
use super::points::Point;
use crate::case::TestCase;
use crate::policy::{self, Policy, Scale};
use crate::run::{Header, MetricRecord, ResultRecord, RunFileError, RunReader};

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

/// Why two runs can't be compared.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say it")]
pub enum SideError {
    #[error(transparent)]
    File(#[from] RunFileError),
    #[error(
        "run file `{path}` contradicts itself: the parts of metric `{metric}` don't make its contract; see `weigh verify {path}`"
    )]
    OtherContract { path: String, metric: String },
    #[error(
        "run file `{path}` contradicts itself: two of its metrics have the name `{metric}`; measure again, each under its own"
    )]
    SameName { path: String, metric: String },
    #[error(transparent)]
    Pairing(#[from] PairingError),
}

impl Side {
    /// Reads the run file at `path`.
    ///
    /// # Errors
    ///
    /// It can't be read, is damaged, or contradicts itself: two metrics have
    /// one name, a contract isn't that of its parts, or a verdict isn't that
    /// of the policy.
    pub fn read(path: &Path) -> Result<Side, SideError> {
        let mut reader = RunReader::open(path)?;
        check(reader.path(), &reader.header().metrics)?;
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
            let case = case(&reader, &record)?;
            side.keys
                .push(case.as_ref().map_or_else(Keys::default, Keys::of));
            for (place, points) in side.points.iter_mut().enumerate() {
                let policy = &side.header.metrics[place].policy;
                points.push(point(&reader, &record, place, &side.scales[place], policy)?);
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

/// Whether metrics can be told by name, and their contracts by their parts.
fn check(path: &str, metrics: &[MetricRecord]) -> Result<(), SideError> {
    for (place, metric) in metrics.iter().enumerate() {
        let (path, name) = (path.to_owned(), metric.name.clone());
        if metrics[..place].iter().any(|other| other.name == name) {
            return Err(SideError::SameName { path, metric: name });
        }
        if metric.contract_of_parts().as_ref() != Ok(&metric.contract) {
            return Err(SideError::OtherContract { path, metric: name });
        }
    }
    Ok(())
}

/// What was found, if the verdict is the one that the header's policy gives.
fn point<R: BufRead>(
    reader: &RunReader<R>,
    record: &ResultRecord,
    place: usize,
    scale: &Scale,
    policy: &Policy,
) -> Result<Point, RunFileError> {
    let data = &record.metrics[place];
    let outcome = data
        .outcome()
        .map_err(|reason| reader.damaged(format!("metric `{}` {reason}", data.name)))?;
    let verdict = policy::decide(&outcome, scale, policy);
    if data.success != verdict.success() {
        return Err(reader.damaged(format!(
            "the verdict of metric `{}` isn't that of the header's policy",
            data.name
        )));
    }
    Ok(Point::new(&outcome, verdict))
}

/// The stored case, if there is one.
pub(super) fn case<R: BufRead>(
    reader: &RunReader<R>,
    record: &ResultRecord,
) -> Result<Option<TestCase>, RunFileError> {
    let case = record.case.as_ref().map(|case| case.read()).transpose();
    case.map_err(|error| reader.damaged(format!("its test case can't be read ({error})")))
}

fn key(text: &str) -> Key {
    let digest = Sha256::digest(text.as_bytes());
    let mut key = Key::default();
    key.copy_from_slice(&digest[..16]);
    key
}
