//! Going on with a run file.

use std::fs::OpenOptions;
use std::path::Path;

use anyhow::Context;
use weighbridge::run::{Header, Progress, RunReader};

use crate::measuring::Target;
use crate::output::{self, Output, lock};
use crate::replacement::Replacement;

/// What is to become of the run file that `args` names.
pub(crate) fn target(
    args: &output::Args,
    inputs: &[&Path],
    header: &Header,
) -> anyhow::Result<Target> {
    let path = args.to_resume(inputs)?;
    if !path.exists() {
        return Ok(Target::New(args.open(inputs)?));
    }
    let file = OpenOptions::new()
        .read(true)
        .write(true)
        .open(path)
        .with_context(|| format!("run file `{}` can't be written", path.display()))?;
    lock(&file, path)?;
    let Some(progress) = Progress::read(path, header)? else {
        let output = Output::at(path, file);
        output.cut(0)?;
        return Ok(Target::New(output));
    };
    let output = Output::at(path, file);
    if !progress.complete {
        return Ok(Target::Stopped(output, progress));
    }
    let summary = progress.tally.finish();
    let failures = summary.total(|metric| metric.infrastructure_failures);
    if failures == 0 {
        return Ok(Target::Complete(output, progress.tally));
    }
    let replacement = Replacement::of(output, path)?;
    Ok(Target::Retry(replacement, Box::new(RunReader::open(path)?)))
}
