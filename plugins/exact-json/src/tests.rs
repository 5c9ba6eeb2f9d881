use proptest::prelude::*;

use super::*;

fn check(text: &str, score: f64, reason: &str) {
    let measurement = measure_text(text, "answer");
    assert_eq!(measurement.score, score, "{text}");
    assert_eq!(measurement.reason.as_deref(), Some(reason), "{text}");
}

#[test]
fn an_object_with_the_field_scores_one() {
    let holds = "actual_output is JSON with the field `answer`";
    check(r#"{"answer": 42}"#, 1.0, holds);
    check(r#"{"answer": null}"#, 1.0, holds);
    check(
        "\r\n\t {\"b\": [1, {\"c\": 2}], \"answer\": {}} \n",
        1.0,
        holds,
    );
    check(r#"{"answer": 1, "answer": 2}"#, 1.0, holds);
    check(r#"{"\u0061nswer": 1}"#, 1.0, holds);
    check(r#"{"answer": 1e999}"#, 1.0, holds);
    check(r#"{"answer": "\ud800"}"#, 1.0, holds);
}

#[test]
fn json_of_another_shape_scores_zero_and_says_which() {
    check("[]", 0.0, "actual_output is a JSON array, not an object");
    check(
        "\"answer\"",
        0.0,
        "actual_output is a JSON string, not an object",
    );
    check(
        " true",
        0.0,
        "actual_output is a JSON boolean, not an object",
    );
    check("null\n", 0.0, "actual_output is JSON null, not an object");
    check(
        "-1e999",
        0.0,
        "actual_output is a JSON number, not an object",
    );
    check(
        "{}",
        0.0,
        "the JSON object has no field `answer`; it is empty",
    );
    check(
        r#"{"a": 1, "b": 2}"#,
        0.0,
        "the JSON object has no field `answer`; it has `a`, `b`",
    );
    check(
        r#"{"Answer": 1, "b": {"answer": 1}}"#,
        0.0,
        "the JSON object has no field `answer`; it has `Answer`, `b`",
    );
}

#[test]
fn text_that_is_not_json_scores_zero_and_says_where() {
    let invalid = |text, cause: &str| {
        check(
            text,
            0.0,
            &format!("actual_output isn't valid JSON: {cause}"),
        );
    };
    invalid("", "it is blank");
    invalid(" \n", "it is blank");
    invalid(
        "\u{feff}{\"answer\": 1}",
        "it begins with a byte-order mark",
    );
    invalid("answer: 42", "expected value at line 1 column 1");
    invalid(
        "{\"answer\": 1} done",
        "trailing characters at line 1 column 15",
    );
    invalid(
        "{\"answer\": 1}{}",
        "trailing characters at line 1 column 14",
    );
    invalid("{\n\"answer\": NaN}", "expected value at line 2 column 11");
    invalid("{'answer': 1}", "key must be a string at line 1 column 2");
    invalid("{\"answer\": 1,}", "trailing comma at line 1 column 14");
    invalid("{\"answer\": 01}", "invalid number at line 1 column 13");
    invalid(
        "{\"answer\": \"a",
        "EOF while parsing a string at line 1 column 13",
    );
    invalid(
        "```json\n{\"answer\": 1}\n```",
        "expected value at line 1 column 1",
    );
    invalid("nul", "EOF while parsing a value at line 1 column 3");
}

#[test]
fn a_reason_stays_short() {
    let many: Vec<String> = (0..100).map(|i| format!("\"f{i}\":{i}")).collect();
    check(
        &format!("{{{}}}", many.join(",")),
        0.0,
        "the JSON object has no field `answer`; it has `f0`, `f1`, `f2`, `f3`, `f4` and 95 more",
    );
    let measurement = measure_text(&format!("{{\"{}\\n\": 1}}", "é".repeat(1000)), "answer");
    let reason = measurement.reason.unwrap_or_default();
    assert!(
        reason.ends_with(&format!("`{}…`", "é".repeat(40))),
        "{reason}"
    );
}

#[test]
fn nesting_may_be_deep() {
    let deep = format!(
        "{{\"answer\": {}{}}}",
        "[".repeat(100_000),
        "]".repeat(100_000)
    );
    check(&deep, 1.0, "actual_output is JSON with the field `answer`");
}

#[test]
fn the_schema_is_json_and_holds_the_default() {
    let schema: serde_json::Value = serde_json::from_str(SCHEMA).expect("the schema is JSON");
    assert_eq!(
        schema["properties"]["field"]["default"],
        Config::default().field.as_str()
    );
    assert!(describe(Config::default()).is_ok());
}

proptest! {
    #[test]
    fn any_text_scores_zero_or_one(text in any::<String>(), field in any::<String>()) {
        let score = measure_text(&text, &field).score;
        prop_assert!(score == 0.0 || score == 1.0);
    }

    #[test]
    fn text_like_json_scores_zero_or_one(text in r#"[\[\]{}:,"\\ a0-9eE.+-]{0,40}"#) {
        let score = measure_text(&text, "a").score;
        prop_assert!(score == 0.0 || score == 1.0);
    }
}
