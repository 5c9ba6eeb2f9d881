//! The interface in Rust, generated from `wit/`, and the way into it.

use serde::Serialize;

use crate::case::{self, Field, Requirement};
use crate::contract::canonical;
use crate::policy::Direction;

/// The interface a metric exports, in the version that this host speaks.
pub const INTERFACE: &str = "weighbridge:metric/metric@0.1.0";

wasmtime::component::bindgen!({
    path: "wit",
    world: "weighbridge:metric/logging-metric",
    ownership: Borrowing { duplicate_if_necessary: true },
    imports: { default: trappable },
});

pub(super) use exports::weighbridge::metric::metric as wit;

/// A test case as text that the interface's types can borrow: the JSON fields
/// in canonical form, lists of strings as lists of slices.
pub(super) struct Lowered<'a> {
    alternative_outputs: Vec<&'a str>,
    context: Option<Vec<&'a str>>,
    retrieval_context: Option<Vec<wit::Passage<'a>>>,
    tools_called: Option<Vec<Call<'a>>>,
    expected_tools: Option<Vec<Call<'a>>>,
    tags: Vec<&'a str>,
    metadata: Option<String>,
    trace: Option<String>,
    case: &'a case::TestCase,
}

struct Call<'a> {
    call: &'a case::ToolCall,
    input_parameters: Option<String>,
    output: Option<String>,
}

impl<'a> Lowered<'a> {
    /// Prepares `case`, whose numbers are known to be exact.
    pub(super) fn new(case: &'a case::TestCase) -> Lowered<'a> {
        Lowered {
            alternative_outputs: slices(case.alternative_outputs.as_deref().unwrap_or_default()),
            context: case.context.as_deref().map(slices),
            retrieval_context: case
                .retrieval_context
                .as_deref()
                .map(|passages| passages.iter().map(passage).collect()),
            tools_called: case.tools_called.as_deref().map(calls),
            expected_tools: case.expected_tools.as_deref().map(calls),
            tags: slices(case.tags.as_deref().unwrap_or_default()),
            metadata: case.metadata.as_ref().map(json),
            trace: case.trace.as_ref().map(json),
            case,
        }
    }

    /// Calls `then` with the case in the interface's own types.
    pub(super) fn with<T>(&self, then: impl FnOnce(wit::TestCase<'_>) -> T) -> T {
        let tools_called = self.tools_called.as_deref().map(tool_calls);
        let expected_tools = self.expected_tools.as_deref().map(tool_calls);
        then(wit::TestCase {
            input: self.case.input.as_deref(),
            actual_output: self.case.actual_output.as_deref(),
            expected_output: self.case.expected_output.as_deref(),
            alternative_outputs: &self.alternative_outputs,
            context: self.context.as_deref(),
            retrieval_context: self.retrieval_context.as_deref(),
            tools_called: tools_called.as_deref(),
            expected_tools: expected_tools.as_deref(),
            name: self.case.name.as_deref(),
            tags: &self.tags,
            comments: self.case.comments.as_deref(),
            metadata: self.metadata.as_deref(),
            usage: self.case.usage.map(|usage| wit::Usage {
                token_cost: usage.token_cost,
                input_tokens: usage.input_tokens,
                output_tokens: usage.output_tokens,
                completion_time: usage.completion_time,
            }),
            trace: self.trace.as_deref(),
        })
    }
}

impl From<wit::Field> for Field {
    fn from(field: wit::Field) -> Field {
        match field {
            wit::Field::Input => Field::Input,
            wit::Field::ActualOutput => Field::ActualOutput,
            wit::Field::ExpectedOutput => Field::ExpectedOutput,
            wit::Field::AlternativeOutputs => Field::AlternativeOutputs,
            wit::Field::Context => Field::Context,
            wit::Field::RetrievalContext => Field::RetrievalContext,
            wit::Field::ToolsCalled => Field::ToolsCalled,
            wit::Field::ExpectedTools => Field::ExpectedTools,
            wit::Field::Name => Field::Name,
            wit::Field::Tags => Field::Tags,
            wit::Field::Comments => Field::Comments,
            wit::Field::Metadata => Field::Metadata,
            wit::Field::Usage => Field::Usage,
            wit::Field::Trace => Field::Trace,
        }
    }
}

impl From<wit::Requirement> for Requirement {
    fn from(requirement: wit::Requirement) -> Requirement {
        Requirement {
            field: requirement.field.into(),
            may_be_blank: requirement.may_be_blank,
        }
    }
}

impl From<wit::Direction> for Direction {
    fn from(direction: wit::Direction) -> Direction {
        match direction {
            wit::Direction::HigherIsBetter => Direction::HigherIsBetter,
            wit::Direction::LowerIsBetter => Direction::LowerIsBetter,
        }
    }
}

fn slices(items: &[String]) -> Vec<&str> {
    items.iter().map(String::as_str).collect()
}

fn passage(passage: &case::Passage) -> wit::Passage<'_> {
    wit::Passage {
        text: &passage.text,
        source: passage.source.as_deref(),
    }
}

fn calls(calls: &[case::ToolCall]) -> Vec<Call<'_>> {
    calls
        .iter()
        .map(|call| Call {
            call,
            input_parameters: call.input_parameters.as_ref().map(json),
            output: call.output.as_ref().map(json),
        })
        .collect()
}

fn tool_calls<'a>(calls: &'a [Call<'a>]) -> Vec<wit::ToolCall<'a>> {
    calls
        .iter()
        .map(|call| wit::ToolCall {
            name: &call.call.name,
            description: call.call.description.as_deref(),
            reasoning: call.call.reasoning.as_deref(),
            input_parameters: call.input_parameters.as_deref(),
            output: call.output.as_deref(),
        })
        .collect()
}

fn json<T: Serialize>(value: &T) -> String {
    canonical(value).expect("the case's digest was taken, so its numbers are exact")
}
