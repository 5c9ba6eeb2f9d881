//! Which case of one run is which of the other.

use std::collections::HashMap;
use std::str::FromStr;

use serde::Serialize;

use super::side::{Key, Side};

/// What tells that two cases are one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum By {
    /// The case's name.
    Name,
    /// The text of its input.
    Input,
    /// Its row.
    Row,
}

impl FromStr for By {
    type Err = String;

    fn from_str(text: &str) -> Result<By, String> {
        match text {
            "name" => Ok(By::Name),
            "input" => Ok(By::Input),
            "row" => Ok(By::Row),
            _ => Err("write `name`, `input` or `row`".to_owned()),
        }
    }
}

impl By {
    /// The word for it, as on the command line.
    pub fn as_str(self) -> &'static str {
        match self {
            By::Name => "name",
            By::Input => "input",
            By::Row => "row",
        }
    }
}

/// Why cases can't be paired.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say it")]
pub enum PairingError {
    #[error(
        "row {row} of run {run} has no stored {by}: pair with `--by row`, or keep the cases in the run file"
    )]
    Absent {
        row: u64,
        run: char,
        by: &'static str,
    },
    #[error("rows {first} and {second} of run {run} have the same {by}: pair with another `--by`")]
    Twice {
        first: u64,
        second: u64,
        run: char,
        by: &'static str,
    },
    #[error(
        "the cases of the two runs can't be told to be the same: they have no unique names or inputs, and the runs have {a} and {b} rows of different data sets; if rows correspond, say `--by row`"
    )]
    Unknown { a: usize, b: usize },
}

/// Cases that are in both runs.
pub(super) struct Pairing {
    pub(super) by: By,
    /// Places of a case in A and in B, in A's order.
    pub(super) pairs: Vec<(u32, u32)>,
    /// Pairs of rows whose stored inputs differ.
    pub(super) other_inputs: u64,
}

pub(super) fn pair(a: &Side, b: &Side, by: Option<By>) -> Result<Pairing, PairingError> {
    let by = match by {
        Some(by) => by,
        None => find_a_way(a, b)?,
    };
    let pairs = match by {
        By::Name => join(&keys(a, 'A', by)?, &keys(b, 'B', by)?),
        By::Input => join(&keys(a, 'A', by)?, &keys(b, 'B', by)?),
        By::Row => join(&a.rows, &b.rows),
    };
    let other = |&&(one, other): &&(u32, u32)| {
        let inputs = (a.inputs[one as usize], b.inputs[other as usize]);
        matches!(inputs, (Some(one), Some(other)) if one != other)
    };
    Ok(Pairing {
        by,
        other_inputs: pairs.iter().filter(other).count() as u64,
        pairs,
    })
}

fn find_a_way(a: &Side, b: &Side) -> Result<By, PairingError> {
    for by in [By::Name, By::Input] {
        if keys(a, 'A', by).is_ok() && keys(b, 'B', by).is_ok() {
            return Ok(by);
        }
    }
    let digest = &a.header.data_set.digest;
    let same_data = digest.is_some() && *digest == b.header.data_set.digest;
    if same_data || a.rows.len() == b.rows.len() {
        return Ok(By::Row);
    }
    Err(PairingError::Unknown {
        a: a.rows.len(),
        b: b.rows.len(),
    })
}

/// The key of each case, if every case has one of its own.
fn keys(side: &Side, run: char, by: By) -> Result<Vec<Key>, PairingError> {
    let keys = match by {
        By::Name => &side.names,
        By::Input | By::Row => &side.inputs,
    };
    let mut seen = HashMap::with_capacity(keys.len());
    keys.iter()
        .zip(&side.rows)
        .map(|(key, &row)| {
            let by = by.as_str();
            let key = key.ok_or(PairingError::Absent { row, run, by })?;
            match seen.insert(key, row) {
                None => Ok(key),
                Some(first) => Err(PairingError::Twice {
                    first,
                    second: row,
                    run,
                    by,
                }),
            }
        })
        .collect()
}

fn join<K: std::hash::Hash + Eq>(a: &[K], b: &[K]) -> Vec<(u32, u32)> {
    let places: HashMap<&K, u32> = b.iter().zip(0..).collect();
    let found = |(key, place): (&K, u32)| Some((place, *places.get(key)?));
    a.iter().zip(0..).filter_map(found).collect()
}
