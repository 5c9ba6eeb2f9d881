//! An inspection as text for people.

use super::escape;
use crate::plugin::{Grant, Inspection};
use crate::policy::Direction;

/// What a component is, a fact a line.
pub fn inspection(inspection: &Inspection) -> String {
    let mut text = String::new();
    let mut line = |name: &str, value: String| {
        text.push_str(&format!("{name:<13} {}\n", escape(&value)));
    };
    line("source", inspection.source.to_string());
    line("version", inspection.version.clone());
    line("size", format!("{} bytes", inspection.size));
    line("exports", list(&inspection.exports));
    if inspection.imports.is_empty() {
        line("imports", "nothing".to_owned());
    }
    for import in &inspection.imports {
        let grant = match import.grant {
            Grant::Log => "granted: bounded verbose logs",
            Grant::Judge => "refused: this version can't bind a judge",
            Grant::Refused => "refused",
        };
        line("imports", format!("{} ({grant})", import.name));
    }
    if let Some(needs) = &inspection.needs {
        line(
            "needs",
            format!(
                "{} memories (largest {} bytes at the start), {} tables (largest {} elements)",
                needs.memories,
                needs.largest_memory_bytes,
                needs.tables,
                needs.largest_table_elements
            ),
        );
    }
    for producer in &inspection.producers {
        line("made by", producer.clone());
    }
    if let Some(description) = &inspection.description {
        line("name", description.name.clone());
        line("summary", description.summary.clone());
        let requires: Vec<String> = description
            .requires
            .iter()
            .map(|requirement| {
                let blank = if requirement.may_be_blank {
                    " (may be blank)"
                } else {
                    ""
                };
                format!("{}{blank}", requirement.field.as_str())
            })
            .collect();
        line("requires", list(&requires));
        let reads: Vec<&str> = description
            .reads
            .iter()
            .map(|field| field.as_str())
            .collect();
        line("reads", list(&reads));
        let direction = match description.scale.direction {
            Direction::HigherIsBetter => "higher is better",
            Direction::LowerIsBetter => "lower is better",
        };
        line(
            "scale",
            format!(
                "{} to {}, {direction}",
                description.scale.lowest, description.scale.highest
            ),
        );
        if let Some(schema) = &description.config_schema {
            line("configuration", one_line(schema));
        }
    }
    if let Some(contract) = &inspection.contract {
        line("contract", contract.clone());
    }
    if let Some(problem) = &inspection.problem {
        line("can't run", problem.clone());
    }
    text
}

/// JSON text without the white space that its author laid it out with.
fn one_line(json: &str) -> String {
    serde_json::from_str::<serde_json::Value>(json)
        .map_or_else(|_| json.to_owned(), |value| value.to_string())
}

fn list<T: AsRef<str>>(items: &[T]) -> String {
    if items.is_empty() {
        return "nothing".to_owned();
    }
    items
        .iter()
        .map(AsRef::as_ref)
        .collect::<Vec<_>>()
        .join(", ")
}
