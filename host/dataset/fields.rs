//! From the values found in a row to a test case.

use std::borrow::Cow;

use serde_json::Value;

use super::RowError;
use super::error::Fault;
use super::mapping::Mapping;
use super::strict_json::type_of;
use super::target::Target;
use super::tool_call::tool_call;
use super::value::{count, expected_output, list, passage, real, text, texts};
use crate::case::{Field, TestCase, Usage};

/// The values found for each field, and what nothing reads.
pub(super) struct Found<'m> {
    mapping: &'m Mapping,
    values: [Option<Given<'m>>; Target::COUNT],
    pub(super) unread: Vec<String>,
    /// The first thing that makes the row no test case.
    error: Option<RowError>,
}

struct Given<'m> {
    value: Value,
    /// The column or key the value comes from.
    origin: Cow<'m, str>,
}

impl<'m> Found<'m> {
    pub(super) fn new(mapping: &'m Mapping) -> Found<'m> {
        Found {
            mapping,
            values: [const { None }; Target::COUNT],
            unread: Vec::new(),
            error: None,
        }
    }

    pub(super) fn mapping(&self) -> &'m Mapping {
        self.mapping
    }

    /// Takes in the value of `target` as found in `origin`. Null is absent.
    pub(super) fn put(&mut self, target: Target, origin: Cow<'m, str>, value: Value) {
        if value.is_null() {
            return;
        }
        if target == Target::Field(Field::Usage) {
            self.put_usage(origin, value);
            return;
        }
        let slot = &mut self.values[target.index()];
        match slot {
            None => *slot = Some(Given { value, origin }),
            Some(first) if same(&first.value, &value) => {}
            Some(first) => {
                let error = RowError::new(format!(
                    "field `{}` is given twice with different values, as `{}` and as `{origin}`: \
                     keep one",
                    target.as_str(),
                    first.origin,
                ));
                self.fail(error);
            }
        }
    }

    /// Notes why the row is no test case; the first reason counts.
    pub(super) fn fail(&mut self, error: RowError) {
        self.error.get_or_insert(error);
    }

    /// The test case, or the first reason why there is none.
    pub(super) fn into_case(mut self) -> (Result<TestCase, RowError>, Vec<String>) {
        let case = match self.error.take() {
            Some(error) => Err(error),
            None => self.case(),
        };
        (case, self.unread)
    }

    /// Spreads the members of `usage` over their own targets.
    fn put_usage(&mut self, origin: Cow<'m, str>, value: Value) {
        let Value::Object(members) = value else {
            let what = format!("is {}, not an object", type_of(&value));
            self.fail(Fault::new(what).in_field("usage", &origin));
            return;
        };
        for (key, value) in members {
            let path = format!("{origin}.{key}");
            match Target::in_usage(&key) {
                Some(target) if !self.mapping.contains(target) => {
                    self.put(target, path.into(), value);
                }
                _ => self.unread.push(path),
            }
        }
    }

    fn case(&mut self) -> Result<TestCase, RowError> {
        Ok(TestCase {
            input: self.take(Field::Input, text)?,
            actual_output: self.take(Field::ActualOutput, text)?,
            expected_output: self.take(Field::ExpectedOutput, expected_output)?,
            alternative_outputs: self.take(Field::AlternativeOutputs, texts)?,
            context: self.take(Field::Context, texts)?,
            retrieval_context: self.take(Field::RetrievalContext, |value| list(value, passage))?,
            tools_called: self.take(Field::ToolsCalled, |value| list(value, tool_call))?,
            expected_tools: self.take(Field::ExpectedTools, |value| list(value, tool_call))?,
            name: self.take(Field::Name, text)?,
            tags: self.take(Field::Tags, texts)?,
            comments: self.take(Field::Comments, text)?,
            metadata: self.take(Field::Metadata, Ok)?,
            usage: self.usage()?,
            trace: self.take(Field::Trace, Ok)?,
        })
    }

    fn take<T>(
        &mut self,
        field: Field,
        read: impl FnOnce(Value) -> Result<T, Fault>,
    ) -> Result<Option<T>, RowError> {
        self.take_target(Target::Field(field), read)
    }

    fn take_target<T>(
        &mut self,
        target: Target,
        read: impl FnOnce(Value) -> Result<T, Fault>,
    ) -> Result<Option<T>, RowError> {
        match self.values[target.index()].take() {
            None => Ok(None),
            Some(Given { value, origin }) => read(value)
                .map(Some)
                .map_err(|fault| fault.in_field(target.as_str(), &origin)),
        }
    }

    /// The usage; absent if none of its numbers is there.
    fn usage(&mut self) -> Result<Option<Usage>, RowError> {
        let usage = Usage {
            token_cost: self.take_target(Target::TokenCost, real)?,
            input_tokens: self.take_target(Target::InputTokens, count)?,
            output_tokens: self.take_target(Target::OutputTokens, count)?,
            completion_time: self.take_target(Target::CompletionTime, real)?,
        };
        Ok((usage != Usage::default()).then_some(usage))
    }
}

/// Whether two values given for one field agree; `3` and `3.0` do.
fn same(first: &Value, second: &Value) -> bool {
    match (first, second) {
        (Value::Number(first), Value::Number(second)) => {
            first == second || first.as_f64() == second.as_f64()
        }
        _ => first == second,
    }
}
