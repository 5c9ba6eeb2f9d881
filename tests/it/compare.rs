//! `weigh compare`: two runs, case by case, each metric by itself.

mod files;
mod numbers;

use proptest::prelude::*;
use serde_json::Value;
use weighbridge::compare::{Change, Comparison, Options, Side, compare};

use crate::guests;
use crate::place::{Place, expect, stderr};

/// A case with an answer of this length, which `graded` scores in hundredths;
/// 0 is a failure of the metric.
fn row(name: &str, length: usize) -> String {
    let output = if length == 0 {
        "x".to_owned()
    } else {
        "a".repeat(length)
    };
    format!(r#"{{"name": "{name}", "input": "asked {name}", "actual_output": "{output}"}}"#)
}

fn rows(lengths: &[usize]) -> Vec<String> {
    let numbered = lengths.iter().enumerate();
    numbered
        .map(|(place, &length)| row(&format!("c{place}"), length))
        .collect()
}

fn place() -> Place {
    let place = Place::new();
    guests::file(place.folder(), "graded");
    place
}

/// Measures these rows into a run file.
fn measure(place: &Place, rows: &[String], output: &str, policy: &[&str]) {
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    place.write("data.jsonl", &rows);
    let mut all = vec![
        "run",
        "data.jsonl",
        "-o",
        output,
        "--overwrite",
        "--metric",
        "./graded.wasm",
    ];
    all.extend(policy);
    let output = place.weigh(&all);
    assert!(
        matches!(output.status.code(), Some(0 | 1 | 3)),
        "{}",
        stderr(&output)
    );
}

fn json(place: &Place, further: &[&str], code: i32) -> Value {
    let mut all = vec!["compare", "a.jsonl", "b.jsonl", "--json"];
    all.extend(further);
    serde_json::from_str(&expect(&place.weigh(&all), code)).expect("it is JSON")
}

fn compared(place: &Place, options: &Options) -> Comparison {
    let side = |name: &str| Side::read(&place.path(name)).expect("it can be read");
    compare(&side("a.jsonl"), &side("b.jsonl"), options).expect("it can be compared")
}

const GATE: [&str; 2] = ["--threshold", "0.5"];

#[test]
fn each_pair_is_counted_once() {
    let place = place();
    measure(&place, &rows(&[10, 60, 60, 30, 0, 0, 80]), "a.jsonl", &GATE);
    // Another order, one case less, one more.
    let mut b = rows(&[20, 40, 60, 0, 50, 0]);
    b.reverse();
    b.push(row("new", 70));
    measure(&place, &b, "b.jsonl", &GATE);
    let found = json(&place, &[], 0);
    assert_eq!(found["pairedBy"], "name");
    assert_eq!(
        [&found["cases"], &found["onlyInA"], &found["onlyInB"]],
        [6, 1, 1]
    );
    let metric = &found["metrics"][0]["found"];
    let changes = &metric["changes"];
    for (change, count) in [
        ("improved", 1),
        ("worse", 1),
        ("same", 1),
        ("becameFailure", 1),
        ("recovered", 1),
        ("failedInBoth", 1),
        ("skippedInOne", 0),
        ("skippedInBoth", 0),
    ] {
        assert_eq!(changes[change], count, "{change}");
    }
    // Over the three pairs with two scores: +0.1, -0.2, 0.
    let difference = &metric["difference"];
    assert_eq!(difference["cases"], 3);
    let mean = difference["mean"].as_f64().expect("a number");
    assert!((mean + 0.1 / 3.0).abs() < 1e-12, "{mean}");
    assert_eq!(metric["verdicts"]["cameToFail"], 1);
    assert_eq!(metric["verdicts"]["cameToPass"], 0);
    let passed = metric["verdicts"]["passed"].as_u64().expect("a count");
    let failed = metric["verdicts"]["failed"].as_u64().expect("a count");
    assert_eq!(
        (passed, failed),
        (1, 1),
        "failed pairs have no verdict here"
    );
}

#[test]
fn mcnemars_test_is_exact() {
    // scipy 1.17.1: binomtest(min(b, c), b + c, 0.5).pvalue, which
    // statsmodels 0.15.0 mcnemar(exact=True) repeats.
    for (to_pass, to_fail, expected) in [
        (1, 9, 0.021_484_375),
        (0, 5, 0.0625),
        (3, 3, 1.0),
        (12, 30, 0.007_915_897_334_896_727),
        (0, 1, 1.0),
        (0, 0, 1.0),
    ] {
        let place = place();
        let pairs: Vec<(usize, usize)> = std::iter::repeat_n((10, 60), to_pass)
            .chain(std::iter::repeat_n((60, 10), to_fail))
            .chain([(60, 70), (10, 20)])
            .collect();
        let (a, b): (Vec<usize>, Vec<usize>) = pairs.into_iter().unzip();
        measure(&place, &rows(&a), "a.jsonl", &GATE);
        measure(&place, &rows(&b), "b.jsonl", &GATE);
        let found = json(&place, &[], 0);
        let verdicts = &found["metrics"][0]["found"]["verdicts"];
        let p = verdicts["pValue"].as_f64().expect("a number");
        assert!((p - expected).abs() < 1e-12, "{to_pass}, {to_fail}: {p}");
        assert_eq!(verdicts["cameToPass"], to_pass);
        assert_eq!(verdicts["cameToFail"], to_fail);
    }
}

#[test]
fn the_interval_is_that_of_the_paired_bootstrap() {
    let place = place();
    let a: Vec<usize> = (0..50).map(|place| 20 + place).collect();
    let b: Vec<usize> = (0..50).map(|place| 20 + place + (place * 7) % 11).collect();
    measure(&place, &rows(&a), "a.jsonl", &GATE);
    measure(&place, &rows(&b), "b.jsonl", &GATE);
    let options = |seed| Options {
        seed,
        ..Options::default()
    };
    let one = compared(&place, &options(0));
    assert_eq!(one, compared(&place, &options(0)), "a seed gives the same");
    let difference = |comparison: &Comparison| {
        let found = comparison.metrics[0]
            .found
            .as_ref()
            .expect("it is compared");
        found.difference.expect("fifty pairs")
    };
    let (first, other) = (difference(&one), difference(&compared(&place, &options(1))));
    assert_eq!(first.draws, 10_000);
    assert_ne!(first.interval, other.interval, "another seed, other draws");
    // Close to the normal interval: 50 differences of mean 0.0496 and
    // standard deviation 0.0313.
    for found in [first, other] {
        let interval = found.interval.expect("fifty pairs");
        let differences: Vec<f64> = (0..50)
            .map(|place| f64::from((place * 7) % 11) / 100.0)
            .collect();
        let mean = differences.iter().sum::<f64>() / 50.0;
        let squares: f64 = differences.iter().map(|each| (each - mean).powi(2)).sum();
        let reach = 1.96 * (squares / 49.0 / 50.0).sqrt();
        assert!((found.mean - mean).abs() < 1e-12);
        assert!(
            (interval.low - (mean - reach)).abs() < 0.001,
            "{interval:?}"
        );
        assert!(
            (interval.high - (mean + reach)).abs() < 0.001,
            "{interval:?}"
        );
    }
}

#[test]
fn too_little_to_resample_has_no_interval() {
    let place = place();
    measure(&place, &rows(&[10, 0]), "a.jsonl", &GATE);
    measure(&place, &rows(&[20, 10]), "b.jsonl", &GATE);
    let found = json(&place, &[], 0);
    let difference = &found["metrics"][0]["found"]["difference"];
    assert_eq!(difference["cases"], 1);
    assert_eq!(difference["interval"], Value::Null);
    measure(&place, &rows(&[0, 0]), "b.jsonl", &GATE);
    let said = expect(&place.weigh(&["compare", "a.jsonl", "b.jsonl"]), 0);
    assert!(said.contains("became failures 1"), "{said}");
    assert!(said.contains("mean difference: none"), "{said}");
}

#[test]
fn another_contract_is_not_compared_in_silence() {
    let place = place();
    let cases = rows(&[10, 20]);
    let json_metric =
        |config: &'static str| ["--score-only", "--metric", "exact-json", "--config", config];
    measure(&place, &cases, "a.jsonl", &json_metric(r#"{"field": "a"}"#));
    measure(&place, &cases, "b.jsonl", &json_metric(r#"{"field": "b"}"#));
    let said = expect(&place.weigh(&["compare", "a.jsonl", "b.jsonl"]), 5);
    assert!(
        said.contains("not compared, since its contracts differ"),
        "{said}"
    );
    assert!(
        said.contains(r#"configuration: {"field":"a"} in A, {"field":"b"} in B"#),
        "{said}"
    );
    assert!(said.contains("--across-contracts"), "{said}");
    // The other metric is compared all the same.
    assert!(said.contains("improved 0, worse 0, same 2"), "{said}");
    let said = expect(
        &place.weigh(&["compare", "a.jsonl", "b.jsonl", "--across-contracts"]),
        0,
    );
    assert!(said.contains("compared ACROSS CONTRACTS"), "{said}");

    // Each other part, as another host would have recorded it.
    let record = |text: &str| -> Value {
        serde_json::from_str(text.lines().next().expect("a header")).expect("it is JSON")
    };
    for (part, key, value) in [
        ("component", "version", "sha256:00"),
        ("judge", "judge", "a model"),
        ("environment", "environment", "wasi@1"),
        ("interface", "interface", "weighbridge:metric/metric@0.1.1"),
    ] {
        place.edit("a.jsonl", "b.jsonl", |text| {
            let mut header = record(text);
            header["metrics"][0][key] = value.into();
            let metric: weighbridge::run::MetricRecord =
                serde_json::from_value(header["metrics"][0].clone()).expect("a metric");
            let contract = metric.contract_of_parts().expect("exact numbers");
            let (old, version) = (record(text)["metrics"][0].clone(), metric.version);
            header["metrics"][0]["contract"] = contract.clone().into();
            let rest = text.split_once('\n').expect("results").1;
            let text = |value: &Value| value.as_str().expect("a text").to_owned();
            let rest = rest
                .replace(&text(&old["contract"]), &contract)
                .replace(&text(&old["version"]), &version);
            format!("{header}\n{rest}")
        });
        let said = expect(&place.weigh(&["compare", "a.jsonl", "b.jsonl"]), 5);
        assert!(said.contains(&format!("    {part}: ")), "{part}: {said}");
        let parts = said.lines().filter(|line| line.starts_with("    "));
        assert_eq!(parts.count(), 1, "{said}");
    }
    // Parts that don't make the contract are no run at all.
    place.edit("a.jsonl", "b.jsonl", |text| {
        text.replacen("@0.1.0\"", "@0.1.9\"", 1)
    });
    let output = place.weigh(&["compare", "a.jsonl", "b.jsonl"]);
    expect(&output, 2);
    assert!(
        stderr(&output).contains("its parts make"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn policies_that_differ_leave_the_verdicts_out() {
    let place = place();
    measure(&place, &rows(&[10, 20]), "a.jsonl", &GATE);
    measure(&place, &rows(&[10, 60]), "b.jsonl", &["--strict"]);
    let said = expect(&place.weigh(&["compare", "a.jsonl", "b.jsonl"]), 0);
    assert!(
        said.contains("threshold 0.5 in A, strict in B (`weigh rejudge`"),
        "{said}"
    );
    assert!(!said.contains("McNemar"), "{said}");
    measure(&place, &rows(&[10, 20]), "a.jsonl", &["--score-only"]);
    measure(&place, &rows(&[10, 20]), "b.jsonl", &["--score-only"]);
    let said = expect(&place.weigh(&["compare", "a.jsonl", "b.jsonl"]), 0);
    assert!(!said.contains("verdicts"), "{said}");
}

#[test]
fn rows_of_a_bucket_are_listed_biggest_change_first() {
    let place = place();
    measure(&place, &rows(&[60, 60, 60, 60]), "a.jsonl", &GATE);
    measure(&place, &rows(&[50, 20, 70, 0]), "b.jsonl", &GATE);
    let listed = |which: &str| {
        let said = expect(
            &place.weigh(&["compare", "a.jsonl", "b.jsonl", "--rows", which]),
            0,
        );
        let rows = said.lines().filter(|line| line.starts_with("guest  row"));
        rows.map(str::to_owned).collect::<Vec<String>>()
    };
    assert_eq!(
        listed("worse"),
        [
            "guest  row 2  0.6000 → 0.2000  c1",
            "guest  row 1  0.6000 → 0.5000  c0"
        ]
    );
    assert_eq!(listed("improved"), ["guest  row 3  0.6000 → 0.7000  c2"]);
    assert_eq!(
        listed("became-failure"),
        ["guest  row 4  0.6000 → failed (internal: out of order)  c3"]
    );
    assert_eq!(listed("recovered"), [""; 0]);
    let output = place.weigh(&["compare", "a.jsonl", "b.jsonl", "--rows", "worst"]);
    expect(&output, 2);
    assert!(stderr(&output).contains("`worse`"), "{}", stderr(&output));
}

#[test]
fn cases_are_paired_by_what_is_unique_in_both() {
    let place = place();
    let case = |name: &str, input: &str| {
        format!(r#"{{{name} "input": "{input}", "actual_output": "aaaa"}}"#)
    };
    for (a, b, by, words) in [
        // The same name twice: by input.
        (
            [
                case("\"name\": \"n\",", "one"),
                case("\"name\": \"n\",", "two"),
            ],
            [case("", "two"), case("", "one")],
            "input",
            "",
        ),
        // The same input twice, and as many rows: by row.
        (
            [case("", "one"), case("", "one")],
            [case("", "one"), case("", "two")],
            "row",
            "CAUTION: 1 case with",
        ),
    ] {
        measure(&place, &a, "a.jsonl", &GATE);
        measure(&place, &b, "b.jsonl", &GATE);
        let said = expect(&place.weigh(&["compare", "a.jsonl", "b.jsonl"]), 0);
        assert!(
            said.contains(&format!("2 test cases paired by {by};")),
            "{said}"
        );
        assert!(said.contains(words), "{said}");
    }
    // Neither, and another number of rows.
    measure(&place, &[case("", "one")], "b.jsonl", &GATE);
    let output = place.weigh(&["compare", "a.jsonl", "b.jsonl"]);
    expect(&output, 2);
    assert!(
        stderr(&output).contains("`--by row`"),
        "{}",
        stderr(&output)
    );
    expect(
        &place.weigh(&["compare", "a.jsonl", "b.jsonl", "--by", "row"]),
        0,
    );
    for (by, words) in [
        ("name", "each of rows 1, 2 of run file `a.jsonl` has none"),
        ("input", "rows 1 and 2 of run file `a.jsonl`"),
        ("id", "`input` or `row`"),
    ] {
        let output = place.weigh(&["compare", "a.jsonl", "b.jsonl", "--by", by]);
        expect(&output, 2);
        assert!(stderr(&output).contains(words), "{}", stderr(&output));
    }
    // Without stored cases there are only rows.
    measure(
        &place,
        &rows(&[10, 20]),
        "a.jsonl",
        &["--threshold", "0.5", "--no-cases"],
    );
    measure(&place, &rows(&[10, 30]), "b.jsonl", &GATE);
    let said = expect(&place.weigh(&["compare", "a.jsonl", "b.jsonl"]), 0);
    assert!(said.contains("paired by row"), "{said}");
}

#[test]
fn what_is_only_in_one_run_is_said() {
    let place = place();
    measure(
        &place,
        &rows(&[10, 20]),
        "a.jsonl",
        &["--threshold", "0.5", "--metric", "exact-json"],
    );
    measure(
        &place,
        &rows(&[10, 20]),
        "b.jsonl",
        &[
            "--threshold",
            "0.5",
            "--metric",
            "exact-json",
            "--name",
            "other",
        ],
    );
    place.edit("b.jsonl", "b.jsonl", |text| {
        text[..text.rfind("{\"record\":\"result\"").expect("results")].to_owned()
    });
    let said = expect(&place.weigh(&["compare", "a.jsonl", "b.jsonl"]), 0);
    for words in [
        "exact-json: only in A",
        "other: only in B",
        "run B stopped early",
        "only in A: 1",
    ] {
        assert!(said.contains(words), "{said}");
    }
}

#[test]
fn what_models_wrote_does_not_reach_the_terminal() {
    let place = place();
    let hostile = r#"{"name": "\u001b[31m\u202e", "actual_output": "aaaa"}"#.to_owned();
    measure(&place, &[hostile.clone(), row("b", 10)], "a.jsonl", &GATE);
    let worse = hostile.replace("aaaa", "aa");
    measure(&place, &[worse, row("b", 10)], "b.jsonl", &GATE);
    let said = expect(
        &place.weigh(&["compare", "a.jsonl", "b.jsonl", "--rows", "worse"]),
        0,
    );
    assert!(said.contains("0.0400 → 0.0200"), "{said}");
    assert!(!said.contains(['\u{1b}', '\u{202e}']), "{said}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn counts_add_up_and_swapping_mirrors(
        lengths in prop::collection::vec((0_usize..100, 0_usize..100), 1..30),
    ) {
        let place = place();
        let (a, b): (Vec<usize>, Vec<usize>) = lengths.into_iter().unzip();
        measure(&place, &rows(&a), "a.jsonl", &GATE);
        measure(&place, &rows(&b), "b.jsonl", &GATE);
        let side = |name: &str| Side::read(&place.path(name)).expect("it can be read");
        let (side_a, side_b) = (side("a.jsonl"), side("b.jsonl"));
        let found = |a: &Side, b: &Side| {
            let comparison = compare(a, b, &Options::default()).expect("they are paired");
            comparison.metrics[0].found.clone().expect("one contract")
        };
        let (there, back) = (found(&side_a, &side_b), found(&side_b, &side_a));
        let (one, other) = (there.changes, back.changes);
        let sum = one.improved + one.worse + one.same + one.became_failure + one.recovered
            + one.failed_in_both + one.skipped_in_one + one.skipped_in_both;
        prop_assert_eq!(sum, a.len() as u64);
        prop_assert_eq!((one.improved, one.worse), (other.worse, other.improved));
        prop_assert_eq!((one.became_failure, one.recovered), (other.recovered, other.became_failure));
        if let (Some(there), Some(back)) = (there.difference, back.difference) {
            prop_assert!((there.mean + back.mean).abs() < 1e-12);
        }
        prop_assert_eq!(there.verdicts.map(|each| each.p_value), back.verdicts.map(|each| each.p_value));
        let same = found(&side_a, &side_a);
        prop_assert_eq!(same.changes.same + same.changes.failed_in_both, a.len() as u64);
        prop_assert!(same.difference.is_none_or(|found| found.mean == 0.0));
    }
}

#[test]
fn every_change_has_a_word_of_its_own() {
    for change in Change::ALL {
        assert_eq!(change.as_str().parse(), Ok(change));
    }
}
