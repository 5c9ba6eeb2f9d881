//! What came of one test case and one metric: exactly one outcome each.

use serde::{Deserialize, Serialize};

/// What came of measuring one test case with one metric.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// A score came back, even 0.
    Measured(Measurement),
    /// There is no score, and the failure says why.
    Failed(Failure),
    /// The metric says that it doesn't apply to this case.
    Skipped {
        /// Why, in the metric's words.
        reason: String,
    },
}

/// What a metric found on one test case. Never pass or fail.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Measurement {
    /// Finite, and inside the range of the metric's description.
    pub score: f64,
    /// Why, for people.
    pub reason: Option<String>,
    /// Parts of the score, where there are any.
    pub breakdown: Vec<Part>,
}

/// A named component of a score.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Part {
    /// Its name.
    pub name: String,
    /// Its value; finite, on a scale of its own.
    pub score: f64,
    /// Why.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub reason: Option<String>,
}

/// Why there is no score.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Failure {
    /// The exact cause; it determines whose move it is.
    pub code: ErrorCode,
    /// One sentence for people: the thing, the cause, the remedy.
    pub message: String,
}

impl Failure {
    /// A failure with this code and message.
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Failure {
        Failure {
            code,
            message: message.into(),
        }
    }
}

/// Whose move it is after a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ErrorKind {
    /// Of whoever made the data.
    Input,
    /// Of whoever wrote the metric.
    Metric,
    /// Of whoever runs the evaluation.
    Infrastructure,
}

/// The exact cause of a failure. Each code belongs to one kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ErrorCode {
    /// The row isn't a test case: broken JSON, a wrong type, a ragged line.
    UnreadableRow,
    /// A required field is absent or null.
    MissingField,
    /// A required field is empty or all blank.
    BlankField,
    /// A field holds an integer that RFC 8785 can't represent.
    InexactNumber,
    /// The test case is larger than the limit.
    CaseTooLarge,
    /// The metric says that it can't measure this case.
    UnsuitableCase,
    /// The guest hit `unreachable` or another trap.
    Trap,
    /// The guest used up its fuel.
    OutOfFuel,
    /// The guest asked for more memory than the limit.
    OutOfMemory,
    /// The guest asked for more table elements than the limit.
    OutOfTables,
    /// The guest held more resource handles than the limit.
    OutOfHandles,
    /// The guest recursed deeper than its stack.
    StackOverflow,
    /// The result, or one string of it, is larger than the limit.
    OutputTooLarge,
    /// The guest wrote more log than the limit.
    LogTooLarge,
    /// What the guest returned violates the canonical ABI.
    InvalidResult,
    /// The score, or one of a part, is NaN or infinite.
    ScoreNotFinite,
    /// The score lies outside the description's range.
    ScoreOutOfRange,
    /// A judge's reply can't be used.
    UnusableJudgement,
    /// The metric reports a fault of its own.
    Internal,
    /// The wall clock ran out before the fuel did.
    WallClock,
    /// The machine had no memory or address space for an instance.
    HostResources,
}

impl ErrorCode {
    /// The code as it stands in records.
    pub fn as_str(self) -> &'static str {
        match self {
            ErrorCode::UnreadableRow => "unreadable-row",
            ErrorCode::MissingField => "missing-field",
            ErrorCode::BlankField => "blank-field",
            ErrorCode::InexactNumber => "inexact-number",
            ErrorCode::CaseTooLarge => "case-too-large",
            ErrorCode::UnsuitableCase => "unsuitable-case",
            ErrorCode::Trap => "trap",
            ErrorCode::OutOfFuel => "out-of-fuel",
            ErrorCode::OutOfMemory => "out-of-memory",
            ErrorCode::OutOfTables => "out-of-tables",
            ErrorCode::OutOfHandles => "out-of-handles",
            ErrorCode::StackOverflow => "stack-overflow",
            ErrorCode::OutputTooLarge => "output-too-large",
            ErrorCode::LogTooLarge => "log-too-large",
            ErrorCode::InvalidResult => "invalid-result",
            ErrorCode::ScoreNotFinite => "score-not-finite",
            ErrorCode::ScoreOutOfRange => "score-out-of-range",
            ErrorCode::UnusableJudgement => "unusable-judgement",
            ErrorCode::Internal => "internal",
            ErrorCode::WallClock => "wall-clock",
            ErrorCode::HostResources => "host-resources",
        }
    }

    /// Whose move it is.
    pub fn kind(self) -> ErrorKind {
        match self {
            ErrorCode::UnreadableRow
            | ErrorCode::MissingField
            | ErrorCode::BlankField
            | ErrorCode::InexactNumber
            | ErrorCode::CaseTooLarge
            | ErrorCode::UnsuitableCase => ErrorKind::Input,
            ErrorCode::Trap
            | ErrorCode::OutOfFuel
            | ErrorCode::OutOfMemory
            | ErrorCode::OutOfTables
            | ErrorCode::OutOfHandles
            | ErrorCode::StackOverflow
            | ErrorCode::OutputTooLarge
            | ErrorCode::LogTooLarge
            | ErrorCode::InvalidResult
            | ErrorCode::ScoreNotFinite
            | ErrorCode::ScoreOutOfRange
            | ErrorCode::UnusableJudgement
            | ErrorCode::Internal => ErrorKind::Metric,
            ErrorCode::WallClock | ErrorCode::HostResources => ErrorKind::Infrastructure,
        }
    }
}

/// An outcome with what it took to get there.
#[derive(Clone, Debug, PartialEq)]
pub struct Observation {
    /// What came back.
    pub outcome: Outcome,
    /// Digest of the test case as projected to the metric's fields; `None` if
    /// the row isn't a test case, or has no canonical form.
    pub case_digest: Option<String>,
    /// What the guest wrote to `log`, a line a call.
    pub logs: String,
    /// Fuel spent, instantiation included; 0 if no instance was made.
    pub fuel: u64,
    /// Most bytes of linear memory held at once, over all memories.
    pub peak_memory: u64,
    /// Wall-clock microseconds for all of it.
    pub duration_micros: u64,
}

impl Observation {
    /// An observation of a pair for which no instance was made.
    pub fn without_instance(failure: Failure) -> Observation {
        Observation {
            outcome: Outcome::Failed(failure),
            case_digest: None,
            logs: String::new(),
            fuel: 0,
            peak_memory: 0,
            duration_micros: 0,
        }
    }
}
