//! From bytes to a component that is known to be a metric.

use wasmtime::component::Component;
use wasmtime::component::types::ComponentItem;

use super::bindings::LoggingMetricPre;
use super::cache::Cache;
use super::engine::Sandbox;
use super::error::LoadProblem;
use super::file::{self, Source};
use super::guest::Guest;
use super::imports::{self, Grant};
use super::limits::Limits;
use crate::contract::digest_bytes;

/// A compiled component of which nothing more is known yet.
pub(super) struct Opened {
    pub(super) bytes: Vec<u8>,
    pub(super) version: String,
    pub(super) component: Component,
}

/// A component that exports the metric interface and imports only what the
/// host grants.
pub(super) struct Admitted {
    pub(super) interface: String,
    pub(super) pre: LoggingMetricPre<Guest>,
}

/// Reads the bytes once, hashes those bytes and compiles those bytes.
pub(super) fn open(
    sandbox: &Sandbox,
    cache: Option<&Cache>,
    source: &Source,
) -> Result<Opened, LoadProblem> {
    let bytes = file::read(source, sandbox.limits.component_bytes)?;
    let version = digest_bytes(&bytes);
    let component = compile(sandbox, cache, &version, &bytes)?;
    Ok(Opened {
        bytes,
        version,
        component,
    })
}

/// Checks exports, imports and needs against what the host speaks and grants.
pub(super) fn admit(sandbox: &Sandbox, component: &Component) -> Result<Admitted, LoadProblem> {
    let interface = check_export(sandbox, component)?;
    check_imports(sandbox, component)?;
    check_needs(&sandbox.limits, component)?;
    let pre = sandbox
        .linker
        .instantiate_pre(component)
        .map_err(|error| LoadProblem::ImportShape(error.root_cause().to_string()))?;
    let pre = LoggingMetricPre::new(pre)
        .map_err(|error| LoadProblem::OtherShape(error.root_cause().to_string()))?;
    Ok(Admitted { interface, pre })
}

fn compile(
    sandbox: &Sandbox,
    cache: Option<&Cache>,
    version: &str,
    bytes: &[u8],
) -> Result<Component, LoadProblem> {
    let engine = &sandbox.engine;
    if let Some(component) = cache.and_then(|cache| cache.get(engine, version)) {
        return Ok(component);
    }
    let component =
        Component::from_binary(engine, bytes).map_err(|error| refused(sandbox, bytes, &error))?;
    if let Some(cache) = cache {
        cache.put(engine, version, &component);
    }
    Ok(component)
}

/// Why the engine doesn't compile these bytes. A pooling engine refuses what
/// won't fit its slots, which is not the component's fault.
fn refused(sandbox: &Sandbox, bytes: &[u8], error: &wasmtime::Error) -> LoadProblem {
    let needs = sandbox
        .unpooled()
        .and_then(|engine| Component::from_binary(&engine, bytes))
        .map(|component| check_needs(&sandbox.limits, &component));
    let cause = error.root_cause().to_string();
    match needs {
        Ok(Err(problem)) => problem,
        // The number of instances isn't known without instantiating; a test
        // holds the wording.
        Ok(Ok(())) if cause.contains("core module instances") => LoadProblem::Needs {
            needs: "more core instances".to_owned(),
            limit: sandbox.limits.instances.to_string(),
            flag: "--max-instances",
        },
        _ => LoadProblem::Invalid(cause),
    }
}

/// The exact interface that the component exports, if this host speaks it.
fn check_export(sandbox: &Sandbox, component: &Component) -> Result<String, LoadProblem> {
    let ty = component.component_type();
    let mut exports = Vec::new();
    let mut other = None;
    for (name, export) in ty.exports(&sandbox.engine) {
        let Some(version) = name.strip_prefix("weighbridge:metric/metric@") else {
            exports.push(format!("`{name}`"));
            continue;
        };
        if !matches!(export.ty, ComponentItem::ComponentInstance(_)) {
            exports.push(format!("`{name}`"));
        } else if version.starts_with("0.1.") {
            return Ok(name.to_owned());
        } else {
            other = Some(name.to_owned());
        }
    }
    if let Some(found) = other {
        return Err(LoadProblem::OtherInterface { found });
    }
    Err(LoadProblem::NoMetric {
        exports: if exports.is_empty() {
            "nothing".to_owned()
        } else {
            exports.join(", ")
        },
    })
}

fn check_imports(sandbox: &Sandbox, component: &Component) -> Result<(), LoadProblem> {
    for (name, _) in component.component_type().imports(&sandbox.engine) {
        match imports::grant(name) {
            Grant::Log => {}
            Grant::Judge => return Err(LoadProblem::Judge(name.to_owned())),
            Grant::Refused => return Err(LoadProblem::Ungranted(name.to_owned())),
        }
    }
    Ok(())
}

/// Refuses what could never be instantiated, with the flag that allows it.
fn check_needs(limits: &Limits, component: &Component) -> Result<(), LoadProblem> {
    let Some(needs) = component.resources_required() else {
        return Ok(());
    };
    let pages = needs.max_initial_memory_size.unwrap_or(0);
    let refuse =
        |needs: String, limit: String, flag| Err(LoadProblem::Needs { needs, limit, flag });
    if needs.num_memories > limits.memories {
        return refuse(
            format!("{} memories", needs.num_memories),
            limits.memories.to_string(),
            "--max-memories",
        );
    }
    if needs.num_tables > limits.tables {
        return refuse(
            format!("{} tables", needs.num_tables),
            limits.tables.to_string(),
            "--max-tables",
        );
    }
    if pages.saturating_mul(64 << 10) > limits.memory_bytes as u64 {
        return refuse(
            format!("a memory of {pages} pages (64 KiB each)"),
            format!("{} bytes", limits.memory_bytes),
            "--max-memory",
        );
    }
    if needs.max_initial_table_size.unwrap_or(0) > limits.table_elements as u64 {
        return refuse(
            format!(
                "a table of {} elements",
                needs.max_initial_table_size.unwrap_or(0)
            ),
            limits.table_elements.to_string(),
            "--max-table-elements",
        );
    }
    Ok(())
}
