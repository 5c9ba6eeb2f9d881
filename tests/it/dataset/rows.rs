//! Rows in JSON that are no test case, and where rows begin and end.

use serde_json::json;
use weighbridge::dataset::Format;

use super::{case, check_bad, check_outline, options};

#[track_caller]
fn check_row(text: &str, expected: &str) {
    check_bad(text, &options(Format::Jsonl), expected);
}

#[track_caller]
fn check_array(text: &str, expected: &[(u64, u64, &str)]) {
    check_outline(text, &options(Format::JsonArray), expected);
}

#[test]
fn a_line_that_is_no_object_is_a_bad_row() {
    for (row, expected) in [
        ("3", "row is a number, not an object"),
        (
            "[{}]",
            "row is a list, not an object: give `--format json` if the file is an array",
        ),
        ("null", "row is null, not an object"),
        (
            "{} {}",
            "row is not valid JSON at byte 4: text follows the value",
        ),
        (
            r#"{"input": "a"#,
            "row is not valid JSON at byte 12: the text ends inside a value, and in JSON Lines a \
             row is one line",
        ),
        (
            r#"{"input" "a"}"#,
            "row is not valid JSON at byte 10: expected `:`",
        ),
        (
            r#"{"token_cost": NaN}"#,
            "row is not valid JSON at byte 16: `NaN` is no number of JSON: write null",
        ),
        (
            r#"{"token_cost": -Infinity}"#,
            "row is not valid JSON at byte 17: `Infinity` is no number of JSON: write null",
        ),
        (
            r#"{"token_cost": 1e999}"#,
            "row is not valid JSON at byte 20: a number is beyond what a double holds",
        ),
        (
            r#"{"input": "\ud800"}"#,
            r"row is not valid JSON at byte 18: an escape such as `\ud800` without its second half is no character",
        ),
        (
            "{\"input\": \"a\tb\"}",
            r"row is not valid JSON at byte 13: a raw control character in a string: write a newline as `\n`, a tab as `\t`",
        ),
        (
            r#"{"metadata": {"id": 12345678901234567890123}}"#,
            "row holds the integer 12345678901234567890123, which is too long to be kept exactly: \
             write it as a string",
        ),
    ] {
        check_row(row, expected);
    }
    let deep = format!("{{\"metadata\": {}{}}}", "[".repeat(5000), "]".repeat(5000));
    check_row(
        &deep,
        "row is not valid JSON at byte 140: it nests more than 127 levels deep",
    );
    check_bad(
        b"{\"input\": \"\xff\"}",
        &options(Format::Jsonl),
        "row is not UTF-8 at byte 12: convert the file",
    );
}

#[test]
fn large_numbers_that_can_be_kept_are() {
    let row = r#"{"metadata": {"max": 18446744073709551615, "mole": 6.02e23, "text": "12345678901234567890123"}}"#;
    let metadata = case(row, &options(Format::Jsonl)).metadata;
    assert_eq!(
        metadata,
        Some(json!({"max": u64::MAX, "mole": 6.02e23, "text": "12345678901234567890123"}))
    );
}

#[test]
fn lines_keep_their_numbers() {
    check_outline(
        "\r\n{\"input\": \"a\"}\r\n  \n3\n\n{}",
        &options(Format::Jsonl),
        &[
            (1, 2, ""),
            (2, 4, "row is a number, not an object"),
            (3, 6, ""),
        ],
    );
}

#[test]
fn brackets_in_strings_are_text() {
    check_array(
        "[{\"input\": \"]},[{\\\"\\\\\"},\r\n{\"metadata\": [[{}], \"[\"]}]\r\n",
        &[(1, 1, ""), (2, 2, "")],
    );
}

#[test]
fn a_damaged_array_loses_no_element_in_silence() {
    const NO_COMMA: &str = "no `,` before this element, so the file is not a JSON array";
    const CUT: &str = "file ends inside this element: it may be cut off";
    const OPEN: &str = "file ends before the closing `]` of its array: it may be cut off";
    check_array(
        "[{},\n{\"input\": \"a",
        &[(1, 1, ""), (2, 2, CUT), (3, 2, OPEN)],
    );
    check_array("[{},\n", &[(1, 1, ""), (2, 2, OPEN)]);
    check_array("[{}\n{},{}]", &[(1, 1, ""), (2, 2, NO_COMMA), (3, 2, "")]);
    check_array(
        "[{},,{},]",
        &[
            (1, 1, ""),
            (2, 1, "no element before `,`: remove the comma"),
            (3, 1, ""),
            (4, 1, "no element between `,` and `]`: remove the comma"),
        ],
    );
    check_array(
        "[{}, x, {}} ,\n{}]",
        &[
            (1, 1, ""),
            (2, 1, "row is not valid JSON at byte 1: expected a value"),
            (3, 1, ""),
            (4, 1, NO_COMMA),
            (5, 2, ""),
        ],
    );
    check_array(
        "[{}]\n[{}]",
        &[
            (1, 1, ""),
            (
                2,
                2,
                "file goes on after the closing `]` of its array: one file holds one array, or \
                 use `--format jsonl`",
            ),
        ],
    );
    check_array(
        "[{\"input\": 1], {}]",
        &[
            (
                1,
                1,
                "row is not valid JSON at byte 12: expected `,` or `}`",
            ),
            (2, 1, ""),
        ],
    );
}
