//! The table after a run: a metric a row.

use comfy_table::{CellAlignment, ColumnConstraint, ContentArrangement, Table, presets};

use super::escape;
use super::text::{counted, shortened};
use crate::summary::{MetricSummary, Summary, Z};

/// Narrower terminals get the table without the metrics' versions.
const WIDTH_WITH_VERSION: u16 = 90;

/// Longest failure message that is shown, in characters.
const MESSAGE_LENGTH: usize = 240;

/// Counts and mean score, a metric a row, `width` columns wide at most.
/// `versions` are the metrics' versions, in order. Without `verdicts` the
/// counts of passed and failed are left out.
pub fn table(summary: &Summary, versions: &[&str], verdicts: bool, width: u16) -> String {
    let mut table = Table::new();
    table
        .load_style(presets::UTF8_HORIZONTAL_ONLY)
        .set_content_arrangement(ContentArrangement::Dynamic)
        .set_width(width);
    let with_version = width >= WIDTH_WITH_VERSION;
    let mut head = vec!["metric"];
    if with_version {
        head.push("version");
    }
    head.push("measured");
    if verdicts {
        head.extend(["passed", "failed"]);
    }
    head.extend([
        "fail:\ninput",
        "fail:\nmetric",
        "fail:\ninfra",
        "skipped",
        "mean\nscore",
    ]);
    let text_columns = 1 + usize::from(with_version);
    table.set_header(head);
    for (metric, version) in summary.metrics.iter().zip(versions) {
        let version = with_version.then_some(*version);
        table.add_row(row(metric, version, verdicts));
    }
    for column in table.column_iter_mut().skip(1) {
        column.set_constraint(ColumnConstraint::ContentWidth);
        column.set_padding((0, 1));
    }
    for column in table.column_iter_mut().skip(text_columns) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table.to_string()
}

/// What the table's figures mean, and between which values the means would lie
/// if failed pairs had scores. Empty if there is nothing to say.
pub fn statistics(summary: &Summary) -> String {
    let mut lines = String::new();
    if summary
        .metrics
        .iter()
        .any(|metric| metric.interval.is_some())
    {
        lines.push_str("±: 95 % interval of the mean (normal, 1.96 standard errors)\n");
    }
    for metric in &summary.metrics {
        if let Some(bounds) = &metric.bounds {
            lines.push_str(&format!(
                "{}: {} the mean would be {} at worst and {} at best\n",
                escape(&metric.name),
                missing(metric),
                number(bounds.mean.worst),
                number(bounds.mean.best),
            ));
        }
    }
    lines
}

/// One line for each kind of failure: how many, and the first in full. Empty
/// if there are none.
pub fn failures(summary: &Summary) -> String {
    let mut lines = String::new();
    for metric in &summary.metrics {
        for (code, entry) in &metric.failures {
            lines.push_str(&format!(
                "{}: {} × {code}, first in row {}: {}\n",
                escape(&metric.name),
                entry.count,
                entry.row,
                shortened(&entry.first, MESSAGE_LENGTH),
            ));
        }
    }
    lines
}

/// The line that counts test cases by verdict, or only counts them.
pub fn verdicts(summary: &Summary, verdicts: bool) -> String {
    let cases = &summary.cases;
    let total = counted(cases.total, "test case", "test cases");
    if verdicts {
        format!(
            "{total}: {} passed, {} failed, {} without a verdict",
            cases.passed, cases.failed, cases.no_verdict
        )
    } else {
        total
    }
}

/// The line that names columns or keys which nothing read; empty if there are
/// none.
pub fn unread<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let names: Vec<String> = names
        .into_iter()
        .map(|name| format!("`{}`", escape(name)))
        .collect();
    if names.is_empty() {
        return String::new();
    }
    format!(
        "not read: {} (to use one, write `--map FIELD=NAME`)\n",
        names.join(", ")
    )
}

fn row(metric: &MetricSummary, version: Option<&str>, verdicts: bool) -> Vec<String> {
    let mut cells = vec![escape(&metric.name)];
    cells.extend(version.map(|version| short(version).to_owned()));
    cells.push(metric.measured.to_string());
    if verdicts {
        cells.extend([metric.passed.to_string(), metric.failed.to_string()]);
    }
    cells.extend([
        metric.input_failures.to_string(),
        metric.metric_failures.to_string(),
        metric.infrastructure_failures.to_string(),
        metric.skipped.to_string(),
        mean(metric),
    ]);
    cells
}

fn missing(metric: &MetricSummary) -> String {
    let missing = metric.missing();
    match (missing, metric.measured + missing) {
        (1, 1) => "the only pair has no score; with it".to_owned(),
        (1, all) => format!("1 of {all} pairs has no score; with it"),
        (_, all) => format!("{missing} of {all} pairs have no score; with them"),
    }
}

/// The mean, with its interval below it before that is cut to the scale.
fn mean(metric: &MetricSummary) -> String {
    match (metric.mean, metric.standard_error) {
        (Some(mean), Some(error)) => format!("{}\n±{}", number(mean), number(Z * error)),
        (Some(mean), None) => number(mean),
        (None, _) => "–".to_owned(),
    }
}

/// Four decimals, or an exponent where they would make a long number.
pub(super) fn number(value: f64) -> String {
    if value.abs() < 1e6 {
        format!("{value:.4}")
    } else {
        format!("{value:.3e}")
    }
}

/// The first eight hex digits of a version.
fn short(version: &str) -> &str {
    let hex = version.strip_prefix("sha256:").unwrap_or(version);
    hex.get(..8).unwrap_or(hex)
}
