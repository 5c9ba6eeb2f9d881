//! `weigh inspect`: what a metric is, without measuring.

use std::process::ExitCode;

use weighbridge::plugin::{Inspection, Sandbox, Source};
use weighbridge::report;

use crate::{exit, limits, metrics, stdout};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// The metric: a built-in name, or a path with a slash or `.wasm`
    metric: String,
    /// Describe it under this configuration, a JSON object or `@FILE`
    #[arg(long, value_name = "JSON|@FILE")]
    config: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    limits: limits::Args,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let sandbox = Sandbox::new(args.limits.limits()?, 1);
    let config = metrics::config(args.config.as_deref())?;
    let inspection = Inspection::new(&sandbox, &Source::parse(&args.metric), &config)?;
    if args.json {
        stdout::write(&format!("{}\n", serde_json::to_string_pretty(&inspection)?))?;
    } else {
        stdout::write(&report::inspection(&inspection))?;
    }
    Ok(match inspection.problem {
        Some(_) => ExitCode::from(exit::COULD_NOT_START),
        None => ExitCode::SUCCESS,
    })
}
