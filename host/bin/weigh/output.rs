//! Where the run file goes.

use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use anyhow::bail;

#[derive(clap::Args)]
#[command(next_help_heading = "Run file")]
pub(crate) struct Args {
    /// Write the run file here; `-` is standard output [default: weigh-TIME.jsonl]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Replace an existing run file
    #[arg(long, requires = "output")]
    overwrite: bool,
    /// Keep only the digests of the test cases in the run file
    #[arg(long)]
    pub(crate) no_cases: bool,
}

/// An open run file.
pub(crate) struct Output {
    pub(crate) file: RunFile,
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
        let clash = |path: &&PathBuf| inputs.iter().any(|input| is_same_file(path, input));
        if let Some(path) = self.output.as_ref().filter(clash) {
            bail!(
                "run file `{}` is an input of this run: name another with `--output`",
                path.display()
            );
        }
        match &self.output {
            Some(path) if path == Path::new("-") => Ok(Output {
                file: RunFile::Stdout,
                name: "standard output".to_owned(),
                is_stdout: true,
            }),
            Some(path) => match create(path, self.overwrite) {
                Ok(file) => Ok(Output::at(path, file)),
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
}

impl Output {
    fn at(path: &Path, file: File) -> Output {
        Output {
            file: RunFile::File(file),
            name: path.display().to_string(),
            is_stdout: false,
        }
    }

    /// What to say when writing fails.
    pub(crate) fn cant_write(&self) -> String {
        format!("run file `{}` can't be written", self.name)
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

/// Whether both paths lead to one file that exists.
fn is_same_file(one: &Path, other: &Path) -> bool {
    same_file::is_same_file(one, other).unwrap_or(false)
}

fn create(path: &Path, overwrite: bool) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true);
    if overwrite {
        options.create(true).truncate(true);
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
            Ok(file) => return Ok(Output::at(Path::new(&name), file)),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => bail!(
                "run file `{name}` can't be made in this directory ({error}): name one with `--output`"
            ),
        }
    }
    bail!("this directory is full of run files of this second: name one with `--output`")
}
