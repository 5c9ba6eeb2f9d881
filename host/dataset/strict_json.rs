//! JSON read strictly: nothing in it is dropped or rounded in silence.

use std::cell::Cell;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::map::Entry;
use serde_json::{Map, Value};

/// Why a text is not JSON that can be kept.
pub(super) struct NotJson {
    /// A predicate, such as ``is not valid JSON at byte 7: expected `:` ``.
    pub(super) what: String,
    /// Whether the text merely stops too early.
    pub(super) cut_short: bool,
}

/// Reads `text`. Refuses an object that has a key twice, at any depth, and an
/// integer too long for 64 bits, which would turn into a rounded number.
pub(super) fn parse(text: &str) -> Result<Value, NotJson> {
    let huge = Cell::new(false);
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let value = Strict { huge: &huge }
        .deserialize(&mut deserializer)
        .and_then(|value| deserializer.end().map(|()| value))
        .map_err(|error| explain(text, &error))?;
    match huge.get().then(|| long_integer(text)).flatten() {
        None => Ok(value),
        Some(digits) => Err(NotJson {
            what: format!(
                "holds the integer {digits}, which is too long to be kept exactly: write it as a \
                 string"
            ),
            cut_short: false,
        }),
    }
}

/// The value's type with its article.
pub(super) fn type_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

#[derive(Clone, Copy)]
struct Strict<'a> {
    /// Set when a number was beyond 64 bits.
    huge: &'a Cell<bool>,
}

impl<'de> DeserializeSeed<'de> for Strict<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Strict<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        const TWO_TO_63: f64 = 9_223_372_036_854_775_808.0;
        if value.abs() >= TWO_TO_63 {
            self.huge.set(true);
        }
        Ok(Value::from(value))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::String(value.to_owned()))
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(Value::String(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element_seed(self)? {
            list.push(item);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        let mut map = Map::new();
        while let Some(key) = members.next_key::<String>()? {
            match map.entry(key) {
                Entry::Vacant(entry) => entry.insert(members.next_value_seed(self)?),
                Entry::Occupied(entry) => {
                    let key = entry.key();
                    return Err(A::Error::custom(format_args!("key `{key}` stands twice")));
                }
            };
        }
        Ok(Value::Object(map))
    }
}

/// serde_json's error in our words, with its place as a byte of `text`.
fn explain(text: &str, error: &serde_json::Error) -> NotJson {
    let byte = byte_of(text, error.line(), error.column());
    let full = error.to_string();
    let end = full.rfind(" at line ").unwrap_or(full.len());
    let message = &full[..end];
    let rest = text.get(byte.saturating_sub(1)..).unwrap_or_default();
    let nan = ["NaN", "Infinity"]
        .into_iter()
        .find(|word| rest.starts_with(word));
    let cause = match (message, nan) {
        (_, Some(nan)) => format!("`{nan}` is no number of JSON: write null"),
        ("recursion limit exceeded", _) => "it nests more than 127 levels deep".to_owned(),
        ("lone leading surrogate in hex escape" | "unexpected end of hex escape", _) => {
            r"an escape such as `\ud800` without its second half is no character".to_owned()
        }
        ("number out of range", _) => "a number is beyond what a double holds".to_owned(),
        ("control character (\\u0000-\\u001F) found while parsing a string", _) => {
            r"a raw control character in a string: write a newline as `\n`, a tab as `\t`"
                .to_owned()
        }
        ("expected value" | "expected ident", _) => "expected a value".to_owned(),
        ("trailing characters", _) => "text follows the value".to_owned(),
        (message, _) if error.is_eof() && message.starts_with("EOF") => {
            "the text ends inside a value".to_owned()
        }
        (message, _) => message.to_owned(),
    };
    NotJson {
        what: format!("is not valid JSON at byte {byte}: {cause}"),
        cut_short: error.is_eof(),
    }
}

/// The place of `column` on `line` (both from 1) as a byte of `text`, from 1.
fn byte_of(text: &str, line: usize, column: usize) -> usize {
    let before: usize = text
        .split_inclusive('\n')
        .take(line.saturating_sub(1))
        .map(str::len)
        .sum();
    before + column
}

/// The first integer of `text`, which is JSON, that doesn't fit in 64 bits.
fn long_integer(text: &str) -> Option<&str> {
    let mut rest = text;
    while let Some(start) = rest.find(|c: char| c == '"' || c == '-' || c.is_ascii_digit()) {
        rest = &rest[start..];
        let length = if rest.starts_with('"') {
            string_length(rest)
        } else {
            let number = |c: char| c.is_ascii_digit() || matches!(c, '-' | '+' | '.' | 'e' | 'E');
            rest.find(|c| !number(c)).unwrap_or(rest.len())
        };
        let (token, after) = rest.split_at(length);
        let fits = token.parse::<i64>().is_ok() || token.parse::<u64>().is_ok();
        if !fits
            && token
                .bytes()
                .all(|byte| byte.is_ascii_digit() || byte == b'-')
        {
            return Some(token);
        }
        rest = after;
    }
    None
}

/// The length of the JSON string with which `text` begins, quotes included.
fn string_length(text: &str) -> usize {
    let mut escaped = false;
    for (at, byte) in text.bytes().enumerate().skip(1) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}
