//! Test cases: what the application under test did, one row each.

mod blank;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::contract::{self, InexactNumber};
use blank::Blankness;

/// One row of what the application under test did, DeepEval's `LLMTestCase`.
///
/// An absent field is `None`; an empty one is an empty string or list.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct TestCase {
    /// What the application was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input: Option<String>,
    /// What it answered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub actual_output: Option<String>,
    /// What it should have answered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected_output: Option<String>,
    /// Further answers as good as `expected_output`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub alternative_outputs: Option<Vec<String>>,
    /// The ideal background knowledge.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub context: Option<Vec<String>>,
    /// What the application's retriever found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retrieval_context: Option<Vec<Passage>>,
    /// The tools it called, in order.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tools_called: Option<Vec<ToolCall>>,
    /// The tools it should have called.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected_tools: Option<Vec<ToolCall>>,
    /// The case's name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Labels for grouping.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tags: Option<Vec<String>>,
    /// Remarks of whoever made the data.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub comments: Option<String>,
    /// Anything else.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metadata: Option<Value>,
    /// What the application spent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub usage: Option<Usage>,
    /// The application's own trace.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trace: Option<Value>,
}

/// One call of a tool by the application under test.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ToolCall {
    /// The tool's name.
    pub name: String,
    /// What the tool is for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Why the application called it, in its own words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reasoning: Option<String>,
    /// The arguments, a JSON object as a rule.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input_parameters: Option<Value>,
    /// What the tool returned.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output: Option<Value>,
}

/// One retrieved piece of text.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Passage {
    /// The text itself.
    pub text: String,
    /// Where it came from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
}

/// What the application under test spent on a case.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Usage {
    /// Cost in the currency of the data set.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub token_cost: Option<f64>,
    /// Tokens read by the application's model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input_tokens: Option<u64>,
    /// Tokens written by the application's model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output_tokens: Option<u64>,
    /// Seconds until the answer was complete.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub completion_time: Option<f64>,
}

/// A field of a test case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "each is the field of `TestCase` of that name")]
pub enum Field {
    Input,
    ActualOutput,
    ExpectedOutput,
    AlternativeOutputs,
    Context,
    RetrievalContext,
    ToolsCalled,
    ExpectedTools,
    Name,
    Tags,
    Comments,
    Metadata,
    Usage,
    Trace,
}

impl Field {
    /// Every field, in the order of the interface.
    pub const ALL: [Field; 14] = [
        Field::Input,
        Field::ActualOutput,
        Field::ExpectedOutput,
        Field::AlternativeOutputs,
        Field::Context,
        Field::RetrievalContext,
        Field::ToolsCalled,
        Field::ExpectedTools,
        Field::Name,
        Field::Tags,
        Field::Comments,
        Field::Metadata,
        Field::Usage,
        Field::Trace,
    ];

    /// The field's name in data sets and on the command line, `snake_case`.
    pub fn as_str(self) -> &'static str {
        match self {
            Field::Input => "input",
            Field::ActualOutput => "actual_output",
            Field::ExpectedOutput => "expected_output",
            Field::AlternativeOutputs => "alternative_outputs",
            Field::Context => "context",
            Field::RetrievalContext => "retrieval_context",
            Field::ToolsCalled => "tools_called",
            Field::ExpectedTools => "expected_tools",
            Field::Name => "name",
            Field::Tags => "tags",
            Field::Comments => "comments",
            Field::Metadata => "metadata",
            Field::Usage => "usage",
            Field::Trace => "trace",
        }
    }
}

/// A field that must be there before a metric is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Requirement {
    /// The field.
    pub field: Field,
    /// Whether an empty or all-blank value is acceptable.
    pub may_be_blank: bool,
}

/// Why a test case doesn't meet a requirement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gap {
    /// The field is absent or null.
    Missing(Field),
    /// The field is an empty or all-blank string or list.
    Blank(Field),
}

impl TestCase {
    /// The first requirement that this case doesn't meet.
    pub fn first_gap(&self, requires: &[Requirement]) -> Option<Gap> {
        requires
            .iter()
            .find_map(|requirement| match self.blankness(requirement.field) {
                Blankness::Absent => Some(Gap::Missing(requirement.field)),
                Blankness::Blank if !requirement.may_be_blank => {
                    Some(Gap::Blank(requirement.field))
                }
                _ => None,
            })
    }

    /// A copy that holds only `fields`; all others are absent.
    pub fn project(&self, fields: &[Field]) -> TestCase {
        let mut projected = TestCase::default();
        for field in fields {
            match field {
                Field::Input => projected.input.clone_from(&self.input),
                Field::ActualOutput => projected.actual_output.clone_from(&self.actual_output),
                Field::ExpectedOutput => {
                    projected.expected_output.clone_from(&self.expected_output);
                }
                Field::AlternativeOutputs => projected
                    .alternative_outputs
                    .clone_from(&self.alternative_outputs),
                Field::Context => projected.context.clone_from(&self.context),
                Field::RetrievalContext => projected
                    .retrieval_context
                    .clone_from(&self.retrieval_context),
                Field::ToolsCalled => projected.tools_called.clone_from(&self.tools_called),
                Field::ExpectedTools => projected.expected_tools.clone_from(&self.expected_tools),
                Field::Name => projected.name.clone_from(&self.name),
                Field::Tags => projected.tags.clone_from(&self.tags),
                Field::Comments => projected.comments.clone_from(&self.comments),
                Field::Metadata => projected.metadata.clone_from(&self.metadata),
                Field::Usage => projected.usage = self.usage,
                Field::Trace => projected.trace.clone_from(&self.trace),
            }
        }
        projected
    }

    /// This case as canonical JSON, of which its digest is taken.
    ///
    /// # Errors
    ///
    /// A JSON field holds an integer that a double can't represent.
    pub fn canonical(&self) -> Result<String, InexactNumber> {
        let calls = [&self.tools_called, &self.expected_tools];
        let calls = calls.into_iter().flatten().flatten();
        let values = calls.flat_map(|call| [&call.input_parameters, &call.output]);
        for value in values.chain([&self.metadata, &self.trace]).flatten() {
            contract::check_exact(value)?;
        }
        let usage = self.usage.unwrap_or_default();
        for tokens in [usage.input_tokens, usage.output_tokens]
            .into_iter()
            .flatten()
        {
            contract::check_exact(&Value::from(tokens))?;
        }
        Ok(contract::canonical_unchecked(self))
    }

    /// Digest of this case as projected to `fields`; `None` if it holds a
    /// number without a canonical form.
    pub fn digest(&self, fields: &[Field]) -> Option<String> {
        let text = self.project(fields).canonical().ok()?;
        Some(contract::digest_bytes(text.as_bytes()))
    }
}
