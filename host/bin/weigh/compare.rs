//! `weigh compare`: one run against another, case by case.

use std::path::PathBuf;
use std::process::ExitCode;

use weighbridge::compare::{By, Change, Comparison, Options, Side, compare};
use weighbridge::report;

use crate::exit;

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
        },
    )?;
    if args.json {
        println!("{}", serde_json::to_string_pretty(&comparison)?);
    } else {
        print!("{}", report::comparison(&comparison));
    }
    Ok(code(&comparison))
}

/// A comparison that leaves a metric out is a refusal.
fn code(comparison: &Comparison) -> ExitCode {
    if comparison
        .metrics
        .iter()
        .any(|metric| metric.found.is_none())
    {
        ExitCode::from(exit::REFUSED)
    } else {
        ExitCode::SUCCESS
    }
}
