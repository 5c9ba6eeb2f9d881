//! What a column or key can be read into, and under which names.

use crate::case::Field;

/// A field of a test case, or one number of its `usage`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Target {
    Field(Field),
    TokenCost,
    InputTokens,
    OutputTokens,
    CompletionTime,
}

/// What kind of value a target takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Text,
    Texts,
    Passages,
    Tools,
    Json,
    Usage,
    /// A number such as a cost or a duration.
    Real,
    /// A whole number that isn't negative.
    Count,
}

impl Target {
    /// How many targets there are.
    pub(super) const COUNT: usize = Field::ALL.len() + 4;

    const IN_USAGE: [Target; 4] = [
        Target::TokenCost,
        Target::InputTokens,
        Target::OutputTokens,
        Target::CompletionTime,
    ];

    /// The target that is called `name`, in `snake_case` or `camelCase`.
    pub(super) fn from_name(name: &str) -> Option<Target> {
        Some(match name {
            "input" => Target::Field(Field::Input),
            "actual_output" | "actualOutput" => Target::Field(Field::ActualOutput),
            "expected_output" | "expectedOutput" => Target::Field(Field::ExpectedOutput),
            "alternative_outputs" | "alternativeOutputs" => {
                Target::Field(Field::AlternativeOutputs)
            }
            "context" => Target::Field(Field::Context),
            "retrieval_context" | "retrievalContext" => Target::Field(Field::RetrievalContext),
            "tools_called" | "toolsCalled" => Target::Field(Field::ToolsCalled),
            "expected_tools" | "expectedTools" => Target::Field(Field::ExpectedTools),
            "name" => Target::Field(Field::Name),
            "tags" => Target::Field(Field::Tags),
            "comments" => Target::Field(Field::Comments),
            // The last two are DeepEval's older names.
            "metadata" | "additional_metadata" | "additionalMetadata" => {
                Target::Field(Field::Metadata)
            }
            "usage" => Target::Field(Field::Usage),
            "trace" => Target::Field(Field::Trace),
            _ => return Target::in_usage(name),
        })
    }

    /// The number of `usage` that is called `name`.
    pub(super) fn in_usage(name: &str) -> Option<Target> {
        Some(match name {
            "token_cost" | "tokenCost" => Target::TokenCost,
            "input_tokens" | "inputTokens" => Target::InputTokens,
            "output_tokens" | "outputTokens" => Target::OutputTokens,
            "completion_time" | "completionTime" => Target::CompletionTime,
            _ => return None,
        })
    }

    pub(super) fn as_str(self) -> &'static str {
        match self {
            Target::Field(field) => field.as_str(),
            Target::TokenCost => "token_cost",
            Target::InputTokens => "input_tokens",
            Target::OutputTokens => "output_tokens",
            Target::CompletionTime => "completion_time",
        }
    }

    /// A number below [`Target::COUNT`], another for each target.
    pub(super) fn index(self) -> usize {
        let numbers = Field::ALL.len();
        match self {
            Target::Field(field) => field as usize,
            Target::TokenCost => numbers,
            Target::InputTokens => numbers + 1,
            Target::OutputTokens => numbers + 2,
            Target::CompletionTime => numbers + 3,
        }
    }

    /// Whether this is one of the numbers of `usage`.
    pub(super) fn is_in_usage(self) -> bool {
        !matches!(self, Target::Field(_))
    }

    pub(super) fn kind(self) -> Kind {
        match self {
            Target::Field(field) => match field {
                Field::Input
                | Field::ActualOutput
                | Field::ExpectedOutput
                | Field::Name
                | Field::Comments => Kind::Text,
                Field::AlternativeOutputs | Field::Context | Field::Tags => Kind::Texts,
                Field::RetrievalContext => Kind::Passages,
                Field::ToolsCalled | Field::ExpectedTools => Kind::Tools,
                Field::Metadata | Field::Trace => Kind::Json,
                Field::Usage => Kind::Usage,
            },
            Target::TokenCost | Target::CompletionTime => Kind::Real,
            Target::InputTokens | Target::OutputTokens => Kind::Count,
        }
    }

    fn all() -> impl Iterator<Item = Target> {
        Field::ALL
            .into_iter()
            .map(Target::Field)
            .chain(Target::IN_USAGE)
    }
}

/// The field whose name is nearest to `name`, if one is near enough to be
/// meant: what to suggest for a column or key that nothing reads.
pub fn nearest_field(name: &str) -> Option<&'static str> {
    nearest(name, Target::all().map(Target::as_str))
}

/// The name among `candidates` nearest to `name`, if one is near enough.
///
/// Near enough is one edit for every three characters, cases and separators
/// aside.
pub(crate) fn nearest<'a>(
    name: &str,
    candidates: impl Iterator<Item = &'a str>,
) -> Option<&'a str> {
    let folded = |name: &str| -> String {
        name.chars()
            .filter(|letter| letter.is_alphanumeric())
            .flat_map(char::to_lowercase)
            .collect()
    };
    let name = folded(name);
    candidates
        .map(|candidate| (strsim::osa_distance(&name, &folded(candidate)), candidate))
        .filter(|(edits, _)| edits * 3 <= name.chars().count())
        .min_by_key(|(edits, _)| *edits)
        .map(|(_, candidate)| candidate)
}
