//! Which case of one run is which of the other.

use std::cmp::Ordering;
use std::str::FromStr;

use serde::Serialize;

use super::error::PairingError;
use super::side::{Key, Side};

/// Rows that a message lists.
const LISTED: usize = 3;

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

/// Cases that are in both runs.
pub(super) struct Pairing {
    pub(super) by: By,
    /// Places of a case in A and in B, in an order that depends on the cases
    /// alone and not on their rows.
    pub(super) pairs: Vec<(u32, u32)>,
    /// Pairs whose stored inputs differ.
    pub(super) other_inputs: u64,
    /// Pairs of which nothing but the row says that they are one case.
    pub(super) unknown_inputs: u64,
    /// Rows of A and B that take no part, since they aren't test cases.
    pub(super) without_case: [u64; 2],
}

/// What tells each case, sorted, with its place.
type Index = Vec<(Key, u32)>;

pub(super) fn pair(a: &Side, b: &Side, by: Option<By>) -> Result<Pairing, PairingError> {
    let (by, [index_a, index_b]) = match by {
        Some(by) => (by, [index(a, by)?, index(b, by)?]),
        None => find_a_way(a, b)?,
    };
    let pairs = join(&index_a, &index_b);
    if pairs.is_empty() {
        return Err(PairingError::NoneInCommon {
            by: by.as_str(),
            a: a.rows.len(),
            b: b.rows.len(),
        });
    }
    let (mut other_inputs, mut unknown_inputs) = (0, 0);
    for &(one, other) in &pairs {
        match (a.keys[one as usize].input, b.keys[other as usize].input) {
            (Some(one), Some(other)) => other_inputs += u64::from(one != other),
            _ if by == By::Row && !same_data(a, b) => unknown_inputs += 1,
            _ => {}
        }
    }
    let without_case = |side: &Side, index: &Index| (side.rows.len() - index.len()) as u64;
    Ok(Pairing {
        by,
        other_inputs,
        unknown_inputs,
        without_case: [without_case(a, &index_a), without_case(b, &index_b)],
        pairs,
    })
}

fn find_a_way(a: &Side, b: &Side) -> Result<(By, [Index; 2]), PairingError> {
    for by in [By::Name, By::Input] {
        if let (Ok(index_a), Ok(index_b)) = (index(a, by), index(b, by)) {
            return Ok((by, [index_a, index_b]));
        }
    }
    if same_data(a, b) || a.rows.len() == b.rows.len() {
        return Ok((By::Row, [index(a, By::Row)?, index(b, By::Row)?]));
    }
    Err(PairingError::Unknown {
        a: a.rows.len(),
        b: b.rows.len(),
    })
}

fn same_data(a: &Side, b: &Side) -> bool {
    let digest = &a.header.data_set.digest;
    digest.is_some() && *digest == b.header.data_set.digest
}

/// What tells each case, if every case has one of its own. A row that isn't a
/// test case has none and takes no part, except by row.
fn index(side: &Side, by: By) -> Result<Index, PairingError> {
    let mut index = Index::with_capacity(side.rows.len());
    let mut absent = Vec::new();
    for ((keys, &row), place) in side.keys.iter().zip(&side.rows).zip(0..) {
        let key = match by {
            By::Row => Some(u128::from(row).to_be_bytes()),
            By::Name => keys.name,
            By::Input => keys.input,
        };
        match key {
            Some(key) => index.push((key, place)),
            None if keys.stored => absent.push(row),
            None => {}
        }
    }
    let (path, by) = (side.path(), by.as_str());
    if !absent.is_empty() {
        let rows = listed(&absent);
        return Err(PairingError::Absent { path, rows, by });
    }
    if index.is_empty() && !side.rows.is_empty() {
        return Err(PairingError::NoCases { path });
    }
    index.sort_unstable();
    let same = index.windows(2).filter(|two| two[0].0 == two[1].0);
    if let Some(two) = same.min_by_key(|two| two[1].1) {
        let [first, second] = [two[0].1, two[1].1].map(|place| side.rows[place as usize]);
        return Err(PairingError::Twice {
            path,
            first,
            second,
            by,
        });
    }
    Ok(index)
}

/// The places of what is in both.
fn join(a: &[(Key, u32)], b: &[(Key, u32)]) -> Vec<(u32, u32)> {
    let (mut a, mut b) = (a.iter().peekable(), b.iter().peekable());
    let mut pairs = Vec::new();
    while let (Some((one, place_a)), Some((other, place_b))) = (a.peek(), b.peek()) {
        let order = one.cmp(other);
        if order == Ordering::Equal {
            pairs.push((*place_a, *place_b));
        }
        if order.is_le() {
            a.next();
        }
        if order.is_ge() {
            b.next();
        }
    }
    pairs
}

/// The first of these rows.
fn listed(rows: &[u64]) -> String {
    let shown: Vec<String> = rows.iter().take(LISTED).map(u64::to_string).collect();
    let word = if rows.len() == 1 {
        "row"
    } else {
        "each of rows"
    };
    let more = match rows.len().saturating_sub(LISTED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("{word} {}{more}", shown.join(", "))
}
