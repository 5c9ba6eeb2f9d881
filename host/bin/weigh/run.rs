//! `weigh run`: measure a data set and write a run file.

use std::collections::BTreeSet;
use std::io::{self, IsTerminal, Write};
use std::num::NonZeroU64;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::SystemTime;

use anyhow::Context;
use clap::ArgMatches;
use weighbridge::dataset::{self, DataSet, Delimiter, Format, Mapping};
use weighbridge::evaluate::{self, CaseResult, Ended, Row, Weighing};
use weighbridge::metric_data::MetricData;
use weighbridge::plugin::{Sandbox, Source};
use weighbridge::policy::Verdict;
use weighbridge::report;
use weighbridge::run::{Closing, ResultRecord, RunWriter};
use weighbridge::summary::Summary;

use crate::header::header;
use crate::output::Output;
use crate::{exit, limits, metrics, output, progress, sandbox};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Test cases: JSON Lines, a JSON array or CSV; `-` is standard input
    pub(crate) data: PathBuf,
    #[command(flatten)]
    metrics: metrics::Args,
    #[command(flatten)]
    pub(crate) data_set: DataSetArgs,
    #[command(flatten)]
    output: output::Args,
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
    max_row_bytes: u64,
    /// End after this many rows
    #[arg(long, value_name = "N")]
    pub(crate) limit: Option<NonZeroU64>,
}

pub(crate) fn run(args: &Args, matches: &ArgMatches) -> anyhow::Result<ExitCode> {
    let requests = args.metrics.requests(matches)?;
    let options = args.data_set.options()?;
    let mut data_set = DataSet::open(&args.data, &options)?;
    let jobs = args.jobs.map_or_else(cores, usize::from);
    let sandbox = Sandbox::new(args.limits.limits(), jobs);
    let weighings = metrics::load(&requests, &sandbox, args.cache.cache()?.as_ref())?;
    let header = header(args, &data_set, &weighings, &sandbox, jobs)?;
    let output = args.output.open(&inputs(args, &weighings))?;
    let stop = stop_on_signal(&sandbox)?;

    let mut progress = Progress::new(args, &weighings);
    let writer = RunWriter::new(&output.file, &header);
    let mut writer = writer.with_context(|| output.cant_write())?;
    let parser = data_set.parser();
    let label = data_set.label().to_owned();
    let with_cases = !args.output.no_cases;
    let ended = evaluate::evaluate(
        &weighings,
        &label,
        &stop,
        limited(&mut data_set, args.data_set.limit),
        |raw| {
            let parsed = parser.parse(&raw);
            Row {
                row: raw.row,
                line: raw.line,
                case: parsed.case.map_err(|error| error.to_string()),
                unread: parsed.unread,
            }
        },
        |result| Finished::new(result, with_cases),
        |finished: Finished| {
            writer
                .append(&finished.line)
                .with_context(|| output.cant_write())?;
            progress.add(&finished);
            Ok(())
        },
    );
    progress.bar.finish_and_clear();
    let ended = match ended {
        Ok(ended) => ended,
        Err(error) => return Ok(broke_off(&error, &output, writer.flush().is_ok())),
    };
    let closed = match ended {
        Ended::Interrupted => writer.flush(),
        Ended::Complete => writer.close(&Closing {
            ended: now(),
            summary: progress.summary.clone(),
        }),
    };
    if let Err(error) = closed {
        let error = anyhow::Error::new(error).context(output.cant_write());
        return Ok(broke_off(&error, &output, false));
    }
    if !args.quiet {
        progress.report(&output, ended)?;
    }
    Ok(ExitCode::from(exit::code(ended, &progress.summary)))
}

impl DataSetArgs {
    fn options(&self) -> anyhow::Result<dataset::Options> {
        Ok(dataset::Options {
            format: self.format,
            mapping: Mapping::parse(&self.map)?,
            delimiter: self.delimiter,
            max_row_bytes: usize::try_from(self.max_row_bytes)?,
        })
    }
}

/// A result as it goes to the run file, with what the summary needs of it.
struct Finished {
    line: Vec<u8>,
    row: u64,
    metrics: Vec<MetricData>,
    verdict: Verdict,
    unread: Vec<String>,
}

impl Finished {
    fn new(mut result: CaseResult, with_case: bool) -> Finished {
        let unread = std::mem::take(&mut result.row.unread);
        let verdict = result.verdict;
        let record = ResultRecord::new(result, with_case);
        Finished {
            line: record.to_line(),
            row: record.row,
            metrics: record.metrics,
            verdict,
            unread,
        }
    }
}

/// What a person sees of a run: a bar, then a table.
struct Progress {
    bar: indicatif::ProgressBar,
    summary: Summary,
    versions: Vec<String>,
    verdicts: bool,
    unread: BTreeSet<String>,
}

impl Progress {
    fn new(args: &Args, weighings: &[Weighing]) -> Progress {
        let identities = || weighings.iter().map(|weighing| weighing.metric.identity());
        Progress {
            bar: progress::bar(args.data_set.limit.map(NonZeroU64::get), args.quiet),
            summary: Summary::new(identities().map(|identity| identity.name.clone())),
            versions: identities()
                .map(|identity| identity.version.clone())
                .collect(),
            verdicts: !args.metrics.score_only,
            unread: BTreeSet::new(),
        }
    }

    fn add(&mut self, finished: &Finished) {
        self.summary
            .add(finished.row, &finished.metrics, finished.verdict);
        self.bar.inc(1);
        for name in &finished.unread {
            if !self.unread.contains(name) && self.unread.len() < 20 {
                self.unread.insert(name.clone());
            }
        }
    }

    fn report(&self, output: &Output, ended: Ended) -> io::Result<()> {
        let mut out: Box<dyn Write> = if output.is_stdout {
            Box::new(io::stderr())
        } else {
            Box::new(io::stdout())
        };
        let width = console_width();
        let versions: Vec<&str> = self.versions.iter().map(String::as_str).collect();
        writeln!(
            out,
            "{}",
            report::table(&self.summary, &versions, self.verdicts, width)
        )?;
        write!(out, "{}", report::failures(&self.summary))?;
        writeln!(out, "{}", report::verdicts(&self.summary, self.verdicts))?;
        let unread = self.unread.iter().map(String::as_str);
        write!(out, "{}", report::unread(unread))?;
        if ended == Ended::Interrupted {
            writeln!(out, "interrupted: the results so far are kept")?;
        }
        writeln!(out, "run file: {}", output.name)
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
        .collect()
}

fn limited(
    data_set: &mut DataSet,
    limit: Option<NonZeroU64>,
) -> impl FnMut() -> anyhow::Result<Option<dataset::RawRow>> + Send + '_ {
    let mut left = limit.map_or(u64::MAX, NonZeroU64::get);
    move || {
        if left == 0 {
            return Ok(None);
        }
        left -= 1;
        Ok(data_set.next_row()?)
    }
}

/// The first signal ends the run in good order, the second one at once.
fn stop_on_signal(sandbox: &Sandbox) -> anyhow::Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    let (flag, sandbox) = (Arc::clone(&stop), sandbox.clone());
    ctrlc::set_handler(move || {
        if flag.swap(true, Ordering::Relaxed) {
            std::process::exit(i32::from(exit::INTERRUPTED));
        }
        sandbox.interrupt();
    })?;
    Ok(stop)
}

fn broke_off(error: &anyhow::Error, output: &Output, kept: bool) -> ExitCode {
    eprintln!("error: {error:#}");
    if kept {
        eprintln!("the results so far are kept in {}", output.name);
    }
    ExitCode::from(exit::INFRASTRUCTURE)
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

pub(crate) fn now() -> String {
    humantime::format_rfc3339_millis(SystemTime::now()).to_string()
}

/// Columns of the terminal; 100 where there is none.
fn console_width() -> u16 {
    if !io::stdout().is_terminal() {
        return 100;
    }
    console::Term::stdout()
        .size_checked()
        .map_or(100, |(_, columns)| columns)
}
