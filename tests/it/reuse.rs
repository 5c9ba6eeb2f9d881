//! `--reuse`: what is known under the same contract on the same case is taken
//! over, and only the rest is measured.

use std::fmt::Write;

use serde_json::Value;
use weighbridge::contract::digest_bytes;
use weighbridge::run::Reuse;

use crate::guests;
use crate::place::{Place, expect, stderr};

fn row(length: usize, input: &str) -> String {
    format!(
        r#"{{"actual_output": "{}", "input": "{input}"}}"#,
        "a".repeat(length)
    )
}

fn place(rows: &[String]) -> Place {
    let place = Place::new();
    guests::file(place.folder(), "graded");
    write(&place, rows);
    place
}

fn write(place: &Place, rows: &[String]) {
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    place.write("data.jsonl", &rows);
}

fn run(place: &Place, output: &str, further: &[&str], code: i32) -> Vec<Value> {
    let mut all = vec![
        "run",
        "data.jsonl",
        "--output",
        output,
        "--metric",
        "./graded.wasm",
    ];
    all.extend(further);
    expect(&place.weigh(&all), code);
    place.records(output)
}

/// The rows of the old run that each result was taken over from.
fn origins(records: &[Value]) -> Vec<Option<u64>> {
    let results = records.iter().filter(|record| record["record"] == "result");
    results
        .map(|record| record["metrics"][0]["reusedFrom"]["row"].as_u64())
        .collect()
}

#[test]
fn equal_contract_and_case_are_taken_over_and_the_rest_is_measured() {
    let place = place(&[row(10, "one"), row(20, "two"), row(30, "three")]);
    let old = run(&place, "old.jsonl", &["--threshold", "0.2"], 1);
    // Another order, a new case, an undeclared field that differs.
    write(&place, &[row(30, "other"), row(40, "four"), row(10, "one")]);
    let new = run(
        &place,
        "new.jsonl",
        &["--threshold", "0.3", "--reuse", "old.jsonl"],
        1,
    );
    assert_eq!(origins(&new), [Some(3), None, Some(1)]);

    let digest = digest_bytes(place.text("old.jsonl").as_bytes());
    assert_eq!(new[0]["reused"][0]["path"], "old.jsonl");
    assert_eq!(new[0]["reused"][0]["digest"], digest);
    let mut taken = new[1]["metrics"][0].clone();
    assert_eq!(taken["reusedFrom"]["run"], digest);
    // The record is the old one under the new policy.
    taken
        .as_object_mut()
        .expect("an object")
        .remove("reusedFrom");
    let mut expected = old[3]["metrics"][0].clone();
    assert_eq!(expected["threshold"], 0.2);
    expected["threshold"] = 0.3.into();
    assert_eq!(taken, expected);
    // The case is the new one.
    assert_eq!(new[1]["case"]["input"], "other");
    // A run that took something over is verified like any other.
    expect(&place.weigh(&["verify", "new.jsonl"]), 0);
}

#[test]
fn another_contract_is_measured() {
    let place = place(&[r#"{"actual_output": "{\"city\": 1, \"answer\": 2}"}"#.to_owned()]);
    let metric = ["--metric", "exact-json", "--name", "json", "--strict"];
    let mut all = vec!["--score-only"];
    run(&place, "old.jsonl", &all, 0);
    all = metric.to_vec();
    all.extend(["--config", r#"{"field": "city"}"#, "--reuse", "old.jsonl"]);
    let records = run(&place, "new.jsonl", &all, 0);
    let metrics = &records[1]["metrics"];
    assert_eq!(metrics[0]["reusedFrom"]["row"], 1, "the same contract");
    assert_eq!(metrics[1]["reusedFrom"], Value::Null, "another component");
    all[6] = r#"{"field": "answer"}"#;
    all[8] = "new.jsonl";
    let records = run(&place, "newer.jsonl", &all, 0);
    assert_eq!(
        records[1]["metrics"][1]["reusedFrom"],
        Value::Null,
        "another config"
    );
}

#[test]
fn failures_are_not_reused() {
    let rows = [
        row(10, "one"),
        r#"{"actual_output": "x"}"#.to_owned(),
        "{}".to_owned(),
    ];
    let place = place(&rows);
    run(&place, "old.jsonl", &["--score-only"], 3);
    let new = run(
        &place,
        "new.jsonl",
        &["--score-only", "--reuse", "old.jsonl"],
        3,
    );
    assert_eq!(origins(&new), [Some(1), None, None]);
    assert_eq!(new[2]["metrics"][0]["errorCode"], "internal");
    assert_eq!(new[3]["metrics"][0]["errorCode"], "missing-field");
}

#[test]
fn several_runs_are_reused_and_the_first_one_wins() {
    let place = place(&[row(10, "one"), row(20, "two")]);
    run(&place, "a.jsonl", &["--score-only"], 0);
    write(&place, &[row(20, "two"), row(30, "three")]);
    run(&place, "b.jsonl", &["--score-only"], 0);
    write(
        &place,
        &[row(10, ""), row(20, ""), row(30, ""), row(40, "")],
    );
    let further = ["--score-only", "--reuse", "b.jsonl", "--reuse", "a.jsonl"];
    let new = run(&place, "new.jsonl", &further, 0);
    assert_eq!(origins(&new), [Some(1), Some(1), Some(2), None]);
    let digest = |name: &str| digest_bytes(place.text(name).as_bytes());
    let from: Vec<&Value> = new[1..5]
        .iter()
        .map(|record| &record["metrics"][0]["reusedFrom"]["run"])
        .collect();
    assert_eq!(from[0], &digest("a.jsonl"));
    assert_eq!(from[1], &digest("b.jsonl"));
    assert_eq!(new[0]["reused"][1]["digest"], digest("a.jsonl"));
}

#[test]
fn a_stopped_file_is_reused_as_far_as_it_goes_and_a_damaged_one_is_refused() {
    let place = place(&[row(10, "one"), row(20, "two")]);
    run(&place, "old.jsonl", &["--score-only"], 0);
    place.edit("old.jsonl", "cut.jsonl", |text| {
        let second = text.rfind("{\"record\":\"result\"").expect("results");
        text[..second + 100].to_owned()
    });
    let new = run(
        &place,
        "new.jsonl",
        &["--score-only", "--reuse", "cut.jsonl"],
        0,
    );
    assert_eq!(origins(&new), [Some(1), None]);

    place.edit("old.jsonl", "damaged.jsonl", |text| {
        text.replacen("\"row\":2", "\"row\":#", 1)
    });
    for (file, words) in [
        ("damaged.jsonl", "line 3"),
        ("data.jsonl", "is not a run file"),
        ("none.jsonl", "can't be read"),
    ] {
        let output = place.weigh(&[
            "run",
            "data.jsonl",
            "-o",
            "x.jsonl",
            "--metric",
            "./graded.wasm",
            "--score-only",
            "--reuse",
            file,
        ]);
        expect(&output, 2);
        let said = stderr(&output);
        assert!(said.contains(words) && said.contains(file), "{said}");
        assert!(!place.path("x.jsonl").exists());
    }
    let output = place.weigh(&[
        "run",
        "data.jsonl",
        "-o",
        "old.jsonl",
        "--overwrite",
        "--metric",
        "./graded.wasm",
        "--score-only",
        "--reuse",
        "old.jsonl",
    ]);
    expect(&output, 2);
    assert!(
        stderr(&output).contains("is an input"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn a_score_off_the_scale_is_measured_anew() {
    let place = place(&[row(10, "one")]);
    run(&place, "old.jsonl", &["--score-only"], 0);
    place.edit("old.jsonl", "forged.jsonl", |text| {
        text.replacen("\"score\":0.1", "\"score\":10.0", 1)
    });
    let new = run(
        &place,
        "new.jsonl",
        &["--score-only", "--reuse", "forged.jsonl"],
        0,
    );
    assert_eq!(origins(&new), [None]);
    assert_eq!(new[1]["metrics"][0]["score"], 0.1);
}

#[test]
fn a_record_that_changed_after_the_index_is_not_found() {
    let place = place(&[row(10, "one"), row(20, "two")]);
    let old = run(&place, "old.jsonl", &["--score-only"], 0);
    let part = |row: usize, part: &str| {
        let value = &old[row]["metrics"][0][part];
        value.as_str().expect("a text").to_owned()
    };
    let contract = part(1, "contract");
    let reuse = Reuse::open(&[place.path("old.jsonl")], &[&contract]).expect("it opens");
    let found = |row: usize| reuse.find(&contract, &part(row, "caseDigest"));
    let unread = Reuse::open(&[place.path("old.jsonl")], &[&contract]).expect("it opens");
    assert!(found(1).is_some());
    assert!(reuse.find(&contract, &digest_bytes(b"")).is_none());
    assert!(reuse.find("sha256:other", &part(1, "caseDigest")).is_none());
    let mut text = String::new();
    for line in place.text("old.jsonl").lines() {
        writeln!(
            text,
            "{}",
            line.replace("\"caseDigest\":\"sha256:", "\"caseDigest\":\"sha255:")
        )
        .expect("a string takes text");
    }
    std::fs::write(place.path("old.jsonl"), text).expect("the folder takes files");
    assert!(unread.find(&contract, &part(2, "caseDigest")).is_none());
}
