//! Two runs, case by case. Each metric is compared with itself alone: no
//! figure here is made of two metrics.

mod bootstrap;
mod contract;
mod error;
mod mcnemar;
mod pairing;
mod points;
mod rows;
mod side;

use std::num::NonZeroUsize;

use serde::Serialize;
use serde_json::Value;

pub use contract::{Part, PartChange};
pub use error::{PairingError, SideError};
pub use mcnemar::mcnemar;
pub use pairing::By;
pub use points::{Change, Changes, Difference, Point, Verdicts};
pub use rows::CaseRow;
pub use side::Side;

use crate::policy::{Policy, Scale};
use crate::run::MetricRecord;

/// Draws of the bootstrap.
pub const DRAWS: u32 = 10_000;

/// How two runs are to be compared.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// How cases are paired; `None` finds a way.
    pub by: Option<By>,
    /// Seed of the bootstrap.
    pub seed: u64,
    /// Compare a metric even if its contracts differ.
    pub across_contracts: bool,
    /// List the cases of this bucket.
    pub rows: Option<Change>,
    /// Threads that draw; `None` takes one for each core. Changes no figure.
    pub threads: Option<NonZeroUsize>,
}

/// Run B against run A.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Comparison {
    /// The run file A.
    pub a: String,
    /// The run file B.
    pub b: String,
    /// How cases were paired.
    pub paired_by: By,
    /// Cases that are in both runs.
    pub cases: u64,
    /// Cases that are only in A.
    pub only_in_a: u64,
    /// Cases that are only in B.
    pub only_in_b: u64,
    /// Rows of A and B that aren't test cases, and so are in neither both nor
    /// one; 0 when paired by row.
    pub without_case: [u64; 2],
    /// Pairs whose stored inputs differ.
    pub other_inputs: u64,
    /// Pairs of rows of different data sets that lack an input, so that nothing
    /// shows whether they are one case.
    pub unknown_inputs: u64,
    /// Whether A stopped early.
    pub a_stopped: bool,
    /// Whether B stopped early.
    pub b_stopped: bool,
    /// The metrics that both runs have, in A's order.
    pub metrics: Vec<MetricComparison>,
    /// Names of metrics that are only in A.
    pub metrics_only_in_a: Vec<String>,
    /// Names of metrics that are only in B.
    pub metrics_only_in_b: Vec<String>,
    /// The cases that were asked for, metric by metric, biggest change first;
    /// null if none were.
    pub rows: Option<Vec<CaseRow>>,
}

/// One metric in both runs.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct MetricComparison {
    /// Its name in both runs.
    pub name: String,
    /// Its judge in A and B; null for a deterministic metric.
    pub judges: [Option<Value>; 2],
    /// Its scale in A and B. Scores on different ones can't be subtracted.
    pub scales: [Scale; 2],
    /// Parts in which its contracts differ; empty if they are one.
    pub contract_changes: Vec<PartChange>,
    /// What was found; null if it isn't compared, since contracts or scales
    /// differ.
    pub found: Option<Found>,
}

/// What comparing one metric found.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Found {
    /// Cases in both runs by what became of them; they add up to all.
    pub changes: Changes,
    /// Mean of B − A over the cases with two scores; null without any.
    pub difference: Option<Difference>,
    /// Passed and failed over the cases with two scores; null if neither run
    /// has a policy for the metric, or they have two.
    pub verdicts: Option<Verdicts>,
    /// The policies, where they differ.
    pub other_policies: Option<[Policy; 2]>,
}

/// Compares run B with run A.
///
/// # Errors
///
/// The cases can't be paired, or a file can't be read again for its labels.
pub fn compare(a: &Side, b: &Side, options: &Options) -> Result<Comparison, SideError> {
    let pairing = pairing::pair(a, b, options.by)?;
    let mut metrics = Vec::new();
    let mut rows = options.rows.map(|_| Vec::new());
    for (place_a, record) in a.header.metrics.iter().enumerate() {
        let Some(place_b) = b.place(&record.name) else {
            continue;
        };
        let places = [place_a, place_b];
        let (metric, points) = compare_metric(a, b, places, &pairing.pairs, options);
        if let (Some(change), Some(rows)) = (options.rows, &mut rows) {
            // There are no points of a metric that isn't compared.
            let found = rows::rows(a, b, places, &pairing.pairs, &points, change);
            rows.extend(found);
        }
        metrics.push(metric);
    }
    if metrics.is_empty() {
        let (a, b) = (a.path(), b.path());
        return Err(SideError::NoMetric { a, b });
    }
    rows::add_texts(a, b, rows.as_deref_mut().unwrap_or_default())?;
    let only = |one: &Side, other: &Side| {
        let names = one.header.metrics.iter().map(|metric| metric.name.clone());
        names.filter(|name| other.place(name).is_none()).collect()
    };
    let [without_a, without_b] = pairing.without_case;
    let pairs = pairing.pairs.len() as u64;
    Ok(Comparison {
        a: a.path(),
        b: b.path(),
        paired_by: pairing.by,
        cases: pairs,
        only_in_a: a.rows.len() as u64 - without_a - pairs,
        only_in_b: b.rows.len() as u64 - without_b - pairs,
        without_case: pairing.without_case,
        other_inputs: pairing.other_inputs,
        unknown_inputs: pairing.unknown_inputs,
        a_stopped: !a.complete,
        b_stopped: !b.complete,
        metrics,
        metrics_only_in_a: only(a, b),
        metrics_only_in_b: only(b, a),
        rows,
    })
}

/// The metric and its points pair by pair, of which there are none if it isn't
/// compared.
fn compare_metric(
    a: &Side,
    b: &Side,
    [place_a, place_b]: [usize; 2],
    pairs: &[(u32, u32)],
    options: &Options,
) -> (MetricComparison, Vec<[Point; 2]>) {
    let records = [&a.header.metrics[place_a], &b.header.metrics[place_b]];
    let scales = [a.scales[place_a], b.scales[place_b]];
    let contract_changes = contract::changes(records[0], records[1]);
    // A judge's score and a computed one are never subtracted or averaged.
    let same_kind = records[0].judge.is_some() == records[1].judge.is_some();
    let comparable = scales[0] == scales[1] && same_kind;
    let compared = (contract_changes.is_empty() || options.across_contracts) && comparable;
    let (points_a, points_b) = (&a.points[place_a], &b.points[place_b]);
    let both = |&(a, b): &(u32, u32)| [points_a[a as usize], points_b[b as usize]];
    let points: Vec<[Point; 2]> = if compared {
        pairs.iter().map(both).collect()
    } else {
        Vec::new()
    };
    let policies = records.map(|record| record.policy);
    let found = compared.then(|| found(&points, &scales[0], policies, options));
    let metric = MetricComparison {
        name: records[0].name.clone(),
        judges: records.map(|record: &MetricRecord| record.judge.clone()),
        scales,
        contract_changes,
        found,
    };
    (metric, points)
}

fn found(points: &[[Point; 2]], scale: &Scale, policies: [Policy; 2], options: &Options) -> Found {
    let cores = || std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let threads = options.threads.unwrap_or_else(cores);
    let [a, b] = policies;
    Found {
        changes: Changes::count(points, scale.direction),
        difference: Difference::of(&points::scores(points), options.seed, threads),
        verdicts: (a == b && a.is_gate()).then(|| Verdicts::count(points)),
        other_policies: (a != b).then_some(policies),
    }
}
