//! Flags for the limits of the sandbox.

use std::fmt::Display;
use std::time::Duration;

use weighbridge::config::LimitEntries;
use weighbridge::plugin::Limits;

/// What a metric may use. Sizes are bytes, or have a unit: 64KiB, 256MiB.
#[derive(Clone, clap::Args)]
#[command(next_help_heading = "Limits")]
pub(crate) struct Args {
    /// Fuel for one measurement, about one unit an instruction [default: 10000000000]
    #[arg(long, value_name = "UNITS")]
    max_fuel: Option<u64>,
    /// Memory of a metric [default: 256MiB]
    #[arg(long, value_name = "SIZE", value_parser = size)]
    max_memory: Option<u64>,
    /// Seconds for one measurement, a backstop behind the fuel [default: 60]
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    timeout: Option<Duration>,
    /// WebAssembly stack [default: 4MiB]
    #[arg(long, value_name = "SIZE", value_parser = size)]
    max_stack: Option<u64>,
    /// Result of one measurement: reason and breakdown [default: 1MiB]
    #[arg(long, value_name = "SIZE", value_parser = size)]
    max_output: Option<u64>,
    /// Verbose logs of one measurement [default: 1MiB]
    #[arg(long, value_name = "SIZE", value_parser = size)]
    max_log: Option<u64>,
    /// Test case, declared fields only [default: 16MiB]
    #[arg(long, value_name = "SIZE", value_parser = size)]
    max_case: Option<u64>,
    /// Component file [default: 128MiB]
    #[arg(long, value_name = "SIZE", value_parser = size)]
    max_component: Option<u64>,
    /// Table elements of a metric [default: 1048576]
    #[arg(long, value_name = "N")]
    max_table_elements: Option<u64>,
    /// Core instances within a component [default: 64]
    #[arg(long, value_name = "N")]
    max_instances: Option<u32>,
    /// Memories within a component [default: 8]
    #[arg(long, value_name = "N")]
    max_memories: Option<u32>,
    /// Tables within a component [default: 32]
    #[arg(long, value_name = "N")]
    max_tables: Option<u32>,
    /// Live resource handles of a metric [default: 10000]
    #[arg(long, value_name = "N")]
    max_handles: Option<u64>,
}

impl Args {
    /// The limits asked for; the default where none is.
    pub(crate) fn limits(&self) -> anyhow::Result<Limits> {
        let default = Limits::default();
        let in_memory = |asked: Option<u64>, default: usize| {
            asked.map_or(default, |size| usize::try_from(size).unwrap_or(usize::MAX))
        };
        let limits = Limits {
            fuel: self.max_fuel.unwrap_or(default.fuel),
            memory_bytes: in_memory(self.max_memory, default.memory_bytes),
            timeout: self.timeout.unwrap_or(default.timeout),
            stack_bytes: in_memory(self.max_stack, default.stack_bytes),
            output_bytes: in_memory(self.max_output, default.output_bytes),
            log_bytes: in_memory(self.max_log, default.log_bytes),
            case_bytes: in_memory(self.max_case, default.case_bytes),
            component_bytes: self.max_component.unwrap_or(default.component_bytes),
            table_elements: in_memory(self.max_table_elements, default.table_elements),
            instances: self.max_instances.unwrap_or(default.instances),
            memories: self.max_memories.unwrap_or(default.memories),
            tables: self.max_tables.unwrap_or(default.tables),
            handles: in_memory(self.max_handles, default.handles),
        };
        limits.check()?;
        Ok(limits)
    }

    /// Takes what isn't asked for from the project file.
    pub(crate) fn fill(&mut self, project: &LimitEntries) -> anyhow::Result<()> {
        fill(&mut self.max_fuel, project.fuel);
        fill_read(&mut self.max_memory, &project.memory, "memory", size)?;
        fill_read(&mut self.timeout, &project.timeout, "timeout", seconds)?;
        fill_read(&mut self.max_stack, &project.stack, "stack", size)?;
        fill_read(&mut self.max_output, &project.output, "output", size)?;
        fill_read(&mut self.max_log, &project.log, "log", size)?;
        fill_read(&mut self.max_case, &project.case, "case", size)?;
        fill_read(
            &mut self.max_component,
            &project.component,
            "component",
            size,
        )?;
        fill(&mut self.max_table_elements, project.table_elements);
        fill(&mut self.max_instances, project.instances);
        fill(&mut self.max_memories, project.memories);
        fill(&mut self.max_tables, project.tables);
        fill(&mut self.max_handles, project.handles);
        Ok(())
    }
}

fn fill<T>(asked: &mut Option<T>, project: Option<T>) {
    if asked.is_none() {
        *asked = project;
    }
}

/// The same for a value that is read as its flag would be.
fn fill_read<T, E: Display>(
    asked: &mut Option<T>,
    project: &Option<E>,
    key: &str,
    read: impl Fn(&str) -> Result<T, String>,
) -> anyhow::Result<()> {
    if asked.is_none()
        && let Some(entry) = project
    {
        let text = entry.to_string();
        let value = read(&text).map_err(|remedy| {
            anyhow::anyhow!("project key `limits.{key}` is `{text}`: {remedy}")
        })?;
        *asked = Some(value);
    }
    Ok(())
}

/// Reads `4096`, `64KiB`, `256MiB` or `1GiB`.
pub(crate) fn size(text: &str) -> Result<u64, String> {
    let units = [("KiB", 10), ("MiB", 20), ("GiB", 30)];
    let (digits, shift) = units
        .iter()
        .find_map(|(unit, shift)| Some((text.strip_suffix(unit)?, *shift)))
        .unwrap_or((text, 0));
    digits
        .trim()
        .parse::<u64>()
        .ok()
        .and_then(|number| number.checked_mul(1 << shift))
        .ok_or_else(|| "write a number of bytes, or one with KiB, MiB or GiB".to_owned())
}

fn seconds(text: &str) -> Result<Duration, String> {
    text.parse::<f64>()
        .ok()
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
        .ok_or_else(|| "write a number of seconds".to_owned())
}
