//! Reading run files: of older versions, stopped early, and damaged.

use std::path::PathBuf;

use weighbridge::run::RunReader;

use crate::guests;
use crate::place::{Place, expect, stderr};

fn fixture(name: &str) -> PathBuf {
    guests::root()
        .join("tests/fixtures/run")
        .join(format!("{name}.jsonl"))
}

/// Results, and whether there is a closing record; or the error.
fn read(name: &str) -> Result<(usize, bool), String> {
    let path = fixture(name);
    let read = || {
        let mut reader = RunReader::open(&path)?;
        let mut results = 0;
        while reader.next_result()?.is_some() {
            results += 1;
        }
        Ok((results, reader.closing().is_some()))
    };
    read().map_err(|error: weighbridge::run::RunFileError| error.to_string())
}

#[test]
fn whole_and_stopped_files_are_read() {
    for (name, expected) in [
        ("first-version", (3, true)),
        ("first-version-no-cases", (3, true)),
        ("windows-line-ends", (3, true)),
        ("stopped", (2, false)),
        ("stopped-in-a-line", (2, false)),
        ("stopped-in-zeros", (2, false)),
        ("header-only", (0, false)),
    ] {
        assert_eq!(read(name), Ok(expected), "{name}");
    }
}

#[test]
fn damaged_files_are_refused_with_line_and_reason() {
    let damaged = [
        ("empty", &["is empty"][..]),
        ("stopped-in-header", &["stopped within its header"]),
        ("data-set", &["is not a run file", "line 1"]),
        ("result-first", &["is not a run file", "a record `result`"]),
        (
            "future-format",
            &["`weighbridge-run/2`", "reads `weighbridge-run/1`"],
        ),
        (
            "broken-line",
            &["line 3", "while parsing a string", "column 100"],
        ),
        ("zeros-within", &["line 3", "expected value"]),
        ("not-utf8", &["line 3", "unicode"]),
        ("two-headers", &["line 3", "second header"]),
        ("row-twice", &["line 4", "row 2 comes after row 2"]),
        ("rows-swapped", &["line 3", "row 1 comes after row 2"]),
        (
            "metric-missing",
            &["line 3", "records of 0 metrics", "names 1"],
        ),
        ("other-metric", &["line 3", "`exact-mash`", "`exact-match`"]),
        ("other-contract", &["line 3", "has contract sha256:034dbe"]),
        (
            "score-on-failure",
            &["line 4", "says it failed", "both score and error code"],
        ),
        (
            "measured-without-score",
            &["line 3", "says it was measured", "neither score nor error"],
        ),
        ("unknown-code", &["line 4", "`lost-field`"]),
        ("unknown-record", &["line 3", "`exchange`"]),
        ("after-closing", &["line 6", "follows the closing record"]),
        ("null-description", &["line 1", "description of metric"]),
        ("upside-down-scale", &["line 1", "lowest score isn't below"]),
    ];
    for (name, words) in damaged {
        let error = read(name).expect_err(name);
        assert!(error.contains(&format!("{name}.jsonl")), "{error}");
        for word in words {
            assert!(error.contains(word), "{name}: no `{word}` in: {error}");
        }
    }
    let listed = std::fs::read_dir(fixture("empty").parent().expect("a folder"));
    assert_eq!(
        listed.expect("it can be listed").count(),
        damaged.len() + 7,
        "every fixture is looked at"
    );
}

#[test]
fn every_command_that_reads_a_run_says_what_is_wrong_with_it() {
    let place = Place::new();
    std::fs::copy(fixture("broken-line"), place.path("run.jsonl")).expect("a copy");
    place.write(
        "data.jsonl",
        &[r#"{"actual_output": "a", "expected_output": "a"}"#],
    );
    let run = [
        "run",
        "data.jsonl",
        "--metric",
        "exact-match",
        "--score-only",
    ];
    for (before, after) in [
        (
            &["rejudge", "run.jsonl", "--strict", "exact-match"][..],
            &[][..],
        ),
        (&["verify", "run.jsonl"], &[]),
        (&["compare", "run.jsonl", "run.jsonl"], &[]),
        (&run, &["--reuse", "run.jsonl", "-o", "x.jsonl"]),
    ] {
        let output = place.weigh(&[before, after].concat());
        expect(&output, 2);
        let said = stderr(&output);
        assert!(
            said.contains("run file `run.jsonl` is damaged in line 3"),
            "{said}"
        );
    }
}

/// Whether the built-in metric is still the one that the fixtures were
/// measured with.
fn is_current() -> bool {
    let current = weighbridge::plugin::Source::parse("exact-match").version(1 << 30);
    current.expect("it is built in") == RECORDED
}

const RECORDED: &str = "sha256:408112f2c27e65f38cbb1442623b2768ea684af3c3d324e8a2a25b8d793078a8";

/// The data set of the fixtures.
const CASES: [&str; 4] = [
    r#"{"actual_output": "Paris", "expected_output": "Paris", "name": "capital"}"#,
    r#"{"actual_output": "Lyon", "expected_output": "Paris"}"#,
    r#"{"actual_output": "Paris"}"#,
    "",
];

#[test]
fn what_can_be_read_can_be_used_by_every_command() {
    for (name, results) in [
        ("first-version", 3),
        ("first-version-no-cases", 3),
        ("windows-line-ends", 3),
        ("stopped", 2),
        ("stopped-in-a-line", 2),
        ("stopped-in-zeros", 2),
        ("header-only", 0),
    ] {
        let place = Place::new();
        place.write("cases.jsonl", &CASES);
        std::fs::copy(fixture(name), place.path("old.jsonl")).expect("a copy");
        let used = |arguments: &[&str]| {
            let output = place.weigh(arguments);
            let code = output.status.code();
            assert_ne!(code, Some(2), "{name}, {arguments:?}: {}", stderr(&output));
            String::from_utf8_lossy(&output.stdout).into_owned()
        };
        let strict = ["--strict", "exact-match", "-o", "new.jsonl"];
        used(&[&["rejudge", "old.jsonl"][..], &strict[..]].concat());
        let said = used(&["verify", "old.jsonl"]);
        assert!(said.contains("0 contradictions"), "{name}: {said}");
        if results > 0 {
            used(&["compare", "old.jsonl", "new.jsonl"]);
        }
        let run = [
            "run",
            "cases.jsonl",
            "--metric",
            "exact-match",
            "--score-only",
        ];
        let said = used(&[&run[..], &["--reuse", "old.jsonl", "-o", "run.jsonl"]].concat());
        if is_current() && results > 0 {
            assert!(
                said.contains("measurements taken over: 2"),
                "{name}: {said}"
            );
        }
    }
}

#[test]
fn a_stopped_file_of_the_first_version_is_gone_on_with() {
    let place = Place::new();
    place.write("cases.jsonl", &CASES);
    std::fs::copy(fixture("stopped-in-a-line"), place.path("old.jsonl")).expect("a copy");
    let resume = [
        "run",
        "cases.jsonl",
        "--metric",
        "exact-match",
        "--threshold",
        "1",
        "-o",
        "old.jsonl",
        "--resume",
    ];
    let output = place.weigh(&resume);
    if is_current() {
        assert!(expect(&output, 3).contains("already in the run file: 2"));
        assert_eq!(place.records("old.jsonl").len(), 5);
    } else {
        expect(&output, 2);
        assert!(
            stderr(&output).contains("metrics[0]"),
            "{}",
            stderr(&output)
        );
    }
}

#[test]
fn a_file_of_the_first_version_is_judged_verified_and_reused() {
    let place = Place::new();
    std::fs::copy(fixture("first-version"), place.path("old.jsonl")).expect("a copy");
    let rejudge = [
        "rejudge",
        "old.jsonl",
        "--threshold",
        "exact-match=0",
        "-o",
        "new.jsonl",
    ];
    expect(&place.weigh(&rejudge), 3);
    // The data set is gone, the built-in metric may have moved on: then the
    // recorded component isn't here, and that is said.
    let verified = place.weigh(&["verify", "old.jsonl"]);
    if is_current() {
        assert!(expect(&verified, 0).contains("measured again: 3, of them different: 0"));
    } else {
        expect(&verified, 5);
        assert!(stderr(&verified).contains(RECORDED));
    }
    place.write(
        "data.jsonl",
        &[r#"{"actual_output": "Paris", "expected_output": "Paris"}"#],
    );
    let run = [
        "run",
        "data.jsonl",
        "--metric",
        "exact-match",
        "--score-only",
        "--reuse",
        "old.jsonl",
        "-o",
        "run.jsonl",
    ];
    expect(&place.weigh(&run), 0);
}
