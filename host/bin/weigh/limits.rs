//! Flags for the limits of the sandbox.

use std::time::Duration;

use weighbridge::plugin::Limits;

/// What a metric may use. Sizes are bytes, or have a unit: 64KiB, 256MiB.
#[derive(clap::Args)]
#[command(next_help_heading = "Limits")]
pub(crate) struct Args {
    /// Fuel for one measurement, about one unit an instruction
    #[arg(long, value_name = "UNITS", default_value_t = Limits::default().fuel)]
    max_fuel: u64,
    /// Memory of a metric
    #[arg(long, value_name = "SIZE", value_parser = memory_size, default_value = "256MiB")]
    max_memory: u64,
    /// Seconds for one measurement, a backstop behind the fuel
    #[arg(long, value_name = "SECONDS", value_parser = seconds, default_value = "60")]
    timeout: Duration,
    /// WebAssembly stack
    #[arg(long, value_name = "SIZE", value_parser = stack_size, default_value = "4MiB")]
    max_stack: u64,
    /// Result of one measurement: reason and breakdown
    #[arg(long, value_name = "SIZE", value_parser = size, default_value = "1MiB")]
    max_output: u64,
    /// Verbose logs of one measurement
    #[arg(long, value_name = "SIZE", value_parser = size, default_value = "1MiB")]
    max_log: u64,
    /// Test case, declared fields only
    #[arg(long, value_name = "SIZE", value_parser = size, default_value = "16MiB")]
    max_case: u64,
    /// Component file
    #[arg(long, value_name = "SIZE", value_parser = size, default_value = "128MiB")]
    max_component: u64,
    /// Table elements of a metric
    #[arg(long, value_name = "N", default_value_t = Limits::default().table_elements)]
    max_table_elements: usize,
    /// Core instances within a component
    #[arg(long, value_name = "N", default_value_t = Limits::default().instances, value_parser = clap::value_parser!(u32).range(1..=1000))]
    max_instances: u32,
    /// Memories within a component
    #[arg(long, value_name = "N", default_value_t = Limits::default().memories, value_parser = clap::value_parser!(u32).range(1..=1000))]
    max_memories: u32,
    /// Tables within a component
    #[arg(long, value_name = "N", default_value_t = Limits::default().tables, value_parser = clap::value_parser!(u32).range(1..=1000))]
    max_tables: u32,
    /// Live resource handles of a metric
    #[arg(long, value_name = "N", default_value_t = Limits::default().handles)]
    max_handles: usize,
}

impl Args {
    pub(crate) fn limits(&self) -> Limits {
        let in_memory = |size: u64| usize::try_from(size).unwrap_or(usize::MAX);
        Limits {
            fuel: self.max_fuel,
            memory_bytes: in_memory(self.max_memory),
            timeout: self.timeout,
            stack_bytes: in_memory(self.max_stack),
            output_bytes: in_memory(self.max_output),
            log_bytes: in_memory(self.max_log),
            case_bytes: in_memory(self.max_case),
            component_bytes: self.max_component,
            table_elements: self.max_table_elements,
            instances: self.max_instances,
            memories: self.max_memories,
            tables: self.max_tables,
            handles: self.max_handles,
        }
    }
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

fn stack_size(text: &str) -> Result<u64, String> {
    size(text)
        .ok()
        .filter(|size| (64 << 10..=1 << 30).contains(size))
        .ok_or_else(|| "write a size from 64KiB to 1GiB".to_owned())
}

fn memory_size(text: &str) -> Result<u64, String> {
    size(text)
        .ok()
        .filter(|size| (64 << 10..=4 << 30).contains(size))
        .ok_or_else(|| "write a size from 64KiB to 4GiB, all that a metric can address".to_owned())
}

fn seconds(text: &str) -> Result<Duration, String> {
    text.parse::<f64>()
        .ok()
        .filter(|seconds| *seconds > 0.0 && *seconds <= 86_400.0)
        .map(Duration::from_secs_f64)
        .ok_or_else(|| "write seconds above 0 and at most 86400".to_owned())
}
