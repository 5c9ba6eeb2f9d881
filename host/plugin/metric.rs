//! A metric: a component together with its configuration.

use std::time::Instant;

use serde_json::Value;

use super::bindings::LoggingMetricPre;
use super::cache::Cache;
use super::component;
use super::description::{Description, describe};
use super::engine::Sandbox;
use super::error::{LoadError, LoadProblem};
use super::file::Source;
use super::guest::Guest;
use super::instance;
use crate::case::{Field, Gap, TestCase};
use crate::contract::digest_bytes;
use crate::metric_data::Identity;
use crate::outcome::{ErrorCode, Failure, Observation};

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

    /// Digest of `case` as projected to the metric's fields; `None` if it
    /// holds a number without a canonical form.
    pub fn case_digest(&self, case: &TestCase) -> Option<String> {
        case.digest(&self.fields)
    }

    fn observe(&self, case: &TestCase) -> Observation {
        let gap = case.first_gap(&self.description.requires);
        let case = case.project(&self.fields);
        let text = case.canonical();
        let digest = text.as_ref().ok().map(|text| digest_bytes(text.as_bytes()));
        let unmeasured = match (gap, text) {
            (Some(gap), _) => Some(self.gap(gap)),
            (None, Err(error)) => Some(Failure::new(ErrorCode::InexactNumber, error.to_string())),
            (None, Ok(text)) => self.too_large(text.len()),
        };
        if let Some(failure) = unmeasured {
            return Observation {
                case_digest: digest,
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
            case_digest: digest,
            logs: call.logs,
            fuel: call.fuel,
            peak_memory: call.peak_memory,
            duration_micros: 0,
        }
    }

    fn too_large(&self, bytes: usize) -> Option<Failure> {
        let limit = self.sandbox.limits.case_bytes;
        (bytes > limit).then(|| {
            Failure::new(
                ErrorCode::CaseTooLarge,
                format!(
                    "the test case has {bytes} bytes and may have {limit}: shorten it, or raise `--max-case`"
                ),
            )
        })
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
        fields: description.fields(),
        description,
        interface: admitted.interface,
        config: config.clone(),
        config_text: described.config_text,
        source: source.clone(),
        pre: admitted.pre,
        sandbox: sandbox.clone(),
    })
}
