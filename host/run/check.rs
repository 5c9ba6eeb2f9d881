//! Checking a run file against itself: order, digests, verdicts and counts.

use serde_json::Value;

use super::record::{Closing, Header, ResultRecord};
use super::rejudge::Policies;
use crate::case::TestCase;
use crate::contract::digest_bytes;
use crate::metric_data::{MetricData, Status};
use crate::plugin::Description;
use crate::policy::Verdict;
use crate::summary::Tally;

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

/// Checks the records of one run file, as they are read.
pub struct Check<'a> {
    header: &'a Header,
    descriptions: &'a [Description],
    policies: Policies,
    tally: Tally,
    last_row: u64,
    found: Vec<Contradiction>,
}

impl<'a> Check<'a> {
    /// Begins with the header: each contract must be that of its parts. The
    /// results are counted in `tally`, which is empty.
    pub fn new(header: &'a Header, descriptions: &'a [Description], tally: Tally) -> Check<'a> {
        let mut check = Check {
            header,
            descriptions,
            policies: Policies::of(header, descriptions),
            tally,
            last_row: 0,
            found: Vec::new(),
        };
        for metric in &header.metrics {
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

    /// Checks the result on this line of the run file.
    pub fn result(&mut self, line: u64, record: &ResultRecord) {
        if record.row != self.last_row + 1 {
            let what = format!("row {} follows row {}", record.row, self.last_row);
            self.add(line, Some(record.row), None, what);
        }
        self.last_row = record.row;
        let case = record.case.as_ref().map(|case| case.read());
        if let Some(Err(error)) = &case {
            let what = format!("its test case can't be read ({error})");
            self.add(line, Some(record.row), None, what);
        }
        let case = case.and_then(Result::ok);
        let (header, descriptions) = (self.header, self.descriptions);
        for (place, data) in record.metrics.iter().enumerate() {
            let mut wrong: Vec<String> = Vec::new();
            wrong.extend(score_off_scale(data, &descriptions[place]));
            wrong.extend(kind_of_other_code(data));
            wrong.extend(digest_of_other_case(
                data,
                case.as_ref(),
                &descriptions[place],
            ));
            for what in wrong {
                let name = &header.metrics[place].name;
                self.add(line, Some(record.row), Some(name), what);
            }
        }
        self.verdicts(line, record);
    }

    /// Checks the closing record, if there is one, against the results.
    pub fn closing(mut self, line: u64, closing: Option<&Closing>) -> Vec<Contradiction> {
        if let Some(closing) = closing {
            let counted = serde_json::to_value(self.tally.finish()).expect("a summary is JSON");
            let stored = serde_json::to_value(&closing.summary).expect("it was read as JSON");
            let mut differences = Vec::new();
            compare("summary", &stored, &counted, &mut differences);
            if let Some(first) = differences.first() {
                let what = match differences.len() - 1 {
                    0 => first.clone(),
                    more => format!("{first}; so in {more} other places of the summary"),
                };
                self.add(line, None, None, what);
            }
        }
        self.found
    }

    /// Whether the verdicts are those of the header's policies. Counts them,
    /// too.
    fn verdicts(&mut self, line: u64, record: &ResultRecord) {
        let mut again = record.clone();
        // The reader has checked status and score already.
        let Ok(verdict) = self.policies.judge(&mut again) else {
            return;
        };
        for (stored, judged) in record.metrics.iter().zip(&again.metrics) {
            if (stored.success, stored.threshold, stored.strict_mode)
                != (judged.success, judged.threshold, judged.strict_mode)
            {
                let what = format!(
                    "it has {}, and by the header's policy {}",
                    verdict_of(stored),
                    verdict_of(judged)
                );
                self.add(line, Some(record.row), Some(&stored.name), what);
            }
        }
        if record.success != again.success {
            let what = "success of the case isn't that of its metrics".to_owned();
            self.add(line, Some(record.row), None, what);
        }
        self.count(record.row, &again, verdict);
    }

    fn count(&mut self, row: u64, record: &ResultRecord, verdict: Verdict) {
        self.tally.add(row, &record.metrics, verdict);
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

fn digest_of_other_case(
    data: &MetricData,
    case: Option<&TestCase>,
    description: &Description,
) -> Option<String> {
    let digest = case?
        .project(&description.fields())
        .canonical()
        .ok()
        .map(|text| digest_bytes(text.as_bytes()));
    // Older files have no digest for pairs that were never measured.
    let unmeasured = data.status == Status::Failed && data.case_digest.is_none();
    (digest != data.case_digest && !unmeasured)
        .then(|| "its case digest isn't that of the case beside it".to_owned())
}

fn verdict_of(data: &MetricData) -> String {
    let success = data
        .success
        .map_or_else(|| "null".to_owned(), |success| success.to_string());
    let threshold = match (data.threshold, data.strict_mode) {
        (Some(threshold), false) => format!("threshold {threshold}"),
        (Some(threshold), true) => format!("threshold {threshold}, strict"),
        (None, _) => "no threshold".to_owned(),
    };
    format!("success {success} ({threshold})")
}

/// Lists where `stored` says something else than `counted`. What an older
/// version didn't store is no difference.
fn compare(path: &str, stored: &Value, counted: &Value, differences: &mut Vec<String>) {
    match (stored, counted) {
        (Value::Object(stored), Value::Object(counted)) => {
            for (key, stored) in stored {
                let counted = counted.get(key).unwrap_or(&Value::Null);
                compare(&format!("{path}.{key}"), stored, counted, differences);
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
