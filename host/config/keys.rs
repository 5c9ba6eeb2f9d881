//! Keys and values that mean nothing in a project file, found by its schema.

use serde_json::Value;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::dataset::nearest;

/// Something that doesn't belong there.
pub(super) struct Problem {
    /// Byte of the text where it stands.
    pub(super) place: usize,
    pub(super) what: String,
}

/// Checks every key of `table` against the properties of `schema`, and every
/// value for being one that JSON has, too.
pub(super) fn check(table: &DeTable<'_>, schema: &Value) -> Result<(), Problem> {
    table_at("", table, schema)
}

/// The innermost key whose value holds this byte of the text.
pub(super) fn key_at(table: &DeTable<'_>, place: usize) -> Option<String> {
    table.iter().find_map(|(key, value)| {
        let name = key.get_ref();
        within(value, place).map(|rest| format!("{name}{rest}"))
    })
}

fn within(value: &Spanned<DeValue<'_>>, place: usize) -> Option<String> {
    // A table's span may be its heading alone, so its values are asked first.
    let inner = match value.get_ref() {
        DeValue::Table(table) => key_at(table, place).map(|key| format!(".{key}")),
        DeValue::Array(items) => items
            .iter()
            .enumerate()
            .find_map(|(number, item)| within(item, place).map(|rest| format!("[{number}]{rest}"))),
        _ => None,
    };
    inner.or_else(|| value.span().contains(&place).then(String::new))
}

fn table_at(path: &str, table: &DeTable<'_>, schema: &Value) -> Result<(), Problem> {
    let properties = schema.get("properties").and_then(Value::as_object);
    let closed = schema.get("additionalProperties") == Some(&Value::Bool(false));
    for (key, value) in table {
        let name: &str = key.get_ref();
        let property = properties.and_then(|properties| properties.get(name));
        if property.is_none() && closed {
            let known = || {
                properties
                    .into_iter()
                    .flatten()
                    .map(|(key, _)| key.as_str())
            };
            let remedy = match nearest(name, known()) {
                Some(nearest) => format!("did you mean `{nearest}`?"),
                None => format!("it may have {}", listed(known())),
            };
            let within = match path {
                "" => String::new(),
                path => format!(" in `{path}`"),
            };
            return Err(Problem {
                place: key.span().start,
                what: format!("unknown key `{name}`{within}: {remedy}"),
            });
        }
        let at = match path {
            "" => name.to_owned(),
            path => format!("{path}.{name}"),
        };
        let place = value.span().start;
        value_at(
            &at,
            place,
            value.get_ref(),
            property.unwrap_or(&Value::Null),
        )?;
    }
    Ok(())
}

fn value_at(path: &str, place: usize, value: &DeValue<'_>, schema: &Value) -> Result<(), Problem> {
    let refused = |what: String| Err(Problem { place, what });
    match value {
        DeValue::Table(table) => table_at(path, table, schema),
        DeValue::Array(items) => {
            let schema = schema.get("items").unwrap_or(&Value::Null);
            items.iter().enumerate().try_for_each(|(number, item)| {
                let at = format!("{path}[{number}]");
                value_at(&at, item.span().start, item.get_ref(), schema)
            })
        }
        DeValue::Datetime(_) => refused(format!(
            "`{path}` is a date, which JSON doesn't have: write it as a text in quotes"
        )),
        DeValue::Float(number) if !is_finite(number.as_str()) => {
            refused(format!("`{path}` is not a finite number: write one"))
        }
        DeValue::String(_) | DeValue::Integer(_) | DeValue::Float(_) | DeValue::Boolean(_) => {
            Ok(())
        }
    }
}

fn is_finite(number: &str) -> bool {
    number
        .replace('_', "")
        .parse::<f64>()
        .is_ok_and(f64::is_finite)
}

fn listed<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let names: Vec<String> = names.map(|name| format!("`{name}`")).collect();
    names.join(", ")
}
