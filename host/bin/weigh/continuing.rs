//! Going on with what a run file holds already.

use std::fs::File;
use std::io::BufReader;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Context;
use weighbridge::dataset::DataSet;
use weighbridge::evaluate::Ended;
use weighbridge::run::{RunReader, RunWriter};

use crate::measuring::{Measuring, broke_off, closing, stop_on_signal};
use crate::output::Output;
use crate::replacement::Replacement;

impl Measuring<'_> {
    /// Measures pairs with infrastructure failures again, into a file that
    /// then takes the place of the old one. When interrupted, it keeps the old
    /// records of what is left.
    pub(crate) fn retry(
        &self,
        mut data_set: DataSet,
        replacement: Replacement,
        mut reader: RunReader<BufReader<File>>,
    ) -> anyhow::Result<ExitCode> {
        let stop = stop_on_signal(None)?;
        let parser = data_set.parser();
        let label = data_set.label().to_owned();
        let mut seen = self.seen(None);
        let mut writer = RunWriter::new(replacement.file(), reader.header())
            .with_context(|| replacement.cant_write())?;
        let next = move || {
            let Some(stored) = reader.next_result()? else {
                return Ok(None);
            };
            Ok(data_set.next_row()?.map(|raw| (raw, Some(stored))))
        };
        let read = |task| self.read(&parser, task, stop.load(Ordering::Relaxed));
        let never = AtomicBool::new(false);
        let filled = self.fill(&label, &never, next, read, &mut writer, &mut seen);
        let closed = filled.and_then(|_| Ok(writer.close(&closing(&seen))?));
        let replaced = closed.and_then(|()| replacement.take_place());
        let output = match replaced {
            Ok(output) => output,
            Err(error) => return Ok(broke_off(&error, "the run file is as it was")),
        };
        let ended = if stop.load(Ordering::Relaxed) {
            Ended::Interrupted
        } else {
            Ended::Complete
        };
        self.end(&output, &seen, ended)
    }

    /// The data set after the rows that are measured already, each of which
    /// must have the digests that the run file `output` says.
    pub(crate) fn after(&self, mut data_set: DataSet, output: &Output) -> anyhow::Result<DataSet> {
        let parser = data_set.parser();
        let mut reader = RunReader::open(&output.path)?;
        while let Some(record) = reader.next_result()? {
            let raw = data_set.next_row()?.filter(|raw| raw.row == record.row);
            let case = raw.and_then(|raw| parser.parse(&raw).case.ok());
            for (weighing, data) in self.weighings.iter().zip(&record.metrics) {
                let digest = case
                    .as_ref()
                    .and_then(|case| weighing.metric.case_digest(case));
                if digest != data.case_digest && !data.may_lack_digest() {
                    let reason = format!(
                        "metric `{}` measured another test case than row {} of the data set",
                        data.name, record.row
                    );
                    return Err(reader.damaged(reason).into());
                }
            }
        }
        Ok(data_set)
    }
}
