//! The real binary as a process, on generated data.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

pub(crate) const WEIGH: &str = env!("CARGO_BIN_EXE_weigh");
pub(crate) const COMPONENT: &str = "plugins/built/exact-json.wasm";

pub(crate) fn answer(number: usize) -> String {
    format!(
        r#"{{"answer": {number}, "steps": ["read the question", "work it out"], "sure": true}}"#
    )
}

/// A data set of this many cases, made once.
pub(crate) fn data(folder: &Path, cases: usize) -> PathBuf {
    let path = folder.join(format!("{cases}.jsonl"));
    if !path.exists() {
        let mut text = String::new();
        for number in 0..cases {
            let row = serde_json::json!({
                "name": format!("case {number}"),
                "input": "What is the answer, and how do you get there?",
                "actual_output": answer(number),
            });
            writeln!(text, "{row}").expect("writing to a string can't fail");
        }
        std::fs::write(&path, text).expect("the folder takes files");
    }
    path
}

pub(crate) fn weigh(folder: &Path, data: &Path, jobs: usize) -> Child {
    Command::new(WEIGH)
        .arg("run")
        .arg(data)
        .args([
            "--metric",
            COMPONENT,
            "--threshold",
            "1",
            "--quiet",
            "--overwrite",
        ])
        .arg("--jobs")
        .arg(jobs.to_string())
        .arg("--output")
        .arg(folder.join("run.jsonl"))
        .arg("--cache-dir")
        .arg(folder.join("cache"))
        .stdout(Stdio::null())
        .spawn()
        .expect("the binary starts")
}

pub(crate) fn finish(mut child: Child) {
    assert!(child.wait().expect("it ends").success());
}

/// The largest resident set of the process, in KiB.
pub(crate) fn peak_kib(mut child: Child) -> u64 {
    let status = format!("/proc/{}/status", child.id());
    let mut peak = 0;
    loop {
        let text = std::fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        if let Some(kib) = line.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok()) {
            peak = kib;
        }
        if child.try_wait().expect("it can be asked").is_some() {
            return peak;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

pub(crate) fn time(run: impl FnOnce()) -> Duration {
    let start = Instant::now();
    run();
    start.elapsed()
}
