//! Flags for where compiled metrics are kept, and the sandbox itself.

use std::path::PathBuf;

use anyhow::Context;
use etcetera::{AppStrategy, AppStrategyArgs};
use weighbridge::plugin::{Cache, CacheError};

#[derive(clap::Args)]
#[command(next_help_heading = "Compile cache")]
pub(crate) struct Args {
    /// Keep compiled metrics in this directory [default: the user's cache directory]
    #[arg(long, value_name = "DIR")]
    cache_dir: Option<PathBuf>,
    /// Compile metrics anew and keep nothing
    #[arg(long, conflicts_with = "cache_dir")]
    no_cache: bool,
}

impl Args {
    /// The compile cache, if there is to be one. A default directory that
    /// can't be used costs a note and a compilation, not the run.
    pub(crate) fn cache(&self) -> anyhow::Result<Option<Cache>> {
        if self.no_cache {
            return Ok(None);
        }
        if let Some(directory) = &self.cache_dir {
            return match Cache::new(directory) {
                Ok(cache) => Ok(Some(cache)),
                Err(error) => Err(error.into()),
            };
        }
        let directory = etcetera::choose_app_strategy(AppStrategyArgs {
            top_level_domain: "org".to_owned(),
            author: "weighbridge".to_owned(),
            app_name: "weighbridge".to_owned(),
        })
        .context("no home directory for the compile cache: name one with `--cache-dir`, or use `--no-cache`")?
        .cache_dir();
        Ok(Cache::new(&directory).map_err(note).ok())
    }
}

fn note(error: CacheError) {
    let error = weighbridge::report::escape(&error.to_string());
    eprintln!("note: metrics are compiled anew, since {error}");
}
