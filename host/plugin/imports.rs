//! What a component may import, and what it gets.

use serde::Serialize;
use wasmtime::Engine;
use wasmtime::component::{HasSelf, Linker};

use super::bindings::LoggingMetric;
use super::bindings::weighbridge::metric::log;
use super::guest::Guest;

/// What the host does about an import.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Grant {
    /// Granted: bounded verbose logs.
    Log,
    /// Granted only to a metric that is bound to a judge.
    Judge,
    /// Refused.
    Refused,
}

/// What the host does about the import of this name.
pub(super) fn grant(import: &str) -> Grant {
    let interface = import.split('@').next().unwrap_or(import);
    match interface {
        "weighbridge:metric/log" => Grant::Log,
        "weighbridge:metric/judge" => Grant::Judge,
        _ => Grant::Refused,
    }
}

/// A linker that offers every import the host grants.
pub(super) fn linker(engine: &Engine) -> Linker<Guest> {
    let mut linker = Linker::new(engine);
    LoggingMetric::add_to_linker::<_, HasSelf<_>>(&mut linker, |guest| guest)
        .expect("an empty linker takes each name once");
    linker
}

impl log::Host for Guest {
    fn write(&mut self, message: String) -> wasmtime::Result<()> {
        Ok(self.log(&message)?)
    }
}
