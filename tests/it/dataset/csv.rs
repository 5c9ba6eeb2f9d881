//! Rows in CSV: cells, and records that are no test case.

use serde_json::json;
use weighbridge::case::TestCase;
use weighbridge::dataset::{Delimiter, Format};

use super::{case, check_bad, check_outline, open, options, read_one};

fn with_header(header: &str, row: &str) -> String {
    format!("{header}\n{row}\n")
}

#[track_caller]
fn check_cell(field: &str, cell: &str, expected: &str) {
    let quoted = format!("\"{}\"", cell.replace('"', "\"\""));
    check_bad(with_header(field, &quoted), &options(Format::Csv), expected);
}

#[test]
fn cells_are_text_and_are_not_converted() {
    let case = case(
        "input,actual_output\n 007 ,\"1,5\"\n",
        &options(Format::Csv),
    );
    assert_eq!(case.input.as_deref(), Some(" 007 "));
    assert_eq!(case.actual_output.as_deref(), Some("1,5"));
}

#[test]
fn an_empty_cell_is_empty_text_and_no_list() {
    let header = "input,actual_output,context,tools_called,metadata,usage,token_cost";
    let case = case(with_header(header, ",,, ,,,"), &options(Format::Csv));
    let expected = TestCase {
        input: Some(String::new()),
        actual_output: Some(String::new()),
        ..TestCase::default()
    };
    assert_eq!(case, expected);
}

#[test]
fn lists_are_arrays_or_stand_between_bars() {
    let strings = |items: &[&str]| Some(items.iter().map(|item| (*item).to_owned()).collect());
    for (cell, expected) in [
        ("a", strings(&["a"])),
        (" a | b,c|d ", strings(&["a", "b,c", "d"])),
        (r#" ["a|b", " c"]"#, strings(&["a|b", " c"])),
        ("[]", strings(&[])),
    ] {
        let quoted = format!("\"{}\"", cell.replace('"', "\"\""));
        let case = case(with_header("context", &quoted), &options(Format::Csv));
        assert_eq!(case.context, expected, "{cell}");
    }
    check_cell(
        "context",
        "[1] Smith | [2] Jones",
        "field `context` is not valid JSON at byte 5: text follows the value: a cell that begins \
         with `[` is a JSON array",
    );
    check_cell(
        "context",
        "[1]",
        "field `context[0]` is a number, not a string",
    );
    check_cell(
        "tags",
        "a||b",
        "field `tags` has an empty item beside a `|`: remove the `|`, or write a JSON array",
    );
}

#[test]
fn tools_are_arrays_or_names() {
    let text =
        "tools_called,expected_tools\na|b,\"[{\"\"name\"\": \"\"c\"\", \"\"args\"\": {}}]\"\n";
    let case = case(text, &options(Format::Csv));
    let names = |calls: Option<Vec<weighbridge::case::ToolCall>>| -> Vec<String> {
        calls.into_iter().flatten().map(|call| call.name).collect()
    };
    assert_eq!(names(case.tools_called), ["a", "b"]);
    assert_eq!(names(case.expected_tools), ["c"]);
    check_cell(
        "tools_called",
        r#"{"name": "a"}"#,
        "field `tools_called` begins with `{`: write a JSON array of tool calls, or names between \
         `|`",
    );
}

#[test]
fn json_and_numbers_are_read_from_their_cells() {
    let header = "metadata,trace,usage,completion_time,output_tokens";
    let row = r#""{""a"": 1}",[],"{""input_tokens"": 3}",1.5e1, 4 "#;
    let case = case(with_header(header, row), &options(Format::Csv));
    assert_eq!(
        (case.metadata, case.trace),
        (Some(json!({"a": 1})), Some(json!([])))
    );
    let usage = case.usage.expect("there is usage");
    assert_eq!(usage.input_tokens, Some(3));
    assert_eq!(
        (usage.completion_time, usage.output_tokens),
        (Some(15.0), Some(4))
    );
    for (field, cell, expected) in [
        (
            "metadata",
            "5",
            "field `metadata` is a number, not a JSON object or array",
        ),
        (
            "trace",
            "text",
            "field `trace` is not valid JSON at byte 2: expected a value",
        ),
        (
            "metadata",
            r#"{"a": 1, "a": 2}"#,
            "field `metadata` is not valid JSON at byte 12: key `a` stands twice",
        ),
        (
            "token_cost",
            "nan",
            "field `token_cost` is `nan`, not a number",
        ),
        (
            "token_cost",
            "1,5",
            "field `token_cost` is `1,5`, not a number",
        ),
        (
            "input_tokens",
            "-1",
            "field `input_tokens` is -1.0, not a whole number of tokens",
        ),
    ] {
        check_cell(field, cell, expected);
    }
}

#[test]
fn a_broken_record_is_one_bad_row() {
    let text =
        "input,actual_output\r\na,b\r\n\r\n\"x\r\ny\",2,3\r\none\r\n\"a\"b,c\r\nd,e\r\n\"f,g\r\n";
    check_outline(
        text,
        &options(Format::Csv),
        &[
            (1, 2, ""),
            (
                2,
                4,
                "row has 3 cells, but the header has 2 columns: quote cells that hold the \
                 delimiter",
            ),
            (
                3,
                6,
                "row has 1 cell, but the header has 2 columns: quote cells that hold the \
                 delimiter",
            ),
            (
                4,
                7,
                "text follows the closing quote of a cell: double each quote inside a cell",
            ),
            (5, 8, ""),
            (6, 9, "file ends inside a quoted cell: close its quote"),
        ],
    );
    check_bad(
        b"input\n\xff\n",
        &options(Format::Csv),
        "row is not UTF-8 at byte 1: convert the file",
    );
}

#[test]
fn a_quote_inside_an_unquoted_cell_is_text() {
    let case = case("input\nsay \"hi\"\n", &options(Format::Csv));
    assert_eq!(case.input.as_deref(), Some("say \"hi\""));
}

#[test]
fn a_header_that_can_not_be_used_is_refused() {
    for (text, expected) in [
        (
            "input,id, input\n1,2,3\n",
            "the header of data set `data` has column `input` twice: rename one of them",
        ),
        (
            "question;answer\na;b\n",
            "the header of data set `data` names no field of a test case; its columns are \
             `question;answer`: map one, as in `--map actual_output=COLUMN`, or give the \
             `--delimiter`",
        ),
        (
            "\"input\na\n",
            "the header of data set `data` can't be read, since it is no record: file ends inside \
             a quoted cell: close its quote: mend the first line",
        ),
    ] {
        let error = open(text, &options(Format::Csv)).expect_err("the header is refused");
        assert_eq!(error.to_string(), expected);
    }
}

#[test]
fn columns_that_nothing_reads_are_named() {
    let row = read_one(",input,Id\n0,a,7\n", &options(Format::Csv));
    assert_eq!(row.unread, ["column 1", "Id"]);
    check_bad(
        "actual_output,actualOutput\na,b\n",
        &options(Format::Csv),
        "field `actual_output` is given twice with different values, as `actual_output` and as \
         `actualOutput`: keep one",
    );
}

#[test]
fn delimiters_are_one_character() {
    for (text, byte) in [
        (";", b';'),
        ("\\t", b'\t'),
        ("\t", b'\t'),
        ("tab", b'\t'),
        ("|", b'|'),
    ] {
        assert_eq!(text.parse().map(Delimiter::byte), Ok(byte));
    }
    for text in ["", "\"", "\n", ";;", "§"] {
        let error = text.parse::<Delimiter>().expect_err("it is no delimiter");
        let shown = text.escape_debug();
        assert_eq!(
            error.to_string(),
            format!(
                "delimiter `{shown}` can't be used: give one ASCII character, such as `;`, or `tab`"
            )
        );
    }
}
