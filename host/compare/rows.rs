//! The cases of one bucket, with what tells them to people.

use std::collections::HashMap;

use serde::Serialize;

use super::points::{Change, Point};
use super::side::{Side, case};
use crate::case::TestCase;
use crate::run::{ResultRecord, RunFileError};

/// Longest label of a case, in characters.
const LABEL_LENGTH: usize = 60;

/// Longest message of a failure, in characters.
const MESSAGE_LENGTH: usize = 120;

/// One case of both runs under one metric.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CaseRow {
    /// The metric.
    pub metric: String,
    /// The row in A, from 1.
    pub row_a: u64,
    /// The row in B, from 1.
    pub row_b: u64,
    /// The case's name, or its input, up to 60 characters; empty if no case is
    /// stored.
    pub label: String,
    /// What A found.
    pub a: Point,
    /// What B found.
    pub b: Point,
    /// Messages of the failures in A and B, up to 120 characters.
    pub errors: [Option<String>; 2],
}

/// The cases of which this became, biggest change first, then in A's order.
/// They have no texts yet.
pub(super) fn rows(
    a: &Side,
    b: &Side,
    [place_a, _]: [usize; 2],
    pairs: &[(u32, u32)],
    points: &[[Point; 2]],
    change: Change,
) -> Vec<CaseRow> {
    let direction = a.scales[place_a].direction;
    let mut rows: Vec<CaseRow> = pairs
        .iter()
        .zip(points)
        .filter(|(_, pair)| Change::of(**pair, direction) == change)
        .map(|(&(one, other), &[found_a, found_b])| CaseRow {
            metric: a.header.metrics[place_a].name.clone(),
            row_a: a.rows[one as usize],
            row_b: b.rows[other as usize],
            label: String::new(),
            a: found_a,
            b: found_b,
            errors: [None, None],
        })
        .collect();
    rows.sort_by(|one, other| {
        let by_size = size(other).total_cmp(&size(one));
        by_size.then(one.row_a.cmp(&other.row_a))
    });
    rows
}

fn size(row: &CaseRow) -> f64 {
    match (row.a, row.b) {
        // Halved, so that no difference overflows.
        (Point::Measured { score: a, .. }, Point::Measured { score: b, .. }) => {
            (b / 2.0 - a / 2.0).abs()
        }
        _ => 0.0,
    }
}

/// Reads the files again for the texts of these rows.
pub(super) fn add_texts(a: &Side, b: &Side, rows: &mut [CaseRow]) -> Result<(), RunFileError> {
    add_texts_of(b, rows, |row| row.row_b, 1, |_| true)?;
    let lacks_text = |row: &CaseRow| row.label.is_empty() || matches!(row.a, Point::Failed { .. });
    add_texts_of(a, rows, |row| row.row_a, 0, lacks_text)
}

fn add_texts_of(
    side: &Side,
    rows: &mut [CaseRow],
    number: impl Fn(&CaseRow) -> u64,
    run: usize,
    lacks_text: impl Fn(&CaseRow) -> bool,
) -> Result<(), RunFileError> {
    let mut wanted: HashMap<u64, Vec<usize>> = HashMap::new();
    for (place, row) in rows.iter().enumerate() {
        if lacks_text(row) {
            wanted.entry(number(row)).or_default().push(place);
        }
    }
    if wanted.is_empty() {
        return Ok(());
    }
    let mut reader = side.reader()?;
    while let Some(record) = reader.next_result()? {
        for place in wanted.remove(&record.row).unwrap_or_default() {
            let row = &mut rows[place];
            if row.label.is_empty() {
                row.label = case(&record).map_or_else(String::new, |case| label(&case));
            }
            row.errors[run] = error(&record, &row.metric);
        }
    }
    Ok(())
}

fn label(case: &TestCase) -> String {
    let text = case.name.as_ref().or(case.input.as_ref());
    short(text.map_or("", String::as_str), LABEL_LENGTH)
}

fn error(record: &ResultRecord, metric: &str) -> Option<String> {
    let data = record.metrics.iter().find(|data| data.name == metric)?;
    Some(short(data.error.as_deref()?, MESSAGE_LENGTH))
}

fn short(text: &str, length: usize) -> String {
    let short: String = text.chars().take(length).collect();
    let cut = if short.len() < text.len() { "…" } else { "" };
    format!("{short}{cut}")
}
