//! What a component is, without measuring anything.

use serde::Serialize;
use serde_json::Value;

use super::component;
use super::description::{self, Description};
use super::engine::Sandbox;
use super::error::LoadError;
use super::file::{self, Source};
use super::imports::{self, Grant};

/// What a component is, and whether the host would run it.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Inspection {
    /// Where it came from.
    pub source: Source,
    /// `sha256:` and the hex of its bytes.
    pub version: String,
    /// Bytes of the file.
    pub size: u64,
    /// Everything it exports; only the metric interface matters.
    pub exports: Vec<String>,
    /// Everything it imports.
    pub imports: Vec<Import>,
    /// The tools that made it, from its producers sections.
    pub producers: Vec<String>,
    /// What it needs before it runs; null if that isn't known beforehand.
    pub needs: Option<Needs>,
    /// What it says of itself; null if it can't be run.
    pub description: Option<Description>,
    /// Its contract under the configuration; null if it can't be run.
    pub contract: Option<String>,
    /// Why the host would not run it.
    pub problem: Option<String>,
}

/// One import and what the host does about it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Import {
    /// The interface's name.
    pub name: String,
    /// What the host does about it.
    pub grant: Grant,
}

/// What a component needs before it runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Needs {
    /// Linear memories.
    pub memories: u32,
    /// Bytes of the largest memory at the start.
    pub largest_memory_bytes: u64,
    /// Tables.
    pub tables: u32,
    /// Elements of the largest table at the start.
    pub largest_table_elements: u64,
}

impl Inspection {
    /// Looks at the component of `source`, and asks it to describe itself
    /// under `config` if the host would run it.
    ///
    /// # Errors
    ///
    /// The file isn't a component at all.
    pub fn new(
        sandbox: &Sandbox,
        source: &Source,
        config: &Value,
    ) -> Result<Inspection, LoadError> {
        let opened = component::open(sandbox, None, source).map_err(|problem| LoadError {
            source_name: source.to_string(),
            problem: Box::new(problem),
        })?;
        let ty = opened.component.component_type();
        let described = component::admit(sandbox, &opened.component).and_then(|admitted| {
            description::describe(sandbox, &admitted, &opened.version, config)
        });
        let (description, contract, problem) = match described {
            Ok(described) => (Some(described.description), Some(described.contract), None),
            Err(problem) => (None, None, Some(problem.to_string())),
        };
        Ok(Inspection {
            source: source.clone(),
            size: opened.bytes.len() as u64,
            exports: ty
                .exports(&sandbox.engine)
                .map(|(name, _)| name.to_owned())
                .collect(),
            imports: ty
                .imports(&sandbox.engine)
                .map(|(name, _)| import(name))
                .collect(),
            producers: file::producers(&opened.bytes),
            needs: opened.component.resources_required().map(|needs| Needs {
                memories: needs.num_memories,
                largest_memory_bytes: needs.max_initial_memory_size.unwrap_or(0) * (64 << 10),
                tables: needs.num_tables,
                largest_table_elements: needs.max_initial_table_size.unwrap_or(0),
            }),
            version: opened.version,
            description,
            contract,
            problem,
        })
    }
}

fn import(name: &str) -> Import {
    Import {
        name: name.to_owned(),
        grant: imports::grant(name),
    }
}
