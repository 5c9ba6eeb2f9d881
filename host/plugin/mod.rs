//! Metrics as WebAssembly components: loading, checking and calling them in a
//! closed sandbox. The only folder that names wasmtime.

mod bindings;
mod builtin;
mod cache;
mod component;
mod componentize;
mod engine;
mod failure;
mod file;
mod imports;
mod inspect;
mod instance;
mod limits;
mod metric;
mod sandbox;

pub use builtin::builtin_names;
pub use cache::{Cache, CacheError};
pub use component::{INTERFACE, LoadError, LoadProblem};
pub use componentize::{ComponentizeError, componentize};
pub use engine::{Sandbox, WASMTIME_VERSION};
pub use file::{Source, SourceError};
pub use imports::Grant;
pub use inspect::{Import, Inspection, Needs};
pub use limits::Limits;
pub use metric::{ConfigError, Description, JudgeStep, Metric};
