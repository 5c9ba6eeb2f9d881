//! `numeric-answer`: does the worked answer end in the expected number?
//!
//! Score: 1 if the final number of `actual_output` equals that of
//! `expected_output`, or that of one of `alternative_outputs`, else 0. Two
//! numbers are equal if their values are (18 = 18.0 = 1.8e1 = 36/2), or if
//! |actual − expected| ≤ max(`absolute_tolerance`, `relative_tolerance` ×
//! |expected|); all of it exact, in decimal.
//!
//! The final number is the one after the last answer marker that has one:
//! `#### 18`, `\boxed{18}`, `A: 18` at the start of a line, or `answer: 18`
//! and `answer is 18` anywhere, in any case; see `answer`. Without a marker it
//! is the last number of the text. What counts as a number
//! say `numeral` and `scan`.
//!
//! - No number in `actual_output` (an empty one too): a measured 0.
//! - No number in `expected_output`: a failure, unsuitable case.
//! - An alternative without a number is passed over.
//!
//! Units, currencies and the percent sign are ignored: `50%` equals 50, not
//! 0.5, and `$2 million` is 2. Number words and digits of other scripts aren't
//! read, powers and sums aren't computed, `(5)` isn't negative.
//!
//! Divergences: GSM8K's own script compares the texts behind `#### ` without
//! commas, so there `18.0` differs from `18`, and any other form is invalid.

mod answer;
mod decimal;
mod fraction;
mod number;
mod numeral;
mod scan;

use serde::Deserialize;
use weighbridge_metric::{Description, Failure, Field, Measurement, TestCase};

use answer::final_number;
use number::Nearness;
use numeral::DecimalMark;
use scan::Token;

weighbridge_metric::metric!(describe, measure);

/// Characters of a number that a reason shows.
const SHOWN: usize = 40;

const SCHEMA: &str = r#"{
  "type": "object",
  "additionalProperties": false,
  "properties": {
    "decimal_mark": {
      "enum": [".", ","],
      "description": "What stands before the decimals; the other one separates thousands.",
      "default": "."
    },
    "absolute_tolerance": {
      "type": "number",
      "minimum": 0,
      "description": "How far from the expected number still counts as equal.",
      "default": 0
    },
    "relative_tolerance": {
      "type": "number",
      "minimum": 0,
      "description": "The same as a share of the expected number; the larger of both counts.",
      "default": 0
    }
  }
}"#;

/// The options.
#[derive(Clone, Copy, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Config {
    decimal_mark: DecimalMark,
    absolute_tolerance: Tolerance,
    relative_tolerance: Tolerance,
}

#[derive(Clone, Copy, Default, Deserialize)]
#[serde(try_from = "f64")]
struct Tolerance(f64);

impl TryFrom<f64> for Tolerance {
    type Error = String;

    fn try_from(value: f64) -> Result<Self, String> {
        // JSON has no NaN and no infinity.
        if value < 0.0 {
            return Err(format!("a tolerance of {value} is below 0"));
        }
        Ok(Tolerance(value))
    }
}

fn describe(_config: Config) -> Result<Description, Failure> {
    Ok(Description::new(
        "numeric-answer",
        "Does the worked answer in actual_output end in the expected number?",
    )
    .requires_or_blank(Field::ActualOutput)
    .requires(Field::ExpectedOutput)
    .reads(Field::AlternativeOutputs)
    .config_schema(SCHEMA))
}

fn measure(case: TestCase, config: Config) -> Result<Measurement, Failure> {
    compare(
        case.actual_output()?,
        case.expected_output()?,
        &case.alternative_outputs,
        config,
    )
}

/// Scores one worked answer against the expected one and its alternatives.
fn compare(
    actual: &str,
    expected: &str,
    alternatives: &[String],
    config: Config,
) -> Result<Measurement, Failure> {
    let mark = config.decimal_mark;
    let Some(wanted) = final_number(expected, mark) else {
        return Err(Failure::unsuitable(
            "expected_output has no number: write the expected number there, in digits",
        ));
    };
    let wanted_text = shown(&wanted);
    let Some(found) = final_number(actual, mark) else {
        return Ok(Measurement::binary(
            false,
            format!("actual_output has no number; expected_output ends in {wanted_text}"),
        ));
    };
    let value = found.value();
    let text = shown(&found);
    if let Some(verb) = agreement(value.nearness(
        &wanted.value(),
        config.absolute_tolerance.0,
        config.relative_tolerance.0,
    )) {
        return Ok(Measurement::binary(
            true,
            format!("the final number {text} {verb} the expected {wanted_text}"),
        ));
    }
    for (index, alternative) in alternatives.iter().enumerate() {
        let Some(other) = final_number(alternative, mark) else {
            continue;
        };
        if let Some(verb) = agreement(value.nearness(
            &other.value(),
            config.absolute_tolerance.0,
            config.relative_tolerance.0,
        )) {
            let (number, other) = (index + 1, shown(&other));
            return Ok(Measurement::binary(
                true,
                format!("the final number {text} {verb} {other} of alternative {number}"),
            ));
        }
    }
    Ok(Measurement::binary(
        false,
        format!("the final number is {text} instead of {wanted_text}"),
    ))
}

fn agreement(nearness: Nearness) -> Option<&'static str> {
    match nearness {
        Nearness::Equal => Some("equals"),
        Nearness::WithinTolerance => Some("is within the tolerance of"),
        Nearness::Different => None,
    }
}

/// A number as it is written, in backticks.
fn shown(token: &Token<'_>) -> String {
    let written = token.written();
    let mut text: String = written.chars().take(SHOWN).collect();
    if text.len() < written.len() {
        text.push('…');
    }
    format!("`{text}`")
}

#[cfg(test)]
mod tests;
