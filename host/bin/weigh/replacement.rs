//! A file in place of a run file.

use std::fs::File;
use std::path::{Path, PathBuf};

use anyhow::Context;
use tempfile::NamedTempFile;

use crate::output::Output;

/// A file that is to take the place of a run file once it is whole.
pub(crate) struct Replacement {
    output: Output,
    path: PathBuf,
    file: NamedTempFile,
}

impl Replacement {
    /// One for the run file at `path`, which stays locked through `output`.
    pub(crate) fn of(output: Output, path: &Path) -> anyhow::Result<Replacement> {
        // Through a link, so that what it leads to is replaced.
        let path = path.canonicalize()?;
        let folder = path.parent().context("a file lies in a folder")?;
        let file = NamedTempFile::new_in(folder).with_context(|| {
            format!("run file `{}` can't be replaced in its folder", output.name)
        })?;
        file.as_file()
            .set_permissions(std::fs::metadata(&path)?.permissions())?;
        Ok(Replacement { output, path, file })
    }

    pub(crate) fn file(&self) -> &File {
        self.file.as_file()
    }

    pub(crate) fn cant_write(&self) -> String {
        self.output.cant_write()
    }

    /// Replaces the run file, if the new one reached the disk.
    pub(crate) fn take_place(self) -> anyhow::Result<Output> {
        let cant_write = self.output.cant_write();
        let replace = || {
            self.file.as_file().sync_all()?;
            self.file.persist(&self.path)?;
            anyhow::Ok(())
        };
        replace().context(cant_write)?;
        Ok(self.output)
    }
}
