//! Formats, and files that are no data set.

use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use weighbridge::case::{TestCase, ToolCall, Usage};
use weighbridge::dataset::{DataSet, Format, Mapping, Options};

use super::{fixture, open, options, outline, read, rows_of};

fn message(text: impl AsRef<[u8]>, options: &Options) -> String {
    open(text, options)
        .expect_err("the data set is refused")
        .to_string()
}

fn fixture_cases() -> [TestCase; 3] {
    let text = |text: &str| Some(text.to_owned());
    let tool = |name: &str| ToolCall {
        name: name.to_owned(),
        ..ToolCall::default()
    };
    [
        TestCase {
            input: text("2 + 2?"),
            actual_output: text("4"),
            expected_output: text("4"),
            context: Some(vec!["sums".to_owned(), "a|b".to_owned()]),
            tags: Some(vec!["easy".to_owned()]),
            metadata: Some(serde_json::json!({"source": "book"})),
            usage: Some(Usage {
                token_cost: Some(0.25),
                input_tokens: Some(12),
                ..Usage::default()
            }),
            ..TestCase::default()
        },
        TestCase {
            input: text("A poem, \"please\""),
            actual_output: text("Roses,\nred"),
            expected_output: text("any"),
            context: Some(vec!["verse".to_owned()]),
            tools_called: Some(vec![tool("search"), tool("rank")]),
            usage: Some(Usage {
                token_cost: Some(0.5),
                ..Usage::default()
            }),
            ..TestCase::default()
        },
        TestCase {
            input: text("Nothing"),
            actual_output: text(""),
            expected_output: text("nothing"),
            ..TestCase::default()
        },
    ]
}

#[test]
fn every_format_gives_the_same_cases() {
    let files = [
        ("cases.jsonl", Format::Jsonl, [1, 3, 4]),
        ("cases.json", Format::JsonArray, [2, 7, 11]),
        ("cases.csv", Format::Csv, [2, 4, 6]),
        ("cases.tsv", Format::Csv, [2, 3, 5]),
    ];
    for (name, format, lines) in files {
        let set = DataSet::open(&fixture(name), &Options::default()).expect("the fixture opens");
        assert_eq!(set.format(), format, "{name}");
        let rows = rows_of(set);
        for (index, row) in rows.iter().enumerate() {
            assert_eq!(row.case.as_ref(), Ok(&fixture_cases()[index]), "{name}");
            assert_eq!(
                (row.row, row.line),
                (index as u64 + 1, lines[index]),
                "{name}"
            );
            assert!(row.unread.is_empty(), "{name}: {:?}", row.unread);
        }
        assert_eq!(rows.len(), 3, "{name}");
    }
}

#[test]
fn the_first_byte_decides_where_no_name_does() {
    for (text, format) in [
        ("\n  {\"input\": \"a\"}\n", Format::Jsonl),
        ("\u{feff}\n[{\"input\": \"a\"}]", Format::JsonArray),
    ] {
        let set = open(text, &Options::default()).expect("the data set opens");
        assert_eq!(set.format(), format);
        assert_eq!(outline(rows_of(set)), [(1, 2, String::new())]);
    }
    assert_eq!(
        message("input,actual_output\na,b\n", &Options::default()),
        "can't tell the format of data set `data`, which begins with `i`: give `--format jsonl`, \
         `--format json` or `--format csv`"
    );
}

#[test]
fn a_byte_order_mark_is_skipped_in_every_format() {
    for (format, text) in [
        (Format::Jsonl, "\u{feff}{\"input\": \"a\"}"),
        (Format::JsonArray, "\u{feff}[{\"input\": \"a\"}]"),
        (Format::Csv, "\u{feff}input\na"),
    ] {
        let case = super::case(text, &options(format));
        assert_eq!(case.input.as_deref(), Some("a"), "{format}");
    }
}

#[test]
fn a_file_without_rows_is_refused() {
    let expected = "data set `data` holds no rows, so there is nothing to measure: check what \
                    wrote it";
    for (format, text) in [
        (Format::Jsonl, ""),
        (Format::Jsonl, "\n \r\n"),
        (Format::JsonArray, "\u{feff}"),
        (Format::JsonArray, " [ ] \n"),
        (Format::Csv, ""),
        (Format::Csv, "input,actual_output\r\n\r\n"),
    ] {
        assert_eq!(
            message(text, &options(format)),
            expected,
            "{format} {text:?}"
        );
    }
}

#[test]
fn a_file_that_is_no_text_is_named() {
    let cases: [(&[u8], &str); 6] = [
        (
            b"\x1f\x8b\x08\0",
            "compressed with gzip: decompress it first, as with `gunzip -k`",
        ),
        (
            b"\x28\xb5\x2f\xfd\0",
            "compressed with Zstandard: decompress it first, as with `zstd -d`",
        ),
        (
            b"PK\x03\x04abc",
            "a ZIP archive or a spreadsheet: unpack it, or export it as CSV",
        ),
        (
            b"PAR1\x15",
            "a Parquet file: convert it to JSON Lines or CSV first",
        ),
        (
            b"\xff\xfe{\0\"\0",
            "text in UTF-16: convert it to UTF-8 first",
        ),
        (
            b"{\0\"\0",
            "text in UTF-16, or no text at all: convert it to UTF-8 first",
        ),
    ];
    for (bytes, what) in cases {
        for format in [Format::Jsonl, Format::JsonArray, Format::Csv] {
            let expected = format!("data set `data` is {what}");
            assert_eq!(message(bytes, &options(format)), expected);
        }
    }
}

#[test]
fn an_object_is_no_array() {
    assert_eq!(
        message("{\"input\": \"a\"}", &options(Format::JsonArray)),
        "data set `data` begins with `{`, so it is not a JSON array: give `--format jsonl` if \
         each line is a row, or wrap the rows in `[` and `]`"
    );
    assert_eq!(
        message("\"a\"", &options(Format::JsonArray)),
        "data set `data` is not a JSON array, which begins with `[`: give its `--format`"
    );
}

#[test]
fn a_path_that_is_no_file_is_named() {
    let open = |path: &str| {
        DataSet::open(Path::new(path), &Options::default())
            .expect_err("there is no such file")
            .to_string()
    };
    assert_eq!(
        open("no/such.jsonl"),
        "data set `no/such.jsonl` doesn't exist: check the path"
    );
    let folder = fixture("").display().to_string();
    assert_eq!(
        open(&folder),
        format!("data set `{folder}` is a directory: give the path of a file")
    );
}

#[test]
fn a_delimiter_is_for_csv() {
    let with_delimiter = |format| Options {
        delimiter: Some(";".parse().expect("a semicolon is a delimiter")),
        ..options(format)
    };
    assert_eq!(
        message("{}", &with_delimiter(Format::Jsonl)),
        "`--delimiter` applies to CSV, but data set `data` is read as jsonl: drop it, or give \
         `--format csv`"
    );
    let rows = read("input;actual_output\na,b;c\n", &with_delimiter(Format::Csv));
    let case = rows[0].case.as_ref().expect("the row is a test case");
    assert_eq!(case.input.as_deref(), Some("a,b"));
}

#[test]
fn a_reader_that_breaks_off_is_an_error_once() {
    struct Broken;
    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("the disk is gone"))
        }
    }
    let good: &[u8] = b"{\"input\": \"a\"}\n{\"input\": \"b\"}\n";
    let reader: Box<dyn BufRead + Send> = Box::new(BufReader::new(good.chain(Broken)));
    let mut set = DataSet::from_reader(reader, "data", &Options::default()).expect("it opens");
    for _ in 0..2 {
        assert!(set.next_row().expect("the row was read").is_some());
    }
    let error = set.next_row().expect_err("the disk is gone").to_string();
    assert_eq!(
        error,
        "data set `data` can't be read on from line 3: the disk is gone"
    );
    assert!(set.next_row().expect("no error twice").is_none());
}

#[test]
fn a_row_over_the_limit_is_one_bad_row() {
    let long = "x".repeat(1000);
    let message = "row is longer than 40 bytes: raise `--max-row-bytes`".to_owned();
    for (format, text, lines) in [
        (
            Format::Jsonl,
            format!("{{\"input\": \"a\"}}\n{{\"input\": \"{long}\"}}\r\n{{}}"),
            [1, 2, 3],
        ),
        (
            Format::JsonArray,
            format!("[{{}},\n{{\"input\": \"\n{long}],\"}},\n{{}}]"),
            [1, 2, 4],
        ),
        (
            Format::Csv,
            format!("input\na\n\"{long}\n\"\nb\n"),
            [2, 3, 5],
        ),
    ] {
        let limited = Options {
            max_row_bytes: 40,
            ..options(format)
        };
        let expected = [
            (1, lines[0], String::new()),
            (2, lines[1], message.clone()),
            (3, lines[2], String::new()),
        ];
        assert_eq!(outline(read(text, &limited)), expected, "{format}");
    }
}

#[test]
fn a_row_may_be_as_long_as_the_limit() {
    for (length, fits) in [(40, true), (41, false)] {
        for end in ["", "\n", "\r\n"] {
            let row = format!("{{\"input\": \"{}\"}}", "x".repeat(length - 13));
            assert_eq!(row.len(), length);
            let limited = Options {
                max_row_bytes: 40,
                mapping: Mapping::default(),
                ..options(Format::Jsonl)
            };
            let rows = read(format!("{row}{end}{{}}"), &limited);
            let first = rows.first().expect("there is a row");
            // Without a line end, the second object makes the row longer still.
            assert_eq!(
                first.case.is_ok(),
                fits && !end.is_empty(),
                "{length} {end:?}"
            );
        }
    }
}
