//! Metrics as WebAssembly components: loading, checking and calling them in a
//! closed sandbox. The only folder that names wasmtime.

mod bindings;
mod builtin;
mod cache;
mod component;
mod componentize;
mod description;
mod engine;
mod error;
mod failure;
mod file;
mod guest;
mod imports;
mod inspect;
mod instance;
mod limits;
mod metric;

pub use bindings::INTERFACE;
pub use builtin::builtin_names;
pub use cache::{Cache, CacheError};
pub use componentize::{ComponentizeError, componentize};
pub use description::{Description, JudgeStep};
pub use engine::{Sandbox, WASMTIME_VERSION};
pub use error::{ConfigError, LoadError, LoadProblem};
pub use file::{Source, SourceError};
pub use imports::Grant;
pub use inspect::{Import, Inspection, Needs};
pub use limits::{LimitError, Limits};
pub use metric::Metric;
