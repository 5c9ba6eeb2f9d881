//! Flags for how the data set is read.

use std::num::NonZeroU64;

use anyhow::anyhow;
use weighbridge::config::DataEntry;
use weighbridge::dataset::{self, Delimiter, Format, Mapping};

use crate::limits::size;

#[derive(Clone, clap::Args)]
#[command(next_help_heading = "Data set")]
pub(crate) struct Args {
    /// Read the data as jsonl, json or csv [default: by extension, then by the first byte]
    #[arg(long)]
    format: Option<Format>,
    /// Read a field from another column or key; a source that begins with `/` is a JSON Pointer
    #[arg(long, value_name = "FIELD=SOURCE")]
    pub(crate) map: Vec<String>,
    /// What separates CSV cells: one character, or `tab`
    #[arg(long, value_name = "CHARACTER")]
    delimiter: Option<Delimiter>,
    /// Longest row that is read [default: 16MiB]
    #[arg(long, value_name = "SIZE", value_parser = size)]
    max_row_bytes: Option<u64>,
    /// End after this many rows
    #[arg(long, value_name = "N")]
    pub(crate) limit: Option<NonZeroU64>,
}

impl Args {
    /// The delimiter that was asked for, as it would be written again.
    pub(crate) fn delimiter(&self) -> Option<String> {
        self.delimiter.map(|delimiter| match delimiter.byte() {
            b'\t' => "tab".to_owned(),
            byte => char::from(byte).to_string(),
        })
    }

    pub(crate) fn options(&self) -> anyhow::Result<dataset::Options> {
        Ok(dataset::Options {
            format: self.format,
            mapping: Mapping::parse(&self.map)?,
            delimiter: self.delimiter,
            max_row_bytes: usize::try_from(self.max_row_bytes())?,
        })
    }

    pub(crate) fn max_row_bytes(&self) -> u64 {
        let default = dataset::Options::default().max_row_bytes as u64;
        self.max_row_bytes.unwrap_or(default)
    }

    /// Takes what isn't asked for from the project file.
    pub(crate) fn fill(&mut self, project: &DataEntry) -> anyhow::Result<()> {
        let read = |key: &str, problem: String| anyhow!("project key `data.{key}`: {problem}");
        if let (None, Some(format)) = (self.format, &project.format) {
            let format = format.parse::<Format>();
            self.format = Some(format.map_err(|error| read("format", error.to_string()))?);
        }
        if let (None, Some(delimiter)) = (self.delimiter, &project.delimiter) {
            let delimiter = delimiter.parse::<Delimiter>();
            self.delimiter = Some(delimiter.map_err(|error| read("delimiter", error.to_string()))?);
        }
        if let (None, Some(entry)) = (self.max_row_bytes, &project.max_row_bytes) {
            let bytes = size(&entry.to_string());
            self.max_row_bytes = Some(bytes.map_err(|error| read("max-row-bytes", error))?);
        }
        if self.map.is_empty() {
            let pairs = project.map.iter();
            self.map = pairs
                .map(|(field, source)| format!("{field}={source}"))
                .collect();
            Mapping::parse(&self.map).map_err(|error| read("map", error.to_string()))?;
        }
        self.limit = self.limit.or(project.limit);
        Ok(())
    }
}
