//! Flags for metrics. Each `--metric` begins a new one, and `--name`,
//! `--config`, `--threshold` and `--strict` belong to the one before them.

use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail};
use clap::ArgMatches;
use serde_json::Value;
use weighbridge::config::Project;
use weighbridge::dataset::read_json;
use weighbridge::evaluate::Weighing;
use weighbridge::plugin::{Cache, Metric, Sandbox, Source};
use weighbridge::policy::{Policy, Threshold};

#[derive(clap::Args)]
#[command(next_help_heading = "Metrics")]
pub(crate) struct Args {
    /// Measure with this metric: a built-in name, or a path with a slash or `.wasm` (repeatable)
    #[arg(short, long, value_name = "NAME|PATH")]
    metric: Vec<String>,
    /// Call the metric before this flag by another name
    #[arg(long)]
    name: Vec<String>,
    /// Configure the metric before this flag, with a JSON object or `@FILE`
    #[arg(long, value_name = "JSON|@FILE")]
    config: Vec<String>,
    /// Let the metric before this flag pass from this score on (or down to it, where lower is better)
    #[arg(long, value_name = "SCORE", allow_negative_numbers = true)]
    threshold: Vec<Threshold>,
    /// Let the metric before this flag pass only with the perfect score
    #[arg(long, num_args = 0, default_missing_value = "true", action = clap::ArgAction::Append)]
    strict: Vec<bool>,
    /// Ask for scores only: no threshold is needed, and none is applied
    #[arg(long, conflicts_with_all = ["threshold", "strict"])]
    pub(crate) score_only: bool,
}

/// A metric as asked for.
#[derive(Debug)]
pub(crate) struct Request {
    /// What was written, before paths were joined.
    pub(crate) written: String,
    pub(crate) metric: String,
    pub(crate) name: Option<String>,
    /// The file that the configuration was read from, if any.
    pub(crate) config_file: Option<PathBuf>,
    /// The configuration; an empty object if there is none.
    pub(crate) config: Value,
    pub(crate) policy: Policy,
}

impl Args {
    /// The metrics in the order of the command line, each with its own flags.
    pub(crate) fn requests(&self, matches: &ArgMatches) -> anyhow::Result<Vec<Request>> {
        let places = indices(matches, "metric");
        let mut requests: Vec<Request> = self
            .metric
            .iter()
            .map(|metric| Request {
                written: metric.clone(),
                metric: metric.clone(),
                name: None,
                config_file: None,
                config: no_config(),
                policy: Policy::default(),
            })
            .collect();
        for (place, name) in indices(matches, "name").into_iter().zip(&self.name) {
            let owner = owner(&requests, &places, place, "--name")?;
            let request = &mut requests[owner];
            set(&mut request.name, name.clone(), "--name", &request.metric)?;
        }
        let mut configured: Vec<Option<()>> = vec![None; requests.len()];
        for (place, text) in indices(matches, "config").into_iter().zip(&self.config) {
            let owner = owner(&requests, &places, place, "--config")?;
            let request = &mut requests[owner];
            set(&mut configured[owner], (), "--config", &request.metric)?;
            request.config = config(Some(text))?;
            request.config_file = text.strip_prefix('@').map(PathBuf::from);
        }
        for (place, threshold) in indices(matches, "threshold")
            .into_iter()
            .zip(&self.threshold)
        {
            let owner = owner(&requests, &places, place, "--threshold")?;
            let request = &mut requests[owner];
            set(
                &mut request.policy.threshold,
                *threshold,
                "--threshold",
                &request.metric,
            )?;
        }
        for place in indices(matches, "strict") {
            let owner = owner(&requests, &places, place, "--strict")?;
            requests[owner].policy.strict = true;
        }
        Ok(requests)
    }

    /// Whether any metric is asked for.
    pub(crate) fn is_empty(&self) -> bool {
        self.metric.is_empty()
    }
}

/// A gate that nothing can fail is no gate.
pub(crate) fn check_gate(requests: &[Request]) -> anyhow::Result<()> {
    if !requests.iter().any(|request| request.policy.is_gate()) {
        bail!(
            "no metric has a threshold, so nothing could fail: add `--threshold SCORE` or \
             `--strict` after a `--metric`, or ask for scores only with `--score-only`"
        );
    }
    Ok(())
}

fn no_config() -> Value {
    Value::Object(serde_json::Map::new())
}

/// The metrics of a project, whose folder their paths are relative to.
pub(crate) fn of_project(project: &Project, folder: &Path) -> anyhow::Result<Vec<Request>> {
    let mut requests = Vec::with_capacity(project.metrics.len());
    for entry in &project.metrics {
        if let Some(judge) = &entry.judge {
            bail!(
                "metric `{}` is bound to judge `{judge}`, and this version has no judges: use a metric without one",
                entry.plugin
            );
        }
        let metric = match Source::parse(&entry.plugin) {
            Source::Path(path) => folder.join(path).display().to_string(),
            Source::BuiltIn(name) => name,
        };
        requests.push(Request {
            written: entry.plugin.clone(),
            metric,
            name: entry.name.clone(),
            config_file: None,
            config: Value::Object(entry.config.clone()),
            policy: Policy {
                threshold: entry.threshold,
                strict: entry.strict,
            },
        });
    }
    Ok(requests)
}

/// Loads the metrics asked for.
pub(crate) fn load(
    requests: &[Request],
    sandbox: &Sandbox,
    cache: Option<&Cache>,
) -> anyhow::Result<Vec<Weighing>> {
    let mut weighings: Vec<Weighing> = Vec::new();
    for request in requests {
        let source = Source::parse(&request.metric);
        let metric = Metric::load(
            sandbox,
            cache,
            &source,
            request.name.as_deref(),
            &request.config,
        )?;
        let name = &metric.identity().name;
        if name.trim().is_empty() || name.contains(char::is_control) {
            bail!(
                "metric `{source}` gets a name that is blank or has control characters: give it a plain one"
            );
        }
        if weighings
            .iter()
            .any(|other| other.metric.identity().name == *name)
        {
            bail!(
                "two metrics are called `{name}`: tell them apart with `--name` after one of them"
            );
        }
        if let Some(threshold) = request.policy.threshold {
            threshold.check(name, &metric.identity().scale)?;
        }
        weighings.push(Weighing {
            metric,
            policy: request.policy,
        });
    }
    Ok(weighings)
}

/// The configuration in `text`, or in the file it names; `{}` if there is
/// none.
pub(crate) fn config(text: Option<&str>) -> anyhow::Result<Value> {
    let Some(text) = text else {
        return Ok(no_config());
    };
    let (text, origin) = match text.strip_prefix('@') {
        Some(path) => (
            std::fs::read_to_string(path)
                .with_context(|| format!("configuration file `{path}` can't be read"))?,
            path.to_owned(),
        ),
        None => (text.to_owned(), text.to_owned()),
    };
    read_json(&text).map_err(|what| {
        anyhow!(
            "configuration `{origin}` {what}; write `--config '{{\"key\": \"value\"}}'` or `--config @FILE`"
        )
    })
}

fn indices(matches: &ArgMatches, id: &str) -> Vec<usize> {
    matches.indices_of(id).into_iter().flatten().collect()
}

/// The metric that a flag at `place` belongs to: the last one before it, or
/// the only one there is.
fn owner(
    requests: &[Request],
    places: &[usize],
    place: usize,
    flag: &str,
) -> anyhow::Result<usize> {
    let before = places.iter().filter(|metric| **metric < place).count();
    if requests.is_empty() {
        bail!(
            "`{flag}` belongs to a `--metric`: name one before it, or write it into the project file"
        );
    }
    if before == 0 && requests.len() > 1 {
        bail!("`{flag}` stands before the first `--metric`: put it after the metric it belongs to");
    }
    Ok(before.saturating_sub(1))
}

fn set<T>(slot: &mut Option<T>, value: T, flag: &str, metric: &str) -> anyhow::Result<()> {
    if slot.replace(value).is_some() {
        bail!("`{flag}` is given twice for metric `{metric}`: keep one of them");
    }
    Ok(())
}
