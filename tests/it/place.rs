//! A folder to work in, and the command in it.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

/// A folder to work in, and the command in it.
pub(crate) struct Place(TempDir);

impl Place {
    pub(crate) fn new() -> Place {
        Place(tempfile::tempdir().expect("there is a temporary folder"))
    }

    pub(crate) fn folder(&self) -> &Path {
        self.0.path()
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, lines: &[&str]) {
        std::fs::write(self.path(name), lines.join("\n")).expect("the folder takes files");
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_weigh"));
        command
            .args(arguments)
            .current_dir(self.0.path())
            .env("XDG_CACHE_HOME", self.path("cache"))
            .stdin(Stdio::null());
        command
    }

    pub(crate) fn weigh(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().expect("the binary starts")
    }

    /// Runs `weigh run` on `data.jsonl` with these further arguments.
    pub(crate) fn run(&self, arguments: &[&str]) -> Output {
        let mut all = vec!["run", "data.jsonl", "--output", "run.jsonl", "--overwrite"];
        all.extend(arguments);
        self.weigh(&all)
    }

    pub(crate) fn text(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).expect("there is such a file")
    }

    /// Writes `to` with the text of `from` after `edit`, which must change it.
    pub(crate) fn edit(&self, from: &str, to: &str, edit: impl Fn(&str) -> String) {
        let text = self.text(from);
        let edited = edit(&text);
        assert_ne!(text, edited, "the edit of {from} changes nothing");
        std::fs::write(self.path(to), edited).expect("the folder takes files");
    }

    pub(crate) fn records(&self, name: &str) -> Vec<Value> {
        let text = std::fs::read_to_string(self.path(name)).expect("there is a run file");
        text.lines()
            .map(|line| serde_json::from_str(line).expect("each line is JSON"))
            .collect()
    }
}

pub(crate) fn code(output: &Output) -> i32 {
    output.status.code().expect("it wasn't killed")
}

pub(crate) fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

pub(crate) fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Output of a command that ended with this code.
#[track_caller]
pub(crate) fn expect(output: &Output, expected: i32) -> String {
    assert_eq!(
        code(output),
        expected,
        "{}{}",
        stdout(output),
        stderr(output)
    );
    stdout(output)
}

/// The text of a run file without what two equal runs differ in: when and how
/// long.
pub(crate) fn without_times(text: &str) -> String {
    text.split_inclusive('\n').map(line_without_times).collect()
}

fn line_without_times(line: &str) -> String {
    const TIMES: [&str; 3] = ["\"durationMicros\":", "\"started\":\"", "\"ended\":\""];
    let mut rest = line;
    let mut kept = String::with_capacity(line.len());
    let first = |text: &str| {
        let places = TIMES
            .iter()
            .filter_map(|key| Some((text.find(key)?, key.len())));
        places.min()
    };
    while let Some((place, length)) = first(rest) {
        let value = place + length;
        kept.push_str(&rest[..value]);
        let end = rest[value..].find(['"', ',']).expect("a value ends");
        rest = &rest[value + end..];
    }
    kept + rest
}
