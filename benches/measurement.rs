//! One measurement, all included, against a bare wasmtime loop that makes a
//! store and an instance and calls the metric, with the same component and
//! the same engine. Prints the ratio of the two medians.

use std::hint::black_box;
use std::path::Path;

use criterion::Criterion;
use serde_json::{Value, json};
use weighbridge::case::TestCase;
use weighbridge::outcome::Outcome;
use weighbridge::plugin::{Limits, Metric, Sandbox, Source};

#[path = "support/bare.rs"]
mod bare;

const ANSWER: &str = r#"{"answer": 42, "steps": ["six", "times", "seven"], "sure": true}"#;

fn main() {
    let sandbox = Sandbox::new(Limits::default(), 1);
    let source = Source::BuiltIn("exact-json".to_owned());
    let metric = Metric::load(&sandbox, None, &source, None, &json!({})).expect("it is built in");
    let case = TestCase {
        actual_output: Some(ANSWER.to_owned()),
        ..TestCase::default()
    };
    assert!(
        matches!(metric.measure(&case).outcome, Outcome::Measured(ref found) if found.score == 1.0)
    );
    let bare = bare::Loop::new(&sandbox, Path::new("plugins/built/exact-json.wasm"));
    assert_eq!(bare.measure(ANSWER), 1.0);

    // A worker's thread has the stack that a guest may need.
    std::thread::Builder::new()
        .stack_size(sandbox.thread_stack_bytes())
        .spawn(move || {
            let mut criterion = Criterion::default().configure_from_args();
            criterion.bench_function("bare", |bencher| {
                bencher.iter(|| black_box(bare.measure(black_box(ANSWER))));
            });
            criterion.bench_function("measurement", |bencher| {
                bencher.iter(|| black_box(metric.measure_here(black_box(&case))));
            });
            criterion.final_summary();
        })
        .expect("a thread can be started")
        .join()
        .expect("the benchmarks don't panic");

    let (Some(bare), Some(full)) = (median("bare"), median("measurement")) else {
        return;
    };
    println!(
        "one measurement: {:.1} µs, bare loop: {:.1} µs, ratio {:.2} (target: at most 1.3)",
        full / 1e3,
        bare / 1e3,
        full / bare
    );
}

/// The median of a benchmark in nanoseconds, from criterion's own file.
fn median(name: &str) -> Option<f64> {
    let target = std::env::var("CARGO_TARGET_DIR").unwrap_or_else(|_| "target".to_owned());
    let path = Path::new(&target).join(format!("criterion/{name}/new/estimates.json"));
    let estimates: Value = serde_json::from_slice(&std::fs::read(path).ok()?).ok()?;
    estimates["median"]["point_estimate"].as_f64()
}
