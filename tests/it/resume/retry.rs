//! Infrastructure failures of a whole run, measured again.

use serde_json::Value;

use super::{arguments, place, resume};
use crate::guests;
use crate::place::{Place, expect, without_times};

/// Makes an infrastructure failure of the record of this row and metric.
fn break_down(text: &str, row: usize, metric: usize) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let line = &mut lines[row];
    let mut record: Value = serde_json::from_str(line).expect("it is JSON");
    let data = &mut record["metrics"][metric];
    assert_eq!(data["status"], "measured");
    for (part, value) in [
        ("status", "failed".into()),
        ("errorKind", "infrastructure".into()),
        ("errorCode", "host-resources".into()),
        ("error", "no memory".into()),
        ("score", Value::Null),
        ("reason", Value::Null),
        ("success", false.into()),
    ] {
        data[part] = value;
    }
    record["success"] = false.into();
    *line = record.to_string();
    // The counts of the closing record must go along.
    let mut closing: Value = serde_json::from_str(&lines.pop().expect("one")).expect("JSON");
    let summary = &mut closing["summary"]["metrics"][metric];
    summary["infrastructureFailures"] = 1.into();
    lines.push(closing.to_string());
    lines.join("\n") + "\n"
}

#[test]
fn infrastructure_failures_of_a_whole_run_are_measured_again() {
    let rows = [
        r#"{"actual_output": "{\"answer\": 1}"}"#,
        r#"{"actual_output": "{\"answer\": 2}"}"#,
        "not a row at all",
    ];
    let place = place(&rows);
    expect(&place.weigh(&arguments("whole.jsonl", &[])), 3);
    place.edit("whole.jsonl", "run.jsonl", |text| break_down(text, 2, 1));
    // What is kept is kept, not measured again.
    place.edit("run.jsonl", "run.jsonl", |text| {
        text.replacen("\"peakMemory\":", "\"kept\":1,\"peakMemory\":", 1)
    });
    let output = resume(&place, "run.jsonl");
    expect(&output, 3);
    let resumed = place.text("run.jsonl");
    assert_eq!(resumed.matches("\"kept\":1").count(), 1);
    let resumed = resumed.replacen(",\"kept\":1", "", 1);
    assert_eq!(
        without_times(&resumed),
        without_times(&place.text("whole.jsonl"))
    );
    let files = std::fs::read_dir(place.folder()).expect("a folder").count();
    assert_eq!(
        files, 5,
        "data, metric, cache and two runs: nothing is left over"
    );
}

/// A run of cases that all run out of time, and the arguments of that run.
#[cfg(unix)]
fn out_of_time(rows: usize) -> (Place, Vec<&'static str>) {
    let place = Place::new();
    guests::file(place.folder(), "endless-loop");
    place.write("data.jsonl", &vec![r#"{"actual_output": "x"}"#; rows]);
    let mut run = vec!["run", "data.jsonl", "--output", "run.jsonl", "--quiet"];
    run.extend(["--metric", "./endless-loop.wasm", "--threshold", "1"]);
    run.extend([
        "--max-fuel",
        "1000000000000000",
        "--timeout",
        "0.1",
        "--jobs",
        "2",
    ]);
    expect(&place.weigh(&run), 4);
    (place, run)
}

#[cfg(unix)]
#[test]
fn an_interrupted_retry_keeps_the_old_records_of_what_is_left() {
    const ROWS: usize = 60;
    let (place, mut run) = out_of_time(ROWS);
    let before = place.text("run.jsonl");
    run.push("--resume");
    let child = place.command(&run).spawn().expect("the binary starts");
    // The file that is to take the old one's place shows that it measures.
    let begun = || {
        let files = std::fs::read_dir(place.folder()).expect("a folder");
        let mut names = files.filter_map(|file| file.ok()?.file_name().into_string().ok());
        names.any(|name| name.starts_with(".tmp"))
    };
    while !begun() {
        std::thread::yield_now();
    }
    let killed = std::process::Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status()
        .expect("there is a `kill`");
    assert!(killed.success());
    let output = child.wait_with_output().expect("it ends");
    expect(&output, 130);
    let after = place.text("run.jsonl");
    assert_eq!(
        without_times(&after),
        without_times(&before),
        "a whole file"
    );
    assert!(!begun(), "nothing is left over");
    let kept = before.lines().filter(|line| after.contains(*line)).count();
    assert!(kept > ROWS / 4, "only {kept} of {ROWS} records were kept");
}
