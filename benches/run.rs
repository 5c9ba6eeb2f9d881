//! Whole runs of the real binary on generated data: throughput against a bare
//! wasmtime loop on all cores, two cores against one, memory of a million
//! cases against ten thousand, and DeepEval's `evaluate()` if the environment
//! variable `DEEPEVAL_PYTHON` names a Python that has it. Prints ratios, each
//! the median over rounds that run both sides in turn.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use weighbridge::plugin::{Limits, Sandbox};

#[path = "support/bare.rs"]
mod bare;
#[path = "support/process.rs"]
mod process;

use process::{COMPONENT, answer, data, finish, peak_kib, time, weigh};

const ROUNDS: usize = 5;

fn main() {
    // `cargo test` runs benchmarks to see that they start.
    if !std::env::args().any(|argument| argument == "--bench") {
        return;
    }
    let folder = tempfile::tempdir().expect("there is a temporary folder");
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let wanted: Vec<String> = std::env::args()
        .skip(1)
        .filter(|argument| !argument.starts_with("--"))
        .collect();
    let asked = |name: &str| wanted.is_empty() || wanted.iter().any(|wanted| wanted == name);
    if asked("throughput") {
        throughput(folder.path(), cores);
    }
    if asked("scaling") {
        scaling(folder.path());
    }
    if asked("memory") {
        memory(folder.path());
    }
    if asked("deepeval") {
        deepeval(folder.path());
    }
}

/// `weigh run` from JSON Lines to run file against the bare loop.
fn throughput(folder: &Path, cores: usize) {
    const CASES: usize = 50_000;
    let data = data(folder, CASES);
    let ratios = rounds(|| {
        let bare = time(|| bare_on(cores, CASES));
        let run = time(|| finish(weigh(folder, &data, cores)));
        println!(
            "  weigh run {:.0} cases/s, bare loop {:.0} cases/s",
            per_second(CASES, run),
            per_second(CASES, bare)
        );
        bare.as_secs_f64() / run.as_secs_f64()
    });
    println!(
        "throughput on {cores} cores: {:.0} % of the bare loop (target: at least 70 %)",
        ratios * 100.0
    );
}

fn scaling(folder: &Path) {
    const CASES: usize = 50_000;
    let data = data(folder, CASES);
    let ratio = rounds(|| {
        let one = time(|| finish(weigh(folder, &data, 1)));
        let two = time(|| finish(weigh(folder, &data, 2)));
        one.as_secs_f64() / two.as_secs_f64()
    });
    println!("two cores: {ratio:.2} × one (target: at least 1.8)");
    let ratio = rounds(|| {
        let one = time(|| bare_on(1, CASES));
        let two = time(|| bare_on(2, CASES));
        one.as_secs_f64() / two.as_secs_f64()
    });
    println!("  the bare loop itself: two cores {ratio:.2} × one");
}

fn memory(folder: &Path) {
    let peak = |cases| {
        let data = data(folder, cases);
        let peak = peak_kib(weigh(folder, &data, 2));
        std::fs::remove_file(data).expect("it was made");
        peak
    };
    let (small, large) = (peak(10_000), peak(1_000_000));
    println!(
        "memory: {large} KiB for 1,000,000 cases, {small} KiB for 10,000, ratio {:.2} (target: at most 1.2)",
        large as f64 / small as f64
    );
}

/// DeepEval with an equal metric and its cache off.
fn deepeval(folder: &Path) {
    const CASES: usize = 2_000;
    let Some(python) = std::env::var_os("DEEPEVAL_PYTHON") else {
        println!("DeepEval: not measured (name a Python that has it in DEEPEVAL_PYTHON)");
        return;
    };
    let cases = data(folder, CASES);
    let output = Command::new(python)
        .arg(concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/benches/support/deepeval_loop.py"
        ))
        .arg(&cases)
        // DeepEval leaves a folder where it runs.
        .current_dir(folder)
        .output()
        .expect("DEEPEVAL_PYTHON names a program");
    let text = String::from_utf8_lossy(&output.stdout);
    let seconds: f64 = text
        .lines()
        .last()
        .and_then(|line| line.trim().parse().ok())
        .unwrap_or_else(|| panic!("{}", String::from_utf8_lossy(&output.stderr)));
    let theirs = seconds / CASES as f64;
    const OURS: usize = 100_000;
    let data = data(folder, OURS);
    let run = time(|| finish(weigh(folder, &data, 2)));
    let ours = run.as_secs_f64() / OURS as f64;
    println!(
        "DeepEval evaluate(): {:.2} ms a case, weigh run: {:.1} µs a case, {:.0} × (target: at least 100)",
        theirs * 1e3,
        ours * 1e6,
        theirs / ours
    );
}

/// The bare loop on this many threads.
fn bare_on(threads: usize, cases: usize) {
    let sandbox = Sandbox::new(Limits::default(), threads);
    let bare = bare::Loop::new(&sandbox, Path::new(COMPONENT));
    std::thread::scope(|scope| {
        for first in 0..threads {
            let bare = &bare;
            std::thread::Builder::new()
                .stack_size(sandbox.thread_stack_bytes())
                .spawn_scoped(scope, move || {
                    for number in (first..cases).step_by(threads) {
                        assert_eq!(bare.measure(&answer(number)), 1.0);
                    }
                })
                .expect("a thread can be started");
        }
    });
}

fn rounds(mut round: impl FnMut() -> f64) -> f64 {
    let mut ratios: Vec<f64> = (0..ROUNDS).map(|_| round()).collect();
    ratios.sort_by(f64::total_cmp);
    ratios[ROUNDS / 2]
}

fn per_second(cases: usize, time: Duration) -> f64 {
    cases as f64 / time.as_secs_f64()
}
