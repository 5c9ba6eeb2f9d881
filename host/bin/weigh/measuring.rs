//! Measuring a data set into a run file: a new one, one that stopped, or one
//! in which some pairs are to be measured again.

use std::fs::File;
use std::io::{BufReader, Write};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Context;
use serde_json::Map;
use weighbridge::case::TestCase;
use weighbridge::dataset::{DataSet, Parser, RawRow};
use weighbridge::evaluate::{self, Ended, Row, Weighing};
use weighbridge::metric_data::MetricData;
use weighbridge::outcome::ErrorKind;
use weighbridge::plugin::Sandbox;
use weighbridge::report;
use weighbridge::run::{
    Closing, Header, Progress, ResultRecord, Reuse, RunReader, RunWriter, Stored,
};
use weighbridge::summary::Tally;

use crate::machine::now;
use crate::output::Output;
use crate::replacement::Replacement;
use crate::seen::{Finished, Seen};
use crate::{complain, exit, progress, stdout};

/// The run file and what is in it already.
pub(crate) enum Target {
    /// An empty file.
    New(Output),
    /// A file that holds the first rows.
    Stopped(Output, Progress),
    /// A file in which nothing is left to do.
    Complete(Output, Tally),
    /// A whole file with infrastructure failures, to be replaced.
    Retry(Replacement, Box<RunReader<BufReader<File>>>),
}

/// Everything that measuring needs besides data set and run file.
pub(crate) struct Measuring<'a> {
    pub(crate) weighings: &'a [Weighing],
    pub(crate) header: &'a Header,
    pub(crate) reuse: Option<&'a Reuse>,
    /// Rows after which the run ends.
    pub(crate) limit: Option<u64>,
    pub(crate) quiet: bool,
    /// Whether there is a policy to speak of.
    pub(crate) verdicts: bool,
}

/// A row with what an earlier attempt at this run found on it.
type Task = (RawRow, Option<ResultRecord>);

impl Measuring<'_> {
    /// Measures what `target` lacks, and says what the run came to.
    pub(crate) fn run(
        &self,
        data_set: DataSet,
        sandbox: &Sandbox,
        target: Target,
    ) -> anyhow::Result<ExitCode> {
        match target {
            Target::New(output) => {
                let writer = RunWriter::new(&output.file, self.header);
                let writer = writer.with_context(|| output.cant_write())?;
                let seen = self.seen(None);
                self.append(data_set, sandbox, &output, writer, seen)
            }
            Target::Stopped(output, done) => {
                let data_set = self.after(data_set, &output)?;
                output.cut(done.end)?;
                let mut seen = self.seen(Some(done.tally));
                seen.note(format!("test cases already in the run file: {}", done.rows));
                let writer = RunWriter::resume(&output.file);
                self.append(data_set, sandbox, &output, writer, seen)
            }
            Target::Complete(output, tally) => {
                let mut seen = self.seen(Some(tally));
                seen.note("the run file was complete: nothing was measured".to_owned());
                self.end(&output, &seen, Ended::Complete)
            }
            Target::Retry(replacement, reader) => self.retry(data_set, replacement, *reader),
        }
    }

    /// Measures the rest of the data set into a file that takes it row by row.
    fn append<W: Write + Send>(
        &self,
        mut data_set: DataSet,
        sandbox: &Sandbox,
        output: &Output,
        mut writer: RunWriter<W>,
        mut seen: Seen,
    ) -> anyhow::Result<ExitCode> {
        let stop = stop_on_signal(Some(sandbox))?;
        let parser = data_set.parser();
        let label = data_set.label().to_owned();
        let mut left = self
            .limit
            .map_or(u64::MAX, |limit| limit.saturating_sub(seen.rows()));
        let next = move || {
            if left == 0 {
                return Ok(None);
            }
            left -= 1;
            Ok(data_set.next_row()?.map(|raw| (raw, None)))
        };
        let read = |task| self.read(&parser, task, false);
        let ended = self.fill(&label, &stop, next, read, &mut writer, &mut seen);
        let ended = match ended {
            Ok(ended) => ended,
            Err(error) => return Ok(broke_off(&error, &output.kept(writer.flush().is_ok()))),
        };
        let closed = match ended {
            Ended::Interrupted => writer.flush(),
            Ended::Complete => writer.close(&closing(&seen)),
        };
        if let Err(error) = closed {
            let error = anyhow::Error::new(error).context(output.cant_write());
            return Ok(broke_off(&error, &output.kept(false)));
        }
        self.end(output, &seen, ended)
    }

    pub(crate) fn fill<W: Write + Send>(
        &self,
        label: &str,
        stop: &AtomicBool,
        next: impl FnMut() -> anyhow::Result<Option<Task>> + Send,
        read: impl Fn(Task) -> Row + Sync,
        writer: &mut RunWriter<W>,
        seen: &mut Seen,
    ) -> anyhow::Result<Ended> {
        let with_cases = self.header.cases != Some(false);
        let ended = evaluate::evaluate(
            self.weighings,
            label,
            stop,
            next,
            read,
            |result| Finished::new(result, with_cases),
            |finished: Finished| {
                writer
                    .append(&finished.line)
                    .context("the run file can't be written")?;
                seen.add(&finished);
                Ok(())
            },
        );
        seen.hide_bar();
        ended
    }

    /// The row of a task, with what is known of it: records of an earlier
    /// attempt, `all` of them or those without infrastructure failures, and
    /// measurements of runs that are reused.
    pub(crate) fn read(&self, parser: &Parser, task: Task, all: bool) -> Row {
        let (raw, stored) = task;
        let parsed = parser.parse(&raw);
        let case = parsed.case.map_err(|error| error.to_string());
        let keep = |data: MetricData| {
            let again = data.error_kind == Some(ErrorKind::Infrastructure) && !all;
            (!again).then_some(data)
        };
        let known = match (stored, &case) {
            (Some(record), _) => record.metrics.into_iter().map(keep).collect(),
            (None, Ok(case)) => self.reusable(case),
            (None, Err(_)) => Vec::new(),
        };
        Row {
            row: raw.row,
            line: raw.line,
            case,
            unread: parsed.unread,
            known,
        }
    }

    fn reusable(&self, case: &TestCase) -> Vec<Option<MetricData>> {
        let Some(reuse) = self.reuse else {
            return Vec::new();
        };
        let find = |weighing: &Weighing| {
            let identity = weighing.metric.identity();
            let digest = weighing.metric.case_digest(case)?;
            let found = reuse.find(&identity.contract, &digest)?;
            let scale = &identity.scale;
            let on_scale = found.score.is_none_or(|score| scale.contains(score));
            let same_metric =
                found.version == identity.version && found.direction == scale.direction;
            (on_scale && same_metric).then(|| MetricData {
                name: identity.name.clone(),
                ..found
            })
        };
        self.weighings.iter().map(find).collect()
    }

    /// What is seen of this run, which begins with the tally of what is in the
    /// run file already.
    pub(crate) fn seen(&self, tally: Option<Tally>) -> Seen {
        let identities = || self.weighings.iter().map(|each| each.metric.identity());
        let names_and_scales =
            || identities().map(|identity| (identity.name.clone(), identity.scale));
        Seen::new(
            progress::bar(self.limit, self.quiet),
            tally.unwrap_or_else(|| Tally::new(names_and_scales())),
            identities()
                .map(|identity| identity.version.clone())
                .collect(),
            self.verdicts,
        )
    }

    pub(crate) fn end(
        &self,
        output: &Output,
        seen: &Seen,
        ended: Ended,
    ) -> anyhow::Result<ExitCode> {
        if !self.quiet {
            stdout::note(seen.print(output, ended));
        }
        Ok(exit::of_run(ended, &seen.summary()))
    }
}

pub(crate) fn closing(seen: &Seen) -> Closing {
    Closing {
        ended: now(),
        summary: Stored::new(&seen.summary()),
        other: Map::new(),
    }
}

/// The first signal ends the run in good order, the second one at once. With
/// a sandbox, measurements under way are cut off.
pub(crate) fn stop_on_signal(sandbox: Option<&Sandbox>) -> anyhow::Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    let (flag, sandbox) = (Arc::clone(&stop), sandbox.cloned());
    ctrlc::set_handler(move || {
        if flag.swap(true, Ordering::Relaxed) {
            std::process::exit(i32::from(exit::INTERRUPTED));
        }
        if let Some(sandbox) = &sandbox {
            sandbox.interrupt();
        }
    })?;
    Ok(stop)
}

pub(crate) fn broke_off(error: &anyhow::Error, kept: &str) -> ExitCode {
    complain(&format!("{error:#}"));
    if !kept.is_empty() {
        eprintln!("{}", report::escape(kept));
    }
    ExitCode::from(exit::INFRASTRUCTURE)
}
