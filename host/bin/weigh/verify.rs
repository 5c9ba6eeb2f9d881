//! `weigh verify`: checks a run file and measures again.

use std::collections::BTreeMap;
use std::io::BufRead;
use std::num::NonZeroU64;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, PoisonError};

use anyhow::Context;
use weighbridge::dataset::{Parser, RawRow};
use weighbridge::evaluate::{self, Row, Weighing};
use weighbridge::plugin::{Limits, Sandbox, WASMTIME_VERSION};
use weighbridge::report;
use weighbridge::run::{Check, Header, ResultRecord, RunReader};
use weighbridge::verify::{Compared, Fuel, StoredResult, Verification, sample};

use crate::components::{self, Refused};
use crate::machine::cores;
use crate::rows::{Found, Rows};
use crate::{complain, exit, sandbox, stdout};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// The run file
    run: PathBuf,
    /// Measure the test cases of this file, which must be the recorded data set [default: the recorded path if it still holds it, else the cases in the run file]
    #[arg(long, value_name = "FILE")]
    data: Option<PathBuf>,
    /// Look for components in this folder, by their digests (repeatable)
    #[arg(long, value_name = "DIR")]
    plugins: Vec<PathBuf>,
    /// Measure only so many test cases again, drawn at random
    #[arg(long, value_name = "N")]
    sample: Option<NonZeroU64>,
    /// Draw the sample with this seed
    #[arg(long, value_name = "S", default_value_t = 0, requires = "sample")]
    seed: u64,
    /// Measurements side by side [default: one for each core]
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
    #[command(flatten)]
    cache: sandbox::Args,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let mut found = check(&args.run)?;
    let reader = RunReader::open(&args.run)?;
    let header = reader.header().clone();
    let jobs = args.jobs.map_or_else(cores, usize::from);
    let limits = limits(&header).with_context(|| {
        let path = args.run.display();
        format!("run file `{path}` has limits that can't be kept: restore it from a copy")
    })?;
    let sandbox = Sandbox::new(limits, jobs);
    let cache = args.cache.cache()?;
    let loaded = components::load(&header, &args.plugins, &sandbox, cache.as_ref());
    let weighings = match loaded {
        Ok(weighings) => weighings,
        Err(error) => match error.downcast_ref::<Refused>() {
            Some(refused) => {
                stdout::write(&report::verification(&found))?;
                complain(&refused.to_string());
                return Ok(ExitCode::from(exit::REFUSED));
            }
            None => return Err(error),
        },
    };
    let rows = Rows::new(args.data.as_deref(), &header, &mut found.notes)?;
    let chosen = args
        .sample
        .map(|amount| sample(found.results, amount.get(), args.seed));
    measure(reader, rows, chosen, &weighings, &mut found)?;
    stdout::write(&report::verification(&found))?;
    Ok(exit::of_verification(&found))
}

/// The limits of the run, so that failures come out as they did.
fn limits(header: &Header) -> anyhow::Result<Limits> {
    let limits: Limits = serde_json::from_value(header.limits.clone())?;
    limits.check()?;
    Ok(limits)
}

/// Checks the file against itself.
fn check(path: &Path) -> anyhow::Result<Verification> {
    let mut reader = RunReader::open(path)?;
    let mut check = Check::new(&reader);
    let mut results = 0;
    while let Some(record) = reader.next_result()? {
        check.result(reader.line(), &record);
        results += 1;
    }
    Ok(Verification {
        results,
        complete: reader.closing().is_some(),
        contradictions: check.closing(reader.line(), reader.closing()),
        ..Verification::default()
    })
}

/// Measures the chosen results again, and notes how they differ.
fn measure<R: BufRead + Send>(
    mut reader: RunReader<R>,
    mut rows: Rows,
    chosen: Option<Vec<u64>>,
    weighings: &[Weighing],
    found: &mut Verification,
) -> anyhow::Result<()> {
    let header = reader.header().clone();
    let fuel = fuel(&header, &mut found.notes);
    let parser = rows.parser();
    let mut strange = Vec::new();
    let mut without_case = 0;
    let mut chosen = chosen.map(|rows| rows.into_iter().peekable());
    let mut place = 0_u64;
    // A run that is still going on is checked as far as it was before.
    let results = found.results;
    let next = || {
        while place < results
            && let Some(record) = reader.next_result()?
        {
            let line = reader.line();
            let stored = StoredResult { line, record };
            let raw = rows.next(&stored)?;
            place += 1;
            let is_chosen = match &mut chosen {
                Some(chosen) => chosen.next_if_eq(&place).is_some(),
                None => true,
            };
            match raw {
                Found::Strange(contradiction) => strange.push(contradiction),
                _ if !is_chosen => {}
                Found::NoDataSet if stored.record.case.is_none() => without_case += 1,
                Found::NoDataSet => return Ok(Some((None, stored))),
                Found::Row(raw) => return Ok(Some((Some(raw), stored))),
            }
        }
        anyhow::Ok(None)
    };
    let under_way: Mutex<BTreeMap<u64, StoredResult>> = Mutex::default();
    let lock = || under_way.lock().unwrap_or_else(PoisonError::into_inner);
    evaluate::evaluate(
        weighings,
        &header.data_set.path,
        &AtomicBool::new(false),
        next,
        |(raw, stored)| {
            let row = row(parser.as_ref(), raw, &stored.record);
            lock().insert(row.row, stored);
            row
        },
        |result| {
            let stored = lock().remove(&result.row.row);
            stored.map(|stored| Compared::new(&stored, &result, fuel))
        },
        |compared: Option<Compared>| {
            if let Some(compared) = compared {
                compared.note(found);
            }
            anyhow::Ok(())
        },
    )?;
    found.without_case = without_case;
    found.contradictions.extend(strange);
    if found.complete
        && let Some(missing) = rows.missing(found.results + 2)?
    {
        // First, since it explains what the counts contradict.
        found.contradictions.insert(0, missing);
    }
    Ok(())
}

/// Whether fuel and memory can be compared, with a note if not.
fn fuel(header: &Header, notes: &mut Vec<String>) -> Fuel {
    if header.wasmtime == WASMTIME_VERSION {
        return Fuel::Compared;
    }
    notes.push(format!(
        "fuel and memory aren't compared: measured with wasmtime {}, again with {WASMTIME_VERSION}",
        header.wasmtime
    ));
    Fuel::Ignored
}

fn row(parser: Option<&Parser>, raw: Option<RawRow>, record: &ResultRecord) -> Row {
    let case = match (parser, raw, &record.case) {
        (Some(parser), Some(raw), _) => parser.parse(&raw).case.map_err(|error| error.to_string()),
        (_, _, Some(case)) => case
            .read()
            .map_err(|error| format!("the stored test case can't be read ({error})")),
        (_, _, None) => Err("no test case is stored".to_owned()),
    };
    Row {
        row: record.row,
        line: record.line,
        case,
        unread: Vec::new(),
        known: Vec::new(),
    }
}
