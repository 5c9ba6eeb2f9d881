//! Why a metric can't be used.

use super::bindings::INTERFACE;
use super::file::SourceError;
use crate::contract::InexactNumber;
use crate::outcome::Failure;

/// Why a metric can't be used. The message names the metric, the cause and
/// the remedy.
#[derive(Debug, thiserror::Error)]
#[error("metric `{source_name}` {problem}")]
pub struct LoadError {
    /// The name or path as the user wrote it.
    pub source_name: String,
    /// What is wrong.
    pub problem: Box<LoadProblem>,
}

/// What is wrong with a metric. Each message follows the words
/// "metric `…` ".
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say it")]
pub enum LoadProblem {
    #[error(transparent)]
    Source(#[from] SourceError),
    #[error("is not a valid component ({0}): build it again")]
    Invalid(String),
    #[error(
        "exports no interface `{INTERFACE}` (it exports {exports}): build it for one of the worlds in `wit/`"
    )]
    NoMetric { exports: String },
    #[error(
        "exports `{found}`, and this host speaks `{INTERFACE}`: rebuild it with that version, or use a host that speaks its own"
    )]
    OtherInterface { found: String },
    #[error(
        "exports `{INTERFACE}` in another shape ({0}): rebuild it with the published `wit/` of that version"
    )]
    OtherShape(String),
    #[error(
        "imports `{0}`, which the host doesn't grant: build it without that import, since a metric gets nothing but `weighbridge:metric/log`"
    )]
    Ungranted(String),
    #[error(
        "asks for a judge (it imports `{0}`), and this version can't bind one: use a metric without a judge"
    )]
    Judge(String),
    #[error(
        "imports `weighbridge:metric/log` in another shape ({0}): rebuild it with the published `wit/`"
    )]
    ImportShape(String),
    #[error("needs {needs}, and may have {limit}: build it smaller, or raise `{flag}`")]
    Needs {
        needs: String,
        limit: String,
        flag: &'static str,
    },
    #[error("can't describe itself, code `{}`: {}", .0.code.as_str(), .0.message)]
    Describe(Failure),
    #[error(transparent)]
    Config(#[from] ConfigError),
    #[error("describes itself wrongly: {0}")]
    Description(String),
}

/// Why a configuration is refused before anything runs. Each message follows
/// the words "metric `…` ".
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say it")]
pub enum ConfigError {
    #[error(
        "has a configuration that is not a JSON object: write `--config '{{\"key\": \"value\"}}'`"
    )]
    NotAnObject,
    #[error("has a configuration whose {0}")]
    Inexact(InexactNumber),
    #[error("refuses its configuration: {0}")]
    Refused(String),
}
