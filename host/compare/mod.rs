//! Two runs, case by case. Each metric is compared with itself alone: no
//! figure here is made of two metrics.

mod bootstrap;
mod contract;
mod mcnemar;
mod pairing;
mod points;
mod side;

use std::num::NonZeroUsize;

use serde::Serialize;
use serde_json::Value;

pub use contract::{Part, PartChange};
pub use mcnemar::mcnemar;
pub use pairing::{By, PairingError};
pub use points::{Change, Changes, Difference, Point, Verdicts};
pub use side::{Side, SideError};

use crate::policy::Policy;
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
    /// How cases were paired.
    pub paired_by: By,
    /// Cases that are in both runs.
    pub pairs: u64,
    /// Cases that are only in A.
    pub only_in_a: u64,
    /// Cases that are only in B.
    pub only_in_b: u64,
    /// Pairs of rows whose stored inputs differ.
    pub other_inputs: u64,
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
    /// The cases that were asked for, biggest change first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rows: Vec<PairRow>,
}

/// One metric in both runs.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct MetricComparison {
    /// Its name in both runs.
    pub name: String,
    /// Its judge in A and B; null for a deterministic metric.
    pub judges: [Option<Value>; 2],
    /// Parts in which its contracts differ; empty if they are one.
    pub contract_changes: Vec<PartChange>,
    /// What was found; null if it isn't compared, for one of the reasons
    /// above or below.
    pub found: Option<Found>,
    /// Why scores can't be subtracted: the scales differ.
    pub other_scale: Option<String>,
}

/// What comparing one metric found.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Found {
    /// Pairs by what became of them; they add up to all pairs.
    pub changes: Changes,
    /// Mean of B − A over the pairs with two scores; null without any.
    pub difference: Option<Difference>,
    /// Passed and failed over the pairs with two scores; null if neither run
    /// has a policy for the metric, or they have two.
    pub verdicts: Option<Verdicts>,
    /// The policies, where they differ.
    pub other_policies: Option<[Policy; 2]>,
}

/// One pair of cases under one metric.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PairRow {
    /// The metric.
    pub metric: String,
    /// The row in A, from 1.
    pub row_a: u64,
    /// The row in B, from 1.
    pub row_b: u64,
    /// The case's name, or the beginning of its input; empty if no case is
    /// stored.
    pub label: String,
    /// What A found.
    pub a: Point,
    /// What B found.
    pub b: Point,
}

/// Compares run B with run A.
///
/// # Errors
///
/// The cases can't be paired, or a file can't be read again for its labels.
pub fn compare(a: &Side, b: &Side, options: &Options) -> Result<Comparison, SideError> {
    let pairing = pairing::pair(a, b, options.by)?;
    let mut metrics = Vec::new();
    let mut rows = Vec::new();
    for (place_a, record) in a.header.metrics.iter().enumerate() {
        let Some(place_b) = b.place(&record.name) else {
            continue;
        };
        let places = [place_a, place_b];
        let (metric, points) = compare_metric(a, b, places, &pairing.pairs, options);
        if metric.found.is_some() {
            rows.extend(
                options.rows.iter().flat_map(|&change| {
                    points::rows(a, b, places, &pairing.pairs, &points, change)
                }),
            );
        }
        metrics.push(metric);
    }
    b.label(&mut rows)?;
    let only = |one: &Side, other: &Side| {
        let names = one.header.metrics.iter().map(|metric| metric.name.clone());
        names.filter(|name| other.place(name).is_none()).collect()
    };
    Ok(Comparison {
        paired_by: pairing.by,
        pairs: pairing.pairs.len() as u64,
        only_in_a: (a.rows.len() - pairing.pairs.len()) as u64,
        only_in_b: (b.rows.len() - pairing.pairs.len()) as u64,
        other_inputs: pairing.other_inputs,
        a_stopped: !a.complete,
        b_stopped: !b.complete,
        metrics,
        metrics_only_in_a: only(a, b),
        metrics_only_in_b: only(b, a),
        rows,
    })
}

fn compare_metric(
    a: &Side,
    b: &Side,
    [place_a, place_b]: [usize; 2],
    pairs: &[(u32, u32)],
    options: &Options,
) -> (MetricComparison, Vec<[Point; 2]>) {
    let (record_a, record_b) = (&a.header.metrics[place_a], &b.header.metrics[place_b]);
    let contract_changes = contract::changes(record_a, record_b);
    let (scale, other) = (a.scales[place_a], b.scales[place_b]);
    let other_scale = (scale != other).then(|| {
        format!(
            "{} to {} in A, {} to {} in B, or another direction",
            scale.lowest, scale.highest, other.lowest, other.highest
        )
    });
    let compared =
        (contract_changes.is_empty() || options.across_contracts) && other_scale.is_none();
    let points: Vec<[Point; 2]> = if compared {
        let column = (&a.points[place_a], &b.points[place_b]);
        let both = |&(a, b): &(u32, u32)| [column.0[a as usize], column.1[b as usize]];
        pairs.iter().map(both).collect()
    } else {
        Vec::new()
    };
    let cores = || std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let threads = options.threads.unwrap_or_else(cores);
    let found = compared.then(|| {
        let policies = [record_a.policy, record_b.policy];
        Found {
            changes: Changes::count(&points, scale.direction),
            difference: Difference::of(&points::scores(&points), options.seed, threads),
            verdicts: (policies[0] == policies[1] && policies[0].is_gate())
                .then(|| Verdicts::count(&points)),
            other_policies: (policies[0] != policies[1]).then_some(policies),
        }
    });
    let metric = MetricComparison {
        name: record_a.name.clone(),
        judges: [record_a, record_b].map(|record: &MetricRecord| record.judge.clone()),
        contract_changes,
        found,
        other_scale,
    };
    (metric, points)
}
