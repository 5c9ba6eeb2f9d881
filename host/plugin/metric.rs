//! A metric: a component together with its configuration.

use std::time::Instant;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::bindings::{LoggingMetricPre, wit};
use super::cache::Cache;
use super::component::{self, Admitted, LoadError, LoadProblem};
use super::engine::Sandbox;
use super::file::Source;
use super::instance;
use super::sandbox::Guest;
use crate::case::{Field, Gap, Requirement, TestCase};
use crate::contract::{ContractParts, InexactNumber, canonical, digest_bytes};
use crate::metric_data::Identity;
use crate::outcome::{ErrorCode, Failure, Observation};
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

/// A component with its configuration, loaded, checked and described.
pub struct Metric {
    identity: Identity,
    description: Description,
    interface: String,
    config: Value,
    config_text: String,
    source: Source,
    fields: Vec<Field>,
    pre: LoggingMetricPre<Guest>,
    sandbox: Sandbox,
}

impl Metric {
    /// Loads the component of `source` and describes it under `config`, a
    /// JSON object. `name` replaces the name it gives itself.
    ///
    /// # Errors
    ///
    /// The file isn't a component that the host can run, or the metric
    /// refuses its configuration.
    pub fn load(
        sandbox: &Sandbox,
        cache: Option<&Cache>,
        source: &Source,
        name: Option<&str>,
        config: &Value,
    ) -> Result<Metric, LoadError> {
        load(sandbox, cache, source, name, config).map_err(|problem| LoadError {
            source_name: source.to_string(),
            problem: Box::new(problem),
        })
    }

    /// Name, version, contract and scale.
    pub fn identity(&self) -> &Identity {
        &self.identity
    }

    /// What the metric says of itself.
    pub fn description(&self) -> &Description {
        &self.description
    }

    /// The interface it exports, with the exact version.
    pub fn interface(&self) -> &str {
        &self.interface
    }

    /// The configuration it was loaded with.
    pub fn config(&self) -> &Value {
        &self.config
    }

    /// Where the component came from.
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// How many cases may be measured at once.
    pub fn concurrency(&self) -> usize {
        self.sandbox.concurrency()
    }

    /// Bytes of native stack that a thread needs to call
    /// [`Metric::measure_here`].
    pub fn thread_stack_bytes(&self) -> usize {
        self.sandbox.thread_stack_bytes()
    }

    /// Measures `case` on a fresh instance.
    pub fn measure(&self, case: &TestCase) -> Observation {
        self.sandbox.on_guest_stack(|| self.measure_here(case))
    }

    /// Measures `case` on a fresh instance, on this thread, whose stack must
    /// be at least [`Metric::thread_stack_bytes`]: with less, a guest that
    /// recurses deeply ends the process.
    pub fn measure_here(&self, case: &TestCase) -> Observation {
        let started = Instant::now();
        let mut observation = self.observe(case);
        observation.duration_micros =
            u64::try_from(started.elapsed().as_micros()).unwrap_or(u64::MAX);
        observation
    }

    fn observe(&self, case: &TestCase) -> Observation {
        if let Some(gap) = case.first_gap(&self.description.requires) {
            return Observation::without_instance(self.gap(gap));
        }
        let case = case.project(&self.fields);
        let text = match case.canonical() {
            Ok(text) => text,
            Err(error) => {
                return Observation::without_instance(Failure::new(
                    ErrorCode::InexactNumber,
                    error.to_string(),
                ));
            }
        };
        let digest = digest_bytes(text.as_bytes());
        let limit = self.sandbox.limits.case_bytes;
        if text.len() > limit {
            let failure = Failure::new(
                ErrorCode::CaseTooLarge,
                format!(
                    "the test case has {} bytes and may have {limit}: shorten it, or raise `--max-case`",
                    text.len()
                ),
            );
            return Observation {
                case_digest: Some(digest),
                ..Observation::without_instance(failure)
            };
        }
        let call = instance::measure(
            &self.sandbox,
            &self.pre,
            &self.identity.scale,
            &case,
            &self.config_text,
        );
        Observation {
            outcome: call.result,
            case_digest: Some(digest),
            logs: call.logs,
            fuel: call.fuel,
            peak_memory: call.peak_memory,
            duration_micros: 0,
        }
    }

    fn gap(&self, gap: Gap) -> Failure {
        let metric = &self.identity.name;
        match gap {
            Gap::Missing(field) => Failure::new(
                ErrorCode::MissingField,
                format!(
                    "field `{0}` is missing, and metric `{metric}` requires it: \
                     add it, or name its column with `--map {0}=COLUMN`",
                    field.as_str()
                ),
            ),
            Gap::Blank(field) => Failure::new(
                ErrorCode::BlankField,
                format!(
                    "field `{}` is blank, and metric `{metric}` needs it filled: mend the data",
                    field.as_str()
                ),
            ),
        }
    }
}

fn load(
    sandbox: &Sandbox,
    cache: Option<&Cache>,
    source: &Source,
    name: Option<&str>,
    config: &Value,
) -> Result<Metric, LoadProblem> {
    let opened = component::open(sandbox, cache, source)?;
    let admitted = component::admit(sandbox, &opened.component)?;
    let described = describe(sandbox, &admitted, &opened.version, config)?;
    let description = described.description;
    Ok(Metric {
        identity: Identity {
            name: name.unwrap_or(&description.name).to_owned(),
            version: opened.version,
            contract: described.contract,
            scale: description.scale,
        },
        fields: declared(&description),
        description,
        interface: admitted.interface,
        config: config.clone(),
        config_text: described.config_text,
        source: source.clone(),
        pre: admitted.pre,
        sandbox: sandbox.clone(),
    })
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
    if !(description.lowest.is_finite() && description.highest.is_finite()) {
        return wrong("its lowest or highest score isn't finite: use a bounded scale");
    }
    if description.lowest >= description.highest {
        return wrong("its lowest score isn't below its highest: swap or mend them");
    }
    Ok(Description {
        name: description.name,
        summary: description.summary,
        requires: description.requires.into_iter().map(Into::into).collect(),
        reads: description.reads.into_iter().map(Into::into).collect(),
        scale: Scale {
            direction: description.direction.into(),
            lowest: description.lowest,
            highest: description.highest,
        },
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

/// The fields a metric gets to see, each once, in the interface's order.
fn declared(description: &Description) -> Vec<Field> {
    let mut fields: Vec<Field> = description
        .requires
        .iter()
        .map(|requirement| requirement.field)
        .chain(description.reads.iter().copied())
        .collect();
    fields.sort_unstable();
    fields.dedup();
    fields
}
