//! Run files that another program wrote, or an editor.

use std::process::Stdio;

use serde_json::{Value, json};
use weighbridge::case::{Field, TestCase};

use super::{GATE, json, measure, place, row, rows};
use crate::place::{Place, code, expect, stderr};

/// A place with a run of one case that passed, `seed.jsonl`, under `GATE`.
fn seeded() -> Place {
    let place = place();
    measure(&place, &[row("c", 60)], "seed.jsonl", &GATE);
    place
}

/// Writes a run file of these cases and scores; null is a failure, and the
/// text `skip` a skip. `edit` changes the header.
fn write(place: &Place, name: &str, cases: &[(Value, Value)], edit: impl Fn(&mut Value)) {
    let seed = place.records("seed.jsonl");
    let mut header = seed[0].clone();
    header["cases"] = cases.iter().any(|(case, _)| !case.is_null()).into();
    edit(&mut header);
    let metrics = header["metrics"].as_array().expect("a list").clone();
    let mut lines = vec![header.to_string()];
    for ((case, score), number) in cases.iter().zip(1..) {
        let mut record = seed[1].clone();
        (record["row"], record["line"]) = (number.into(), number.into());
        record["case"] = case.clone();
        let data = metrics.iter().map(|metric| {
            let mut data = record["metrics"][0].clone();
            data["name"] = metric["name"].clone();
            data["contract"] = metric["contract"].clone();
            data["threshold"] = metric["policy"]["threshold"].clone();
            data["score"] = Value::Null;
            data["caseDigest"] = digest(case);
            match score {
                Value::Null => {
                    (data["status"], data["success"]) = ("failed".into(), false.into());
                    let cause = match case {
                        Value::Null => ["input", "unreadable-row"],
                        _ => ["metric", "trap"],
                    };
                    (data["errorKind"], data["errorCode"]) = (cause[0].into(), cause[1].into());
                    data["error"] = format!("it fell\u{1b}[31m in row {number}").into();
                }
                Value::String(_) => {
                    (data["status"], data["success"]) = ("skipped".into(), Value::Null);
                }
                score => {
                    let passed = score.as_f64().is_some_and(|score| score >= 0.5);
                    (data["score"], data["success"]) = (score.clone(), passed.into());
                }
            }
            data
        });
        record["metrics"] = data.collect();
        let successes: Vec<&Value> = record["metrics"]
            .as_array()
            .expect("a list")
            .iter()
            .map(|data| &data["success"])
            .collect();
        record["success"] = if successes.contains(&&json!(false)) {
            false.into()
        } else if successes.contains(&&json!(true)) {
            true.into()
        } else {
            Value::Null
        };
        lines.push(record.to_string());
    }
    lines.push(String::new());
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    place.write(name, &lines);
}

/// The digest of a case as `graded` sees it.
fn digest(case: &Value) -> Value {
    let case: Option<TestCase> = serde_json::from_value(case.clone()).expect("a case");
    case.and_then(|case| case.digest(&[Field::ActualOutput]))
        .into()
}

fn named(name: &str) -> Value {
    json!({"name": name, "input": format!("asked {name}")})
}

fn unchanged(_: &mut Value) {}

/// Gives the first metric of `header` the contract that its parts make.
fn contract_anew(header: &mut Value) {
    let metric: weighbridge::run::MetricRecord =
        serde_json::from_value(header["metrics"][0].clone()).expect("a metric");
    let contract = metric.contract_of_parts().expect("exact numbers");
    header["metrics"][0]["contract"] = contract.into();
}

#[track_caller]
fn refused(place: &Place, further: &[&str], words: &str) {
    let mut all = vec!["compare", "a.jsonl", "b.jsonl"];
    all.extend(further);
    let output = place.weigh(&all);
    expect(&output, 2);
    let said = stderr(&output);
    assert!(said.contains(words), "{said}");
    assert!(!said.contains('\u{1b}'), "{said:?}");
}

fn said(place: &Place, further: &[&str], code: i32) -> String {
    let mut all = vec!["compare", "a.jsonl", "b.jsonl"];
    all.extend(further);
    expect(&place.weigh(&all), code)
}

#[test]
fn every_pair_is_in_one_bucket() {
    let place = seeded();
    let sides = [json!(0.2), json!(0.6), json!(null), json!("skip")];
    let pairs: Vec<(&Value, &Value)> = sides
        .iter()
        .flat_map(|a| sides.iter().map(move |b| (a, b)))
        .collect();
    let side = |of: fn(&(&Value, &Value)) -> Value| {
        let cases = pairs.iter().enumerate();
        let cases = cases.map(|(place, pair)| (named(&format!("c{place}")), of(pair)));
        cases.collect::<Vec<_>>()
    };
    write(&place, "a.jsonl", &side(|pair| pair.0.clone()), unchanged);
    write(&place, "b.jsonl", &side(|pair| pair.1.clone()), unchanged);
    let found = &json(&place, &[], 0)["metrics"][0]["found"];
    for (change, count) in [
        ("improved", 1),
        ("worse", 1),
        ("same", 2),
        ("becameFailure", 3),
        ("recovered", 3),
        ("failedInBoth", 1),
        ("skippedInOne", 4),
        ("skippedInBoth", 1),
    ] {
        assert_eq!(found["changes"][change], count, "{change}");
    }
    assert_eq!(found["difference"]["cases"], 4);
    assert_eq!(found["verdicts"]["cameToPass"], 1);
}

#[test]
fn lower_is_better_where_the_metric_says_so() {
    let place = seeded();
    let lower = |header: &mut Value| {
        header["metrics"][0]["description"]["direction"] = "lower-is-better".into();
        header["metrics"][0]["policy"] = json!({"threshold": null, "strict": false});
    };
    // Without a threshold every score passes.
    write(&place, "a.jsonl", &[(named("c"), json!(0.6))], lower);
    write(&place, "b.jsonl", &[(named("c"), json!(0.7))], lower);
    let text = said(&place, &[], 0);
    assert!(text.contains("improved 0, worse 1"), "{text}");
    assert!(text.contains("lower is better"), "{text}");
}

#[test]
fn a_row_that_is_no_case_leaves_the_others_paired_by_name() {
    let place = seeded();
    let a = [("one", 0.1), ("two", 0.5), ("three", 0.9)];
    let a = a.map(|(name, score)| (named(name), json!(score)));
    let b = [
        a[2].clone(),
        (Value::Null, Value::Null),
        a[0].clone(),
        (named("four"), json!(0.1)),
    ];
    write(&place, "a.jsonl", &a, unchanged);
    write(&place, "b.jsonl", &b, unchanged);
    let text = said(&place, &[], 0);
    for words in [
        "2 test cases paired by name; only in A: 1, only in B: 1",
        "CAUTION: 1 row of B not paired",
        "improved 0, worse 0, same 2",
    ] {
        assert!(text.contains(words), "{text}");
    }
}

#[test]
fn the_order_of_rows_changes_no_figure() {
    let place = seeded();
    let numbers = 0..40_u32;
    let cases = |factor: u32| {
        let case = move |number: u32| {
            let score = f64::from(number * factor % 17) / 17.0;
            (named(&format!("c{number}")), json!(score))
        };
        numbers.clone().map(case).collect::<Vec<_>>()
    };
    let (mut a, mut b) = (cases(5), cases(11));
    write(&place, "a.jsonl", &a, unchanged);
    write(&place, "b.jsonl", &b, unchanged);
    let before = json(&place, &[], 0);
    a.reverse();
    b.rotate_left(7);
    write(&place, "a.jsonl", &a, unchanged);
    write(&place, "b.jsonl", &b, unchanged);
    assert_eq!(before, json(&place, &[], 0));
}

#[test]
fn what_can_not_be_paired_is_refused_with_its_rows() {
    let place = seeded();
    let score = || json!(0.5);
    let unnamed = |input: &str| (json!({ "input": input }), score());
    let a = ["v", "w", "x", "y", "z"].map(unnamed);
    write(&place, "a.jsonl", &a, unchanged);
    write(&place, "b.jsonl", &[(named("n"), score())], unchanged);
    refused(
        &place,
        &["--by", "name"],
        "each of rows 1, 2, 3 and 2 more of run file `a.jsonl` has none",
    );
    refused(&place, &[], "paired by input, no case is in both runs");
    let twice = ["n", "m", "n"].map(|name| (named(name), score()));
    write(&place, "a.jsonl", &twice, unchanged);
    refused(
        &place,
        &["--by", "name"],
        "rows 1 and 3 of run file `a.jsonl` have the same",
    );
    write(&place, "a.jsonl", &[(Value::Null, score())], unchanged);
    refused(&place, &["--by", "input"], "holds no test cases");
    write(&place, "b.jsonl", &[], unchanged);
    refused(&place, &[], "no case is in both runs");
}

#[test]
fn rows_without_inputs_of_other_data_are_no_proof() {
    let place = seeded();
    let cases = [(Value::Null, json!(0.5)), (Value::Null, json!(0.6))];
    write(&place, "a.jsonl", &cases, unchanged);
    write(&place, "b.jsonl", &cases, unchanged);
    let words = "CAUTION: 2 cases without stored inputs, and the data sets differ";
    assert!(!said(&place, &[], 0).contains("CAUTION"), "one data set");
    write(&place, "b.jsonl", &cases, |header| {
        header["dataSet"]["digest"] = Value::Null;
    });
    let text = said(&place, &[], 0);
    assert!(text.contains(words), "{text}");
}

#[test]
fn files_that_contradict_themselves_are_refused() {
    let place = seeded();
    let good = [(named("c"), json!(0.6))];
    write(&place, "a.jsonl", &good, unchanged);
    // Which of two metrics of one name is compared with which?
    write(&place, "b.jsonl", &good, |header| {
        let twin = header["metrics"][0].clone();
        header["metrics"].as_array_mut().expect("a list").push(twin);
    });
    refused(&place, &[], "another metric has the same name");
    for (from, to, words) in [
        (
            "\"success\":true",
            "\"success\":false",
            "by the header's policy",
        ),
        (
            "\"name\":\"c\"",
            "\"name\":5",
            "its test case can't be read",
        ),
        ("\"score\":0.6", "\"score\":1e999", "damaged in line 2"),
        ("\"score\":0.6", "\"score\":NaN", "damaged in line 2"),
        ("\"row\":1", "\"row\":0", "damaged in line 2"),
    ] {
        write(&place, "b.jsonl", &good, unchanged);
        place.edit("b.jsonl", "b.jsonl", |text| text.replace(from, to));
        refused(&place, &[], words);
    }
    place.write("b.jsonl", &["{\"name\": \"a data set\"}", ""]);
    refused(&place, &[], "is not a run file");
    std::fs::remove_file(place.path("b.jsonl")).expect("it is there");
    refused(&place, &[], "can't be read");
    // What a file calls its metrics doesn't reach the terminal.
    write(&place, "b.jsonl", &good, |header| {
        header["metrics"][0]["name"] = "\u{1b}]0;title\u{7}".into();
        header["metrics"][0]["interface"] = "another".into();
    });
    refused(&place, &[], "its parts make");
}

#[test]
fn scores_on_other_scales_are_never_subtracted() {
    let place = seeded();
    let good = [(named("c"), json!(0.6))];
    write(&place, "a.jsonl", &good, unchanged);
    let other = |key: &'static str, value: Value| {
        move |header: &mut Value| {
            header["metrics"][0]["description"][key] = value.clone();
            header["metrics"][0]["config"]["version"] = 2.into();
            contract_anew(header);
        }
    };
    for edit in [
        other("highest", json!(100)),
        other("direction", json!("lower-is-better")),
    ] {
        // A threshold of 0.5 downwards fails 0.6.
        let lower = |header: &mut Value| {
            edit(header);
            header["metrics"][0]["policy"] = json!({"threshold": null, "strict": false});
        };
        write(&place, "b.jsonl", &good, lower);
        let text = said(&place, &["--across-contracts"], 5);
        assert!(
            text.contains("scores on different scales can't be subtracted"),
            "{text}"
        );
        assert!(!text.contains("mean difference"), "{text}");
        let found = json(&place, &["--across-contracts", "--rows", "same"], 5);
        assert_eq!(found["metrics"][0]["found"], Value::Null);
        assert_eq!(found["rows"], json!([]));
    }
}

#[test]
fn long_parts_of_a_contract_are_shown_where_they_differ() {
    let place = seeded();
    let prompt = |end: &'static str| {
        move |header: &mut Value| {
            let text = format!("{}{end}", "Judge with care. ".repeat(30));
            header["metrics"][0]["judge"] = json!({"model": "m", "system": text});
            contract_anew(header);
        }
    };
    let good = [(named("c"), json!(0.6))];
    write(&place, "a.jsonl", &good, prompt("Be strict."));
    write(&place, "b.jsonl", &good, prompt("Be kind."));
    let text = said(&place, &[], 5);
    let line = text
        .lines()
        .find(|line| line.contains("    judge: "))
        .expect("the judge differs");
    assert!(
        line.contains("Be strict") && line.contains("Be kind"),
        "{line}"
    );
    assert!(!line.contains("model"), "what is equal isn't shown: {line}");
    write(&place, "b.jsonl", &good, unchanged);
    // A judge's score is never subtracted from a computed one.
    let text = said(&place, &["--across-contracts"], 5);
    assert!(text.contains("in A, deterministic in B"), "{text}");
    assert!(text.contains("are of different kinds"), "{text}");
    assert!(!text.contains("mean difference"), "{text}");
    // One number in two spellings is no change.
    let config = |one: Value, other: u32| {
        move |header: &mut Value| {
            header["metrics"][0]["config"] = json!({"one": one, "other": other});
            contract_anew(header);
        }
    };
    write(&place, "a.jsonl", &good, config(json!(1), 1));
    write(&place, "b.jsonl", &good, config(json!(1.0), 2));
    let text = said(&place, &[], 5);
    assert!(
        text.contains(r#"configuration: {"other":1} in A, {"other":2} in B"#),
        "{text}"
    );
}

#[test]
fn listed_cases_have_their_texts_from_either_file() {
    let place = seeded();
    let good = |name: &str| (named(name), json!(0.6));
    let failed = |case: Value| (case, Value::Null);
    write(
        &place,
        "a.jsonl",
        &[failed(named("one")), good("two")],
        unchanged,
    );
    write(
        &place,
        "b.jsonl",
        &[good("one"), failed(named("two"))],
        unchanged,
    );
    let text = said(&place, &["--rows", "recovered"], 0);
    let words = "row 1  failed (trap: it fell\\u{1b}[31m in row 1) → 0.6000  one";
    assert!(text.contains(words), "{text}");
    let text = said(&place, &["--rows", "became-failure"], 0);
    let words = "row 2  0.6000 → failed (trap: it fell\\u{1b}[31m in row 2)  two";
    assert!(text.contains(words), "{text}");
    let found = json(&place, &["--rows", "became-failure"], 0);
    assert_eq!(
        found["rows"][0]["b"],
        json!({"status": "failed", "errorCode": "trap"})
    );
    assert_eq!(
        found["rows"][0]["a"],
        json!({"status": "measured", "score": 0.6, "success": true})
    );
    assert_eq!(json(&place, &[], 0)["rows"], Value::Null, "not asked for");
    // B stores no cases.
    let bare = [(Value::Null, json!(0.7)), (Value::Null, json!(0.600001))];
    write(&place, "a.jsonl", &[good("one"), good("two")], unchanged);
    write(&place, "b.jsonl", &bare, unchanged);
    let text = said(&place, &["--rows", "improved"], 0);
    assert!(text.contains("row 1  0.6000 → 0.7000  one\n"), "{text}");
    assert!(text.contains("row 2  0.6 → 0.600001  two\n"), "{text}");
    let text = said(&place, &["--rows", "worse"], 0);
    assert!(text.ends_with("\nno such cases\n"), "{text}");
}

#[test]
fn huge_scores_have_a_difference_or_say_that_it_is_none() {
    let place = seeded();
    let huge = |header: &mut Value| {
        header["metrics"][0]["description"]["lowest"] = json!(-1e308);
        header["metrics"][0]["description"]["highest"] = json!(1e308);
    };
    let cases = |score: f64| ["one", "two", "three"].map(|name| (named(name), json!(score)));
    write(&place, "a.jsonl", &cases(1e308), huge);
    write(&place, "b.jsonl", &cases(5e307), huge);
    let text = said(&place, &[], 0);
    assert!(
        text.contains("-5.000e307 (3 cases, all differences equal)"),
        "{text}"
    );
    write(&place, "b.jsonl", &cases(-1e308), huge);
    let text = said(&place, &["--rows", "worse"], 0);
    assert!(text.contains("beyond the range of a double"), "{text}");
    assert!(
        text.contains("row 1  1.000e308 → -1.000e308  one"),
        "{text}"
    );
    assert!(!text.contains("inf") && !text.contains("NaN"), "{text}");
}

#[test]
fn a_reader_that_has_seen_enough_is_no_error() {
    let place = place();
    measure(&place, &rows(&[60; 50]), "a.jsonl", &GATE);
    let mut child = place
        .command(&["compare", "a.jsonl", "a.jsonl", "--rows", "same", "--json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!((code(&output), stderr(&output)), (0, String::new()));
}
