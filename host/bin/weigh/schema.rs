//! `weigh schema`: the JSON Schema of the project file.

use std::process::ExitCode;

use weighbridge::config::schema;

use crate::stdout;

pub(crate) fn run() -> anyhow::Result<ExitCode> {
    stdout::write(&format!("{}\n", serde_json::to_string_pretty(&schema())?))?;
    Ok(ExitCode::SUCCESS)
}
