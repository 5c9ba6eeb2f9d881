//! Measurements of earlier runs, found by contract and case digest.
//!
//! Only places are kept in memory, 32 bytes for each measurement that could
//! be asked for; the record itself is read from the file when it is.

use std::borrow::Cow;
use std::fs::{File, TryLockError};
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde::Deserialize;

use super::problem::{RunFileError, RunFileProblem};
use super::read::RunReader;
use super::record::{ResultRecord, RunReference};
use crate::contract::digest_reader;
use crate::metric_data::{MetricData, Origin, Status};

/// Measurements of earlier runs.
pub struct Reuse {
    contracts: Vec<String>,
    runs: Vec<Run>,
    places: Vec<Place>,
}

/// A run file that stays open.
struct Run {
    reference: RunReference,
    file: Mutex<Positioned>,
}

/// Where a measurement stands. Sorted, so that the first of several wins: of
/// the run that was named first, then of the lowest row.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    case: Key,
    contract: u16,
    run: u32,
    offset: u64,
}

/// The first half of a case digest. The whole of it is compared when the
/// record is read.
type Key = [u8; 16];

impl Reuse {
    /// Indexes the run files at `paths` for measurements under `contracts`.
    /// Failures are left out: only what was measured or skipped is known.
    ///
    /// # Errors
    ///
    /// A file can't be read, or is damaged. One that stopped early isn't.
    pub fn open<P: AsRef<Path>>(paths: &[P], contracts: &[&str]) -> Result<Reuse, RunFileError> {
        let mut reuse = Reuse {
            contracts: contracts.iter().map(|&text| text.to_owned()).collect(),
            runs: Vec::new(),
            places: Vec::new(),
        };
        for path in paths {
            reuse.add(path.as_ref())?;
        }
        reuse.places.sort_unstable();
        Ok(reuse)
    }

    /// The runs, in the order they were named.
    pub fn references(&self) -> Vec<RunReference> {
        self.runs.iter().map(|run| run.reference.clone()).collect()
    }

    /// The measurement of this case under this contract, with a note of where
    /// it comes from; `None` if there is none, or its record has changed since
    /// the file was indexed.
    pub fn find(&self, contract: &str, case_digest: &str) -> Option<MetricData> {
        let number = self.contracts.iter().position(|known| known == contract)?;
        let contract_number = u16::try_from(number).ok()?;
        let case = key(case_digest)?;
        let at = |place: &Place| (place.case, place.contract);
        let first = self
            .places
            .partition_point(|place| at(place) < (case, contract_number));
        self.places[first..]
            .iter()
            .take_while(|place| at(place) == (case, contract_number))
            .find_map(|place| self.read(place, contract, case_digest))
    }

    fn read(&self, place: &Place, contract: &str, case_digest: &str) -> Option<MetricData> {
        let run = &self.runs[place.run as usize];
        let line = lock(&run.file).line_at(place.offset).ok()?;
        let record: ResultRecord = serde_json::from_slice(&line).ok()?;
        let row = record.row;
        let mut data = record.metrics.into_iter().find(|data| {
            data.contract == contract
                && data.case_digest.as_deref() == Some(case_digest)
                && data.status != Status::Failed
        })?;
        data.reused_from = Some(Origin {
            run: run.reference.digest.clone(),
            row,
        });
        Some(data)
    }

    fn add(&mut self, path: &Path) -> Result<(), RunFileError> {
        let error = |problem: RunFileProblem| RunFileError {
            path: path.display().to_string(),
            problem,
        };
        let named = |problem: io::Error| error(problem.into());
        let number = u32::try_from(self.runs.len()).expect("a command line names fewer runs");
        if !std::fs::metadata(path).map_err(named)?.is_file() {
            return Err(error(RunFileProblem::NotRegular));
        }
        let file = Positioned::open(path).map_err(named)?;
        // Held as long as the run goes on. Where the file system has no locks,
        // a record that changed isn't found.
        if let Err(TryLockError::WouldBlock) = file.file.get_ref().try_lock_shared() {
            return Err(error(RunFileProblem::BeingWritten));
        }
        // Hashing takes longer than indexing, so both go on at once.
        let (digest, indexed) = std::thread::scope(|scope| {
            let digest = scope.spawn(|| digest_reader(File::open(path)?));
            let indexed = self.index(path, number);
            (digest.join(), indexed)
        });
        indexed?;
        let digest = digest
            .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            .map_err(named)?;
        self.runs.push(Run {
            reference: RunReference {
                path: path.display().to_string(),
                digest,
            },
            file: Mutex::new(file),
        });
        Ok(())
    }

    fn index(&mut self, path: &Path, run: u32) -> Result<(), RunFileError> {
        let mut reader = RunReader::open(path)?;
        loop {
            match reader.advance_to_result() {
                Ok(true) => {}
                Ok(false) => return Ok(()),
                Err(problem) => return Err(reader.error(problem)),
            }
            let result: Skimmed = match reader.read_line() {
                Ok(result) => result,
                Err(problem) => return Err(reader.error(problem)),
            };
            let offset = reader.line_start();
            for data in result.metrics {
                if data.status == Status::Failed {
                    continue;
                }
                let Some(case) = data.case_digest.as_deref().and_then(key) else {
                    continue;
                };
                let known = self
                    .contracts
                    .iter()
                    .position(|known| *known == data.contract);
                if let Some(contract) = known.and_then(|number| u16::try_from(number).ok()) {
                    self.places.push(Place {
                        case,
                        contract,
                        run,
                        offset,
                    });
                }
            }
        }
    }
}

/// What the index needs of a result.
#[derive(Deserialize)]
struct Skimmed<'a> {
    #[serde(borrow)]
    metrics: Vec<SkimmedData<'a>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct SkimmedData<'a> {
    #[serde(borrow)]
    contract: Cow<'a, str>,
    case_digest: Option<String>,
    status: Status,
}

/// The first sixteen bytes of a `sha256:` digest.
fn key(digest: &str) -> Option<Key> {
    let hex = digest.strip_prefix("sha256:")?.get(..32)?;
    let number = u128::from_str_radix(hex, 16).ok()?;
    Some(number.to_be_bytes())
}

/// A file that knows where it is, so that reading on costs no seek.
struct Positioned {
    file: BufReader<File>,
    position: u64,
}

impl Positioned {
    fn open(path: &Path) -> io::Result<Positioned> {
        Ok(Positioned {
            file: BufReader::with_capacity(64 << 10, File::open(path)?),
            position: 0,
        })
    }

    fn line_at(&mut self, offset: u64) -> io::Result<Vec<u8>> {
        let distance = i64::try_from(offset).map_err(io::Error::other)?
            - i64::try_from(self.position).map_err(io::Error::other)?;
        self.file.seek_relative(distance)?;
        self.position = offset;
        let mut line = Vec::new();
        let length = self.file.by_ref().read_until(b'\n', &mut line)?;
        self.position += length as u64;
        Ok(line)
    }
}

/// A lock whose holder panicked guards a position that the next seek may
/// miss; then no record fits the digests, and the case is measured.
fn lock(mutex: &Mutex<Positioned>) -> MutexGuard<'_, Positioned> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
