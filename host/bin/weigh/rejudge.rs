//! `weigh rejudge`: new verdicts over stored scores.

use std::fs::File;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, bail};
use weighbridge::contract::digest_reader;
use weighbridge::policy::Threshold;
use weighbridge::report;
use weighbridge::run::{
    CheckedReader, Closing, Header, Policies, PolicyChange, Rejudgement, RunReader, RunReference,
    RunWriter, Stored,
};
use weighbridge::summary::Summary;

use crate::machine::now;
use crate::measuring::broke_off;
use crate::output::Output;
use crate::printout::Printout;
use crate::{exit, output, stdout};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// The run file whose scores are judged
    run: PathBuf,
    /// Let a metric pass from this score on (or down to it, where lower is better), strict no more (repeatable)
    #[arg(long, value_name = "NAME=SCORE", value_parser = named_threshold)]
    threshold: Vec<(String, Threshold)>,
    /// Let a metric pass only with the perfect score (repeatable)
    #[arg(long, value_name = "NAME")]
    strict: Vec<String>,
    #[command(flatten)]
    output: output::Args,
    /// Show no table
    #[arg(short, long)]
    quiet: bool,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    if args.threshold.is_empty() && args.strict.is_empty() {
        bail!(
            "nothing is to be judged otherwise: give `--threshold NAME=SCORE` or `--strict NAME`"
        );
    }
    // Held until the end, since the file is read twice. One that can't be
    // opened is reported by the reader.
    let file = File::open(&args.run);
    if let Ok(file) = &file {
        output::lock_to_read(file, &args.run)?;
    }
    // Once through without writing, so that a damaged file leaves no half of
    // another one behind.
    let rejudged = Rejudged::read(args)?;
    let output = args.output.open(&[&args.run])?;
    if let Err(error) = rejudged.write(args, &output) {
        let error = error.context(output.cant_write());
        return Ok(broke_off(&error, &output.kept(false)));
    }
    if !args.quiet {
        stdout::note(rejudged.print(&output));
    }
    Ok(exit::of_rejudged(rejudged.complete, &rejudged.summary))
}

/// What a run comes to under new policies.
struct Rejudged {
    header: Header,
    policies: Policies,
    changes: Vec<PolicyChange>,
    summary: Summary,
    /// Pairs of case and metric whose verdict is another now.
    changed: u64,
    complete: bool,
}

impl Rejudged {
    fn read(args: &Args) -> anyhow::Result<Rejudged> {
        let mut reader = CheckedReader::open(&args.run)?;
        let header = reader.header().clone();
        let before = Policies::of(&header, reader.descriptions());
        let (policies, changes) = before.changed(&header, &args.threshold, &args.strict)?;
        // Hashing a large file takes seconds, which reading it takes anyway.
        let path = args.run.clone();
        let reference = std::thread::spawn(move || reference(&path));
        let mut tally = reader.empty_tally();
        let mut changed = 0;
        while let Some(mut record) = reader.next_result()? {
            let successes: Vec<_> = record.metrics.iter().map(|data| data.success).collect();
            let verdict = policies
                .judge(&mut record)
                .map_err(|error| reader.damaged(error.to_string()))?;
            let pairs = successes.iter().zip(&record.metrics);
            changed += pairs.filter(|(old, data)| **old != data.success).count() as u64;
            tally.add(record.row, &record.metrics, verdict);
        }
        let rejudgement = Rejudgement {
            run: reference
                .join()
                .unwrap_or_else(|panic| std::panic::resume_unwind(panic))?,
            at: now(),
            changes: changes.clone(),
        };
        Ok(Rejudged {
            header: policies.header(&header, rejudgement),
            policies,
            changes,
            summary: tally.finish(),
            changed,
            complete: reader.closing().is_some(),
        })
    }

    fn write(&self, args: &Args, output: &Output) -> anyhow::Result<()> {
        // Checked the first time.
        let mut reader = RunReader::open(&args.run)?;
        let mut writer = RunWriter::new(&output.file, &self.header)?;
        while let Some(mut record) = reader.next_result()? {
            self.policies.judge(&mut record)?;
            writer.append(&record.to_line())?;
        }
        match reader.closing() {
            Some(closing) => writer.close(&Closing {
                summary: Stored::new(&self.summary),
                ..closing.clone()
            })?,
            None => writer.flush()?,
        }
        Ok(())
    }

    fn print(&self, output: &Output) -> std::io::Result<()> {
        let metrics = &self.header.metrics;
        let mut notes: Vec<String> = self.changes.iter().map(describe).collect();
        notes.push(format!("verdicts changed: {}", self.changed));
        if !self.complete {
            notes.push("the run had stopped early, and so does this file".to_owned());
        }
        Printout {
            summary: &self.summary,
            versions: metrics
                .iter()
                .map(|metric| metric.version.as_str())
                .collect(),
            verdicts: metrics.iter().any(|metric| metric.policy.is_gate()),
            unread: Vec::new(),
            notes,
        }
        .print(output)
    }
}

fn reference(path: &std::path::Path) -> anyhow::Result<RunReference> {
    let digest = std::fs::File::open(path).and_then(digest_reader);
    Ok(RunReference {
        path: path.display().to_string(),
        digest: digest.with_context(|| format!("run file `{}` can't be read", path.display()))?,
    })
}

fn describe(change: &PolicyChange) -> String {
    format!(
        "{}: {}, before {}",
        change.metric,
        report::policy(&change.to),
        report::policy(&change.from)
    )
}

/// Reads `NAME=SCORE`; a name may hold `=` itself.
fn named_threshold(text: &str) -> Result<(String, Threshold), String> {
    let (name, score) = text
        .rsplit_once('=')
        .ok_or_else(|| "write the metric's name and the score, `NAME=0.9`".to_owned())?;
    let threshold = score
        .parse::<Threshold>()
        .map_err(|error| error.to_string())?;
    Ok((name.to_owned(), threshold))
}
