//! Fields read from columns and keys of other names.

use weighbridge::dataset::{Format, Mapping};

use super::{case, check_bad, mapped, open, read_one};

const ROW: &str = r#"{
    "question": "q", "actual_output": "own", "answers": ["first", "second"],
    "a/b": {"c~d": "deep"}, "cost": {"total": 2}
}"#;

fn one_line() -> String {
    ROW.replace('\n', " ")
}

#[test]
fn a_mapped_field_takes_its_source_only() {
    let options = mapped(
        Format::Jsonl,
        &["input=question", "actualOutput=/answers/1"],
    );
    let row = read_one(one_line(), &options);
    assert_eq!(row.unread, ["a/b", "actual_output", "cost"]);
    let case = row.case.expect("the row is a test case");
    assert_eq!(case.input.as_deref(), Some("q"));
    assert_eq!(case.actual_output.as_deref(), Some("second"));
}

#[test]
fn pointers_reach_into_a_row() {
    let options = mapped(
        Format::Jsonl,
        &[
            "comments=/a~1b/c~0d",
            "token_cost=/cost/total",
            "alternative_outputs=answers",
            "expected_output=/answers/0",
        ],
    );
    let case = case(one_line(), &options);
    assert_eq!(case.comments.as_deref(), Some("deep"));
    assert_eq!(case.usage.and_then(|usage| usage.token_cost), Some(2.0));
    assert_eq!(case.alternative_outputs.map(|list| list.len()), Some(2));
    assert_eq!(case.expected_output.as_deref(), Some("first"));
}

#[test]
fn a_source_that_a_row_lacks_leaves_the_field_absent() {
    let options = mapped(
        Format::Jsonl,
        &["actual_output=/answers/7", "input=nothing"],
    );
    let case = case(one_line(), &options);
    assert_eq!((case.actual_output, case.input), (None, None));
}

#[test]
fn messages_name_the_source() {
    check_bad(
        one_line(),
        &mapped(Format::Jsonl, &["actual_output=/cost/total"]),
        "field `actual_output` (from `/cost/total`) is a number, not a string: quote it, or map \
         the field to another source",
    );
}

#[test]
fn mapping_usage_covers_its_numbers() {
    let row = r#"{"token_cost": 1, "spent": {"token_cost": 2, "input_tokens": 3}}"#;
    let read = read_one(row, &mapped(Format::Jsonl, &["usage=spent"]));
    assert_eq!(read.unread, ["token_cost"]);
    let usage = read.case.expect("the row is a test case").usage;
    assert_eq!(usage.and_then(|usage| usage.token_cost), Some(2.0));

    let row = r#"{"cost": 1, "usage": {"token_cost": 2, "input_tokens": 3}}"#;
    let read = read_one(row, &mapped(Format::Jsonl, &["token_cost=cost"]));
    assert_eq!(read.unread, ["usage.token_cost"]);
    let usage = read.case.expect("the row is a test case").usage;
    assert_eq!(usage.and_then(|usage| usage.token_cost), Some(1.0));
}

#[test]
fn a_wrong_mapping_is_refused() {
    for (pairs, expected) in [
        (
            &["actual_output"][..],
            "mapping `actual_output` has no `=`: write it as `FIELD=SOURCE`, as in \
             `actual_output=answer`",
        ),
        (
            &["=a"],
            "mapping `=a` names no field before its `=`: write it as `FIELD=SOURCE`",
        ),
        (
            &["input= "],
            "mapping `input= ` has no source: name a column or key after the `=`",
        ),
        (
            &["actual_ouput=a"],
            "mapping `actual_ouput=a` is for a field that test cases don't have: did you mean \
             `actual_output`?",
        ),
        (
            &["solution=actual_output"],
            "mapping `solution=actual_output` is for a field that test cases don't have: write \
             FIELD=SOURCE, with the field of the test case first",
        ),
        (
            &["actual_output=a", "actualOutput=b"],
            "field `actual_output` is mapped twice, to `a` and to `b`: keep one",
        ),
        (
            &["input=/a~2"],
            "mapping `input=/a~2` has a `~` that is no part of `~0` or `~1`: in a JSON Pointer, \
             write `~` as `~0` and a `/` inside a key as `~1`",
        ),
    ] {
        let error = Mapping::parse(pairs).expect_err("the mapping is refused");
        assert_eq!(error.to_string(), expected);
    }
}

#[test]
fn a_mapping_is_written_as_an_object() {
    let mapping = Mapping::parse(["tokenCost=/a/b", "input=q=r"]).expect("the mapping is valid");
    let written = serde_json::to_value(&mapping).expect("a mapping is JSON");
    assert_eq!(
        written,
        serde_json::json!({"input": "q=r", "token_cost": "/a/b"})
    );
    assert!(!mapping.is_empty() && Mapping::default().is_empty());
}

#[test]
fn a_column_that_is_not_there_is_named() {
    let error = open(
        "question,solution\na,b\n",
        &mapped(Format::Csv, &["actual_output=Solutoin"]),
    );
    assert_eq!(
        error.expect_err("there is no such column").to_string(),
        "field `actual_output` is mapped to column `Solutoin`, which data set `data` doesn't \
         have; its columns are `question`, `solution`: did you mean `solution`?"
    );
}

#[test]
fn a_pointer_reads_a_cell_as_json() {
    let options = mapped(Format::Csv, &["actual_output=/answer/text", "tags=labels"]);
    let text = "answer,labels\n\"{\"\"text\"\": \"\"yes\"\"}\",a|b\n";
    let case = case(text, &options);
    assert_eq!(case.actual_output.as_deref(), Some("yes"));
    assert_eq!(case.tags, Some(vec!["a".to_owned(), "b".to_owned()]));
    check_bad(
        "answer,labels\nyes,\n",
        &options,
        "field `actual_output` (from `/answer/text`) is not valid JSON at byte 1: expected a value",
    );
}
