//! `exact-json`: is `actual_output` a JSON object with a certain field?
//!
//! Score: 1 if `actual_output` is one JSON text (RFC 8259) whose value is an
//! object with the configured field, else 0. Invalid JSON is a measured 0.
//!
//! - Only the field's presence counts: `{"answer": null}` scores 1.
//! - Names are compared after unescaping: `{"\u0061nswer": 1}` has `answer`.
//! - Duplicate names are valid JSON, so they are no violation.
//! - Text before or after the value is a violation, a Markdown fence included;
//!   so is a byte-order mark. White space around the value is not.
//! - Nesting may be as deep as it likes, and numbers of any size are valid.
//!
//! Divergences: Python's `json.loads` also accepts `NaN` and `Infinity`, which
//! are not JSON. A name with an unpaired surrogate (`"\ud800"`), on which the
//! standard leaves the outcome open, counts as invalid.

mod shape;

use serde::Deserialize;
use weighbridge_metric::{Description, Failure, Field, Measurement, TestCase};

use shape::{Shape, quoted};

weighbridge_metric::metric!(describe, measure);

/// How many of the object's fields a reason lists.
const LISTED_FIELDS: usize = 5;

const SCHEMA: &str = r#"{
  "type": "object",
  "additionalProperties": false,
  "properties": {
    "field": {
      "type": "string",
      "description": "The field that the JSON object must have.",
      "default": "answer"
    }
  }
}"#;

/// The options.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Config {
    field: String,
}

impl Default for Config {
    fn default() -> Self {
        Config {
            field: "answer".to_owned(),
        }
    }
}

fn describe(config: Config) -> Result<Description, Failure> {
    Ok(Description::new(
        "exact-json",
        format!(
            "Is actual_output a JSON object with the field {}?",
            quoted(&config.field)
        ),
    )
    .requires_or_blank(Field::ActualOutput)
    .config_schema(SCHEMA))
}

fn measure(case: TestCase, config: Config) -> Result<Measurement, Failure> {
    Ok(measure_text(case.actual_output()?, &config.field))
}

/// Scores one text.
fn measure_text(text: &str, field: &str) -> Measurement {
    let wanted = quoted(field);
    match Shape::of(text, field) {
        Err(error) => {
            Measurement::binary(false, format!("actual_output isn't valid JSON: {error}"))
        }
        Ok(Shape::Other(kind)) => {
            Measurement::binary(false, format!("actual_output is {kind}, not an object"))
        }
        Ok(Shape::Object { found: true, .. }) => Measurement::binary(
            true,
            format!("actual_output is JSON with the field {wanted}"),
        ),
        Ok(Shape::Object { names, count, .. }) => Measurement::binary(
            false,
            format!(
                "the JSON object has no field {wanted}; it {}",
                inventory(&names, count)
            ),
        ),
    }
}

/// What fields there are: "has `a`, `b` and 7 more".
fn inventory(names: &[String], count: usize) -> String {
    if names.is_empty() {
        return "is empty".to_owned();
    }
    let listed: Vec<String> = names.iter().map(|name| quoted(name)).collect();
    let more = match count - names.len() {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("has {}{more}", listed.join(", "))
}

#[cfg(test)]
mod tests;
