//! Where the run file goes.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use anyhow::{Context, bail};
use weighbridge::config::OutputEntry;

#[derive(clap::Args)]
#[command(next_help_heading = "Run file")]
pub(crate) struct Args {
    /// Write the run file here; `-` is standard output [default: weigh-TIME.jsonl]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Replace an existing run file
    #[arg(long)]
    overwrite: bool,
}

/// An open run file.
pub(crate) struct Output {
    pub(crate) file: RunFile,
    /// Its path as given; `-` for standard output.
    pub(crate) path: PathBuf,
    /// What to call it in messages.
    pub(crate) name: String,
    pub(crate) is_stdout: bool,
}

pub(crate) enum RunFile {
    File(File),
    Stdout,
}

impl Args {
    /// Opens the run file. What a run has measured is evidence, so an
    /// existing file is kept unless the user says otherwise, and none of
    /// `inputs` is ever replaced.
    pub(crate) fn open(&self, inputs: &[&Path]) -> anyhow::Result<Output> {
        self.check_inputs(inputs)?;
        if self.overwrite && self.output.is_none() {
            bail!("`--overwrite` replaces a run file: name it with `--output`");
        }
        match &self.output {
            Some(path) if path == Path::new("-") => Ok(Output {
                file: RunFile::Stdout,
                path: path.clone(),
                name: "standard output".to_owned(),
                is_stdout: true,
            }),
            Some(path) if self.overwrite && is_pipe(path) => bail!(
                "run file `{}` is a pipe: name a file, or write to standard output with `--output -`",
                path.display()
            ),
            Some(path) => match create(path, self.overwrite) {
                Ok(file) => {
                    lock(&file, path)?;
                    let output = Output::at(path, file);
                    output.cut(0)?;
                    Ok(output)
                }
                Err(error) if error.kind() == ErrorKind::AlreadyExists => bail!(
                    "run file `{}` exists: name another with `--output`, or replace it with `--overwrite`",
                    path.display()
                ),
                Err(error) => bail!(
                    "run file `{}` can't be made ({error}): name another with `--output`",
                    path.display()
                ),
            },
            None => unnamed(),
        }
    }

    /// Takes what isn't asked for from the project file in `folder`.
    pub(crate) fn fill(&mut self, project: &OutputEntry, folder: &Path) {
        if self.output.is_none() {
            self.output = project.path.as_ref().map(|path| folder.join(path));
            self.overwrite |= project.overwrite && self.output.is_some();
        }
    }

    /// The path of a run file that is to be gone on with.
    pub(crate) fn to_resume(&self, inputs: &[&Path]) -> anyhow::Result<&Path> {
        self.check_inputs(inputs)?;
        match &self.output {
            Some(path) if path.exists() && !path.is_file() => bail!(
                "run file `{}` is no regular file, so it holds nothing to go on with: name another with `--output`",
                path.display()
            ),
            Some(path) if path != Path::new("-") => Ok(path),
            _ => bail!("`--resume` goes on with a run file: name it with `--output`"),
        }
    }

    fn check_inputs(&self, inputs: &[&Path]) -> anyhow::Result<()> {
        let clash = |path: &&PathBuf| inputs.iter().any(|input| is_same_file(path, input));
        if let Some(path) = self.output.as_ref().filter(clash) {
            bail!(
                "run file `{}` is an input of this run: name another with `--output`",
                path.display()
            );
        }
        Ok(())
    }
}

/// Keeps two processes from writing one run file. Where the file system has
/// no locks, nothing does.
pub(crate) fn lock(file: &File, path: &Path) -> anyhow::Result<()> {
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => bail!(
            "run file `{}` is being written by another process: wait for it, or name another with `--output`",
            path.display()
        ),
        Ok(()) | Err(TryLockError::Error(_)) => Ok(()),
    }
}

/// Keeps a run file from being written while it is read more than once.
pub(crate) fn lock_to_read(file: &File, path: &Path) -> anyhow::Result<()> {
    match file.try_lock_shared() {
        Err(TryLockError::WouldBlock) => bail!(
            "run file `{}` is being written by another process: wait for it",
            path.display()
        ),
        Ok(()) | Err(TryLockError::Error(_)) => Ok(()),
    }
}

impl Output {
    pub(crate) fn at(path: &Path, file: File) -> Output {
        Output {
            file: RunFile::File(file),
            path: path.to_owned(),
            name: path.display().to_string(),
            is_stdout: false,
        }
    }

    /// What to say when writing fails.
    pub(crate) fn cant_write(&self) -> String {
        format!("run file `{}` can't be written", self.name)
    }

    /// What to say of the results so far, if they were written.
    pub(crate) fn kept(&self, written: bool) -> String {
        if written {
            format!("the results so far are kept in {}", self.name)
        } else {
            String::new()
        }
    }

    /// Cuts off everything from byte `end` on, to go on from there.
    pub(crate) fn cut(&self, end: u64) -> anyhow::Result<()> {
        if let RunFile::File(file) = &self.file {
            let cut = || -> io::Result<()> {
                // A pipe or a device has no length.
                if file.metadata()?.is_file() {
                    file.set_len(end)?;
                    (&*file).seek(SeekFrom::Start(end))?;
                }
                Ok(())
            };
            cut().with_context(|| self.cant_write())?;
        }
        Ok(())
    }
}

impl Write for &RunFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            RunFile::File(file) => (&*file).write(bytes),
            RunFile::Stdout => io::stdout().write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            RunFile::File(file) => (&*file).flush(),
            RunFile::Stdout => io::stdout().flush(),
        }
    }
}

/// Whether both paths lead to one file that exists. A pipe is never opened to
/// find out, since that would wait for its other end.
fn is_same_file(one: &Path, other: &Path) -> bool {
    one.is_file() && other.is_file() && same_file::is_same_file(one, other).unwrap_or(false)
}

fn is_pipe(path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        std::fs::metadata(path).is_ok_and(|file| file.file_type().is_fifo())
    }
    #[cfg(not(unix))]
    {
        let _ = path;
        false
    }
}

fn create(path: &Path, overwrite: bool) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true);
    if overwrite {
        // Emptied once it is known that nobody else writes it.
        options.create(true).truncate(false);
    } else {
        options.create_new(true);
    }
    options.open(path)
}

/// A new file in this directory, named by the time.
fn unnamed() -> anyhow::Result<Output> {
    let time = humantime::format_rfc3339_seconds(SystemTime::now())
        .to_string()
        .replace(':', "");
    for count in 1..1000 {
        let name = match count {
            1 => format!("weigh-{time}.jsonl"),
            count => format!("weigh-{time}-{count}.jsonl"),
        };
        match create(Path::new(&name), false) {
            Ok(file) => {
                lock(&file, Path::new(&name))?;
                return Ok(Output::at(Path::new(&name), file));
            }
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => bail!(
                "run file `{name}` can't be made in this directory ({error}): name one with `--output`"
            ),
        }
    }
    bail!("this directory is full of run files of this second: name one with `--output`")
}
