//! `weigh rejudge`: new verdicts, the same scores.

use serde_json::Value;

use crate::guests;
use crate::place::{Place, expect, stderr};

/// A run of scores 0.65, 0.7, 0.8, 0.9, 1 and a failure, under this policy.
fn measured(policy: &[&str]) -> Place {
    let place = Place::new();
    guests::file(place.folder(), "graded");
    let rows: Vec<String> = [65, 70, 80, 90, 100]
        .iter()
        .map(|&length| format!(r#"{{"actual_output": "{}"}}"#, "a".repeat(length)))
        .chain([r#"{"actual_output": "x"}"#.to_owned()])
        .collect();
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    place.write("data.jsonl", &rows);
    let mut arguments = vec!["--metric", "./graded.wasm"];
    arguments.extend(policy);
    expect(&place.run(&arguments), 3);
    // Whatever happens now, no component can be opened.
    std::fs::remove_file(place.path("graded.wasm")).expect("it is there");
    std::fs::remove_file(place.path("data.jsonl")).expect("it is there");
    place
}

fn successes(records: &[Value]) -> Vec<Option<bool>> {
    let metric = |record: &Value| record["metrics"][0]["success"].as_bool();
    results(records).map(metric).collect()
}

fn results(records: &[Value]) -> impl Iterator<Item = &Value> {
    records.iter().filter(|record| record["record"] == "result")
}

/// The records without what a policy may change.
fn without_verdicts(records: &[Value]) -> Vec<Value> {
    let mut records: Vec<Value> = results(records).cloned().collect();
    for record in &mut records {
        record["success"] = Value::Null;
        for data in record["metrics"].as_array_mut().expect("a list") {
            for part in ["success", "threshold", "strictMode"] {
                data[part] = Value::Null;
            }
        }
    }
    records
}

#[test]
fn another_threshold_changes_only_success_and_counts() {
    let place = measured(&["--threshold", "0.7"]);
    let old = place.records("run.jsonl");
    let output = place.weigh(&[
        "rejudge",
        "run.jsonl",
        "--threshold",
        "guest=0.9",
        "--output",
        "new.jsonl",
    ]);
    let said = expect(&output, 3);
    assert!(
        said.contains("guest: threshold 0.9, before threshold 0.7"),
        "{said}"
    );
    assert!(said.contains("verdicts changed: 2"), "{said}");
    let new = place.records("new.jsonl");

    let (yes, no) = (Some(true), Some(false));
    assert_eq!(successes(&old), [no, yes, yes, yes, yes, no]);
    assert_eq!(successes(&new), [no, no, no, yes, yes, no]);
    assert_eq!(without_verdicts(&old), without_verdicts(&new));
    for record in results(&new) {
        assert_eq!(record["metrics"][0]["threshold"], 0.9);
        assert_eq!(record["success"], record["metrics"][0]["success"]);
        assert_eq!(
            record["metrics"][0]["contract"],
            old[0]["metrics"][0]["contract"]
        );
    }
    let summaries = [&old, &new].map(|records| {
        let mut summary = records.last().expect("a closing")["summary"]["metrics"][0].clone();
        let counts = [summary["passed"].take(), summary["failed"].take()];
        summary["passRate"].take();
        summary["bounds"].take();
        (summary, counts)
    });
    assert_eq!(summaries[0].0, summaries[1].0, "mean and failures stay");
    assert_eq!(summaries[0].1, [4, 1]);
    assert_eq!(summaries[1].1, [2, 3]);
}

#[test]
fn the_header_says_which_run_when_and_what_changed() {
    let place = measured(&["--threshold", "0.7"]);
    let digest = weighbridge::contract::digest_bytes(place.text("run.jsonl").as_bytes());
    let again = &[
        "rejudge",
        "run.jsonl",
        "--strict",
        "guest",
        "-o",
        "strict.jsonl",
    ];
    expect(&place.weigh(again), 3);
    let header = &place.records("strict.jsonl")[0];
    let rejudged = &header["rejudged"][0];
    assert_eq!(rejudged["run"]["path"], "run.jsonl");
    assert_eq!(rejudged["run"]["digest"], digest);
    assert!(
        rejudged["at"]
            .as_str()
            .is_some_and(|time| time.ends_with('Z'))
    );
    assert_eq!(rejudged["changes"][0]["metric"], "guest");
    assert_eq!(rejudged["changes"][0]["from"]["strict"], false);
    assert_eq!(rejudged["changes"][0]["to"]["strict"], true);
    assert_eq!(header["metrics"][0]["policy"]["strict"], true);
    let first = place.records("run.jsonl").remove(0);
    for part in ["command", "started", "dataSet", "limits", "wasmtime"] {
        assert_eq!(header[part], first[part], "{part} is of the measuring run");
    }

    // A second time adds to the history, and a threshold ends strict.
    let again = &[
        "rejudge",
        "strict.jsonl",
        "--threshold",
        "guest=0.7",
        "-o",
        "back.jsonl",
    ];
    expect(&place.weigh(again), 3);
    let (old, mut new) = (place.records("run.jsonl"), place.records("back.jsonl"));
    assert_eq!(new[0]["rejudged"].as_array().map(Vec::len), Some(2));
    let header = new[0].as_object_mut().expect("an object");
    header.remove("rejudged");
    assert_eq!(old, new, "there and back again");
}

#[test]
fn strict_is_recorded_in_the_results() {
    let place = measured(&["--threshold", "0.7"]);
    let output = place.weigh(&[
        "rejudge",
        "run.jsonl",
        "--strict",
        "guest",
        "-o",
        "new.jsonl",
    ]);
    assert!(expect(&output, 3).contains("guest: strict, before threshold 0.7"));
    let records = place.records("new.jsonl");
    assert_eq!(
        successes(&records),
        [false, false, false, false, true, false].map(Some)
    );
    for record in results(&records) {
        assert_eq!(record["metrics"][0]["strictMode"], true);
        assert_eq!(record["metrics"][0]["threshold"], 1.0);
    }
}

#[test]
fn a_failed_pair_stays_failed_and_scores_alone_get_a_policy() {
    let place = measured(&["--score-only"]);
    let output = place.weigh(&[
        "rejudge",
        "run.jsonl",
        "--threshold",
        "guest=0",
        "-o",
        "new.jsonl",
    ]);
    expect(&output, 3);
    let records = place.records("new.jsonl");
    let failed = results(&records).last().expect("six results");
    assert_eq!(failed["success"], false);
    assert_eq!(failed["metrics"][0]["status"], "failed");
    assert_eq!(failed["metrics"][0]["success"], false);
    assert_eq!(failed["metrics"][0]["score"], Value::Null);
}

#[test]
fn a_run_that_stopped_early_is_judged_as_far_as_it_goes() {
    let place = measured(&["--threshold", "0.7"]);
    place.edit("run.jsonl", "cut.jsonl", |text| {
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        lines[..3].concat() + &lines[3][..40]
    });
    let output = place.weigh(&[
        "rejudge",
        "cut.jsonl",
        "--threshold",
        "guest=0.9",
        "-o",
        "new.jsonl",
    ]);
    assert!(expect(&output, 4).contains("stopped early"));
    let records = place.records("new.jsonl");
    assert_eq!(records.len(), 3, "no closing record");
}

#[test]
fn what_this_version_does_not_know_is_kept() {
    let place = measured(&["--threshold", "0.7"]);
    place.edit("run.jsonl", "newer.jsonl", |text| {
        text.replace(
            "\"weighbridge\":",
            "\"host\":{\"z\":1,\"a\":[2]},\"weighbridge\":",
        )
        .replace("\"row\":", "\"shard\":\"1/2\",\"row\":")
        .replace("\"judgeCalls\":", "\"cached\":true,\"judgeCalls\":")
        .replace(
            "\"actualOutput\":",
            "\"audio\":\"clip.wav\",\"actualOutput\":",
        )
        .replace(
            "\"summary\":\"behaves?\"",
            "\"summary\":\"behaves?\",\"icon\":\"§\"",
        )
    });
    let output = place.weigh(&[
        "rejudge",
        "newer.jsonl",
        "--threshold",
        "guest=0.9",
        "-o",
        "new.jsonl",
    ]);
    expect(&output, 3);
    let records = place.records("new.jsonl");
    assert_eq!(records[0]["host"], serde_json::json!({"z": 1, "a": [2]}));
    assert_eq!(records[0]["metrics"][0]["description"]["icon"], "§");
    for record in results(&records) {
        assert_eq!(record["shard"], "1/2");
        assert_eq!(record["metrics"][0]["cached"], true);
        assert_eq!(record["case"]["audio"], "clip.wav");
    }
    let newer = place.records("newer.jsonl");
    assert_eq!(without_verdicts(&newer), without_verdicts(&records));
}

#[test]
fn what_can_not_be_judged_says_why_and_writes_nothing() {
    let place = measured(&["--threshold", "0.7"]);
    place.edit("run.jsonl", "damaged.jsonl", |text| {
        text.replacen("\"score\":0.9", "\"score\":null", 1)
    });
    for (arguments, words) in [
        (&["run.jsonl"][..], "nothing is to be judged"),
        (&["run.jsonl", "--strict", "gest"], "it has `guest`"),
        (&["run.jsonl", "--threshold", "guest"], "NAME=0.9"),
        (&["run.jsonl", "--threshold", "guest=nan"], "finite"),
        (
            &["run.jsonl", "--threshold", "guest=7"],
            "outside the scale",
        ),
        (
            &[
                "run.jsonl",
                "--threshold",
                "guest=0",
                "--threshold",
                "guest=1",
            ],
            "two thresholds",
        ),
        (&["none.jsonl", "--strict", "guest"], "none.jsonl"),
        (&["damaged.jsonl", "--strict", "guest"], "line 5"),
    ] {
        let mut all = vec!["rejudge"];
        all.extend(arguments);
        all.extend(["--output", "new.jsonl"]);
        let output = place.weigh(&all);
        expect(&output, 2);
        assert!(stderr(&output).contains(words), "{}", stderr(&output));
        assert!(!place.path("new.jsonl").exists(), "{arguments:?}");
    }
    let output = place.weigh(&[
        "rejudge",
        "run.jsonl",
        "--strict",
        "guest",
        "-o",
        "run.jsonl",
        "--overwrite",
    ]);
    expect(&output, 2);
    assert!(
        stderr(&output).contains("is an input"),
        "{}",
        stderr(&output)
    );
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_said() {
    let place = measured(&["--threshold", "0.7"]);
    let strict = [
        "rejudge",
        "run.jsonl",
        "--strict",
        "guest",
        "-o",
        "/dev/full",
    ];
    let output = place.weigh(&[&strict[..], &["--overwrite"]].concat());
    expect(&output, 4);
    let said = stderr(&output);
    assert!(
        said.contains("run file `/dev/full` can't be written: No space"),
        "{said}"
    );
}
