//! What stored scores save: indexing a million old records, taking them over
//! and judging them anew against measuring them, and comparing two runs.

use std::path::Path;
use std::process::{Child, Command, Stdio};

#[path = "support/process.rs"]
mod process;

use process::{COMPONENT, WEIGH, data, finish, peak_kib, time, weigh};

const CASES: usize = 1_000_000;

fn main() {
    // `cargo test` runs benchmarks to see that they start.
    if !std::env::args().any(|argument| argument == "--bench") {
        return;
    }
    let folder = tempfile::tempdir().expect("there is a temporary folder");
    let folder = folder.path();
    let cases = data(folder, CASES);
    let measuring = time(|| finish(weigh(folder, &cases, 2))).as_secs_f64();
    std::fs::rename(folder.join("run.jsonl"), folder.join("old.jsonl")).expect("it was written");
    println!("measuring {CASES} cases: {measuring:.1} s");

    // One row, so that nearly all of it is the index.
    let index = || run(folder, &["--limit", "1"]);
    let seconds = time(|| finish(index())).as_secs_f64();
    println!(
        "indexing {CASES} old records: {seconds:.1} s, peak {} KiB, {:.0} × as fast as measuring",
        peak_kib(index()),
        measuring / seconds
    );
    let seconds = time(|| finish(run(folder, &[]))).as_secs_f64();
    println!(
        "taking all of them over: {seconds:.1} s, {:.1} × as fast",
        measuring / seconds
    );
    let rejudge = || {
        start(
            folder,
            &["rejudge", "old.jsonl", "--threshold", "exact-json=0"],
        )
    };
    let seconds = time(|| finish(rejudge())).as_secs_f64();
    println!(
        "judging them anew: {seconds:.1} s, {:.1} × as fast",
        measuring / seconds
    );

    let cases = data(folder, 100_000);
    finish(weigh(folder, &cases, 2));
    worsen(folder);
    let compare = || {
        let child = Command::new(WEIGH)
            .args(["compare", "run.jsonl", "worse.jsonl"])
            .current_dir(folder)
            .stdout(Stdio::null())
            .spawn();
        finish(child.expect("the binary starts"));
    };
    let seconds = time(compare).as_secs_f64();
    println!("comparing two runs of 100000 cases: {seconds:.1} s, with 10,000 draws");
}

/// Writes `worse.jsonl`, in which every third case of `run.jsonl` has the other
/// score and verdict; there is nothing to draw where all differences are equal.
fn worsen(folder: &Path) {
    let text = std::fs::read_to_string(folder.join("run.jsonl")).expect("it was written");
    let mut edited = String::with_capacity(text.len());
    for (number, line) in text.split_inclusive('\n').enumerate() {
        if number % 3 == 1 && line.starts_with("{\"record\":\"result\"") {
            let line = line.replace("\"score\":1.0", "\"score\":0.0");
            edited.push_str(&line.replace("\"success\":true", "\"success\":false"));
        } else {
            edited.push_str(line);
        }
    }
    assert_ne!(text, edited, "some case had a score of 1");
    std::fs::write(folder.join("worse.jsonl"), edited).expect("the folder takes files");
}

/// A run that takes over what it can of `old.jsonl`.
fn run(folder: &Path, further: &[&str]) -> Child {
    let component = Path::new(env!("CARGO_MANIFEST_DIR")).join(COMPONENT);
    let component = component.to_str().expect("the path is text");
    let data = format!("{CASES}.jsonl");
    let mut all = vec!["run", &data, "--metric", component, "--threshold", "1"];
    all.extend(["--cache-dir", "cache", "--reuse", "old.jsonl"]);
    all.extend(further);
    start(folder, &all)
}

fn start(folder: &Path, arguments: &[&str]) -> Child {
    Command::new(WEIGH)
        .args(arguments)
        .args(["--quiet", "--overwrite", "--output", "run.jsonl"])
        .current_dir(folder)
        .stdout(Stdio::null())
        .spawn()
        .expect("the binary starts")
}
