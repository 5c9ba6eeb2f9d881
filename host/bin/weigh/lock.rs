//! `weigh lock`: which metrics a project is measured with.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use weighbridge::config::{LOCK_FILE, Lock, LockedMetric, PROJECT_FILE};
use weighbridge::evaluate::Weighing;
use weighbridge::plugin::Sandbox;

use crate::metrics::Request;
use crate::{complain, exit, limits, metrics, project, sandbox, stdout, whole};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// The project file, beside which the lock lies [default: weighbridge.toml]
    #[arg(long, value_name = "FILE")]
    project: Option<PathBuf>,
    /// Write nothing, and fail if the lock differs
    #[arg(long)]
    check: bool,
    #[command(flatten)]
    cache: sandbox::Args,
    #[command(flatten)]
    limits: limits::Args,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let path = args.project.as_deref().unwrap_or(Path::new(PROJECT_FILE));
    let found = project::read(path)?;
    let requests = metrics::of_project(&found.project, &found.folder)?;
    if requests.is_empty() {
        bail!(
            "project file `{}` has no metrics to lock: write `[[metric]]` into it",
            path.display()
        );
    }
    let mut limits = args.limits.clone();
    limits.fill(&found.project.limits)?;
    let sandbox = Sandbox::new(limits.limits()?, 1);
    let weighings = metrics::load(&requests, &sandbox, args.cache.cache()?.as_ref())?;
    let path = found.folder.join(LOCK_FILE);
    if args.check {
        return Ok(exit::of_lock(holds(&path, &requests, &weighings)?));
    }
    whole::write(&path, of(&requests, &weighings).to_text().as_bytes())
        .with_context(|| format!("lock `{}` can't be written", path.display()))?;
    let metrics = match weighings.len() {
        1 => "1 metric".to_owned(),
        count => format!("{count} metrics"),
    };
    stdout::write(&format!("{metrics} locked in {}\n", path.display()))?;
    Ok(ExitCode::SUCCESS)
}

/// Whether the metrics are those of the lock at `path`; says where they
/// aren't.
pub(crate) fn holds(
    path: &Path,
    requests: &[Request],
    weighings: &[Weighing],
) -> anyhow::Result<bool> {
    let name = path.display();
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            bail!("lock `{name}` does not exist: write it with `weigh lock`")
        }
        Err(error) => {
            bail!("lock `{name}` can't be read ({error}): write it anew with `weigh lock`")
        }
    };
    let lock = Lock::parse(&text).with_context(|| format!("lock `{name}`"))?;
    let differences = lock.differences(&of(requests, weighings));
    for difference in &differences {
        complain(&difference.to_string());
    }
    if !differences.is_empty() {
        complain(&format!(
            "the lock `{name}` differs: undo the change, or accept it with `weigh lock`"
        ));
    }
    Ok(differences.is_empty())
}

fn of(requests: &[Request], weighings: &[Weighing]) -> Lock {
    let metrics = requests
        .iter()
        .zip(weighings)
        .map(|(request, weighing)| LockedMetric::of(&weighing.metric, &request.written));
    Lock::new(metrics.collect())
}
