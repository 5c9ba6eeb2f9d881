//! The spellings of tool calls.

use serde_json::json;
use weighbridge::case::ToolCall;
use weighbridge::dataset::{DataSet, Format, Options};

use super::{case, check_bad, fixture, options, rows_of};

const REMEDY: &str =
    "write `name` and, if need be, `description`, `reasoning`, `input_parameters` and `output`";

fn read(call: &str) -> ToolCall {
    let row = format!(r#"{{"tools_called": [{call}]}}"#);
    let calls = case(row, &options(Format::Jsonl)).tools_called;
    let mut calls = calls.expect("tools were called");
    assert_eq!(calls.len(), 1);
    calls.remove(0)
}

#[track_caller]
fn check_refused(call: &str, expected: &str) {
    let row = format!(r#"{{"tools_called": [{call}]}}"#);
    check_bad(
        row,
        &options(Format::Jsonl),
        &expected.replace("REMEDY", REMEDY),
    );
}

#[test]
fn every_spelling_gives_the_same_call() {
    let set =
        DataSet::open(&fixture("tool_calls.json"), &Options::default()).expect("the fixture opens");
    let rows = rows_of(set);
    assert_eq!(rows.len(), 8);
    for row in rows {
        let case = row.case.expect("the row is a test case");
        let call = ToolCall {
            name: "search".to_owned(),
            input_parameters: Some(json!({"query": "scales"})),
            ..ToolCall::default()
        };
        assert_eq!(case.tools_called, Some(vec![call]), "{:?}", case.name);
        assert!(row.unread.is_empty());
    }
}

#[test]
fn all_parts_of_a_call_are_kept() {
    let call = read(
        r#"{"name": "t", "description": "d", "reasoning": "r", "inputParameters": {"a": [1]}, "output": [2]}"#,
    );
    let expected = ToolCall {
        name: "t".to_owned(),
        description: Some("d".to_owned()),
        reasoning: Some("r".to_owned()),
        input_parameters: Some(json!({"a": [1]})),
        output: Some(json!([2])),
    };
    assert_eq!(call, expected);
}

#[test]
fn a_call_without_arguments_has_none() {
    for call in [
        r#""t""#,
        r#"{"name": "t"}"#,
        r#"{"name": "t", "arguments": ""}"#,
        r#"{"name": "t", "arguments": "null", "args": null, "surprise": null}"#,
        r#"{"function": {"name": "t", "arguments": " "}, "type": "function"}"#,
    ] {
        assert_eq!(read(call).input_parameters, None, "{call}");
        assert_eq!(read(call).name, "t", "{call}");
    }
}

#[test]
fn what_would_be_lost_is_refused() {
    for (call, expected) in [
        (
            "3",
            "field `tools_called[0]` is a number, not a tool call: REMEDY",
        ),
        (r#""""#, "field `tools_called[0]` has a blank name: REMEDY"),
        (
            r#"{"args": {}}"#,
            "field `tools_called[0]` has no `name`: REMEDY",
        ),
        (
            r#"{"name": "t", "tool_input": "x"}"#,
            "field `tools_called[0]` has a key `tool_input`, which nothing reads: REMEDY",
        ),
        (
            r#"{"function": {"name": "t", "strict": true}}"#,
            "field `tools_called[0].function` has a key `strict`, which nothing reads: REMEDY",
        ),
        (
            r#"{"name": "t", "args": {"a": 1}, "input": {"a": 2}}"#,
            "field `tools_called[0]` gives what `input` holds twice, with different values: keep \
             one",
        ),
        (
            r#"{"type": "text", "text": "hello"}"#,
            "field `tools_called[0]` is of type `text`, which is no tool call: leave it out of \
             the list",
        ),
        (
            r#"{"name": "t", "arguments": "{a: 1}"}"#,
            "field `tools_called[0].arguments` is not valid JSON at byte 2: key must be a string",
        ),
        (
            r#"{"name": "t", "arguments": "[1]"}"#,
            "field `tools_called[0].arguments` is a list, not an object of arguments by name",
        ),
        (
            r#"{"name": "t", "input_parameters": "{}"}"#,
            "field `tools_called[0].input_parameters` is a string, not an object of arguments by \
             name",
        ),
    ] {
        check_refused(call, expected);
    }
}
