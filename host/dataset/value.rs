//! JSON values read as the types of a test case. Nothing is converted.

use serde_json::Value;

use super::error::Fault;
use super::strict_json::type_of;
use crate::case::Passage;

/// A string as it is. Nothing else is turned into one.
pub(super) fn text(value: Value) -> Result<String, Fault> {
    match value {
        Value::String(text) => Ok(text),
        other => Err(Fault::new(format!(
            "is {}, not a string: {}",
            type_of(&other),
            match other {
                Value::Object(_) | Value::Array(_) =>
                    "map what it holds, as in `--map FIELD=/KEY/0`",
                _ => "quote it, or map the field to another source",
            }
        ))),
    }
}

/// A string; a list gets a remedy of its own.
pub(super) fn expected_output(value: Value) -> Result<String, Fault> {
    if value.is_array() {
        return Err(Fault::new(
            "is a list, not a string: map one item, as in `--map expected_output=/KEY/0`, or map \
             the list to `alternative_outputs`",
        ));
    }
    text(value)
}

/// A list of strings.
pub(super) fn texts(value: Value) -> Result<Vec<String>, Fault> {
    list(value, |item| match item {
        Value::String(text) => Ok(text),
        other => Err(Fault::new(format!("is {}, not a string", type_of(&other)))),
    })
}

/// A list whose items `read` reads.
pub(super) fn list<T>(
    value: Value,
    read: impl Fn(Value) -> Result<T, Fault>,
) -> Result<Vec<T>, Fault> {
    let Value::Array(items) = value else {
        return Err(Fault::new(format!(
            "is {}, not a list: put it into `[` and `]`",
            type_of(&value)
        )));
    };
    items
        .into_iter()
        .enumerate()
        .map(|(index, item)| read(item).map_err(|fault| fault.inside(&format!("[{index}]"))))
        .collect()
}

/// A string, our `{text, source?}`, or DeepEval's `{context, source?}`.
pub(super) fn passage(value: Value) -> Result<Passage, Fault> {
    const REMEDY: &str = "give a string, or an object with `text` and perhaps `source`";
    let members = match value {
        Value::String(text) => return Ok(Passage { text, source: None }),
        Value::Object(members) => members,
        other => {
            let what = format!("is {}, not a passage: {REMEDY}", type_of(&other));
            return Err(Fault::new(what));
        }
    };
    let (mut words, mut source) = (None, None);
    for (key, value) in members {
        let slot = match key.as_str() {
            _ if value.is_null() => continue,
            "text" | "context" => &mut words,
            "source" => &mut source,
            _ => {
                let what = format!("has a key `{key}`, which nothing reads: {REMEDY}");
                return Err(Fault::new(what));
            }
        };
        let value = text(value).map_err(|fault| fault.inside(&format!(".{key}")))?;
        if slot.replace(value).is_some() {
            let what = format!("has both `text` and `context`: {REMEDY}");
            return Err(Fault::new(what));
        }
    }
    match words {
        Some(text) => Ok(Passage { text, source }),
        None => Err(Fault::new(format!("has no `text`: {REMEDY}"))),
    }
}

/// Any number.
pub(super) fn real(value: Value) -> Result<f64, Fault> {
    value
        .as_f64()
        .ok_or_else(|| Fault::new(format!("is {}, not a number", type_of(&value))))
}

/// A whole number; `12.0` is one, since table tools write it so.
pub(super) fn count(value: Value) -> Result<u64, Fault> {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    let number = real(value.clone())?;
    match value.as_u64() {
        Some(count) => Ok(count),
        None if number.fract() == 0.0 && (0.0..=EXACT).contains(&number) => Ok(number as u64),
        None => Err(Fault::new(format!(
            "is {value}, not a whole number of tokens"
        ))),
    }
}
