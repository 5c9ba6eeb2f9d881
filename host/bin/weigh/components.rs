//! The components that a run was measured with, found by path or by digest.

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::{Context, bail};
use weighbridge::evaluate::Weighing;
use weighbridge::plugin::{Cache, Metric, Sandbox, Source};
use weighbridge::run::{Header, MetricRecord};

/// A component that isn't the recorded one.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct Refused(String);

/// Loads what `header` names, each component by its digest: from where it was,
/// or from one of `folders`.
///
/// # Errors
///
/// A component isn't there, is another ([`Refused`]), or can't be loaded.
pub(crate) fn load(
    header: &Header,
    folders: &[PathBuf],
    sandbox: &Sandbox,
    cache: Option<&Cache>,
) -> anyhow::Result<Vec<Weighing>> {
    let mut folders = Folders {
        folders,
        found: None,
    };
    let mut weighings = Vec::with_capacity(header.metrics.len());
    for record in &header.metrics {
        if record.judge.is_some() {
            bail!(
                "metric `{}` has a judge, which this version can't ask again: verify the run with a version that has judges",
                record.name
            );
        }
        let source = find(record, &mut folders, sandbox)?;
        let metric = Metric::load(sandbox, cache, &source, Some(&record.name), &record.config)?;
        check(record, &metric)?;
        weighings.push(Weighing {
            metric,
            policy: record.policy,
        });
    }
    Ok(weighings)
}

fn find(record: &MetricRecord, folders: &mut Folders, sandbox: &Sandbox) -> anyhow::Result<Source> {
    let source = Source::parse(&record.source);
    let limit = sandbox.limits().component_bytes;
    // The path comes from a run file, which anybody may have written: what
    // isn't a regular file might never end.
    if let Source::Path(path) = &source
        && path.exists()
        && !path.is_file()
    {
        bail!(
            "metric `{}` was measured by `{source}`, which is no regular file here: put the component there, or name a folder that holds it with `--plugins`",
            record.name
        );
    }
    let version = source.version(limit);
    if version
        .as_ref()
        .is_ok_and(|version| *version == record.version)
    {
        return Ok(source);
    }
    if let Some(path) = folders.get(&record.version, limit)? {
        return Ok(Source::Path(path));
    }
    let remedy = "name a folder that holds the recorded one with `--plugins`";
    match version {
        Ok(version) => Err(Refused(format!(
            "metric `{}` was measured by component {}, and `{source}` is {version}: {remedy}",
            record.name, record.version
        ))
        .into()),
        Err(error) => {
            let nor = match folders.folders {
                [] => String::new(),
                _ => ", and no `.wasm` file of the folders is it either".to_owned(),
            };
            bail!(
                "metric `{}` was measured by component {}, and `{source}` {error}{nor}; or {remedy}",
                record.name,
                record.version
            )
        }
    }
}

/// The component is the recorded one; so must be everything else.
fn check(record: &MetricRecord, metric: &Metric) -> Result<(), Refused> {
    let contract = &metric.identity().contract;
    if *contract == record.contract {
        // The reader has read it once already.
        if record.description.read().ok().as_ref() == Some(metric.description()) {
            return Ok(());
        }
        return Err(Refused(format!(
            "metric `{}` describes itself otherwise than the run file says, with the same contract: \
             its scale, fields or other words were edited",
            record.name
        )));
    }
    Err(Refused(format!(
        "metric `{}` has contract {} in the run file and {contract} here, with the same component: \
         its configuration, interface or environment is recorded otherwise",
        record.name, record.contract
    )))
}

/// Folders of components, read when the first one is looked for.
struct Folders<'a> {
    folders: &'a [PathBuf],
    found: Option<BTreeMap<String, PathBuf>>,
}

impl Folders<'_> {
    fn get(&mut self, version: &str, limit: u64) -> anyhow::Result<Option<PathBuf>> {
        let found = match &mut self.found {
            Some(found) => found,
            None => self.found.insert(read(self.folders, limit)?),
        };
        Ok(found.get(version).cloned())
    }
}

/// Every component in `folders`, by version.
fn read(folders: &[PathBuf], limit: u64) -> anyhow::Result<BTreeMap<String, PathBuf>> {
    let mut found = BTreeMap::new();
    for folder in folders {
        let unreadable = || format!("folder `{}` can't be read", folder.display());
        for entry in std::fs::read_dir(folder).with_context(unreadable)? {
            let path = entry.with_context(unreadable)?.path();
            if path.is_file()
                && path
                    .extension()
                    .is_some_and(|extension| extension == "wasm")
                && let Ok(version) = Source::Path(path.clone()).version(limit)
            {
                found.entry(version).or_insert(path);
            }
        }
    }
    Ok(found)
}
