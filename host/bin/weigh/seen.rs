//! What has been seen of a run so far, for the bar and the table.

use std::collections::BTreeSet;

use indicatif::ProgressBar;
use weighbridge::evaluate::{CaseResult, Ended};
use weighbridge::metric_data::MetricData;
use weighbridge::policy::Verdict;
use weighbridge::run::ResultRecord;
use weighbridge::summary::{Summary, Tally};

use crate::output::Output;
use crate::printout::Printout;

/// Most names of unread columns that are kept.
const UNREAD: usize = 20;

/// A result as it goes to the run file, with what the summary needs of it.
pub(crate) struct Finished {
    pub(crate) line: Vec<u8>,
    row: u64,
    metrics: Vec<MetricData>,
    verdict: Verdict,
    unread: Vec<String>,
}

impl Finished {
    pub(crate) fn new(mut result: CaseResult, with_case: bool) -> Finished {
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
pub(crate) struct Seen {
    bar: ProgressBar,
    tally: Tally,
    versions: Vec<String>,
    verdicts: bool,
    unread: BTreeSet<String>,
    reused: u64,
    notes: Vec<String>,
}

impl Seen {
    /// Begins with the tally of what is in the run file already; `versions` are
    /// the metrics', in order, and `verdicts` says whether there is a policy to
    /// speak of.
    pub(crate) fn new(
        bar: ProgressBar,
        tally: Tally,
        versions: Vec<String>,
        verdicts: bool,
    ) -> Seen {
        bar.set_position(tally.cases());
        bar.reset_eta();
        Seen {
            bar,
            tally,
            versions,
            verdicts,
            unread: BTreeSet::new(),
            reused: 0,
            notes: Vec::new(),
        }
    }

    pub(crate) fn add(&mut self, finished: &Finished) {
        self.tally
            .add(finished.row, &finished.metrics, finished.verdict);
        self.bar.inc(1);
        let reused = |data: &&MetricData| data.reused_from.is_some();
        self.reused += finished.metrics.iter().filter(reused).count() as u64;
        for name in &finished.unread {
            if !self.unread.contains(name) && self.unread.len() < UNREAD {
                self.unread.insert(name.clone());
            }
        }
    }

    /// A sentence to stand below the counts.
    pub(crate) fn note(&mut self, note: String) {
        self.notes.push(note);
    }

    pub(crate) fn summary(&self) -> Summary {
        self.tally.finish()
    }

    /// Results so far.
    pub(crate) fn rows(&self) -> u64 {
        self.tally.cases()
    }

    pub(crate) fn hide_bar(&self) {
        self.bar.finish_and_clear();
    }

    pub(crate) fn print(&self, output: &Output, ended: Ended) -> std::io::Result<()> {
        let mut notes = self.notes.clone();
        if self.reused > 0 {
            notes.push(format!("measurements taken over: {}", self.reused));
        }
        if ended == Ended::Interrupted {
            let remedy = if output.is_stdout {
                ""
            } else {
                ", and `--resume` goes on"
            };
            notes.push(format!("interrupted: the results so far are kept{remedy}"));
        }
        Printout {
            summary: &self.summary(),
            versions: self.versions.iter().map(String::as_str).collect(),
            verdicts: self.verdicts,
            unread: self.unread.iter().map(String::as_str).collect(),
            notes,
        }
        .print(output)
    }
}
