//! `weigh verify`: checks a run file and measures again.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, PoisonError};

use anyhow::Context;
use weighbridge::dataset::{Parser, RawRow};
use weighbridge::evaluate::{self, CaseResult, Row, Weighing};
use weighbridge::plugin::{Limits, Sandbox, WASMTIME_VERSION};
use weighbridge::report::{self, Verification};
use weighbridge::run::{Check, Contradiction, Header, ResultRecord, RunReader};
use weighbridge::verify::{Difference, Fuel, differences, is_repeatable, sample};

use crate::components::{self, Refused};
use crate::rows::Rows;
use crate::run::cores;
use crate::{exit, sandbox};

/// Most pairs whose differences are kept to be listed.
const LISTED_PAIRS: u64 = 20;

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
    sample: Option<u64>,
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
                print!("{}", report::verification(&found));
                eprintln!("error: {refused}");
                return Ok(ExitCode::from(exit::REFUSED));
            }
            None => return Err(error),
        },
    };
    let rows = Rows::new(args.data.as_deref(), &header, &mut found.notes)?;
    let chosen = args
        .sample
        .map(|amount| sample(found.results, amount, args.seed));
    measure(reader, rows, chosen, &weighings, &mut found)?;
    print!("{}", report::verification(&found));
    Ok(ExitCode::from(if !found.is_clean() {
        1
    } else if found.infrastructure > 0 || found.without_case > 0 || !found.complete {
        exit::INFRASTRUCTURE
    } else {
        0
    }))
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
    let (header, descriptions) = (reader.header().clone(), reader.descriptions().to_vec());
    let mut check = Check::new(&header, &descriptions, reader.tally());
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
fn measure<R: std::io::BufRead + Send>(
    mut reader: RunReader<R>,
    mut rows: Rows,
    chosen: Option<Vec<u64>>,
    weighings: &[Weighing],
    found: &mut Verification,
) -> anyhow::Result<()> {
    let header = reader.header().clone();
    let fuel = if header.wasmtime == WASMTIME_VERSION {
        Fuel::Compared
    } else {
        found.notes.push(format!(
            "fuel and memory aren't compared: measured with wasmtime {}, again with {WASMTIME_VERSION}",
            header.wasmtime
        ));
        Fuel::Ignored
    };
    let parser = rows.parser();
    let mut without_case = 0;
    let mut chosen = chosen.map(|rows| rows.into_iter().peekable());
    let mut place = 0_u64;
    let next = || {
        loop {
            let Some(record) = reader.next_result()? else {
                return anyhow::Ok(None);
            };
            let raw = rows.next(&record)?;
            place += 1;
            if let Some(chosen) = &mut chosen
                && chosen.next_if_eq(&place).is_none()
            {
                continue;
            }
            if raw.is_none() && record.case.is_none() {
                without_case += 1;
                continue;
            }
            return Ok(Some((raw, record)));
        }
    };
    let under_way: Mutex<BTreeMap<u64, ResultRecord>> = Mutex::default();
    let lock = || under_way.lock().unwrap_or_else(PoisonError::into_inner);
    evaluate::evaluate(
        weighings,
        &header.data_set.path,
        &AtomicBool::new(false),
        next,
        |(raw, record)| {
            let row = row(parser.as_ref(), raw, &record);
            lock().insert(record.row, record);
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
    if found.complete && rows.has_more(&header)? {
        // First, since it explains what the counts contradict.
        let more = Contradiction {
            line: found.results + 2,
            row: None,
            metric: None,
            what: "the data set has more rows than the run file has results".to_owned(),
        };
        found.contradictions.insert(0, more);
    }
    Ok(())
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

/// A result, compared with what measuring again gave.
struct Compared {
    row: u64,
    /// Whether the stored test case is another than the row of the data set.
    other_case: bool,
    /// For each pair its differences, or `None` if it can't be compared.
    pairs: Vec<Option<Vec<Difference>>>,
}

impl Compared {
    fn new(stored: &ResultRecord, again: &CaseResult, fuel: Fuel) -> Compared {
        let case = stored.case.as_ref().and_then(|case| case.read().ok());
        let pairs = stored.metrics.iter().zip(&again.metrics);
        let pairs = pairs.map(|(stored_data, again)| {
            (is_repeatable(stored_data) && is_repeatable(again))
                .then(|| differences(stored.row, stored_data, again, fuel))
        });
        Compared {
            row: stored.row,
            other_case: case.is_some() && case.as_ref() != again.row.case.as_ref().ok(),
            pairs: pairs.collect(),
        }
    }

    fn note(self, found: &mut Verification) {
        if self.other_case {
            found.contradictions.push(Contradiction {
                line: self.row + 1,
                row: Some(self.row),
                metric: None,
                what: "the test case isn't that of the data set".to_owned(),
            });
        }
        for pair in self.pairs {
            let Some(differences) = pair else {
                found.infrastructure += 1;
                continue;
            };
            found.measured += 1;
            if differences.is_empty() {
                continue;
            }
            found.differing += 1;
            if found.differing <= LISTED_PAIRS {
                found.differences.extend(differences);
            }
        }
    }
}
