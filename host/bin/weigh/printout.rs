//! What a person reads after a run: table, failures, counts.

use std::io::{self, IsTerminal, Write};

use weighbridge::report;
use weighbridge::summary::Summary;

use crate::output::Output;

/// What a run came to, on standard output, or on standard error if the run
/// file goes to standard output.
pub(crate) struct Printout<'a> {
    pub(crate) summary: &'a Summary,
    /// The metrics' versions, in order.
    pub(crate) versions: Vec<&'a str>,
    /// Whether there is a policy to speak of.
    pub(crate) verdicts: bool,
    /// Columns or keys that nothing read.
    pub(crate) unread: Vec<&'a str>,
    /// Sentences that stand below the counts.
    pub(crate) notes: Vec<String>,
}

impl Printout<'_> {
    pub(crate) fn print(&self, output: &Output) -> io::Result<()> {
        let mut out: Box<dyn Write> = if output.is_stdout {
            Box::new(io::stderr())
        } else {
            Box::new(io::stdout())
        };
        let width = console_width();
        writeln!(
            out,
            "{}",
            report::table(self.summary, &self.versions, self.verdicts, width)
        )?;
        write!(out, "{}", report::statistics(self.summary))?;
        write!(out, "{}", report::failures(self.summary))?;
        writeln!(out, "{}", report::verdicts(self.summary, self.verdicts))?;
        write!(out, "{}", report::unread(self.unread.iter().copied()))?;
        for note in &self.notes {
            writeln!(out, "{}", report::escape(note))?;
        }
        writeln!(out, "run file: {}", report::escape(&output.name))
    }
}

/// Columns of the terminal; 100 where there is none.
pub(crate) fn console_width() -> u16 {
    if !io::stdout().is_terminal() {
        return 100;
    }
    console::Term::stdout()
        .size_checked()
        .map_or(100, |(_, columns)| columns)
}
