//! `weigh compare`: one run against another, case by case.

use std::path::PathBuf;
use std::process::ExitCode;

use weighbridge::compare::{By, Change, Options, Side, compare};
use weighbridge::report;

use crate::{exit, stdout};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// The run file to compare with
    a: PathBuf,
    /// The run file that is compared
    b: PathBuf,
    /// Pair cases by name, input or row [default: the first of them that is unique in both runs]
    #[arg(long, value_name = "HOW")]
    by: Option<By>,
    /// List the cases that got worse, improved, became-failure, recovered …
    #[arg(long, value_name = "WHICH")]
    rows: Option<Change>,
    /// Compare a metric even if its contract changed
    #[arg(long)]
    across_contracts: bool,
    /// Draw the bootstrap with this seed
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let (a, b) = (Side::read(&args.a)?, Side::read(&args.b)?);
    let comparison = compare(
        &a,
        &b,
        &Options {
            by: args.by,
            seed: args.seed,
            across_contracts: args.across_contracts,
            rows: args.rows,
            threads: None,
        },
    )?;
    if args.json {
        stdout::write(&format!("{}\n", serde_json::to_string_pretty(&comparison)?))?;
    } else {
        stdout::write(&report::comparison(&comparison))?;
    }
    Ok(exit::of_comparison(&comparison))
}
