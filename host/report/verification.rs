//! What verifying a run file came to, for people.

use super::escape;
use super::text::{counted, shortened};
use crate::verify::Verification;

/// Most findings of one sort that are listed.
const LISTED: usize = 20;

/// Longest value that is shown, in characters.
const VALUE_LENGTH: usize = 60;

/// The findings, then the counts.
pub fn verification(found: &Verification) -> String {
    let mut text = String::new();
    for each in found.contradictions.iter().take(LISTED) {
        let row = each
            .row
            .map_or_else(String::new, |row| format!(", row {row}"));
        let metric = each
            .metric
            .as_ref()
            .map_or_else(String::new, |name| format!(", metric {}", escape(name)));
        text.push_str(&format!(
            "line {}{row}{metric}: {}\n",
            each.line,
            escape(&each.what)
        ));
    }
    more(&mut text, found.contradictions.len() as u64, LISTED as u64);
    for each in found.differences.iter().take(LISTED) {
        text.push_str(&format!(
            "row {}, metric {}: `{}` is {} in the run file, and {} measured again\n",
            each.row,
            escape(&each.metric),
            escape(&each.part),
            shown(&each.stored),
            shown(&each.again),
        ));
    }
    more(&mut text, found.differences.len() as u64, LISTED as u64);
    for note in &found.notes {
        text.push_str(&format!("{}\n", escape(note)));
    }
    let stopped = if found.complete {
        ""
    } else {
        ", and it stopped early"
    };
    text.push_str(&format!(
        "file: {}, {}{stopped}\n",
        counted(found.results, "result", "results"),
        counted(
            found.contradictions.len() as u64,
            "contradiction",
            "contradictions"
        ),
    ));
    if found.infrastructure > 0 {
        text.push_str(&format!(
            "not comparable, since the infrastructure failed: {} measurements\n",
            found.infrastructure
        ));
    }
    if found.without_case > 0 {
        text.push_str(&format!(
            "not measured again, since their test cases aren't stored: {} rows (name the data set with `--data`)\n",
            found.without_case
        ));
    }
    text.push_str(&format!(
        "measured again: {}, of them different: {}\n",
        found.measured, found.differing
    ));
    text
}

fn more(text: &mut String, count: u64, listed: u64) {
    if count > listed {
        text.push_str(&format!("… and {} more\n", count - listed));
    }
}

fn shown(value: &serde_json::Value) -> String {
    shortened(&value.to_string(), VALUE_LENGTH)
}
