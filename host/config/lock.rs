//! The lock: which metrics a project was measured with.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::plugin::Metric;

/// The lock's name, beside the project file.
pub const LOCK_FILE: &str = "weighbridge.lock";

/// The only version of the lock there is.
const VERSION: u32 = 1;

const HEAD: &str = "# Made by `weigh lock`; not to be edited.\n";

/// The metrics of a project, by content.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lock {
    version: u32,
    #[serde(rename = "metric", default)]
    metrics: Vec<LockedMetric>,
}

/// A metric, by content.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LockedMetric {
    /// Its name in the run.
    pub name: String,
    /// Built-in name or path, as in the project file.
    pub plugin: String,
    /// `sha256:` and the hex of the component's bytes.
    pub digest: String,
    /// The interface it exports, with the exact version.
    pub interface: String,
    /// Digest of everything a measurement depends on besides the test case.
    pub contract: String,
}

/// A lock that can't be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say it")]
pub enum LockError {
    #[error("is not a lock ({0}): write it anew with `weigh lock`")]
    Damaged(String),
    #[error(
        "has version {0}, and this program knows {VERSION}: use a newer one, or write it anew with `weigh lock`"
    )]
    Version(u32),
}

/// Where a metric isn't what the lock says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LockDifference {
    /// The metric's name.
    pub metric: String,
    /// What differs.
    pub part: &'static str,
    /// What the lock says; `None` for a metric that it doesn't know.
    pub locked: Option<String>,
    /// What there is; `None` for a metric that isn't there.
    pub found: Option<String>,
}

impl fmt::Display for LockDifference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let LockDifference {
            metric,
            part,
            locked,
            found,
        } = self;
        match (locked, found) {
            (Some(locked), Some(found)) => {
                write!(
                    f,
                    "metric `{metric}`: {part} is {found}, locked is {locked}"
                )
            }
            (None, Some(found)) => write!(f, "metric `{metric}` with {part} {found} is not locked"),
            (Some(locked), None) => {
                write!(
                    f,
                    "metric `{metric}` with {part} {locked} is locked and not measured"
                )
            }
            (None, None) => write!(f, "metric `{metric}`: {part}"),
        }
    }
}

impl LockedMetric {
    /// What `metric` is, which the project file names as `plugin`.
    pub fn of(metric: &Metric, plugin: &str) -> LockedMetric {
        LockedMetric {
            name: metric.identity().name.clone(),
            plugin: plugin.to_owned(),
            digest: metric.identity().version.clone(),
            interface: metric.interface().to_owned(),
            contract: metric.identity().contract.clone(),
        }
    }
}

impl Lock {
    /// The lock of these metrics.
    pub fn new(metrics: Vec<LockedMetric>) -> Lock {
        Lock {
            version: VERSION,
            metrics,
        }
    }

    /// Reads the text of a lock.
    ///
    /// # Errors
    ///
    /// It isn't one of this version.
    pub fn parse(text: &str) -> Result<Lock, LockError> {
        #[derive(Deserialize)]
        struct Versioned {
            version: u32,
        }
        let damaged = |error: toml::de::Error| {
            let line = error
                .span()
                .map(|span| 1 + text[..span.start].matches('\n').count());
            let message = error.message().trim().replace('\n', ", ");
            LockError::Damaged(match line {
                Some(line) => format!("line {line}: {message}"),
                None => message,
            })
        };
        // A newer version may have more than this one knows.
        let versioned: Versioned = toml::from_str(text).map_err(damaged)?;
        if versioned.version != VERSION {
            return Err(LockError::Version(versioned.version));
        }
        let lock: Lock = toml::from_str(text).map_err(damaged)?;
        for (place, metric) in lock.metrics.iter().enumerate() {
            let mut before = lock.metrics[..place].iter();
            if before.any(|other| other.name == metric.name) {
                let name = &metric.name;
                return Err(LockError::Damaged(format!(
                    "metric `{name}` stands in it twice"
                )));
            }
        }
        Ok(lock)
    }

    /// The lock as text: the same metrics give the same bytes.
    pub fn to_text(&self) -> String {
        let body = toml::to_string(self).expect("plain data is TOML");
        format!("{HEAD}{body}")
    }

    /// Where `found` isn't what is locked: plugin, digest, interface or contract
    /// of a metric, or a metric too many or too few.
    pub fn differences(&self, found: &Lock) -> Vec<LockDifference> {
        let mut differences = Vec::new();
        for metric in &found.metrics {
            match self.get(&metric.name) {
                Some(locked) => differences.extend(difference(locked, metric)),
                None => differences.push(LockDifference {
                    metric: metric.name.clone(),
                    part: "component",
                    locked: None,
                    found: Some(metric.digest.clone()),
                }),
            }
        }
        for locked in &self.metrics {
            if found.get(&locked.name).is_none() {
                differences.push(LockDifference {
                    metric: locked.name.clone(),
                    part: "component",
                    locked: Some(locked.digest.clone()),
                    found: None,
                });
            }
        }
        differences
    }

    fn get(&self, name: &str) -> Option<&LockedMetric> {
        self.metrics.iter().find(|metric| metric.name == name)
    }
}

/// The parts that differ; the contract only if nothing it covers does.
fn difference(locked: &LockedMetric, found: &LockedMetric) -> Vec<LockDifference> {
    let parts = [
        ("plugin", &locked.plugin, &found.plugin),
        ("component", &locked.digest, &found.digest),
        ("interface", &locked.interface, &found.interface),
    ];
    let mut differing: Vec<_> = parts
        .into_iter()
        .filter(|(_, one, other)| one != other)
        .collect();
    let covered = locked.digest == found.digest && locked.interface == found.interface;
    if covered && locked.contract != found.contract {
        let part = "contract (with the same component and interface, so its configuration or environment changed)";
        differing.push((part, &locked.contract, &found.contract));
    }
    differing
        .into_iter()
        .map(|(part, locked, there)| LockDifference {
            metric: found.name.clone(),
            part,
            locked: Some(locked.clone()),
            found: Some(there.clone()),
        })
        .collect()
}
