//! What makes two contracts different.

use serde::Serialize;
use serde_json::Value;

use crate::run::MetricRecord;

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
    let (config_a, config_b) = differing(&a.config, &b.config);
    let text = |value: &Option<Value>| value.as_ref().map(Value::to_string);
    let none = |value: Option<String>| value.unwrap_or_else(|| "none".to_owned());
    let parts = [
        (Part::Component, a.version.clone(), b.version.clone()),
        (Part::Configuration, config_a, config_b),
        (Part::Judge, none(text(&a.judge)), none(text(&b.judge))),
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

/// Both configurations, without the members that are equal.
fn differing(a: &Value, b: &Value) -> (String, String) {
    let (Value::Object(members_a), Value::Object(members_b)) = (a, b) else {
        return (a.to_string(), b.to_string());
    };
    let without = |one: &serde_json::Map<String, Value>, other: &serde_json::Map<String, Value>| {
        let kept = one
            .iter()
            .filter(|(key, value)| other.get(*key) != Some(*value));
        let kept: serde_json::Map<String, Value> = kept
            .map(|(key, value)| (key.clone(), value.clone()))
            .collect();
        Value::Object(kept).to_string()
    };
    (without(members_a, members_b), without(members_b, members_a))
}
