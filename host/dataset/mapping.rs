//! Which field is read from which column or key.

use std::collections::BTreeMap;

use serde::{Serialize, Serializer};
use serde_json::{Map, Value};

use super::target::{Target, nearest_field};

/// Fields that are read from a source of another name.
///
/// A mapped field is read from its source only: a column or key of the field's
/// own name is then left unread. Mapping `usage` does so for its four numbers
/// too. Serialised as an object from field to source.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mapping {
    sources: BTreeMap<Target, Source>,
}

/// Why a mapping makes no sense.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "each variant's message says what it is")]
pub enum MappingError {
    #[error(
        "mapping `{text}` has no `=`: write it as `FIELD=SOURCE`, as in `actual_output=answer`"
    )]
    NoEquals { text: String },
    #[error("mapping `{text}` names no field before its `=`: write it as `FIELD=SOURCE`")]
    EmptyField { text: String },
    #[error("mapping `{text}` has no source: name a column or key after the `=`")]
    EmptySource { text: String },
    #[error("mapping `{text}` is for a field that test cases don't have: {remedy}")]
    UnknownField { text: String, remedy: String },
    #[error("field `{field}` is mapped twice, to `{first}` and to `{second}`: keep one")]
    Twice {
        field: &'static str,
        first: String,
        second: String,
    },
    #[error(
        "mapping `{text}` has a `~` that is no part of `~0` or `~1`: in a JSON Pointer, write \
         `~` as `~0` and a `/` inside a key as `~1`"
    )]
    BadPointer { text: String },
}

impl Mapping {
    /// Reads pairs `FIELD=SOURCE`.
    ///
    /// FIELD is a field of a test case or a number of its `usage`, in
    /// `snake_case` or `camelCase`. SOURCE is the name of a column or key, or,
    /// when it begins with `/`, a JSON Pointer (RFC 6901). In a CSV a
    /// pointer's first step is the column, whose cell is then JSON.
    ///
    /// # Errors
    ///
    /// A pair is malformed, its field is unknown, or a field is mapped twice.
    pub fn parse<I>(pairs: I) -> Result<Mapping, MappingError>
    where
        I: IntoIterator,
        I::Item: AsRef<str>,
    {
        let mut mapping = Mapping::default();
        for pair in pairs {
            mapping.add(pair.as_ref())?;
        }
        Ok(mapping)
    }

    /// Whether nothing is mapped.
    pub fn is_empty(&self) -> bool {
        self.sources.is_empty()
    }

    /// Whether `target` is not read under its own name at the top of a row.
    pub(super) fn covers(&self, target: Target) -> bool {
        self.contains(target)
            || (target.is_in_usage() && self.contains(Target::Field(crate::case::Field::Usage)))
    }

    pub(super) fn contains(&self, target: Target) -> bool {
        self.sources.contains_key(&target)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (Target, &Source)> {
        self.sources
            .iter()
            .map(|(target, source)| (*target, source))
    }

    /// Whether a source lies in the column or key `name`.
    pub(super) fn reads(&self, name: &str) -> bool {
        self.sources.values().any(|source| source.key() == name)
    }

    fn add(&mut self, pair: &str) -> Result<(), MappingError> {
        let text = || pair.to_owned();
        let (field, source) = pair
            .split_once('=')
            .ok_or_else(|| MappingError::NoEquals { text: text() })?;
        let (field, source) = (field.trim(), source.trim());
        if field.is_empty() {
            return Err(MappingError::EmptyField { text: text() });
        }
        if source.is_empty() {
            return Err(MappingError::EmptySource { text: text() });
        }
        let target = Target::from_name(field).ok_or_else(|| MappingError::UnknownField {
            text: text(),
            remedy: match nearest_field(field) {
                Some(nearest) => format!("did you mean `{nearest}`?"),
                None => "write FIELD=SOURCE, with the field of the test case first".to_owned(),
            },
        })?;
        let source =
            Source::parse(source).ok_or_else(|| MappingError::BadPointer { text: text() })?;
        match self.sources.get(&target) {
            None => {
                self.sources.insert(target, source);
                Ok(())
            }
            Some(first) => Err(MappingError::Twice {
                field: target.as_str(),
                first: first.text.clone(),
                second: source.text,
            }),
        }
    }
}

impl Serialize for Mapping {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(
            self.iter()
                .map(|(target, source)| (target.as_str(), &source.text)),
        )
    }
}

/// Where a mapped field is read from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Source {
    /// As it was written.
    text: String,
    /// The column or key.
    key: String,
    /// A JSON Pointer below it; empty for the value itself.
    rest: String,
}

impl Source {
    fn parse(text: &str) -> Option<Source> {
        let Some(pointer) = text.strip_prefix('/') else {
            return Some(Source {
                text: text.to_owned(),
                key: text.to_owned(),
                rest: String::new(),
            });
        };
        let escapes_hold = pointer
            .split('~')
            .skip(1)
            .all(|after| after.starts_with(['0', '1']));
        if !escapes_hold {
            return None;
        }
        let end = pointer.find('/').unwrap_or(pointer.len());
        Some(Source {
            text: text.to_owned(),
            key: pointer[..end].replace("~1", "/").replace("~0", "~"),
            rest: pointer[end..].to_owned(),
        })
    }

    pub(super) fn key(&self) -> &str {
        &self.key
    }

    pub(super) fn as_str(&self) -> &str {
        &self.text
    }

    /// Whether the source is a column or key as a whole, rather than a JSON
    /// Pointer into it.
    pub(super) fn is_whole(&self) -> bool {
        !self.text.starts_with('/')
    }

    /// The source's value in a row.
    pub(super) fn find<'a>(&self, row: &'a Map<String, Value>) -> Option<&'a Value> {
        self.within(row.get(&self.key)?)
    }

    /// The source's value inside the value of its column or key.
    pub(super) fn within<'a>(&self, value: &'a Value) -> Option<&'a Value> {
        value.pointer(&self.rest)
    }
}
