//! Identity by content: contracts and case digests.

mod properties;

use serde_json::{Value, json};
use weighbridge::case::{Field, TestCase};
use weighbridge::contract::{ContractParts, canonical, digest};
use weighbridge::outcome::Outcome;
use weighbridge::plugin::{Limits, Metric, Sandbox, Source};

use crate::guests;
use crate::place::{Place, code, stderr};

fn contract(config: &Value) -> String {
    ContractParts {
        interface: "weighbridge:metric/metric@0.1.0",
        metric: "sha256:00",
        config,
        environment: None,
        judge: None,
    }
    .digest()
    .expect("the numbers are exact")
}

#[test]
fn canonical_json_follows_rfc_8785() {
    let value: Value = serde_json::from_str(
        r#"{"numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
            "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
            "literals": [null, true, false]}"#,
    )
    .expect("it is JSON");
    assert_eq!(
        canonical(&value).expect("the numbers are exact"),
        r#"{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}"#
    );
}

#[test]
fn integers_beyond_a_double_are_refused() {
    for text in [
        "9007199254740993",
        "-9007199254740993",
        "18446744073709551615",
    ] {
        let value: Value = serde_json::from_str(text).expect("it is JSON");
        let error = canonical(&json!({ "id": [value] })).expect_err(text);
        assert!(error.to_string().contains(text), "{error}");
    }
    for exact in [9_007_199_254_740_992_u64, 206_181_113_157_521_730] {
        assert_eq!(canonical(&exact), Ok(exact.to_string()));
    }
}

#[test]
fn spelling_of_the_configuration_does_not_change_the_contract() {
    let spellings = [
        r#"{"field":"answer","limit":10,"deep":{"a":1,"b":[1.5,2]}}"#,
        r#"{ "deep" : { "b" : [ 1.50, 2.0 ], "a" : 1e0 }, "limit" : 1.0e1, "field" : "\u0061nswer" }"#,
    ];
    let contracts =
        spellings.map(|text| contract(&serde_json::from_str(text).expect("it is JSON")));
    assert_eq!(contracts[0], contracts[1]);
}

#[test]
fn every_part_changes_the_contract() {
    let config = json!({"field": "answer"});
    let other = json!({"field": "other"});
    let base = ContractParts {
        interface: "weighbridge:metric/metric@0.1.0",
        metric: "sha256:00",
        config: &config,
        environment: None,
        judge: None,
    };
    let variants = [
        base.clone(),
        ContractParts {
            interface: "weighbridge:metric/metric@0.1.1",
            ..base.clone()
        },
        ContractParts {
            metric: "sha256:01",
            ..base.clone()
        },
        ContractParts {
            config: &other,
            ..base.clone()
        },
        ContractParts {
            environment: Some("wasi@1"),
            ..base.clone()
        },
        ContractParts {
            judge: Some(&other),
            ..base
        },
    ];
    let mut digests: Vec<String> = variants
        .iter()
        .map(|parts| parts.digest().expect("the numbers are exact"))
        .collect();
    digests.sort_unstable();
    digests.dedup();
    assert_eq!(digests.len(), variants.len());
}

#[test]
fn limits_and_paths_stay_outside_the_contract() {
    let folder = tempfile::tempdir().expect("there is a temporary folder");
    let load = |file: &str, limits: Limits| {
        let path = folder.path().join(file);
        std::fs::write(&path, guests::component("counter")).expect("the folder takes files");
        let sandbox = Sandbox::new(limits, 1);
        Metric::load(&sandbox, None, &Source::Path(path), Some(file), &json!({}))
            .expect("it loads")
            .identity()
            .contract
            .clone()
    };
    let limits = Limits {
        fuel: 1_000_000,
        memory_bytes: 1 << 20,
        ..Limits::default()
    };
    assert_eq!(load("a.wasm", Limits::default()), load("b.wasm", limits));
}

#[test]
fn an_undeclared_field_changes_neither_digest_nor_measurement() {
    let metric = guests::load("counter", Limits::default()).expect("it loads");
    let bare = TestCase {
        actual_output: Some("fine".to_owned()),
        ..TestCase::default()
    };
    let full = TestCase {
        input: Some("asked".to_owned()),
        metadata: Some(json!({"id": 9_007_199_254_740_993_u64})),
        ..bare.clone()
    };
    let (first, second) = (metric.measure(&bare), metric.measure(&full));
    assert!(matches!(first.outcome, Outcome::Measured(_)));
    assert_eq!(first.case_digest, second.case_digest);
    assert_eq!(first.outcome, second.outcome);
    assert_eq!(first.fuel, second.fuel);
    assert_eq!(
        full.project(&[Field::ActualOutput]).canonical(),
        bare.canonical(),
        "the digest is of what the metric sees"
    );
}

#[test]
fn one_more_byte_is_another_component_and_contract() {
    let folder = tempfile::tempdir().expect("there is a temporary folder");
    let path = guests::file(folder.path(), "counter");
    let contract = || {
        let sandbox = Sandbox::new(Limits::default(), 1);
        let source = Source::Path(path.clone());
        let metric = Metric::load(&sandbox, None, &source, None, &json!({})).expect("it loads");
        metric.identity().clone()
    };
    let before = contract();
    let mut bytes = std::fs::read(&path).expect("it is there");
    bytes.extend([0, 3, 1, b'x', 7]);
    std::fs::write(&path, bytes).expect("the folder takes files");
    let after = contract();
    assert_ne!(before.version, after.version);
    assert_ne!(before.contract, after.contract);
}

#[test]
fn every_record_has_its_digests_and_policy_jobs_and_paths_change_none() {
    let place = Place::new();
    guests::file(place.folder(), "graded");
    std::fs::create_dir(place.path("moved")).expect("a folder");
    guests::file(&place.path("moved"), "graded");
    place.write(
        "data.jsonl",
        &[
            r#"{"actual_output": "aaa", "input": "asked"}"#,
            r#"{"actual_output": "x"}"#,
            r#"{"input": "no output"}"#,
            "no row",
        ],
    );
    let digests = |arguments: &[&str]| {
        let output = place.run(arguments);
        assert_eq!(code(&output), 3, "{}", stderr(&output));
        let results = place.records("run.jsonl");
        let results = results.iter().filter(|record| record["record"] == "result");
        let pairs = results.map(|record| {
            let data = &record["metrics"][0];
            (data["contract"].clone(), data["caseDigest"].clone())
        });
        pairs.collect::<Vec<_>>()
    };
    let base = digests(&["--metric", "./graded.wasm", "--threshold", "0.5"]);
    assert_eq!(base.len(), 4);
    for (contract, _) in &base {
        assert_eq!(contract, &base[0].0);
        assert!(contract.as_str().is_some_and(|digest| digest.len() == 71));
    }
    let case = TestCase {
        actual_output: Some("aaa".to_owned()),
        ..TestCase::default()
    };
    assert_eq!(base[0].1, digest(&case).expect("exact numbers"));
    assert!(base[1].1.is_string(), "a metric's failure");
    assert_eq!(
        base[2].1,
        digest(&TestCase::default()).expect("exact numbers"),
        "a missing field"
    );
    assert_eq!(base[3].1, Value::Null, "a row that is no case");
    for arguments in [
        &["--metric", "./graded.wasm", "--threshold", "0.9"][..],
        &["--metric", "./graded.wasm", "--strict"],
        &["--metric", "./graded.wasm", "--score-only", "--jobs", "1"],
        &[
            "--metric",
            "./graded.wasm",
            "--score-only",
            "--max-memory",
            "1MiB",
        ],
        &[
            "--metric",
            "./graded.wasm",
            "--score-only",
            "--name",
            "other",
        ],
        &["--metric", "./moved/graded.wasm", "--score-only"],
        &["--metric", "./graded.wasm", "--score-only", "--no-cases"],
    ] {
        assert_eq!(digests(arguments), base, "{arguments:?}");
    }
}
