//! `weigh run`: measure a data set and write a run file.

use std::num::NonZeroU64;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::SystemTime;

use clap::ArgMatches;
use weighbridge::dataset::{self, DataSet, Delimiter, Format, Mapping};
use weighbridge::evaluate::Weighing;
use weighbridge::plugin::{Sandbox, Source};
use weighbridge::run::Reuse;

use crate::header::header;
use crate::measuring::{Measuring, Target};
use crate::{limits, metrics, output, resume, sandbox};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Test cases: JSON Lines, a JSON array or CSV; `-` is standard input
    pub(crate) data: PathBuf,
    #[command(flatten)]
    metrics: metrics::Args,
    #[command(flatten)]
    pub(crate) data_set: DataSetArgs,
    #[command(flatten)]
    pub(crate) output: output::Args,
    /// Keep only the digests of the test cases in the run file
    #[arg(long, help_heading = "Run file")]
    pub(crate) no_cases: bool,
    /// Go on with the run file of `--output` where it stopped, and measure pairs with infrastructure failures again
    #[arg(
        long,
        requires = "output",
        conflicts_with = "overwrite",
        help_heading = "Run file"
    )]
    resume: bool,
    /// Take over what this run file holds for the same contracts and cases (repeatable)
    #[arg(long, value_name = "RUN", help_heading = "Run file")]
    reuse: Vec<PathBuf>,
    /// Measurements side by side [default: one for each core]
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
    /// Show no progress and no table
    #[arg(short, long)]
    quiet: bool,
    #[command(flatten)]
    cache: sandbox::Args,
    #[command(flatten)]
    limits: limits::Args,
}

#[derive(clap::Args)]
#[command(next_help_heading = "Data set")]
pub(crate) struct DataSetArgs {
    /// Read the data as jsonl, json or csv [default: by extension, then by the first byte]
    #[arg(long)]
    format: Option<Format>,
    /// Read a field from another column or key; a source that begins with `/` is a JSON Pointer
    #[arg(long, value_name = "FIELD=SOURCE")]
    pub(crate) map: Vec<String>,
    /// What separates CSV cells: one character, or `tab`
    #[arg(long, value_name = "CHARACTER")]
    delimiter: Option<Delimiter>,
    /// Longest row that is read
    #[arg(long, value_name = "SIZE", value_parser = limits::size, default_value = "16MiB")]
    pub(crate) max_row_bytes: u64,
    /// End after this many rows
    #[arg(long, value_name = "N")]
    pub(crate) limit: Option<NonZeroU64>,
}

pub(crate) fn run(args: &Args, matches: &ArgMatches) -> anyhow::Result<ExitCode> {
    let requests = args.metrics.requests(matches)?;
    let options = args.data_set.options()?;
    if args.resume && args.data == Path::new("-") {
        anyhow::bail!(
            "a run on standard input can't be gone on with, since nothing says that its rows are the same: put them into a file"
        );
    }
    let data_set = DataSet::open(&args.data, &options)?;
    let jobs = args.jobs.map_or_else(cores, usize::from);
    let sandbox = Sandbox::new(args.limits.limits(), jobs);
    let weighings = metrics::load(&requests, &sandbox, args.cache.cache()?.as_ref())?;
    let reuse = reuse(&args.reuse, &weighings)?;
    let mut header = header(args, &data_set, &weighings, &sandbox, jobs)?;
    header.reused = reuse.as_ref().map(Reuse::references).unwrap_or_default();
    let target = if args.resume {
        resume::target(&args.output, &inputs(args, &weighings), &header)?
    } else {
        Target::New(args.output.open(&inputs(args, &weighings))?)
    };
    let measuring = Measuring {
        weighings: &weighings,
        header: &header,
        reuse: reuse.as_ref(),
        limit: args.data_set.limit.map(NonZeroU64::get),
        quiet: args.quiet,
        verdicts: !args.metrics.score_only,
    };
    measuring.run(data_set, &sandbox, target)
}

/// The earlier runs to take measurements over from.
fn reuse(paths: &[PathBuf], weighings: &[Weighing]) -> anyhow::Result<Option<Reuse>> {
    if paths.is_empty() {
        return Ok(None);
    }
    let contracts: Vec<&str> = weighings
        .iter()
        .map(|weighing| weighing.metric.identity().contract.as_str())
        .collect();
    Ok(Some(Reuse::open(paths, &contracts)?))
}

impl DataSetArgs {
    /// The delimiter that was asked for, as it would be written again.
    pub(crate) fn delimiter(&self) -> Option<String> {
        self.delimiter.map(|delimiter| match delimiter.byte() {
            b'\t' => "tab".to_owned(),
            byte => char::from(byte).to_string(),
        })
    }

    fn options(&self) -> anyhow::Result<dataset::Options> {
        Ok(dataset::Options {
            format: self.format,
            mapping: Mapping::parse(&self.map)?,
            delimiter: self.delimiter,
            max_row_bytes: usize::try_from(self.max_row_bytes)?,
        })
    }
}

/// The files that a run reads.
fn inputs<'a>(args: &'a Args, weighings: &'a [Weighing]) -> Vec<&'a Path> {
    let metrics = weighings
        .iter()
        .filter_map(|weighing| match weighing.metric.source() {
            Source::Path(path) => Some(path.as_path()),
            Source::BuiltIn(_) => None,
        });
    std::iter::once(args.data.as_path())
        .chain(metrics)
        .chain(args.reuse.iter().map(PathBuf::as_path))
        .collect()
}

pub(crate) fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

pub(crate) fn now() -> String {
    humantime::format_rfc3339_millis(SystemTime::now()).to_string()
}
