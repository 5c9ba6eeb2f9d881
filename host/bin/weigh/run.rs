//! `weigh run`: measure a data set and write a run file.

use std::num::NonZeroU64;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::bail;
use clap::ArgMatches;
use weighbridge::config::{LOCK_FILE, PROJECT_FILE};
use weighbridge::dataset::DataSet;
use weighbridge::evaluate::Weighing;
use weighbridge::plugin::{Sandbox, Source};
use weighbridge::policy::Policy;
use weighbridge::report;
use weighbridge::run::Reuse;

use crate::header::header;
use crate::machine::cores;
use crate::measuring::{Measuring, Target};
use crate::plan::Plan;
use crate::{data_set, exit, limits, lock, metrics, output, project, resume, sandbox};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Test cases: JSON Lines, a JSON array or CSV; `-` is standard input [default: those of the project file]
    data: Option<PathBuf>,
    #[command(flatten)]
    project: project::Args,
    /// Refuse to start if a metric isn't what `weighbridge.lock` says
    #[arg(long, help_heading = "Project")]
    locked: bool,
    #[command(flatten)]
    metrics: metrics::Args,
    #[command(flatten)]
    pub(crate) data_set: data_set::Args,
    #[command(flatten)]
    pub(crate) output: output::Args,
    /// Keep only the digests of the test cases in the run file
    #[arg(long, help_heading = "Run file")]
    pub(crate) no_cases: bool,
    /// Go on with the run file of `--output` where it stopped, and measure pairs with infrastructure failures again
    #[arg(long, conflicts_with = "overwrite", help_heading = "Run file")]
    resume: bool,
    /// Take over what this run file holds for the same contracts and cases (repeatable)
    #[arg(long, value_name = "RUN", help_heading = "Run file")]
    reuse: Vec<PathBuf>,
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

pub(crate) fn run(mut args: Args, matches: &ArgMatches) -> anyhow::Result<ExitCode> {
    let plan = plan(&mut args, matches)?;
    let options = plan.data_set.options()?;
    if args.resume && plan.data == Path::new("-") {
        bail!(
            "a run on standard input can't be gone on with, since nothing says that its rows are the same: put them into a file"
        );
    }
    let data_set = DataSet::open(&plan.data, &options)?;
    let jobs = args.jobs.map_or_else(cores, usize::from);
    let sandbox = Sandbox::new(args.limits.limits()?, jobs);
    let weighings = metrics::load(&plan.requests, &sandbox, args.cache.cache()?.as_ref())?;
    if let Some(lock) = &plan.lock
        && !lock::holds(lock, &plan.requests, &weighings)?
    {
        return Ok(exit::of_lock(false));
    }
    let reuse = reuse(&args.reuse, &weighings)?;
    let mut header = header(&plan, &data_set, &weighings, &sandbox, jobs)?;
    header.reused = reuse.as_ref().map(Reuse::references).unwrap_or_default();
    let target = if args.resume {
        resume::target(&args.output, &inputs(&args, &plan, &weighings), &header)?
    } else {
        Target::New(args.output.open(&inputs(&args, &plan, &weighings))?)
    };
    let measuring = Measuring {
        weighings: &weighings,
        header: &header,
        reuse: reuse.as_ref(),
        limit: plan.data_set.limit.map(NonZeroU64::get),
        quiet: args.quiet,
        verdicts: !plan.score_only,
    };
    measuring.run(data_set, &sandbox, target)
}

/// What is to be done. The command line outranks the project file, and one
/// that names both data and metrics needs none.
fn plan(args: &mut Args, matches: &ArgMatches) -> anyhow::Result<Plan> {
    let mut requests = args.metrics.requests(matches)?;
    let complete = args.data.is_some() && !args.metrics.is_empty();
    let found = args.project.find(complete)?;
    let mut score_only = args.metrics.score_only;
    let mut cases = !args.no_cases;
    if let Some(found) = &found {
        let (project, folder) = (&found.project, found.folder.as_path());
        if !args.quiet {
            let path = found.path.display().to_string();
            eprintln!("project: {}", report::escape(&path));
        }
        if args.data.is_none()
            && let Some(entry) = &project.data
        {
            args.data = Some(folder.join(&entry.path));
            args.data_set.fill(entry)?;
        }
        if args.metrics.is_empty() {
            requests = metrics::of_project(project, folder)?;
            score_only |= project.score_only;
        }
        args.limits.fill(&project.limits)?;
        args.output.fill(&project.output, folder);
        args.jobs = args.jobs.or(project.jobs);
        if args.jobs.is_some_and(|jobs| !(1..=1024).contains(&jobs)) {
            bail!("project key `jobs` is out of range: write a number from 1 to 1024");
        }
        cases &= project.output.cases;
    }
    let lock = match (&found, args.locked) {
        (_, false) => None,
        (Some(found), true) => Some(found.folder.join(LOCK_FILE)),
        (None, true) => bail!(
            "`--locked` compares with the lock beside a project file, and none is used: name it with `--project`"
        ),
    };
    let Some(data) = args.data.clone() else {
        bail!(
            "there is nothing to measure: name a data set, or write `[data]` into `{PROJECT_FILE}` in this folder"
        );
    };
    if requests.is_empty() {
        bail!(
            "there is nothing to measure with: name a metric with `--metric`, or write `[[metric]]` into `{PROJECT_FILE}` in this folder"
        );
    }
    if score_only {
        for request in &mut requests {
            request.policy = Policy::default();
        }
    } else {
        metrics::check_gate(&requests)?;
    }
    Ok(Plan {
        data,
        data_set: args.data_set.clone(),
        cases,
        requests,
        score_only,
        lock,
        project_files: found.map_or_else(Vec::new, |found| {
            vec![found.folder.join(LOCK_FILE), found.path]
        }),
    })
}

/// The earlier runs to take measurements over from.
fn reuse(paths: &[PathBuf], weighings: &[Weighing]) -> anyhow::Result<Option<Reuse>> {
    if paths.is_empty() {
        return Ok(None);
    }
    let contracts: Vec<&str> = weighings
        .iter()
        .map(|weighing| weighing.metric.identity().contract.as_str())
        .collect();
    Ok(Some(Reuse::open(paths, &contracts)?))
}

/// The files that a run reads.
fn inputs<'a>(args: &'a Args, plan: &'a Plan, weighings: &'a [Weighing]) -> Vec<&'a Path> {
    let metrics = weighings
        .iter()
        .filter_map(|weighing| match weighing.metric.source() {
            Source::Path(path) => Some(path.as_path()),
            Source::BuiltIn(_) => None,
        });
    std::iter::once(plan.data.as_path())
        .chain(metrics)
        .chain(args.reuse.iter().map(PathBuf::as_path))
        .chain(plan.project_files.iter().map(PathBuf::as_path))
        .chain(
            plan.requests
                .iter()
                .filter_map(|request| request.config_file.as_deref()),
        )
        .collect()
}
