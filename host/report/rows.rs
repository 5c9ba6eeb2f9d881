//! One case of two runs, a line.

use super::escape;
use super::table::number;
use crate::compare::{CaseRow, Point};

/// Metric, rows, what both runs found, and what tells the case.
pub(super) fn case_row(row: &CaseRow) -> String {
    let rows = if row.row_a == row.row_b {
        format!("row {}", row.row_a)
    } else {
        format!("rows {} and {}", row.row_a, row.row_b)
    };
    let label = match row.label.as_str() {
        "" => String::new(),
        label => format!("  {}", escape(label)),
    };
    let [error_a, error_b] = row.errors.each_ref().map(Option::as_deref);
    let (a, b) = match (row.a, row.b) {
        // Scores that look equal and aren't are shown in full.
        (Point::Measured { score: a, .. }, Point::Measured { score: b, .. })
            if a != b && number(a) == number(b) =>
        {
            (a.to_string(), b.to_string())
        }
        (a, b) => (point(&a, error_a), point(&b, error_b)),
    };
    format!("{}  {rows}  {a} → {b}{label}\n", escape(&row.metric))
}

fn point(point: &Point, error: Option<&str>) -> String {
    match point {
        Point::Measured { score, .. } => number(*score),
        Point::Failed { error_code } => match error {
            Some(error) => format!("failed ({}: {})", error_code.as_str(), escape(error)),
            None => format!("failed ({})", error_code.as_str()),
        },
        Point::Skipped => "skipped".to_owned(),
    }
}
