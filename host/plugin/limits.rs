//! What a guest may use.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// What a guest may use. A limit ends a measurement; it never changes one,
/// so limits stay outside the contract.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Limits {
    /// Fuel for one call, instantiation included; about one unit for each
    /// WebAssembly instruction and each byte of a bulk-memory operation.
    pub fuel: u64,
    /// Bytes of linear memory, summed over all memories of an instance.
    pub memory_bytes: usize,
    /// Wall-clock time for one call, a backstop behind `fuel`.
    #[serde(with = "seconds", rename = "timeoutSeconds")]
    pub timeout: Duration,
    /// Bytes of WebAssembly stack.
    pub stack_bytes: usize,
    /// Bytes that a result may hold: reason, parts, description.
    pub output_bytes: usize,
    /// Bytes of verbose logs for one call.
    pub log_bytes: usize,
    /// Bytes of a test case as canonical JSON, declared fields only.
    pub case_bytes: usize,
    /// Bytes of a component file.
    pub component_bytes: u64,
    /// Elements of all tables of an instance.
    pub table_elements: usize,
    /// Core instances within a component.
    pub instances: u32,
    /// Linear memories within a component.
    pub memories: u32,
    /// Tables within a component.
    pub tables: u32,
    /// Live resource handles.
    pub handles: usize,
}

/// A limit that no host can keep.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("limit `{name}` is {value}: choose one from {lowest} to {highest}{unit}")]
pub struct LimitError {
    name: &'static str,
    value: f64,
    lowest: f64,
    highest: f64,
    unit: &'static str,
}

impl Limits {
    /// Checks every limit against what a host can keep: more would end the
    /// process instead of a guest, and less lets nothing run.
    ///
    /// # Errors
    ///
    /// A limit lies outside its range.
    pub fn check(&self) -> Result<(), LimitError> {
        const KIB: f64 = 1024.0;
        const GIB: f64 = 1024.0 * 1024.0 * KIB;
        let bytes =
            |name, size: usize, lowest, highest| (name, size as f64, lowest, highest, " bytes");
        let count = |name, count: u32| (name, f64::from(count), 1.0, 1000.0, "");
        for (name, value, lowest, highest, unit) in [
            bytes("memory", self.memory_bytes, 64.0 * KIB, 4.0 * GIB),
            bytes("stack", self.stack_bytes, 64.0 * KIB, GIB),
            bytes("output", self.output_bytes, 0.0, GIB),
            bytes("log", self.log_bytes, 0.0, GIB),
            bytes("case", self.case_bytes, 0.0, GIB),
            (
                "component",
                self.component_bytes as f64,
                0.0,
                4.0 * GIB,
                " bytes",
            ),
            (
                "timeout",
                self.timeout.as_secs_f64(),
                1e-3,
                86_400.0,
                " seconds",
            ),
            ("table-elements", self.table_elements as f64, 0.0, 1e8, ""),
            ("handles", self.handles as f64, 0.0, 1e8, ""),
            count("instances", self.instances),
            count("memories", self.memories),
            count("tables", self.tables),
        ] {
            if !(lowest..=highest).contains(&value) {
                return Err(LimitError {
                    name,
                    value,
                    lowest,
                    highest,
                    unit,
                });
            }
        }
        Ok(())
    }
}

impl Default for Limits {
    /// Enough for every guest language tried: 10^10 fuel (10 to 20 s of a
    /// loop), 256 MiB of memory, 60 s, 4 MiB of stack.
    fn default() -> Limits {
        Limits {
            fuel: 10_000_000_000,
            memory_bytes: 256 << 20,
            timeout: Duration::from_secs(60),
            stack_bytes: 4 << 20,
            output_bytes: 1 << 20,
            log_bytes: 1 << 20,
            case_bytes: 16 << 20,
            component_bytes: 128 << 20,
            table_elements: 1 << 20,
            instances: 64,
            memories: 8,
            tables: 32,
            handles: 10_000,
        }
    }
}

/// A time as a number of seconds.
mod seconds {
    use std::time::Duration;

    use serde::{Deserialize, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(
        time: &Duration,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(time.as_secs_f64())
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Duration, D::Error> {
        let seconds = f64::deserialize(deserializer)?;
        Duration::try_from_secs_f64(seconds).map_err(serde::de::Error::custom)
    }
}
