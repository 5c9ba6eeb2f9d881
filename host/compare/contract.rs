//! What makes two contracts different.

use serde::Serialize;
use serde_json::{Map, Value};

use crate::contract::canonical_unchecked;
use crate::run::MetricRecord;

/// What stands for a part that there is not.
const NONE: &str = "none";

/// A part of a contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "the names say it")]
pub enum Part {
    Component,
    Configuration,
    Judge,
    Environment,
    Interface,
}

impl Part {
    /// The word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Part::Component => "component",
            Part::Configuration => "configuration",
            Part::Judge => "judge",
            Part::Environment => "environment",
            Part::Interface => "interface",
        }
    }
}

/// A part that differs, with both values as text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[expect(missing_docs, reason = "the names say it")]
pub struct PartChange {
    pub part: Part,
    pub a: String,
    pub b: String,
}

/// The parts in which the contracts of two metrics differ; none if they are
/// equal.
pub(super) fn changes(a: &MetricRecord, b: &MetricRecord) -> Vec<PartChange> {
    if a.contract == b.contract {
        return Vec::new();
    }
    let (config_a, config_b) = differing(Some(&a.config), Some(&b.config));
    let (judge_a, judge_b) = differing(a.judge.as_ref(), b.judge.as_ref());
    let none = |value: Option<String>| value.unwrap_or_else(|| NONE.to_owned());
    let parts = [
        (Part::Component, a.version.clone(), b.version.clone()),
        (Part::Configuration, config_a, config_b),
        (Part::Judge, judge_a, judge_b),
        (
            Part::Environment,
            none(a.environment.clone()),
            none(b.environment.clone()),
        ),
        (Part::Interface, a.interface.clone(), b.interface.clone()),
    ];
    parts
        .into_iter()
        .filter(|(_, a, b)| a != b)
        .map(|(part, a, b)| PartChange { part, a, b })
        .collect()
}

/// Both values as text, objects without the members that are equal.
fn differing(a: Option<&Value>, b: Option<&Value>) -> (String, String) {
    let text = |value: Option<&Value>| value.map_or(NONE.to_owned(), Value::to_string);
    let (Some(Value::Object(members_a)), Some(Value::Object(members_b))) = (a, b) else {
        return (text(a), text(b));
    };
    // Canonical, as in the contract: 1 and 1.0 are one number.
    let equal = |one: &Value, other: &Value| canonical_unchecked(one) == canonical_unchecked(other);
    let without = |one: &Map<String, Value>, other: &Map<String, Value>| {
        let kept = one
            .iter()
            .filter(|(key, value)| !other.get(*key).is_some_and(|other| equal(value, other)));
        let kept = kept.map(|(key, value)| (key.clone(), value.clone()));
        Value::Object(kept.collect()).to_string()
    };
    (without(members_a, members_b), without(members_b, members_a))
}
