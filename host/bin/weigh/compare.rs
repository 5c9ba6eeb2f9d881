//! `weigh compare`: one run against another, case by case.

use std::path::PathBuf;
use std::process::ExitCode;

use weighbridge::compare::{By, Change, Comparison, Options, Side, SideError, compare};
use weighbridge::report;

use crate::{exit, stdout};

/// Shown below `weigh compare --help`.
const HELP: &str = "\
Exit codes:
  0    compared, whatever came of it
  2    a run file can't be used, or the cases can't be paired
  5    refused: contract or scale of a metric differs; the others are compared";

#[derive(clap::Args)]
#[command(after_help = HELP)]
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
    let comparison = found(args)?;
    stdout::write(&if args.json {
        serde_json::to_string_pretty(&comparison)? + "\n"
    } else {
        report::comparison(&comparison)
    })?;
    Ok(exit::of_comparison(&comparison))
}

fn found(args: &Args) -> Result<Comparison, SideError> {
    let [a, b] = Side::read_both(&args.a, &args.b)?;
    let options = Options {
        by: args.by,
        seed: args.seed,
        across_contracts: args.across_contracts,
        rows: args.rows,
        threads: None,
    };
    compare(&a, &b, &options)
}
