//! What a metric says of itself under a configuration, and its contract.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::bindings::wit;
use super::component::Admitted;
use super::engine::Sandbox;
use super::error::{ConfigError, LoadProblem};
use super::instance;
use crate::case::{Field, Requirement};
use crate::contract::{ContractParts, canonical};
use crate::policy::Scale;

/// What a metric says of itself under its configuration.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Description {
    /// Its own name.
    pub name: String,
    /// What it measures, in one sentence.
    pub summary: String,
    /// Fields without which it can't measure.
    pub requires: Vec<Requirement>,
    /// Fields it looks at when they are there.
    pub reads: Vec<Field>,
    /// The scale of its scores.
    #[serde(flatten)]
    pub scale: Scale,
    /// JSON Schema of the configuration, as text.
    pub config_schema: Option<String>,
    /// The questions it puts to a judge.
    pub judge_steps: Vec<JudgeStep>,
}

impl Description {
    /// The fields the metric gets to see, each once, in the interface's order.
    pub fn fields(&self) -> Vec<Field> {
        let required = self.requires.iter().map(|requirement| requirement.field);
        let mut fields: Vec<Field> = required.chain(self.reads.iter().copied()).collect();
        fields.sort_unstable();
        fields.dedup();
        fields
    }
}

/// One kind of question that a metric puts to a judge.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(
    missing_docs,
    reason = "each is the field of `judge-step` of that name"
)]
pub struct JudgeStep {
    pub name: String,
    pub system: String,
    pub template: String,
    pub schema: Option<String>,
    pub once: bool,
}

/// A component under a configuration.
pub(super) struct Described {
    pub(super) description: Description,
    pub(super) config_text: String,
    pub(super) contract: String,
}

/// Asks the component what it is under this configuration.
pub(super) fn describe(
    sandbox: &Sandbox,
    admitted: &Admitted,
    version: &str,
    config: &Value,
) -> Result<Described, LoadProblem> {
    if !config.is_object() {
        return Err(ConfigError::NotAnObject.into());
    }
    let config_text = canonical(config).map_err(ConfigError::Inexact)?;
    let call = sandbox.on_guest_stack(|| instance::describe(sandbox, &admitted.pre, &config_text));
    let description = call
        .result
        .map_err(LoadProblem::Describe)?
        .map_err(|failure| ConfigError::Refused(failure.message))?;
    let contract = ContractParts {
        interface: &admitted.interface,
        metric: version,
        config,
        environment: None,
        judge: None,
    };
    Ok(Described {
        description: checked(description)?,
        contract: contract.digest().map_err(ConfigError::Inexact)?,
        config_text,
    })
}

/// The description, if it makes sense.
fn checked(description: wit::Description) -> Result<Description, LoadProblem> {
    let wrong = |message: &str| Err(LoadProblem::Description(message.to_owned()));
    if description.name.trim().is_empty() || description.name.contains(char::is_control) {
        return wrong("its name is blank or has control characters: give it a plain one");
    }
    let direction = description.direction.into();
    let scale = match Scale::new(direction, description.lowest, description.highest) {
        Ok(scale) => scale,
        Err(error) => return wrong(&error.to_string()),
    };
    Ok(Description {
        name: description.name,
        summary: description.summary,
        requires: description.requires.into_iter().map(Into::into).collect(),
        reads: description.reads.into_iter().map(Into::into).collect(),
        scale,
        config_schema: description.config_schema,
        judge_steps: description
            .judge_steps
            .into_iter()
            .map(|step| JudgeStep {
                name: step.name,
                system: step.system,
                template: step.template,
                schema: step.schema,
                once: step.once,
            })
            .collect(),
    })
}
