//! `weigh verify`: the file against itself, and against measuring again.

use proptest::prelude::*;
use weighbridge::verify::sample;

use crate::guests;
use crate::place::{Place, expect, stderr};

/// A run of four cases, the third without its field, with two metrics.
fn measured(further: &[&str]) -> Place {
    let place = Place::new();
    guests::file(place.folder(), "graded");
    place.write(
        "data.jsonl",
        &[
            r#"{"actual_output": "{\"answer\": 1}", "name": "a"}"#,
            r#"{"actual_output": "xyz", "input": "why"}"#,
            r#"{"input": "no output"}"#,
            r#"{"actual_output": "[]"}"#,
        ],
    );
    let mut arguments = vec![
        "--metric",
        "./graded.wasm",
        "--threshold",
        "0.1",
        "--metric",
        "exact-json",
    ];
    arguments.extend(further);
    expect(&place.run(&arguments), 3);
    place
}

#[test]
fn an_honest_file_is_verified() {
    let place = measured(&[]);
    let said = expect(&place.weigh(&["verify", "run.jsonl"]), 0);
    assert!(said.contains("file: 4 results, 0 contradictions"), "{said}");
    assert!(
        said.contains("measured again: 8, of them different: 0"),
        "{said}"
    );
}

#[test]
fn each_part_of_a_measurement_is_compared() {
    let place = measured(&[]);
    for (part, from, to) in [
        ("score", "\"score\":0.13", "\"score\":0.13000000000000003"),
        ("reason", "\"reason\":\"", "\"reason\":\"edited "),
        ("fuel", "[],\"fuel\":1", "[],\"fuel\":2"),
        ("error", "\"error\":\"row 3", "\"error\":\"line 3"),
        ("errorCode", "\"internal\"", "\"trap\""),
        ("peakMemory", "\"peakMemory\":1", "\"peakMemory\":2"),
    ] {
        place.edit("run.jsonl", "edited.jsonl", |text| {
            text.replacen(from, to, 1)
        });
        let said = expect(&place.weigh(&["verify", "edited.jsonl"]), 1);
        assert!(said.contains(&format!("`{part}` is")), "{part}: {said}");
        assert!(
            said.contains("measured again: 8, of them different: 1"),
            "{said}"
        );
    }
}

#[test]
fn the_file_is_checked_against_itself() {
    let place = measured(&[]);
    for (words, from, to) in [
        ("the results make", "\"passed\":1", "\"passed\":2"),
        ("the results make", "\"mean\":0.0", "\"mean\":0.5"),
        ("its parts make", "\"config\":{}", "\"config\":{\"a\":1}"),
        (
            "and by the header's policy",
            "\"success\":true,\"score\"",
            "\"success\":false,\"score\"",
        ),
        (
            "success of the case",
            "\"line\":1,\"success\":true",
            "\"line\":1,\"success\":null",
        ),
        (
            "isn't that of the case beside it",
            "\"caseDigest\":\"sha256:",
            "\"caseDigest\":\"sha256:0",
        ),
        (
            "isn't that of its error code",
            "\"errorKind\":\"metric\"",
            "\"errorKind\":\"input\"",
        ),
        ("outside its scale", "\"score\":0.13", "\"score\":1.5"),
        (
            "isn't that of the data set",
            "\"input\":\"why\"",
            "\"input\":\"how\"",
        ),
        ("row 3 follows row 1", "\"row\":2,", "\"row\":3,"),
    ] {
        place.edit("run.jsonl", "edited.jsonl", |text| {
            let lines = text
                .lines()
                .filter(|line| !(from.contains("row") && line.contains("\"row\":3,")));
            lines
                .map(|line| format!("{line}\n"))
                .collect::<String>()
                .replacen(from, to, 1)
        });
        let output = place.weigh(&["verify", "edited.jsonl"]);
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(said.contains(words), "{from}: {said}{}", stderr(&output));
        assert!(matches!(output.status.code(), Some(1 | 5)), "{said}");
    }
    // Rows that were left out are missed.
    place.edit("run.jsonl", "edited.jsonl", |text| {
        let lines = text.lines().filter(|line| !line.contains("\"row\":4,"));
        lines.map(|line| format!("{line}\n")).collect()
    });
    let said = expect(&place.weigh(&["verify", "edited.jsonl"]), 1);
    assert!(said.contains("the data set has more rows"), "{said}");
}

#[test]
fn a_file_that_stopped_early_is_verified_as_far_as_it_goes() {
    let place = measured(&[]);
    place.edit("run.jsonl", "cut.jsonl", |text| {
        text[..text.len() - 700].to_owned()
    });
    let said = expect(&place.weigh(&["verify", "cut.jsonl"]), 4);
    assert!(said.contains("it stopped early"), "{said}");
}

#[test]
fn without_its_data_set_the_stored_cases_are_measured() {
    let place = measured(&[]);
    place.edit("data.jsonl", "data.jsonl", |text| {
        text.replace("why", "how")
    });
    let said = expect(&place.weigh(&["verify", "run.jsonl"]), 0);
    assert!(said.contains("data set `data.jsonl` isn't used"), "{said}");
    assert!(
        said.contains("measured again: 8, of them different: 0"),
        "{said}"
    );
    let output = place.weigh(&["verify", "run.jsonl", "--data", "data.jsonl"]);
    expect(&output, 2);
    assert!(stderr(&output).contains("is not the data set of this run"));

    let place = measured(&["--no-cases"]);
    std::fs::rename(place.path("data.jsonl"), place.path("moved.jsonl")).expect("it moves");
    let said = expect(&place.weigh(&["verify", "run.jsonl"]), 4);
    assert!(
        said.contains("4 rows (name the data set with `--data`)"),
        "{said}"
    );
    let said = expect(
        &place.weigh(&["verify", "run.jsonl", "--data", "moved.jsonl"]),
        0,
    );
    assert!(
        said.contains("measured again: 8, of them different: 0"),
        "{said}"
    );
}

#[test]
fn another_component_is_refused_and_the_recorded_one_found_by_digest() {
    let place = measured(&[]);
    std::fs::create_dir(place.path("kept")).expect("a folder");
    std::fs::rename(place.path("graded.wasm"), place.path("kept/v1.wasm")).expect("it moves");
    let output = place.weigh(&["verify", "run.jsonl"]);
    expect(&output, 2);
    assert!(
        stderr(&output).contains("does not exist"),
        "{}",
        stderr(&output)
    );

    guests::file(place.folder(), "counter");
    std::fs::rename(place.path("counter.wasm"), place.path("graded.wasm")).expect("it moves");
    let output = place.weigh(&["verify", "run.jsonl"]);
    expect(&output, 5);
    let said = stderr(&output);
    let digest = |name: &str| {
        let bytes = std::fs::read(place.path(name)).expect("it is there");
        weighbridge::contract::digest_bytes(&bytes)
    };
    for words in [
        digest("graded.wasm"),
        digest("kept/v1.wasm"),
        "--plugins".to_owned(),
    ] {
        assert!(said.contains(&words), "{said}");
    }
    let said = expect(
        &place.weigh(&["verify", "run.jsonl", "--plugins", "kept"]),
        0,
    );
    assert!(said.contains("of them different: 0"), "{said}");
    let output = place.weigh(&["verify", "run.jsonl", "--plugins", "none"]);
    expect(&output, 2);
    assert!(stderr(&output).contains("folder `none` can't be read"));
}

#[test]
fn infrastructure_failures_can_not_be_compared() {
    let place = Place::new();
    guests::file(place.folder(), "endless-loop");
    place.write(
        "data.jsonl",
        &[r#"{"actual_output": "x"}"#, r#"{"actual_output": "fine"}"#],
    );
    let slow = ["--metric", "./endless-loop.wasm", "--threshold", "1"];
    let limits = ["--max-fuel", "1000000000000000", "--timeout", "0.2"];
    expect(&place.run(&[&slow[..], &limits[..]].concat()), 4);
    let said = expect(&place.weigh(&["verify", "run.jsonl"]), 4);
    assert!(
        said.contains("not comparable, since the infrastructure failed: 1"),
        "{said}"
    );
    assert!(
        said.contains("measured again: 1, of them different: 0"),
        "{said}"
    );
}

#[test]
fn fuel_of_another_wasmtime_is_not_compared() {
    let place = measured(&[]);
    place.edit("run.jsonl", "edited.jsonl", |text| {
        text.replacen("\"wasmtime\":\"", "\"wasmtime\":\"1.", 1)
            .replace("[],\"fuel\":1", "[],\"fuel\":2")
    });
    let said = expect(&place.weigh(&["verify", "edited.jsonl"]), 0);
    assert!(
        said.contains("fuel and memory aren't compared: measured with wasmtime 1."),
        "{said}"
    );
    place.edit("edited.jsonl", "edited.jsonl", |text| {
        text.replacen("\"reason\":\"", "\"reason\":\"edited ", 1)
    });
    expect(&place.weigh(&["verify", "edited.jsonl"]), 1);
}

#[test]
fn a_sample_is_drawn_by_its_seed() {
    let place = measured(&[]);
    place.edit("run.jsonl", "edited.jsonl", |text| {
        text.replacen("[],\"fuel\":1", "[],\"fuel\":2", 1)
    });
    let verify = |seed: &str| {
        let output = place.weigh(&["verify", "edited.jsonl", "--sample", "2", "--seed", seed]);
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let outputs: Vec<String> = (0..8).map(|seed| verify(&seed.to_string())).collect();
    assert!(
        outputs
            .iter()
            .all(|said| said.contains("measured again: 4"))
    );
    let found = outputs
        .iter()
        .filter(|said| said.contains("different: 1"))
        .count();
    assert!(
        (1..8).contains(&found),
        "some samples hold the first row, some don't"
    );
    assert_eq!(verify("3"), outputs[3]);
    let said = expect(&place.weigh(&["verify", "run.jsonl", "--sample", "99"]), 0);
    assert!(said.contains("measured again: 8"), "{said}");
}

#[test]
fn a_run_file_can_not_ask_for_what_harms_the_host() {
    let place = measured(&[]);
    for (from, to, words) in [
        (
            "\"stackBytes\":4194304",
            "\"stackBytes\":1000000000000",
            "limit `stack` is 1000000000000",
        ),
        (
            "\"memoryBytes\":268435456",
            "\"memoryBytes\":1",
            "limit `memory` is 1:",
        ),
        ("\"tables\":32", "\"tables\":4000000000", "limit `tables`"),
        (
            "\"timeoutSeconds\":60.0",
            "\"timeoutSeconds\":-1",
            "negative",
        ),
        ("\"fuel\":10000000000", "\"fuel\":\"much\"", "invalid type"),
        (
            "\"source\":\"./graded.wasm\"",
            "\"source\":\"/dev/zero/x.wasm\"",
            "/dev/zero",
        ),
        (
            "\"source\":\"./graded.wasm\"",
            "\"source\":\"/dev/zero\"",
            "no regular file",
        ),
    ] {
        place.edit("run.jsonl", "edited.jsonl", |text| {
            text.replacen(from, to, 1)
        });
        let output = place.weigh(&["verify", "edited.jsonl"]);
        expect(&output, 2);
        assert!(stderr(&output).contains(words), "{}", stderr(&output));
    }
    place.edit("run.jsonl", "edited.jsonl", |text| {
        text.replacen("\"path\":\"data.jsonl\"", "\"path\":\"/dev/zero\"", 1)
    });
    let output = place.weigh(&["verify", "edited.jsonl"]);
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        said.contains("it is no regular file"),
        "{said}{}",
        stderr(&output)
    );
}

proptest! {
    #[test]
    fn samples_are_distinct_rows_in_order(total in 1_u64..300, amount in 0_u64..400, seed in any::<u64>()) {
        let rows = sample(total, amount, seed);
        prop_assert_eq!(rows.len() as u64, amount.min(total));
        prop_assert!(rows.windows(2).all(|pair| pair[0] < pair[1]));
        prop_assert!(rows.iter().all(|row| (1..=total).contains(row)));
        prop_assert_eq!(rows, sample(total, amount, seed));
    }
}
