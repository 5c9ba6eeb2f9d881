//! Finding the project file.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use weighbridge::config::{PROJECT_FILE, Project};

#[derive(clap::Args)]
#[command(next_help_heading = "Project")]
pub(crate) struct Args {
    /// Take data, metrics, limits and outputs from this project file, where the command line leaves them open [default: weighbridge.toml, if it is here]
    #[arg(long, value_name = "FILE")]
    project: Option<PathBuf>,
    /// Use no project file
    #[arg(long, conflicts_with = "project")]
    no_project: bool,
}

/// A project file, read.
pub(crate) struct Found {
    pub(crate) path: PathBuf,
    /// What its paths are relative to; empty for the working directory.
    pub(crate) folder: PathBuf,
    pub(crate) project: Project,
}

impl Args {
    /// The project file that is named, or else the one in the working
    /// directory, unless it is `unneeded`.
    pub(crate) fn find(&self, unneeded: bool) -> anyhow::Result<Option<Found>> {
        match &self.project {
            Some(path) => Ok(Some(read(path)?)),
            None if self.no_project || unneeded => Ok(None),
            None => {
                let path = Path::new(PROJECT_FILE);
                path.exists().then(|| read(path)).transpose()
            }
        }
    }
}

/// Reads the project file at `path`.
pub(crate) fn read(path: &Path) -> anyhow::Result<Found> {
    if path.is_dir() {
        bail!(
            "project file `{}` is a directory: name the file inside it",
            path.display()
        );
    }
    let bytes = std::fs::read(path)
        .with_context(|| format!("project file `{}` can't be read", path.display()))?;
    let text = String::from_utf8(bytes).with_context(|| {
        format!(
            "project file `{}` is not UTF-8: save it as UTF-8",
            path.display()
        )
    })?;
    let project = Project::parse(&text, &path.display().to_string())?;
    Ok(Found {
        path: path.to_owned(),
        folder: path.parent().map(Path::to_owned).unwrap_or_default(),
        project,
    })
}
