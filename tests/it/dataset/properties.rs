//! What holds for any data set, however its bytes arrive.

use std::io::{self, BufRead, Read};

use proptest::prelude::*;
use serde_json::{Value, json};
use weighbridge::dataset::{DataSet, DataSetError, Format, Options};

use super::{Row, mapped, options, rows_of};

/// Gives its bytes a few at a time.
struct Chunked {
    bytes: Vec<u8>,
    at: usize,
    size: usize,
}

impl Read for Chunked {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.fill_buf()?.read(buffer)?;
        self.consume(length);
        Ok(length)
    }
}

impl BufRead for Chunked {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        let end = self.bytes.len().min(self.at + self.size);
        Ok(&self.bytes[self.at..end])
    }

    fn consume(&mut self, length: usize) {
        self.at += length;
    }
}

fn read_chunked(
    bytes: impl Into<Vec<u8>>,
    size: usize,
    options: &Options,
) -> Result<Vec<Row>, DataSetError> {
    let (bytes, at) = (bytes.into(), 0);
    let reader = Box::new(Chunked { bytes, at, size });
    DataSet::from_reader(reader, "data", options).map(rows_of)
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        text().prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map(text(), inner, 0..4)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

/// Text rich in what splits rows.
fn text() -> impl Strategy<Value = String> {
    prop_oneof![any::<String>(), "[\\[\\]{}\",\\\\\r\n a;|é]{0,12}",]
}

/// Each value as the metadata of a row, written plainly or over many lines.
fn rows(values: &[Value], pretty: bool) -> Vec<String> {
    let write = if pretty {
        serde_json::to_string_pretty
    } else {
        serde_json::to_string
    };
    values
        .iter()
        .map(|value| write(&json!({"metadata": value})).expect("a value is JSON"))
        .collect()
}

fn metadata(rows: Vec<Row>) -> Vec<Value> {
    rows.into_iter()
        .map(|row| {
            let case = row.case.expect("the row is a test case");
            case.metadata.unwrap_or_default()
        })
        .collect()
}

/// Whether every row is good, in rows that may also be refused as a whole.
fn all_good(rows: &Result<Vec<Row>, DataSetError>) -> bool {
    rows.as_ref()
        .is_ok_and(|rows| rows.iter().all(|row| row.case.is_ok()))
}

proptest! {
    #[test]
    fn json_lines_give_their_values_back(
        values in prop::collection::vec(value(), 1..6),
        size in 1usize..40,
        end in prop_oneof![Just("\n"), Just("\r\n"), Just("\n\n")],
    ) {
        let text = rows(&values, false).join(end);
        let read = read_chunked(text, size, &options(Format::Jsonl)).expect("it opens");
        prop_assert_eq!(metadata(read), values);
    }

    #[test]
    fn an_array_gives_its_values_back(
        values in prop::collection::vec(value(), 1..6),
        size in 1usize..40,
        pretty: bool,
        between in prop_oneof![Just(","), Just(" ,\r\n")],
    ) {
        let text = format!("[{}]\n", rows(&values, pretty).join(between));
        let read = read_chunked(text, size, &options(Format::JsonArray)).expect("it opens");
        prop_assert_eq!(metadata(read), values);
    }

    #[test]
    fn a_csv_gives_its_cells_back(
        cells in prop::collection::vec((text(), text()), 1..6),
        size in 1usize..40,
        crlf: bool,
        delimiter in prop_oneof![Just(b','), Just(b';'), Just(b'|')],
    ) {
        let terminator = if crlf { csv::Terminator::CRLF } else { csv::Terminator::Any(b'\n') };
        let mut writer = csv::WriterBuilder::new()
            .terminator(terminator)
            .delimiter(delimiter)
            .from_writer(Vec::new());
        writer.write_record(["input", "answer"]).expect("memory can be written");
        for (input, answer) in &cells {
            writer.write_record([input, answer]).expect("memory can be written");
        }
        let text = writer.into_inner().expect("memory can be written");
        let mut lines = 2;
        let options = Options {
            delimiter: Some((delimiter as char).to_string().parse().expect("it is ASCII")),
            ..mapped(Format::Csv, &["actual_output=answer"])
        };
        let read = read_chunked(text, size, &options).expect("it opens");
        prop_assert_eq!(read.len(), cells.len());
        for (row, (input, answer)) in read.into_iter().zip(cells) {
            prop_assert_eq!(row.line, lines);
            let newlines = |text: &str| text.matches('\n').count() as u64;
            lines += 1 + newlines(&input) + newlines(&answer);
            let case = row.case.expect("the row is a test case");
            prop_assert_eq!((case.input, case.actual_output), (Some(input), Some(answer)));
        }
    }

    /// Our reading of a CSV and that of the crate `csv` agree on where records
    /// and cells end, for text that both take to be sound.
    #[test]
    fn any_csv_is_read_as_the_csv_crate_reads_it(
        text in "[a,\"\r\n ]{0,24}",
        size in 1usize..10,
    ) {
        let text = format!("input,comments\n{text}");
        let records: Vec<csv::StringRecord> = csv::ReaderBuilder::new()
            .flexible(true)
            .from_reader(text.as_bytes())
            .records()
            .collect::<Result<_, _>>()
            .expect("UTF-8 in memory can be read");
        let Ok(read) = read_chunked(text, size, &options(Format::Csv)) else {
            prop_assert!(records.is_empty());
            return Ok(());
        };
        prop_assert_eq!(read.len(), records.len());
        for (row, record) in read.into_iter().zip(&records) {
            match row.case {
                Ok(case) => {
                    let cells = [case.input, case.comments].map(Option::unwrap_or_default);
                    prop_assert_eq!(record, &cells.to_vec());
                }
                Err(message) => prop_assert!(
                    record.len() != 2 || message.contains("quote"),
                    "{}", message
                ),
            }
        }
    }

    /// A damaged array is never read as if it were whole, and a whole one
    /// never as if it were damaged.
    #[test]
    fn an_array_is_good_where_it_is_json(
        values in prop::collection::vec(value(), 1..4),
        at in any::<prop::sample::Index>(),
        byte in prop_oneof![any::<u8>(), prop::sample::select(b"[]{},\"\\ \n1".to_vec())],
        edit in 0..3,
        size in 1usize..40,
    ) {
        let mut bytes = format!("[{}]", rows(&values, false).join(",")).into_bytes();
        let at = at.index(bytes.len());
        match edit {
            0 => bytes.insert(at, byte),
            1 => bytes[at] = byte,
            _ => { bytes.remove(at); }
        }
        let whole = serde_json::from_slice::<Vec<serde_json::Map<String, Value>>>(&bytes);
        let read = read_chunked(bytes, size, &options(Format::JsonArray));
        if all_good(&read) {
            let whole = whole.expect("every row was read");
            prop_assert_eq!(whole.len(), read.map_or(0, |rows| rows.len()));
        }
    }

    #[test]
    fn any_bytes_are_accounted_for(
        bytes in prop_oneof![
            prop::collection::vec(any::<u8>(), 0..200),
            prop::collection::vec(prop::sample::select(b"[]{},\"\\:\r\n 1a".to_vec()), 0..200),
        ],
        size in 1usize..40,
        format in prop_oneof![Just(Format::Jsonl), Just(Format::JsonArray), Just(Format::Csv)],
        max_row_bytes in 0usize..64,
    ) {
        let blank = |line: &[u8]| line.trim_ascii().is_empty();
        let lines = bytes.split(|byte| *byte == b'\n').filter(|line| !blank(line)).count();
        let lengths: Vec<usize> = bytes.split(|byte| *byte == b'\n').map(<[u8]>::len).collect();
        let last = bytes.iter().filter(|byte| matches!(byte, b'\n' | b'\r')).count() as u64 + 1;
        let limited = Options { max_row_bytes, ..options(format) };
        let whole = read_chunked(bytes.clone(), usize::MAX / 2, &limited);
        let read = read_chunked(bytes, size, &limited);
        prop_assert_eq!(format!("{whole:?}"), format!("{read:?}"));
        let Ok(read) = read else { return Ok(()) };
        if format == Format::Jsonl {
            // A blank line over the limit is a row too, since it isn't looked into.
            prop_assert!(read.len() >= lines);
            prop_assert!(read.len() == lines || lengths.into_iter().any(|length| length > max_row_bytes));
        }
        prop_assert!(read.iter().map(|row| row.row).eq(1..=read.len() as u64));
        prop_assert!(read.is_sorted_by_key(|row| row.line));
        prop_assert!(read.iter().all(|row| row.line <= last));
    }
}
