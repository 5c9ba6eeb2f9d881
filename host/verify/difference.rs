//! Whether a stored record is what measuring again gives, bit for bit.

use serde::Serialize;
use serde_json::Value;

use crate::metric_data::MetricData;
use crate::outcome::ErrorKind;

/// Parts of a record in which two measurements of one case may differ.
const INCIDENTAL: [&str; 2] = ["durationMicros", "reusedFrom"];

/// A part of a record that came out otherwise when measured again.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Difference {
    /// The row in the data set, from 1.
    pub row: u64,
    /// The metric's name in the run.
    pub metric: String,
    /// The part's name in the record.
    pub part: String,
    /// What the run file says.
    pub stored: Value,
    /// What measuring again gave.
    pub again: Value,
}

/// How two records of one pair are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fuel {
    /// With fuel and memory: both were measured by the same wasmtime.
    Compared,
    /// Without: another wasmtime may count otherwise.
    Ignored,
}

/// Whether a record can be measured again at all: an infrastructure failure
/// says nothing about the metric or the case.
pub fn is_repeatable(data: &MetricData) -> bool {
    data.error_kind != Some(ErrorKind::Infrastructure)
}

/// The parts in which `again` differs from `stored`: everything but the time
/// it took and where it came from. Numbers are equal if their bits are.
pub fn differences(
    row: u64,
    stored: &MetricData,
    again: &MetricData,
    fuel: Fuel,
) -> Vec<Difference> {
    let (one, other) = (members(stored), members(again));
    let ignored = |part: &str| {
        INCIDENTAL.contains(&part)
            || (fuel == Fuel::Ignored && ["fuel", "peakMemory"].contains(&part))
            // What a newer version recorded can't be measured by this one.
            || stored.other.contains_key(part)
            || (part == "caseDigest" && stored.may_lack_digest())
    };
    one.iter()
        .filter(|(part, _)| !ignored(part))
        .filter_map(|(part, stored_value)| {
            let again_value = other.get(part).cloned().unwrap_or(Value::Null);
            // As text, in which -0 isn't 0.
            let (before, now) = (stored_value.to_string(), again_value.to_string());
            (before != now).then(|| Difference {
                row,
                metric: stored.name.clone(),
                part: part.clone(),
                stored: stored_value.clone(),
                again: again_value,
            })
        })
        .collect()
}

fn members(data: &MetricData) -> serde_json::Map<String, Value> {
    match serde_json::to_value(data) {
        Ok(Value::Object(members)) => members,
        _ => unreachable!("a record is a JSON object"),
    }
}
