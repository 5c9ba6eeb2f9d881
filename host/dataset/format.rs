//! Which format a data set has.

use std::fmt;
use std::str::FromStr;

use serde::Serialize;

use super::source::Source;
use super::{DataSetError, Options};

/// The format of a data set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub enum Format {
    /// JSON Lines: one object a line. `jsonl`.
    #[serde(rename = "jsonl")]
    Jsonl,
    /// One JSON array of objects. `json`.
    #[serde(rename = "json")]
    JsonArray,
    /// Comma-separated values with a header (RFC 4180). `csv`.
    #[serde(rename = "csv")]
    Csv,
}

/// A format's name that isn't known.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("format `{0}` is unknown: use `jsonl`, `json` or `csv`")]
pub struct FormatError(String);

impl FromStr for Format {
    type Err = FormatError;

    fn from_str(name: &str) -> Result<Format, FormatError> {
        match name {
            "jsonl" => Ok(Format::Jsonl),
            "json" => Ok(Format::JsonArray),
            "csv" => Ok(Format::Csv),
            _ => Err(FormatError(name.to_owned())),
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Format::Jsonl => "jsonl",
            Format::JsonArray => "json",
            Format::Csv => "csv",
        })
    }
}

/// The byte between two cells of a CSV.
///
/// Read from one ASCII character, from `\t`, or from `tab`. A quote, a line
/// end and NUL are refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Delimiter(u8);

/// A delimiter that can't separate cells.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("delimiter `{0}` can't be used: give one ASCII character, such as `;`, or `tab`")]
pub struct DelimiterError(String);

impl Delimiter {
    pub(super) const COMMA: Delimiter = Delimiter(b',');
    pub(super) const TAB: Delimiter = Delimiter(b'\t');

    /// The delimiter itself.
    pub fn byte(self) -> u8 {
        self.0
    }
}

impl FromStr for Delimiter {
    type Err = DelimiterError;

    fn from_str(text: &str) -> Result<Delimiter, DelimiterError> {
        match text.as_bytes() {
            b"\\t" | b"tab" => Ok(Delimiter::TAB),
            [byte] if byte.is_ascii() && !matches!(byte, b'"' | b'\n' | b'\r' | 0) => {
                Ok(Delimiter(*byte))
            }
            _ => Err(DelimiterError(text.escape_debug().to_string())),
        }
    }
}

/// An encoding that has to be undone before the rows can be read.
pub(super) struct ForeignEncoding {
    pub(super) what: &'static str,
    pub(super) remedy: &'static str,
}

/// What the first bytes of a file say it is, if that is no text in UTF-8.
pub(super) fn foreign_encoding(prefix: &[u8]) -> Option<ForeignEncoding> {
    const CONVERT: &str = "convert it to JSON Lines or CSV first";
    const KNOWN: [(&[u8], &str, &str); 9] = [
        (
            b"\x1f\x8b",
            "compressed with gzip",
            "decompress it first, as with `gunzip -k`",
        ),
        (
            b"\x28\xb5\x2f\xfd",
            "compressed with Zstandard",
            "decompress it first, as with `zstd -d`",
        ),
        (
            b"BZh",
            "compressed with bzip2",
            "decompress it first, as with `bunzip2 -k`",
        ),
        (
            b"\xfd7zXZ\0",
            "compressed with xz",
            "decompress it first, as with `unxz -k`",
        ),
        (
            b"PK\x03\x04",
            "a ZIP archive or a spreadsheet",
            "unpack it, or export it as CSV",
        ),
        (b"PAR1", "a Parquet file", CONVERT),
        (b"ARROW1", "an Arrow file", CONVERT),
        (b"\xff\xfe", "text in UTF-16", "convert it to UTF-8 first"),
        (b"\xfe\xff", "text in UTF-16", "convert it to UTF-8 first"),
    ];
    for (magic, what, remedy) in KNOWN {
        if prefix.starts_with(magic) {
            return Some(ForeignEncoding { what, remedy });
        }
    }
    // Without a mark, every other byte of Latin text in UTF-16 is zero.
    prefix
        .iter()
        .take(2)
        .any(|&byte| byte == 0)
        .then_some(ForeignEncoding {
            what: "text in UTF-16, or no text at all",
            remedy: "convert it to UTF-8 first",
        })
}

/// The format by option, else by extension, else by the first byte.
///
/// Leaves `source` at the first byte that isn't blank, unless it is a CSV.
pub(super) fn decide(
    source: &mut Source,
    label: &str,
    extension: Option<&str>,
    options: &Options,
) -> Result<Format, DataSetError> {
    let named = options
        .format
        .or_else(|| match lowercase(extension)?.as_str() {
            "jsonl" | "ndjson" => Some(Format::Jsonl),
            "json" => Some(Format::JsonArray),
            "csv" | "tsv" => Some(Format::Csv),
            _ => None,
        });
    let format = match named {
        Some(Format::Csv) => Format::Csv,
        named => {
            let first = source
                .skip_blank()
                .map_err(|error| DataSetError::read(label, source.line(), error))?;
            let label = || label.to_owned();
            match (named, first) {
                (_, None) => return Err(DataSetError::Empty { label: label() }),
                (Some(Format::JsonArray), Some(b'{')) => {
                    return Err(DataSetError::ObjectNotArray { label: label() });
                }
                (Some(format), Some(_)) => format,
                (None, Some(b'[')) => Format::JsonArray,
                (None, Some(b'{')) => Format::Jsonl,
                (None, Some(other)) => {
                    let first = other.escape_ascii().to_string();
                    return Err(DataSetError::UnknownFormat {
                        label: label(),
                        first,
                    });
                }
            }
        }
    };
    if options.delimiter.is_some() && format != Format::Csv {
        let label = label.to_owned();
        return Err(DataSetError::DelimiterWithoutCsv { label, format });
    }
    Ok(format)
}

/// The delimiter by option, else by extension.
pub(super) fn delimiter(extension: Option<&str>, options: &Options) -> Delimiter {
    options.delimiter.unwrap_or_else(|| {
        if lowercase(extension).as_deref() == Some("tsv") {
            Delimiter::TAB
        } else {
            Delimiter::COMMA
        }
    })
}

fn lowercase(extension: Option<&str>) -> Option<String> {
    extension.map(str::to_ascii_lowercase)
}
