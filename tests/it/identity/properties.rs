//! Identity over any configuration and case.

use proptest::prelude::*;
use serde_json::Value;
use weighbridge::case::{Field, TestCase};
use weighbridge::contract::{ContractParts, canonical, digest};

use super::contract;

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

/// `value` as JSON text with other white space, order of keys, escapes and
/// spelling of numbers, as `choices` say.
fn respelled(value: &Value, choices: &mut impl Iterator<Item = u8>) -> String {
    let mut choice = |count: u8| choices.next().unwrap_or(0) % count;
    let space = [" ", "\n", "\t", ""][usize::from(choice(4))];
    let text = match value {
        Value::Null | Value::Bool(_) => value.to_string(),
        Value::Number(number) => match (choice(3), number.as_i64(), number.as_f64()) {
            (1, Some(number), _) => format!("{number}.0"),
            (2, _, Some(number)) => format!("{number:e}"),
            _ => number.to_string(),
        },
        Value::String(text) if choice(2) == 1 => {
            let escaped = text.encode_utf16().map(|unit| format!("\\u{unit:04X}"));
            format!("\"{}\"", escaped.collect::<String>())
        }
        Value::String(_) => value.to_string(),
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(|item| respelled(item, choices)).collect();
            format!("[{space}{}]", items.join(","))
        }
        Value::Object(members) => {
            let backwards = choice(2) == 1;
            let mut members: Vec<String> = members
                .iter()
                .map(|(key, value)| {
                    let key = Value::from(key.clone());
                    format!("{key}{space}:{}", respelled(value, choices))
                })
                .collect();
            if backwards {
                members.reverse();
            }
            format!("{{{}}}", members.join(","))
        }
    };
    format!("{space}{text}{space}")
}

proptest! {
    #[test]
    fn another_spelling_of_a_configuration_has_the_same_contract(
        config in value(),
        choices in prop::collection::vec(any::<u8>(), 0..200),
    ) {
        let text = respelled(&config, &mut choices.into_iter());
        let again: Value = serde_json::from_str(&text).expect("it is JSON");
        prop_assert_eq!(contract(&config), contract(&again), "{}", text);
    }

    #[test]
    fn another_part_makes_another_contract(
        one in value(),
        other in value(),
        metric in "[0-9a-f]{4}",
        interface in "[0-9]\\.[0-9]",
        environment in prop::option::of("[a-z]{3}@[0-9]"),
    ) {
        let base = ContractParts {
            interface: "0.1",
            metric: "0000",
            config: &one,
            environment: None,
            judge: None,
        };
        let digest = |parts: &ContractParts| parts.digest().expect("exact numbers");
        for (changed, same) in [
            (ContractParts { metric: &metric, ..base.clone() }, metric == "0000"),
            (ContractParts { interface: &interface, ..base.clone() }, interface == "0.1"),
            (
                ContractParts { environment: environment.as_deref(), ..base.clone() },
                environment.is_none(),
            ),
            (
                ContractParts { config: &other, ..base.clone() },
                canonical(&one) == canonical(&other),
            ),
        ] {
            prop_assert_eq!(digest(&base) == digest(&changed), same);
        }
    }

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
