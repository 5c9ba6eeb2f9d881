//! One of two runs, in the few bytes a pair that comparing needs.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::pairing::PairingError;
use super::{PairRow, Point};
use crate::case::TestCase;
use crate::policy::Scale;
use crate::run::{CheckedReader, Header, ResultRecord, RunFileError, RunReader};

/// Longest label of a case, in characters.
const LABEL_LENGTH: usize = 60;

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
    pub(super) names: Vec<Option<Key>>,
    pub(super) inputs: Vec<Option<Key>>,
    /// For each metric, for each case.
    pub(super) points: Vec<Vec<Point>>,
    pub(super) complete: bool,
}

/// Why two runs can't be compared.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say it")]
pub enum SideError {
    #[error(transparent)]
    File(#[from] RunFileError),
    #[error(transparent)]
    Pairing(#[from] PairingError),
}

impl Side {
    /// Reads the run file at `path`.
    ///
    /// # Errors
    ///
    /// It can't be read, is damaged, or contradicts itself.
    pub fn read(path: &Path) -> Result<Side, SideError> {
        let mut reader = CheckedReader::open(path)?;
        let mut side = Side {
            path: path.to_owned(),
            header: reader.header().clone(),
            scales: reader
                .descriptions()
                .iter()
                .map(|each| each.scale)
                .collect(),
            rows: Vec::new(),
            names: Vec::new(),
            inputs: Vec::new(),
            points: vec![Vec::new(); reader.header().metrics.len()],
            complete: false,
        };
        while let Some(record) = reader.next_result()? {
            let case = case(&record);
            side.rows.push(record.row);
            side.names.push(case.name.as_deref().map(key));
            side.inputs.push(case.input.as_deref().map(key));
            for (points, data) in side.points.iter_mut().zip(&record.metrics) {
                points.push(Point::of(data));
            }
        }
        side.complete = reader.closing().is_some();
        Ok(side)
    }

    /// The place of the metric of this name.
    pub(super) fn place(&self, name: &str) -> Option<usize> {
        let metrics = &self.header.metrics;
        metrics.iter().position(|metric| metric.name == name)
    }

    /// Reads the file again for the labels of these rows.
    pub(super) fn label(&self, rows: &mut [PairRow]) -> Result<(), RunFileError> {
        if rows.is_empty() {
            return Ok(());
        }
        let mut wanted: HashMap<u64, Vec<usize>> = HashMap::new();
        for (place, row) in rows.iter().enumerate() {
            wanted.entry(row.row_b).or_default().push(place);
        }
        let mut reader = RunReader::open(&self.path)?;
        while let Some(record) = reader.next_result()? {
            for &place in wanted.get(&record.row).into_iter().flatten() {
                rows[place].label = label(&case(&record));
            }
        }
        Ok(())
    }
}

/// The stored case; an empty one if there is none.
fn case(record: &ResultRecord) -> TestCase {
    let case = record.case.as_ref().and_then(|case| case.read().ok());
    case.unwrap_or_default()
}

fn label(case: &TestCase) -> String {
    let text = case.name.as_ref().or(case.input.as_ref());
    let text = text.map_or("", String::as_str);
    let short: String = text.chars().take(LABEL_LENGTH).collect();
    let cut = if short.len() < text.len() { "…" } else { "" };
    format!("{short}{cut}")
}

fn key(text: &str) -> Key {
    let digest = Sha256::digest(text.as_bytes());
    let mut key = Key::default();
    key.copy_from_slice(&digest[..16]);
    key
}
