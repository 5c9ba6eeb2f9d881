use crate::{Failure, FailureKind};

/// Why there is no measurement. Text alone becomes an internal failure, so
/// `?` works on a `Result<_, String>`.
///
/// ```
/// use weighbridge_metric::{Failure, FailureKind};
///
/// let failure = Failure::unsuitable("expected_output holds no number: give one");
/// assert_eq!(failure.kind, Some(FailureKind::UnsuitableCase));
/// ```
impl Failure {
    /// The test case can't be measured as it stands: the data's fault.
    pub fn unsuitable(message: impl Into<String>) -> Failure {
        Failure::of(FailureKind::UnsuitableCase, message)
    }

    /// A judge's reply can't be used although it has the right form.
    pub fn unusable_judgement(message: impl Into<String>) -> Failure {
        Failure::of(FailureKind::UnusableJudgement, message)
    }

    /// The metric doesn't apply to this case, which is skipped.
    pub fn not_applicable(message: impl Into<String>) -> Failure {
        Failure::of(FailureKind::NotApplicable, message)
    }

    /// The metric itself went wrong.
    pub fn internal(message: impl Into<String>) -> Failure {
        Failure {
            message: message.into(),
            kind: None,
        }
    }

    /// The value of `key` in the configuration is wrong; `problem` says what
    /// is wrong with it and what to do. For `describe`.
    pub fn configuration(key: &str, problem: impl std::fmt::Display) -> Failure {
        Failure::internal(format!("configuration key `{key}`: {problem}"))
    }

    fn of(kind: FailureKind, message: impl Into<String>) -> Failure {
        Failure {
            message: message.into(),
            kind: Some(kind),
        }
    }
}

impl From<String> for Failure {
    fn from(message: String) -> Failure {
        Failure::internal(message)
    }
}

impl From<&str> for Failure {
    fn from(message: &str) -> Failure {
        Failure::internal(message)
    }
}
