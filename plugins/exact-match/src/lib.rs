//! `exact-match`: is `actual_output` the expected text?
//!
//! Score: 1 if the prepared `actual_output` equals, character for character,
//! the prepared `expected_output` or one of `alternative_outputs`, else 0.
//! Both sides are prepared alike, in this order:
//!
//! 1. `normalisation`: none, NFC or NFKC;
//! 2. `ignore_case`: full case folding by Unicode's table (statuses C and F
//!    of CaseFolding.txt, Unicode 16, crate `caseless`), so `Straße` equals
//!    `STRASSE` and `Σ` equals `ς`; with NFC it is canonical, with NFKC
//!    compatibility caseless matching (Unicode Standard, section 3.13);
//! 3. `collapse_whitespace`: each run of white space becomes one space;
//! 4. `strip`: white space at both ends goes.
//!
//! White space is Unicode's property White_Space: it includes the no-break
//! space, but neither the zero-width space nor a byte-order mark.
//!
//! An empty text is a text: empty equals empty, and scores 1.
//!
//! Divergences: folding knows no language, so the Turkish `İ` and `I` fold as
//! in English. Python's `strip` also takes the separators U+001C to U+001F.

mod prepare;

use serde::Deserialize;
use weighbridge_metric::{Description, Failure, Field, Measurement, TestCase};

use prepare::prepare;

weighbridge_metric::metric!(describe, measure);

/// Characters that a reason shows of each text.
const SHOWN: usize = 60;
/// Characters shown before the first difference.
const SHOWN_BEFORE: usize = 20;

const SCHEMA: &str = r#"{
  "type": "object",
  "additionalProperties": false,
  "properties": {
    "normalisation": {
      "enum": ["none", "nfc", "nfkc"],
      "description": "Unicode normalisation of both texts before they are compared.",
      "default": "none"
    },
    "ignore_case": {
      "type": "boolean",
      "description": "Compare after full Unicode case folding.",
      "default": false
    },
    "collapse_whitespace": {
      "type": "boolean",
      "description": "Treat each run of white space as one space.",
      "default": false
    },
    "strip": {
      "type": "boolean",
      "description": "Ignore white space at both ends.",
      "default": true
    }
  }
}"#;

/// The options.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Config {
    normalisation: Normalisation,
    ignore_case: bool,
    collapse_whitespace: bool,
    strip: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Normalisation {
    None,
    Nfc,
    Nfkc,
}

impl Default for Config {
    fn default() -> Self {
        Config {
            normalisation: Normalisation::None,
            ignore_case: false,
            collapse_whitespace: false,
            strip: true,
        }
    }
}

fn describe(_config: Config) -> Result<Description, Failure> {
    Ok(
        Description::new("exact-match", "Is actual_output the expected text?")
            .requires_or_blank(Field::ActualOutput)
            .requires_or_blank(Field::ExpectedOutput)
            .reads(Field::AlternativeOutputs)
            .config_schema(SCHEMA),
    )
}

fn measure(case: TestCase, config: Config) -> Result<Measurement, Failure> {
    Ok(compare(
        case.actual_output()?,
        case.expected_output()?,
        &case.alternative_outputs,
        config,
    ))
}

/// Scores one text against the expected one and its alternatives.
fn compare(actual: &str, expected: &str, alternatives: &[String], config: Config) -> Measurement {
    let actual = prepare(actual, config);
    let expected = prepare(expected, config);
    if actual == expected {
        return Measurement::binary(true, "actual_output is the expected_output");
    }
    let matching = alternatives
        .iter()
        .position(|alternative| prepare(alternative, config) == actual);
    if let Some(index) = matching {
        let number = index + 1;
        return Measurement::binary(true, format!("actual_output is alternative {number}"));
    }
    Measurement::binary(false, difference(&actual, &expected, alternatives.len()))
}

/// Shows both texts around their first difference, as they were compared.
fn difference(actual: &str, expected: &str, alternatives: usize) -> String {
    let equal = actual
        .chars()
        .zip(expected.chars())
        .take_while(|(left, right)| left == right)
        .count();
    let from = equal.saturating_sub(SHOWN_BEFORE);
    let place = match equal {
        0 => String::new(),
        _ => format!(" from character {}", equal + 1),
    };
    let others = match alternatives {
        0 => "",
        1 => ", and from the alternative",
        _ => ", and from each alternative",
    };
    format!(
        "actual_output differs{place}: {} instead of {}{others}",
        excerpt(actual, from),
        excerpt(expected, from)
    )
}

/// A piece of `text`, in quotes and with escapes, so that white space shows.
fn excerpt(text: &str, from: usize) -> String {
    let shown: String = text.chars().skip(from).take(SHOWN).collect();
    let before = if from > 0 { "…" } else { "" };
    let after = match text.chars().nth(from + SHOWN) {
        Some(_) => "…",
        None => "",
    };
    format!("{before}{shown:?}{after}")
}

#[cfg(test)]
mod tests;
