//! The header of a run file, from the command line and what was loaded.

use std::num::NonZeroU64;

use anyhow::Context;
use serde_json::Map;
use weighbridge::dataset::{DataSet, Mapping};
use weighbridge::evaluate::Weighing;
use weighbridge::plugin::{Sandbox, WASMTIME_VERSION};
use weighbridge::run::{DataSetRecord, FORMAT, Header, MetricRecord, Stored};

use crate::machine::now;
use crate::plan::Plan;

/// What is measured, and by what.
pub(crate) fn header(
    plan: &Plan,
    data_set: &DataSet,
    weighings: &[Weighing],
    sandbox: &Sandbox,
    jobs: usize,
) -> anyhow::Result<Header> {
    Ok(Header {
        format: FORMAT.to_owned(),
        weighbridge: env!("CARGO_PKG_VERSION").to_owned(),
        wasmtime: WASMTIME_VERSION.to_owned(),
        command: std::env::args_os()
            .map(|argument| argument.to_string_lossy().into_owned())
            .collect(),
        started: now(),
        data_set: DataSetRecord {
            path: data_set.label().to_owned(),
            format: data_set.format().to_string(),
            digest: digest(&plan.data)?,
            mapping: serde_json::to_value(&Mapping::parse(&plan.data_set.map)?)?,
            delimiter: plan.data_set.delimiter(),
            max_row_bytes: Some(plan.data_set.max_row_bytes()),
            limit: plan.data_set.limit.map(NonZeroU64::get),
            other: Map::new(),
        },
        metrics: weighings.iter().map(metric_record).collect(),
        limits: serde_json::to_value(sandbox.limits())?,
        jobs: jobs as u64,
        cases: Some(plan.cases),
        reused: Vec::new(),
        rejudged: Vec::new(),
        other: Map::new(),
    })
}

fn metric_record(weighing: &Weighing) -> MetricRecord {
    let metric = &weighing.metric;
    let identity = metric.identity();
    MetricRecord {
        name: identity.name.clone(),
        source: metric.source().to_string(),
        version: identity.version.clone(),
        interface: metric.interface().to_owned(),
        contract: identity.contract.clone(),
        config: metric.config().clone(),
        environment: None,
        description: Stored::new(metric.description()),
        policy: weighing.policy,
        judge: None,
        other: Map::new(),
    }
}

/// The digest of the data set's bytes; standard input can't be read twice.
fn digest(path: &std::path::Path) -> anyhow::Result<Option<String>> {
    if path == std::path::Path::new("-") {
        return Ok(None);
    }
    let file = std::fs::File::open(path)?;
    let digest = weighbridge::contract::digest_reader(file)
        .with_context(|| format!("data set `{}` can't be read", path.display()))?;
    Ok(Some(digest))
}
