//! The command `weigh`.

mod compare;
mod componentize;
mod components;
mod continuing;
mod data_set;
mod exit;
mod header;
mod inspect;
mod limits;
mod lock;
mod machine;
mod measuring;
mod metrics;
mod output;
mod plan;
mod printout;
mod progress;
mod project;
mod rejudge;
mod replacement;
mod resume;
mod rows;
mod run;
mod sandbox;
mod schema;
mod seen;
mod stdout;
mod verify;
mod whole;

use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Weighs the outputs of LLM applications with sandboxed metrics.
#[derive(Parser)]
#[command(name = "weigh", version, after_help = exit::HELP)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
#[expect(
    clippy::large_enum_variant,
    reason = "there is one command in a process"
)]
enum Command {
    /// Measure a data set with metrics and write a run file
    Run(run::Args),
    /// Judge a run file by other thresholds, without measuring
    Rejudge(rejudge::Args),
    /// Check a run file and measure it again
    Verify(verify::Args),
    /// Compare two run files case by case
    Compare(compare::Args),
    /// Write down, or check, which metrics a project is measured with
    Lock(lock::Args),
    /// Print the JSON Schema of the project file
    Schema,
    /// Show what a metric is, what it imports and what it is granted
    Inspect(inspect::Args),
    /// Make a component from a core module that was built for `wit/`
    Componentize(componentize::Args),
}

fn main() -> ExitCode {
    let matches = Cli::command().get_matches();
    let cli = Cli::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    let (_, matches) = matches.subcommand().expect("clap requires a subcommand");
    let result = match cli.command {
        Command::Run(args) => run::run(args, matches),
        Command::Rejudge(args) => rejudge::run(&args),
        Command::Verify(args) => verify::run(&args),
        Command::Compare(args) => compare::run(&args),
        Command::Lock(args) => lock::run(&args),
        Command::Schema => schema::run(),
        Command::Inspect(args) => inspect::run(&args),
        Command::Componentize(args) => componentize::run(&args),
    };
    result.unwrap_or_else(|error| {
        complain(&format!("{error:#}"));
        ExitCode::from(exit::COULD_NOT_START)
    })
}

/// Says on standard error what went wrong. Names and values in it may come from
/// anywhere, so nothing in it reaches the terminal as a command.
fn complain(message: &str) {
    eprintln!("error: {}", weighbridge::report::escape(message));
}
