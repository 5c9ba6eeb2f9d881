//! Rows in JSON: fields and their types.

use serde_json::json;
use weighbridge::case::{Passage, TestCase, Usage};
use weighbridge::dataset::Format;

use super::{case, check_bad, options, read_one};

#[track_caller]
fn check_row(text: &str, expected: &str) {
    check_bad(text, &options(Format::Jsonl), expected);
}

#[test]
fn both_spellings_of_every_field_are_read() {
    let snake = json!({
        "input": "i", "actual_output": "a", "expected_output": "e",
        "alternative_outputs": ["x"], "context": ["c"], "retrieval_context": ["r"],
        "tools_called": ["t"], "expected_tools": ["u"], "name": "n", "tags": ["g"],
        "comments": "k", "metadata": {"m": 1}, "trace": [1],
        "usage": {"token_cost": 0.1, "input_tokens": 1, "output_tokens": 2, "completion_time": 3},
    });
    let camel = json!({
        "input": "i", "actualOutput": "a", "expectedOutput": "e",
        "alternativeOutputs": ["x"], "context": ["c"], "retrievalContext": ["r"],
        "toolsCalled": ["t"], "expectedTools": ["u"], "name": "n", "tags": ["g"],
        "comments": "k", "additionalMetadata": {"m": 1}, "trace": [1],
        "tokenCost": 0.1, "inputTokens": 1, "outputTokens": 2.0, "completionTime": 3.0,
    });
    let read = case(snake.to_string(), &options(Format::Jsonl));
    assert_eq!(case(camel.to_string(), &options(Format::Jsonl)), read);
    // Every field is there: what is written holds as many as there are.
    let written = serde_json::to_value(&read).expect("a test case is JSON");
    assert_eq!(written.as_object().map(serde_json::Map::len), Some(14));
    assert_eq!(
        read.usage,
        Some(Usage {
            token_cost: Some(0.1),
            input_tokens: Some(1),
            output_tokens: Some(2),
            completion_time: Some(3.0),
        })
    );
}

#[test]
fn null_is_absent_and_nothing_else_is() {
    let row = r#"{"input": null, "actual_output": "", "context": [], "usage": {}, "tags": null}"#;
    let expected = TestCase {
        actual_output: Some(String::new()),
        context: Some(Vec::new()),
        ..TestCase::default()
    };
    assert_eq!(case(row, &options(Format::Jsonl)), expected);
}

#[test]
fn a_field_given_twice_must_agree() {
    let agree = r#"{"actual_output": "a", "actualOutput": "a", "token_cost": 1, "usage": {"tokenCost": 1.0}}"#;
    assert_eq!(
        case(agree, &options(Format::Jsonl))
            .actual_output
            .as_deref(),
        Some("a")
    );
    let null = r#"{"actual_output": null, "actualOutput": "a"}"#;
    assert_eq!(
        case(null, &options(Format::Jsonl)).actual_output.as_deref(),
        Some("a")
    );
    check_row(
        r#"{"actual_output": "a", "actualOutput": "b"}"#,
        "field `actual_output` is given twice with different values, as `actualOutput` and as \
         `actual_output`: keep one",
    );
    check_row(
        r#"{"token_cost": 1, "usage": {"token_cost": 2}}"#,
        "field `token_cost` is given twice with different values, as `token_cost` and as \
         `usage.token_cost`: keep one",
    );
}

#[test]
fn a_key_that_stands_twice_is_refused_at_any_depth() {
    check_row(
        r#"{"input": "a", "input": "a"}"#,
        "row is not valid JSON at byte 22: key `input` stands twice",
    );
    check_row(
        r#"{"metadata": [{"k": 1, "l": 2, "k": 3}]}"#,
        "row is not valid JSON at byte 34: key `k` stands twice",
    );
}

#[test]
fn a_value_of_the_wrong_type_is_not_converted() {
    for (row, expected) in [
        (
            r#"{"actual_output": 4}"#,
            "field `actual_output` is a number, not a string: quote it, or map the field to \
             another source",
        ),
        (
            r#"{"expectedOutput": ["a"]}"#,
            "field `expected_output` (from `expectedOutput`) is a list, not a string: map one \
             item, as in `--map expected_output=/KEY/0`, or map the list to `alternative_outputs`",
        ),
        (
            r#"{"actual_output": {"text": "a"}}"#,
            "field `actual_output` is an object, not a string: map what it holds, as in `--map \
             FIELD=/KEY/0`",
        ),
        (
            r#"{"context": "a"}"#,
            "field `context` is a string, not a list: put it into `[` and `]`",
        ),
        (
            r#"{"context": ["a", 2]}"#,
            "field `context[1]` is a number, not a string",
        ),
        (
            r#"{"tags": [null]}"#,
            "field `tags[0]` is null, not a string",
        ),
        (
            r#"{"usage": 3}"#,
            "field `usage` is a number, not an object",
        ),
        (
            r#"{"usage": {"input_tokens": 1.5}}"#,
            "field `input_tokens` (from `usage.input_tokens`) is 1.5, not a whole number of tokens",
        ),
        (
            r#"{"token_cost": "0.1"}"#,
            "field `token_cost` is a string, not a number",
        ),
    ] {
        check_row(row, expected);
    }
}

#[test]
fn passages_are_strings_or_objects_with_text() {
    let row = r#"{"retrieval_context": ["a", {"text": "b", "source": "s"}, {"context": "c", "source": null}]}"#;
    let passage = |text: &str, source: Option<&str>| Passage {
        text: text.to_owned(),
        source: source.map(str::to_owned),
    };
    assert_eq!(
        case(row, &options(Format::Jsonl)).retrieval_context,
        Some(vec![
            passage("a", None),
            passage("b", Some("s")),
            passage("c", None)
        ])
    );
    const REMEDY: &str = "give a string, or an object with `text` and perhaps `source`";
    for (item, what) in [
        (
            "3",
            "field `retrieval_context[0]` is a number, not a passage",
        ),
        (
            r#"{"source": "s"}"#,
            "field `retrieval_context[0]` has no `text`",
        ),
        (
            r#"{"text": "a", "score": 1}"#,
            "field `retrieval_context[0]` has a key `score`, which nothing reads",
        ),
        (
            r#"{"text": "a", "context": "b"}"#,
            "field `retrieval_context[0]` has both `text` and `context`",
        ),
    ] {
        let row = format!(r#"{{"retrieval_context": [{item}]}}"#);
        check_row(&row, &format!("{what}: {REMEDY}"));
    }
}

#[test]
fn what_nothing_reads_is_named() {
    let row = r#"{"actual_ouput": "a", "id": 3, "usage": {"total_tokens": 9}, "input": 1}"#;
    let row = read_one(row, &options(Format::Jsonl));
    assert!(row.case.is_err());
    assert_eq!(row.unread, ["actual_ouput", "id", "usage.total_tokens"]);
    let nearest = weighbridge::dataset::nearest_field;
    assert_eq!(nearest("actual_ouput"), Some("actual_output"));
    assert_eq!(nearest("ActualOutput"), Some("actual_output"));
    assert_eq!(nearest("id"), None);
}
