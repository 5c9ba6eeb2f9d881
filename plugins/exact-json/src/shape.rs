//! What a JSON text is, without building its value.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, Visitor};

use crate::LISTED_FIELDS;

/// Characters of a name that a reason shows.
const SHOWN: usize = 40;

/// The outermost value of a JSON text.
pub(crate) enum Shape {
    Object {
        /// Whether it has the field asked for.
        found: bool,
        /// The first of its other fields.
        names: Vec<String>,
        /// How many other fields there are, duplicates included.
        count: usize,
    },
    /// Anything else, such as "a JSON array".
    Other(&'static str),
}

impl Shape {
    /// Reads all of `text`. The error says where it stops being JSON.
    pub(crate) fn of(text: &str, field: &str) -> Result<Shape, String> {
        let kind = match text
            .trim_start_matches([' ', '\t', '\n', '\r'])
            .chars()
            .next()
        {
            None => return Err("it is blank".to_owned()),
            Some('\u{feff}') => return Err("it begins with a byte-order mark".to_owned()),
            Some('{') => return object(text, field).map_err(|error| error.to_string()),
            Some('[') => "a JSON array",
            Some('"') => "a JSON string",
            Some('t' | 'f') => "a JSON boolean",
            Some('n') => "JSON null",
            Some(_) => "a JSON number",
        };
        match serde_json::from_str::<IgnoredAny>(text) {
            Ok(_) => Ok(Shape::Other(kind)),
            Err(error) => Err(error.to_string()),
        }
    }
}

/// A name in backticks, on one line, cut after 40 characters.
pub(crate) fn quoted(name: &str) -> String {
    let mut shown: String = name
        .chars()
        .take(SHOWN)
        .map(|character| {
            if character.is_control() {
                ' '
            } else {
                character
            }
        })
        .collect();
    if name.chars().nth(SHOWN).is_some() {
        shown.push('…');
    }
    format!("`{shown}`")
}

fn object(text: &str, field: &str) -> serde_json::Result<Shape> {
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let shape = deserializer.deserialize_map(Fields { field })?;
    deserializer.end()?;
    Ok(shape)
}

struct Fields<'a> {
    field: &'a str,
}

impl<'de> Visitor<'de> for Fields<'_> {
    type Value = Shape;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a JSON object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Shape, A::Error> {
        let mut found = false;
        let mut names = Vec::new();
        let mut count = 0;
        while let Some((Name(name), _)) = map.next_entry::<Name<'de>, IgnoredAny>()? {
            if name == self.field {
                found = true;
                continue;
            }
            count += 1;
            if names.len() < LISTED_FIELDS {
                names.push(name.into_owned());
            }
        }
        Ok(Shape::Object {
            found,
            names,
            count,
        })
    }
}

/// A field's name, borrowed from the text unless it has escapes.
struct Name<'a>(Cow<'a, str>);

impl<'de: 'a, 'a> Deserialize<'de> for Name<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(NameVisitor)
    }
}

struct NameVisitor;

impl<'de> Visitor<'de> for NameVisitor {
    type Value = Name<'de>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a field's name")
    }

    fn visit_borrowed_str<E>(self, name: &'de str) -> Result<Name<'de>, E> {
        Ok(Name(Cow::Borrowed(name)))
    }

    fn visit_str<E>(self, name: &str) -> Result<Name<'de>, E> {
        Ok(Name(Cow::Owned(name.to_owned())))
    }
}
