//! `weigh schema`: the JSON Schema of the project file.

use std::process::ExitCode;

pub(crate) fn run() -> anyhow::Result<ExitCode> {
    println!(
        "{}",
        serde_json::to_string_pretty(&weighbridge::config::schema())?
    );
    Ok(ExitCode::SUCCESS)
}
