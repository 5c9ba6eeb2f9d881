//! Checking a run file against itself: order, digests, verdicts and counts.

use std::io::BufRead;

use serde_json::Value;

use super::read::RunReader;
use super::record::{Closing, Header, ResultRecord};
use super::rejudge::{Judgement, Policies};
use crate::case::TestCase;
use crate::metric_data::MetricData;
use crate::outcome::ErrorCode;
use crate::plugin::Description;
use crate::summary::{Summary, Tally};

/// Something in a run file that contradicts the rest of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contradiction {
    /// Line of the run file, from 1.
    pub line: u64,
    /// The row of the data set; `None` outside results.
    pub row: Option<u64>,
    /// The metric; `None` if it is about none or all.
    pub metric: Option<String>,
    /// What doesn't fit.
    pub what: String,
}

/// Checks the records of one run file, as they are read, and counts them.
#[derive(Clone, Debug)]
pub struct Check {
    header: Header,
    descriptions: Vec<Description>,
    policies: Policies,
    tally: Tally,
    last_row: u64,
    found: Vec<Contradiction>,
}

impl Check {
    /// Begins with the header: each contract must be that of its parts.
    pub fn new<R: BufRead>(reader: &RunReader<R>) -> Check {
        let (header, descriptions) = (reader.header(), reader.descriptions());
        let mut check = Check {
            header: header.clone(),
            descriptions: descriptions.to_vec(),
            policies: Policies::of(header, descriptions),
            tally: reader.empty_tally(),
            last_row: 0,
            found: Vec::new(),
        };
        for (place, metric) in header.metrics.iter().enumerate() {
            let name = &metric.name;
            if header.metrics[..place]
                .iter()
                .any(|other| other.name == *name)
            {
                let what = "another metric has the same name".to_owned();
                check.add(1, None, Some(name), what);
            }
            let what = match metric.contract_of_parts() {
                Ok(contract) if contract == metric.contract => continue,
                Ok(contract) => format!(
                    "the header names contract {}, and its parts make {contract}",
                    metric.contract
                ),
                Err(error) => format!("its configuration has no contract: {error}"),
            };
            check.add(1, None, Some(&metric.name), what);
        }
        check
    }

    /// What was found so far.
    pub fn found(&self) -> &[Contradiction] {
        &self.found
    }

    /// Counts of the results so far.
    pub fn tally(&self) -> &Tally {
        &self.tally
    }

    /// Checks the result on this line of the run file.
    pub fn result(&mut self, line: u64, record: &ResultRecord) {
        if record.row != self.last_row + 1 {
            let what = format!("row {} follows row {}", record.row, self.last_row);
            self.add(line, Some(record.row), None, what);
        }
        self.last_row = record.row;
        let limit = self.header.data_set.limit.unwrap_or(u64::MAX);
        if record.row > limit {
            let what = format!("the run ends after row {limit}");
            self.add(line, Some(record.row), None, what);
        }
        if let Some(what) = self.other_case_policy(record) {
            self.add(line, Some(record.row), None, what);
        }
        let case = record.case.as_ref().map(|case| case.read());
        if let Some(Err(error)) = &case {
            let what = format!("its test case can't be read ({error})");
            self.add(line, Some(record.row), None, what);
        }
        let case = case.and_then(Result::ok);
        for (place, data) in record.metrics.iter().enumerate() {
            let description = &self.descriptions[place];
            let mut wrong: Vec<String> = Vec::new();
            wrong.extend(score_off_scale(data, description));
            wrong.extend(kind_of_other_code(data));
            wrong.extend(unnamed_origin(data, &self.header));
            wrong.extend(digest_of_other_case(data, case.as_ref(), description));
            for what in wrong {
                self.add(line, Some(record.row), Some(&data.name), what);
            }
        }
        self.verdicts(line, record);
    }

    /// Checks the closing record, if there is one, against the results.
    pub fn closing(mut self, line: u64, closing: Option<&Closing>) -> Vec<Contradiction> {
        if let Some(closing) = closing
            && let Some(what) = other_summary(closing, &self.tally.finish())
        {
            self.add(line, None, None, what);
        }
        self.found
    }

    /// Whether the test case is there if and only if the header says so; older
    /// ones don't say. A row that isn't one has none in any case.
    fn other_case_policy(&self, record: &ResultRecord) -> Option<String> {
        let unreadable = |data: &MetricData| data.error_code == Some(ErrorCode::UnreadableRow);
        match (&record.case, self.header.cases) {
            (None, Some(true)) if !record.metrics.iter().all(unreadable) => {
                Some("its test case is missing, and the header says that cases are kept".to_owned())
            }
            (Some(_), Some(false)) => {
                Some("it has a test case, and the header says that none are kept".to_owned())
            }
            _ => None,
        }
    }

    /// Whether the verdicts are those of the header's policies. Counts them,
    /// too.
    fn verdicts(&mut self, line: u64, record: &ResultRecord) {
        // The reader has checked status and score already.
        let Ok((judgements, case)) = self.policies.judgements(record) else {
            return;
        };
        for (data, judgement) in record.metrics.iter().zip(judgements) {
            let stored = Judgement {
                success: data.success,
                threshold: data.threshold,
                strict: data.strict_mode,
            };
            if stored != judgement {
                let what = format!("it has {stored}, and by the header's policy {judgement}");
                self.add(line, Some(record.row), Some(&data.name), what);
            }
        }
        if record.success != case.success() {
            let what = "success of the case isn't that of its metrics".to_owned();
            self.add(line, Some(record.row), None, what);
        }
        self.tally.add(record.row, &record.metrics, case);
    }

    fn add(&mut self, line: u64, row: Option<u64>, metric: Option<&str>, what: String) {
        self.found.push(Contradiction {
            line,
            row,
            metric: metric.map(str::to_owned),
            what,
        });
    }
}

fn score_off_scale(data: &MetricData, description: &Description) -> Option<String> {
    let score = data.score?;
    let scale = &description.scale;
    (!scale.contains(score)).then(|| {
        format!(
            "score {score} lies outside its scale, {} to {}",
            scale.lowest, scale.highest
        )
    })
}

fn kind_of_other_code(data: &MetricData) -> Option<String> {
    let kind = data.error_code.map(|code| code.kind());
    (kind != data.error_kind).then(|| "its error kind isn't that of its error code".to_owned())
}

fn unnamed_origin(data: &MetricData, header: &Header) -> Option<String> {
    let origin = data.reused_from.as_ref()?;
    let named = header.reused.iter().any(|run| run.digest == origin.run);
    (!named).then(|| "it was taken over from a run that the header doesn't name".to_owned())
}

fn digest_of_other_case(
    data: &MetricData,
    case: Option<&TestCase>,
    description: &Description,
) -> Option<String> {
    let digest = case?.digest(&description.fields());
    (digest != data.case_digest && !data.may_lack_digest())
        .then(|| "its case digest isn't that of the case beside it".to_owned())
}

/// How the stored summary differs from the counted one. What an older version
/// didn't store yet, and what a newer one added, is no difference.
fn other_summary(closing: &Closing, counted: &Summary) -> Option<String> {
    // As a summary first, in which only what came later may be absent.
    let stored = closing.summary.read().and_then(|_: Summary| {
        let text = serde_json::to_string(&closing.summary)?;
        serde_json::from_str(&text)
    });
    let stored: Value = match stored {
        Ok(stored) => stored,
        Err(error) => return Some(format!("its summary can't be read ({error})")),
    };
    let counted = serde_json::to_value(counted).expect("a summary is JSON");
    let mut differences = Vec::new();
    compare("summary", &stored, &counted, &mut differences);
    let first = differences.first()?;
    Some(match differences.len() - 1 {
        0 => first.clone(),
        more => format!("{first}; so in {more} other places of the summary"),
    })
}

/// Lists where two values differ that both are there.
fn compare(path: &str, stored: &Value, counted: &Value, differences: &mut Vec<String>) {
    match (stored, counted) {
        (Value::Object(stored), Value::Object(counted)) => {
            for (key, stored) in stored {
                if let Some(counted) = counted.get(key) {
                    compare(&format!("{path}.{key}"), stored, counted, differences);
                }
            }
        }
        (Value::Array(stored), Value::Array(counted)) if stored.len() == counted.len() => {
            for (place, (stored, counted)) in stored.iter().zip(counted).enumerate() {
                compare(&format!("{path}[{place}]"), stored, counted, differences);
            }
        }
        (stored, counted) if stored == counted => {}
        (stored, counted) => differences.push(format!(
            "`{path}` is {stored}, and the results make {counted}"
        )),
    }
}
