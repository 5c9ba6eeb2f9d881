//! Identity by content: contracts and case digests.

use proptest::prelude::*;
use serde_json::{Value, json};
use weighbridge::case::{Field, TestCase};
use weighbridge::contract::{ContractParts, canonical, digest};
use weighbridge::outcome::Outcome;
use weighbridge::plugin::{Limits, Metric, Sandbox, Source};

use crate::guests;

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

/// Any JSON value of exact numbers.
fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        proptest::num::f64::NORMAL.prop_map(Value::from),
        ".{0,8}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map(".{0,4}", inner, 0..4)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn canonical_json_is_a_fixed_point(value in value()) {
        let text = canonical(&value).expect("the numbers are exact");
        let again: Value = serde_json::from_str(&text).expect("it is JSON");
        prop_assert_eq!(&text, &canonical(&again).expect("still exact"));
    }

    #[test]
    fn whitespace_does_not_change_a_digest(value in value()) {
        let spaced = serde_json::to_string_pretty(&value).expect("it is JSON");
        let again: Value = serde_json::from_str(&spaced).expect("it is JSON");
        prop_assert_eq!(digest(&value), digest(&again));
    }

    #[test]
    fn different_values_have_different_digests(one in value(), other in value()) {
        let same = canonical(&one) == canonical(&other);
        prop_assert_eq!(same, digest(&one) == digest(&other));
    }

    #[test]
    fn a_case_is_canonical_as_any_value_is(metadata in value(), input in ".{0,20}") {
        let case = TestCase {
            input: Some(input),
            metadata: Some(metadata),
            ..TestCase::default()
        };
        prop_assert_eq!(case.canonical(), canonical(&case));
    }

    #[test]
    fn projection_keeps_what_is_declared(input in ".{0,20}", output in ".{0,20}") {
        let case = TestCase {
            input: Some(input.clone()),
            actual_output: Some(output),
            ..TestCase::default()
        };
        let projected = case.project(&[Field::Input]);
        prop_assert_eq!(projected, TestCase { input: Some(input), ..TestCase::default() });
    }
}
