//! The state of one instance: what it may still use and what it has used.

use wasmtime::ResourceLimiter;

use super::limits::Limits;
use crate::outcome::{ErrorCode, Failure};

/// Host state of one store: counters, and the first refusal.
pub(super) struct Guest {
    pub(super) memory: u64,
    pub(super) peak_memory: u64,
    pub(super) logs: String,
    table_elements: usize,
    over_own_maximum: bool,
    memory_limit: usize,
    table_limit: usize,
    log_limit: usize,
    instances: usize,
    memories: usize,
    tables: usize,
}

impl Guest {
    /// A guest that has used nothing yet.
    pub(super) fn new(limits: &Limits) -> Guest {
        Guest {
            memory: 0,
            peak_memory: 0,
            logs: String::new(),
            table_elements: 0,
            over_own_maximum: false,
            memory_limit: limits.memory_bytes,
            table_limit: limits.table_elements,
            log_limit: limits.log_bytes,
            instances: limits.instances as usize,
            memories: limits.memories as usize,
            tables: limits.tables as usize,
        }
    }

    /// Adds a line to the logs.
    pub(super) fn log(&mut self, message: &str) -> Result<(), Failure> {
        if self.logs.len() + message.len() + 1 > self.log_limit {
            return Err(Failure::new(
                ErrorCode::LogTooLarge,
                format!(
                    "the metric wrote more than {} bytes of logs: write less, or raise `--max-log`",
                    self.log_limit
                ),
            ));
        }
        if !self.logs.is_empty() {
            self.logs.push('\n');
        }
        self.logs.push_str(message);
        Ok(())
    }
}

/// Growth past a limit ends the guest at once. If it were only refused, the
/// guest could go on to a score that depends on the limit.
impl ResourceLimiter for Guest {
    fn memory_growing(
        &mut self,
        current: usize,
        desired: usize,
        maximum: Option<usize>,
    ) -> wasmtime::Result<bool> {
        let total = self.memory - current as u64 + desired as u64;
        if total > self.memory_limit as u64 {
            return Err(Failure::new(
                ErrorCode::OutOfMemory,
                format!(
                    "the metric asked for {} of memory and may have {}: \
                     use less, or raise `--max-memory`",
                    mebibytes(total),
                    mebibytes(self.memory_limit as u64)
                ),
            )
            .into());
        }
        self.over_own_maximum = maximum.is_some_and(|maximum| desired > maximum);
        if !self.over_own_maximum {
            self.memory = total;
            self.peak_memory = self.peak_memory.max(total);
        }
        Ok(true)
    }

    fn memory_grow_failed(&mut self, error: wasmtime::Error) -> wasmtime::Result<()> {
        self.grow_failed(&error)
    }

    fn table_growing(
        &mut self,
        current: usize,
        desired: usize,
        maximum: Option<usize>,
    ) -> wasmtime::Result<bool> {
        let total = self.table_elements - current + desired;
        if total > self.table_limit {
            return Err(Failure::new(
                ErrorCode::OutOfTables,
                format!(
                    "the metric asked for {total} table elements and may have {}: \
                     use less, or raise `--max-table-elements`",
                    self.table_limit
                ),
            )
            .into());
        }
        self.over_own_maximum = maximum.is_some_and(|maximum| desired > maximum);
        if !self.over_own_maximum {
            self.table_elements = total;
        }
        Ok(true)
    }

    fn table_grow_failed(&mut self, error: wasmtime::Error) -> wasmtime::Result<()> {
        self.grow_failed(&error)
    }

    fn instances(&self) -> usize {
        self.instances
    }

    fn tables(&self) -> usize {
        self.tables
    }

    fn memories(&self) -> usize {
        self.memories
    }
}

impl Guest {
    /// A guest that grows past the maximum it declared itself is told so and
    /// goes on; a machine that has no more to give ends the measurement.
    fn grow_failed(&mut self, error: &wasmtime::Error) -> wasmtime::Result<()> {
        if self.over_own_maximum {
            return Ok(());
        }
        Err(Failure::new(
            ErrorCode::HostResources,
            format!("the machine had no memory for the metric ({error}): run fewer `--jobs`"),
        )
        .into())
    }
}

fn mebibytes(bytes: u64) -> String {
    format!("{:.1} MiB", bytes as f64 / f64::from(1 << 20))
}
