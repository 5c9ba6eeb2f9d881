//! `weigh componentize`: from a core module to a component.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;

use crate::whole;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// The core module
    core: PathBuf,
    /// Write the component to this file
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let core = std::fs::read(&args.core)
        .with_context(|| format!("core module `{}` can't be read", args.core.display()))?;
    let component = weighbridge::plugin::componentize(&core)
        .with_context(|| format!("core module `{}`", args.core.display()))?;
    whole::write(&args.output, &component)
        .with_context(|| format!("component `{}` can't be written", args.output.display()))?;
    Ok(ExitCode::SUCCESS)
}
