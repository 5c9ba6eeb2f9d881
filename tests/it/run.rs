//! The command `weigh run`, as a process.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::guests;
use crate::place::{Place, code, stderr, stdout};

const GOOD: &str = r#"{"actual_output": "{\"answer\": 1}"}"#;
const BAD: &str = r#"{"actual_output": "no JSON"}"#;

#[test]
fn exit_codes_follow_the_counts() {
    let place = Place::new();
    guests::file(place.folder(), "unreachable");
    guests::file(place.folder(), "endless-loop");
    guests::file(place.folder(), "skips");
    let skips = &["--metric", "./skips.wasm", "--threshold", "1"][..];
    let exact = &["--metric", "exact-json", "--threshold", "1"][..];
    let trap = &["--metric", "./unreachable.wasm", "--threshold", "1"][..];
    let slow = &[
        "--metric",
        "./endless-loop.wasm",
        "--threshold",
        "1",
        "--max-fuel",
        "1000000000000000",
        "--timeout",
        "0.2",
    ][..];
    let x = r#"{"actual_output": "x"}"#;
    for (rows, arguments, expected) in [
        (&[GOOD, GOOD][..], exact, 0),
        (&[GOOD, BAD][..], exact, 1),
        (&[GOOD, "{}"][..], exact, 3),
        (&[BAD, "not a row"][..], exact, 3),
        (&[GOOD, x][..], trap, 3),
        (&["{}", x][..], slow, 4),
        (&[x, GOOD][..], skips, 0),
        (&[x, x][..], skips, 3),
    ] {
        place.write("data.jsonl", rows);
        let output = place.run(arguments);
        assert_eq!(code(&output), expected, "{rows:?}: {}", stderr(&output));
        let records = place.records("run.jsonl");
        assert_eq!(
            records.len(),
            rows.len() + 2,
            "a record a row, header and closing"
        );
    }
}

#[test]
fn what_can_not_start_says_why_and_writes_nothing() {
    let place = Place::new();
    place.write("data.jsonl", &[GOOD]);
    let exact = ["--metric", "exact-json"];
    for (arguments, words) in [
        (&["--metric", "exact-json"][..], "--score-only"),
        (
            &["--metric", "exact-jsn", "--strict"][..],
            "is not built in",
        ),
        (
            &["--metric", "./none.wasm", "--strict"][..],
            "does not exist",
        ),
        (
            &["--metric", "exact-json", "--threshold", "7"][..],
            "outside the scale",
        ),
        (
            &["--metric", "exact-json", "--threshold", "high"][..],
            "isn't a finite number",
        ),
        (
            &["--metric", "exact-json", "--strict", "--config", "{"][..],
            "is not valid JSON",
        ),
        (
            &[
                "--metric",
                "exact-json",
                "--strict",
                "--config",
                r#"{"field": "a", "field": "b"}"#,
            ][..],
            "key `field` stands twice",
        ),
        (
            &["--metric", "exact-json", "--strict", "--config", "[]"][..],
            "JSON object",
        ),
        (
            &[
                "--metric",
                "exact-json",
                "--strict",
                "--config",
                r#"{"fild": "a"}"#,
            ][..],
            "fild",
        ),
        (
            &[
                "--strict",
                "--metric",
                "exact-json",
                "--metric",
                "exact-match",
            ][..],
            "before the first",
        ),
        (
            &[
                "--metric",
                "exact-json",
                "--metric",
                "exact-json",
                "--strict",
            ][..],
            "two metrics",
        ),
        (
            &[
                "--metric",
                "exact-json",
                "--threshold",
                "1",
                "--threshold",
                "0",
            ][..],
            "given twice",
        ),
        (
            &[
                "--metric",
                "exact-json",
                "--strict",
                "--map",
                "actual_ouput=a",
            ][..],
            "actual_output",
        ),
        (
            &["--metric", "exact-json", "--strict", "--format", "xml"][..],
            "xml",
        ),
    ] {
        let output = place.run(arguments);
        assert_eq!(code(&output), 2, "{arguments:?}: {}", stderr(&output));
        assert!(
            stderr(&output).contains(words),
            "{words}: {}",
            stderr(&output)
        );
        assert!(!place.path("run.jsonl").exists(), "{arguments:?}");
    }
    let output = place.weigh(&["run", "none.jsonl", exact[0], exact[1], "--strict"]);
    assert_eq!(code(&output), 2);
    assert!(
        stderr(&output).contains("none.jsonl"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn each_metric_has_its_own_name_configuration_and_policy() {
    let place = Place::new();
    place.write(
        "data.jsonl",
        &[r#"{"actual_output": "{\"city\": 1}", "expected_output": "{\"city\": 1}"}"#],
    );
    let output = place.run(&[
        "--metric",
        "exact-json",
        "--name",
        "answer",
        "--threshold",
        "0.5",
        "--metric",
        "exact-json",
        "--name",
        "city",
        "--config",
        r#"{"field": "city"}"#,
        "--strict",
        "--metric",
        "exact-match",
    ]);
    assert_eq!(code(&output), 1, "{}", stderr(&output));
    let records = place.records("run.jsonl");
    let metrics = records[1]["metrics"].as_array().expect("it is a list");
    let found: Vec<_> = metrics
        .iter()
        .map(|data| {
            (
                data["name"].as_str().expect("it has a name"),
                data["score"].as_f64(),
                data["threshold"].as_f64(),
                data["strictMode"].as_bool(),
                data["success"].as_bool(),
            )
        })
        .collect();
    assert_eq!(
        found,
        [
            ("answer", Some(0.0), Some(0.5), Some(false), Some(false)),
            ("city", Some(1.0), Some(1.0), Some(true), Some(true)),
            ("exact-match", Some(1.0), None, Some(false), Some(true)),
        ]
    );
    assert_eq!(
        metrics[0]["version"], metrics[1]["version"],
        "one component"
    );
    assert_ne!(
        metrics[0]["contract"], metrics[1]["contract"],
        "two configurations"
    );
    let header = &records[0];
    assert_eq!(header["metrics"][1]["config"]["field"], "city");
    assert_eq!(header["metrics"][1]["policy"]["strict"], true);
}

/// Everything in a run file but times and the command line.
fn without_times(mut records: Vec<Value>) -> Vec<Value> {
    fn strip(value: &mut Value) {
        match value {
            Value::Object(members) => {
                for name in ["durationMicros", "started", "ended", "command", "jobs"] {
                    members.remove(name);
                }
                members.values_mut().for_each(strip);
            }
            Value::Array(items) => items.iter_mut().for_each(strip),
            _ => {}
        }
    }
    records.iter_mut().for_each(strip);
    records
}

#[test]
fn equal_runs_give_equal_records_whatever_the_jobs() {
    let place = Place::new();
    let rows: Vec<String> = (0..500)
        .map(|number| {
            format!(r#"{{"actual_output": "{{\"answer\": {number}}}", "name": "case {number}"}}"#)
        })
        .collect();
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    place.write("data.jsonl", &rows);
    let mut runs = ["1", "2", "5"].map(|jobs| {
        let output = place.run(&["--metric", "exact-json", "--strict", "--jobs", jobs]);
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        without_times(place.records("run.jsonl"))
    });
    let last = runs[2].split_off(0);
    assert_eq!(runs[0], runs[1]);
    assert_eq!(runs[0], last);
}

#[test]
fn a_bad_row_is_one_input_failure_with_its_place() {
    let place = Place::new();
    place.write("data.jsonl", &[GOOD, "", "{\"actual_output\": 5}", GOOD]);
    let output = place.run(&["--metric", "exact-json", "--strict"]);
    assert_eq!(code(&output), 3);
    let records = place.records("run.jsonl");
    assert_eq!(records.len(), 5);
    let data = &records[2]["metrics"][0];
    assert_eq!(data["errorKind"], "input");
    assert_eq!(data["errorCode"], "unreadable-row");
    let message = data["error"].as_str().expect("it has a message");
    assert!(
        message.starts_with("row 2, line 3 of `data.jsonl`: "),
        "{message}"
    );
    assert!(message.contains("actual_output"), "{message}");
    assert!(records[2]["case"].is_null());
    assert!(
        stdout(&output).contains("unreadable-row"),
        "{}",
        stdout(&output)
    );
}

#[test]
fn data_comes_from_standard_input_and_records_go_to_standard_output() {
    let place = Place::new();
    let mut child = place
        .command(&[
            "run",
            "-",
            "--metric",
            "exact-json",
            "--strict",
            "--output",
            "-",
        ])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    let mut stdin = child.stdin.take().expect("it is piped");
    writeln!(stdin, "{GOOD}\n{GOOD}").expect("it reads");
    drop(stdin);
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let lines: Vec<Value> = stdout(&output)
        .lines()
        .map(|line| serde_json::from_str(line).expect("standard output is data only"))
        .collect();
    assert_eq!(lines.len(), 4);
    assert!(
        stderr(&output).contains("2 test cases"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn processes_share_a_compile_cache() {
    let place = Place::new();
    place.write("data.jsonl", &[GOOD]);
    let started: Vec<_> = (0..4)
        .map(|_| {
            place
                .command(&["run", "data.jsonl", "--metric", "exact-match"])
                .args(["--metric", "exact-json", "--score-only", "--output", "-"])
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .expect("the binary starts")
        })
        .collect();
    for mut child in started {
        let code = child.wait().expect("it ends").code();
        assert_eq!(code, Some(3), "exact-match has no expected output");
    }
    let entries = std::fs::read_dir(place.path("cache/weighbridge")).expect("there is a cache");
    assert_eq!(entries.count(), 2, "one entry a metric, nothing temporary");
}

#[test]
fn an_existing_run_file_is_kept() {
    let place = Place::new();
    place.write("data.jsonl", &[GOOD]);
    place.write("run.jsonl", &["evidence"]);
    let arguments = [
        "run",
        "data.jsonl",
        "--metric",
        "exact-json",
        "--strict",
        "--output",
        "run.jsonl",
    ];
    let output = place.weigh(&arguments);
    assert_eq!(code(&output), 2);
    assert!(
        stderr(&output).contains("--overwrite"),
        "{}",
        stderr(&output)
    );
    assert_eq!(
        std::fs::read_to_string(place.path("run.jsonl"))
            .ok()
            .as_deref(),
        Some("evidence")
    );
    let unnamed = place.weigh(&arguments[..arguments.len() - 2]);
    assert_eq!(code(&unnamed), 0, "{}", stderr(&unnamed));
    let written = std::fs::read_dir(place.folder())
        .expect("it is a folder")
        .filter_map(Result::ok)
        .filter(|entry| entry.file_name().to_string_lossy().starts_with("weigh-"))
        .count();
    assert_eq!(written, 1);
}

#[test]
fn an_input_is_never_replaced() {
    let place = Place::new();
    place.write("data.jsonl", &[GOOD]);
    std::fs::hard_link(place.path("data.jsonl"), place.path("link.jsonl")).expect("one file");
    guests::file(place.folder(), "counter");
    for output in ["data.jsonl", "./data.jsonl", "link.jsonl", "counter.wasm"] {
        let before = std::fs::read(place.path(output)).expect("it is there");
        let run = place.weigh(&[
            "run",
            "data.jsonl",
            "--metric",
            "./counter.wasm",
            "--strict",
            "--overwrite",
            "--output",
            output,
        ]);
        assert_eq!(code(&run), 2, "{output}");
        assert!(stderr(&run).contains("is an input"), "{}", stderr(&run));
        assert_eq!(std::fs::read(place.path(output)).ok(), Some(before));
    }
}

#[test]
fn flags_shape_the_run() {
    let place = Place::new();
    place.write("data.jsonl", &[GOOD, BAD, GOOD]);
    let output = place.run(&[
        "--metric",
        "exact-json",
        "--score-only",
        "--limit",
        "2",
        "--no-cases",
    ]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let records = place.records("run.jsonl");
    assert_eq!(records.len(), 4);
    assert!(records[1]["case"].is_null());
    assert!(records[1]["metrics"][0]["caseDigest"].as_str().is_some());
    assert_eq!(records[0]["dataSet"]["limit"], 2);
    assert_eq!(records[3]["summary"]["metrics"][0]["mean"], 0.5);
    let quiet = place.run(&["--metric", "exact-json", "--strict", "--quiet"]);
    assert_eq!(
        (stdout(&quiet), stderr(&quiet)),
        (String::new(), String::new())
    );
}

#[test]
fn the_mean_is_over_measured_cases_only() {
    let place = Place::new();
    place.write("data.jsonl", &[GOOD, "{}", "broken", GOOD]);
    let output = place.run(&["--metric", "exact-json", "--strict"]);
    assert_eq!(code(&output), 3);
    let closing = place
        .records("run.jsonl")
        .pop()
        .expect("there is a closing record");
    let metric = &closing["summary"]["metrics"][0];
    assert_eq!(metric["mean"], 1.0);
    assert_eq!(metric["measured"], 2);
    assert_eq!(metric["inputFailures"], 2);
}

#[test]
fn the_table_shows_every_count() {
    let place = Place::new();
    place.write("data.jsonl", &[GOOD, BAD, "{}", GOOD]);
    let output = place.run(&["--metric", "exact-json", "--threshold", "1"]);
    let text = stdout(&output);
    for words in [
        "exact-json",
        "measured",
        "passed",
        "failed",
        "skipped",
        "0.6667",
        "4 test cases: 2 passed, 2 failed, 0 without a verdict",
        "1 × missing-field, first in row 3",
        "run file: run.jsonl",
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
    assert!(!text.contains('\u{1b}'), "no colour off a terminal");
}

#[test]
fn hostile_text_is_not_sent_to_the_terminal() {
    let place = Place::new();
    place.write(
        "data.jsonl",
        &[r#"{"name": "\u001b[31mred\u202e", "bad\u001b]0;title\u0007": 1}"#],
    );
    let output = place.run(&["--metric", "exact-json", "--threshold", "1"]);
    let text = stdout(&output);
    assert!(!text.contains(['\u{1b}', '\u{7}', '\u{202e}']), "{text:?}");
}

#[test]
fn unread_columns_are_named_once() {
    let place = Place::new();
    let row = r#"{"actual_ouput": "typo", "actual_output": "{}", "id": 7}"#;
    place.write("data.jsonl", &[row, row]);
    let output = place.run(&["--metric", "exact-json", "--score-only"]);
    let text = stdout(&output);
    assert!(text.contains("not read: `actual_ouput`, `id`"), "{text}");
}

#[test]
fn the_examples_of_the_readme_work() {
    let place = Place::new();
    let example = |name: &str| {
        let path = guests::root().join("examples").join(name);
        path.to_str().expect("the path is text").to_owned()
    };
    let output = place.weigh(&[
        "run",
        &example("answers.jsonl"),
        "--metric",
        "numeric-answer",
        "--score-only",
    ]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    assert!(stdout(&output).contains("0.7143"), "{}", stdout(&output));
    let output = place.weigh(&[
        "run",
        &example("replies.csv"),
        "--map",
        "input=question",
        "--map",
        "actual_output=reply",
        "--map",
        "expected_output=reference",
        "--metric",
        "exact-json",
        "--threshold",
        "1",
    ]);
    assert_eq!(code(&output), 1, "{}", stderr(&output));
    assert!(
        stdout(&output).contains("4 test cases: 2 passed, 2 failed"),
        "{}",
        stdout(&output)
    );
}

#[test]
fn inspect_shows_what_a_metric_is() {
    let place = Place::new();
    let output = place.weigh(&["inspect", "exact-json"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    for words in [
        "sha256:",
        "imports       nothing",
        "actual_output (may be blank)",
        "0 to 1",
        "rustc",
    ] {
        assert!(
            stdout(&output).contains(words),
            "{words}: {}",
            stdout(&output)
        );
    }
    let output = place.weigh(&["inspect", "exact-json", "--json"]);
    let value: Value = serde_json::from_slice(&output.stdout).expect("it is JSON");
    assert_eq!(value["description"]["name"], "exact-json");
    assert!(value["imports"].as_array().is_some_and(Vec::is_empty));

    guests::file(place.folder(), "needs-judge");
    let output = place.weigh(&["inspect", "needs-judge.wasm"]);
    assert_eq!(code(&output), 2);
    assert!(
        stdout(&output).contains("weighbridge:metric/judge@0.1.0"),
        "{}",
        stdout(&output)
    );
    assert!(stdout(&output).contains("refused"), "{}", stdout(&output));
}

#[test]
fn componentize_makes_a_metric_of_a_core_module() {
    let place = Place::new();
    std::fs::write(place.path("core.wasm"), guests::core_module("counter"))
        .expect("it takes files");
    let output = place.weigh(&["componentize", "core.wasm", "--output", "metric.wasm"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    assert_eq!(code(&place.weigh(&["inspect", "metric.wasm"])), 0);
    std::fs::write(
        place.path("plain.wasm"),
        wat::parse_str("(module)").expect("it parses"),
    )
    .expect("it takes files");
    let output = place.weigh(&["componentize", "plain.wasm", "--output", "other.wasm"]);
    assert_eq!(code(&output), 2);
    assert!(
        stderr(&output).contains("plain.wasm"),
        "{}",
        stderr(&output)
    );
    assert!(!place.path("other.wasm").exists());
}

#[cfg(unix)]
#[test]
fn an_interrupt_keeps_what_is_done() {
    let place = Place::new();
    guests::file(place.folder(), "endless-loop");
    let fine = r#"{"actual_output": "fine"}"#;
    let mut rows = vec![fine; 20];
    rows.push(r#"{"actual_output": "x"}"#);
    rows.push(r#"{"actual_output": "x"}"#);
    rows.extend([fine; 20]);
    place.write("data.jsonl", &rows);
    let child = place
        .command(&[
            "run",
            "data.jsonl",
            "--metric",
            "./endless-loop.wasm",
            "--threshold",
            "1",
            "--output",
            "run.jsonl",
            "--max-fuel",
            "1000000000000000",
            "--timeout",
            "3600",
            "--jobs",
            "2",
        ])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    // Both workers end up in an endless loop; the header shows that they run.
    while std::fs::metadata(place.path("run.jsonl")).map_or(0, |file| file.len()) == 0 {
        std::thread::yield_now();
    }
    let killed = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status()
        .expect("there is a `kill`");
    assert!(killed.success());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(code(&output), 130, "{}", stderr(&output));
    let records = place.records("run.jsonl");
    assert_eq!(records[0]["record"], "header");
    assert!(records.len() <= 21, "no result after the endless ones");
    assert!(
        records[1..]
            .iter()
            .all(|record| record["record"] == "result")
    );
    assert!(records[1..].iter().all(|record| record["success"] == true));
}

#[cfg(target_os = "linux")]
#[test]
fn little_address_space_is_enough() {
    let place = Place::new();
    place.write("data.jsonl", &[GOOD, BAD]);
    let script = "ulimit -v 1000000; exec \"$0\" \"$@\"";
    let output = Command::new("sh")
        .args(["-c", script, env!("CARGO_BIN_EXE_weigh")])
        .args([
            "run",
            "data.jsonl",
            "--metric",
            "exact-json",
            "--threshold",
            "1",
        ])
        .args(["--output", "run.jsonl", "--no-cache"])
        .current_dir(place.folder())
        .output()
        .expect("there is a shell");
    assert_eq!(code(&output), 1, "{}", stderr(&output));
}

#[test]
fn help_lists_the_exit_codes() {
    let output = Place::new().weigh(&["--help"]);
    for words in ["130", "incomplete", "run", "inspect", "componentize"] {
        assert!(stdout(&output).contains(words), "{words}");
    }
    assert!(Path::new(env!("CARGO_BIN_EXE_weigh")).exists());
}
