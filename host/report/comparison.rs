//! What comparing two runs found, for people.

use serde_json::Value;

use super::escape;
use super::rows::case_row;
use super::table::number;
use super::text::{counted, shortened};
use crate::compare::{Comparison, Difference, Found, MetricComparison, PartChange, Verdicts};
use crate::policy::{Direction, Policy, Scale};

/// Longest value of a contract's part that is shown, in characters.
const VALUE_LENGTH: usize = 80;

/// Characters that are shown before the place where long values differ.
const CONTEXT: usize = 20;

/// The comparison of run B with run A, a metric a paragraph.
pub fn comparison(comparison: &Comparison) -> String {
    let mut text = format!(
        "A  {}\nB  {}\n{} paired by {}; only in A: {}, only in B: {}\n",
        escape(&comparison.a),
        escape(&comparison.b),
        counted(comparison.cases, "test case", "test cases"),
        comparison.paired_by.as_str(),
        comparison.only_in_a,
        comparison.only_in_b
    );
    text.push_str(&cautions(comparison));
    for metric in &comparison.metrics {
        text.push('\n');
        text.push_str(&paragraph(metric));
    }
    for (names, run) in [
        (&comparison.metrics_only_in_a, 'A'),
        (&comparison.metrics_only_in_b, 'B'),
    ] {
        for name in names {
            text.push_str(&format!("\n{}: only in {run}\n", escape(name)));
        }
    }
    if let Some(rows) = &comparison.rows {
        text.push('\n');
        if rows.is_empty() {
            text.push_str("no such cases\n");
        }
        text.extend(rows.iter().map(case_row));
    }
    text
}

/// What makes the compared cases less than both runs.
fn cautions(comparison: &Comparison) -> String {
    let mut text = String::new();
    for (count, run) in comparison.without_case.iter().zip(['A', 'B']) {
        if *count > 0 {
            let rows = counted(*count, "row", "rows");
            text.push_str(&format!(
                "CAUTION: {rows} of {run} not paired, since no test case can be read there\n"
            ));
        }
    }
    if comparison.other_inputs > 0 {
        text.push_str(&format!(
            "CAUTION: {} with different inputs, which may be different cases\n",
            counted(comparison.other_inputs, "case", "cases")
        ));
    }
    if comparison.unknown_inputs > 0 {
        text.push_str(&format!(
            "CAUTION: {} without stored inputs, and the data sets differ: nothing shows that they are the same cases\n",
            counted(comparison.unknown_inputs, "case", "cases")
        ));
    }
    for (stopped, run) in [(comparison.a_stopped, 'A'), (comparison.b_stopped, 'B')] {
        if stopped {
            text.push_str(&format!(
                "run {run} stopped early and is compared as far as it goes\n"
            ));
        }
    }
    text
}

fn paragraph(metric: &MetricComparison) -> String {
    let [a, b] = &metric.scales;
    let kind = match metric.judges.each_ref().map(kind) {
        [a, b] if a == b => a,
        [a, b] => format!("{a} in A, {b} in B"),
    };
    let mut text = format!("{} ({kind}; {})\n", escape(&metric.name), scale(a));
    if !metric.contract_changes.is_empty() {
        let verb = match metric.found {
            Some(_) => "compared ACROSS CONTRACTS",
            None => "not compared, since its contracts differ",
        };
        text.push_str(&format!("  {verb}:\n"));
        text.extend(metric.contract_changes.iter().map(change));
    }
    if a != b {
        text.push_str(&format!(
            "  not compared, since scores on different scales can't be subtracted: {} in A; {} in B\n",
            scale(a),
            scale(b)
        ));
    }
    let [judge_a, judge_b] = &metric.judges;
    let same_kind = judge_a.is_some() == judge_b.is_some();
    if !same_kind {
        text.push_str(
            "  not compared, since a judge's score and a computed one are of different kinds\n",
        );
    }
    match &metric.found {
        Some(found) => text.push_str(&findings(found)),
        None if a == b && same_kind => {
            text.push_str("  to compare all the same, say `--across-contracts`\n")
        }
        None => {}
    }
    text
}

fn kind(judge: &Option<Value>) -> String {
    match judge {
        None => "deterministic".to_owned(),
        Some(judge) => format!("judged by {}", cut(&judge.to_string())),
    }
}

fn scale(scale: &Scale) -> String {
    let direction = match scale.direction {
        Direction::HigherIsBetter => "higher is better",
        Direction::LowerIsBetter => "lower is better",
    };
    let [lowest, highest] = [scale.lowest, scale.highest].map(bound);
    format!("{lowest} to {highest}, {direction}")
}

fn bound(value: f64) -> String {
    if value.abs() < 1e6 {
        value.to_string()
    } else {
        format!("{value:e}")
    }
}

fn findings(found: &Found) -> String {
    let changes = &found.changes;
    let mut text = format!(
        "  improved {}, worse {}, same {}, became failures {}\n",
        changes.improved, changes.worse, changes.same, changes.became_failure
    );
    let rest = [
        (changes.recovered, "recovered"),
        (changes.failed_in_both, "failed in both"),
        (changes.skipped_in_one, "skipped in one"),
        (changes.skipped_in_both, "skipped in both"),
    ];
    let rest: Vec<String> = rest
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, words)| format!("{words} {count}"))
        .collect();
    if !rest.is_empty() {
        text.push_str(&format!("  {}\n", rest.join(", ")));
    }
    text.push_str(&match &found.difference {
        Some(found) => difference(found),
        None if changes.improved + changes.worse > 0 => {
            "  mean difference: none, since it is beyond the range of a double\n".to_owned()
        }
        None => "  mean difference: none, without a case that has two scores\n".to_owned(),
    });
    if let Some(found) = &found.verdicts {
        text.push_str(&verdicts(found));
    }
    if let Some([a, b]) = &found.other_policies {
        text.push_str(&format!(
            "  verdicts not compared, since the policies differ: {} in A, {} in B (`weigh rejudge` brings them together)\n",
            policy(a),
            policy(b)
        ));
    }
    text
}

fn difference(found: &Difference) -> String {
    let sign = if found.mean > 0.0 { "+" } else { "" };
    let mean = format!("{sign}{}", precise(found.mean));
    let cases = counted(found.cases, "case", "cases");
    match &found.interval {
        Some(interval) if interval.low == interval.high => {
            format!("  mean difference B − A {mean} ({cases}, all differences equal)\n")
        }
        Some(interval) => format!(
            "  mean difference B − A {mean}, 95 % interval {} to {} ({cases}, paired bootstrap, {} draws, seed {})\n",
            precise(interval.low),
            precise(interval.high),
            found.draws,
            found.seed
        ),
        None => format!("  mean difference B − A {mean} ({cases}, too few for an interval)\n"),
    }
}

/// A difference, whose size matters even where it is small.
fn precise(value: f64) -> String {
    if value != 0.0 && value.abs() < 0.001 {
        format!("{value:.2e}")
    } else {
        number(value)
    }
}

fn verdicts(found: &Verdicts) -> String {
    let cases = found.passed + found.failed + found.came_to_pass + found.came_to_fail;
    format!(
        "  verdicts: {} came to pass, {} came to fail; exact McNemar p {} ({})\n",
        found.came_to_pass,
        found.came_to_fail,
        p_value(found.p_value),
        counted(cases, "case", "cases")
    )
}

fn p_value(p: f64) -> String {
    if p < 1e-300 {
        "below 1e-300".to_owned()
    } else if p < 0.0001 {
        format!("= {p:.1e}")
    } else {
        format!("= {p:.4}")
    }
}

fn change(change: &PartChange) -> String {
    let [a, b] = cut_both(&change.a, &change.b);
    format!("    {}: {a} in A, {b} in B\n", change.part.as_str())
}

/// Both texts, cut so that it shows where they differ.
fn cut_both(a: &str, b: &str) -> [String; 2] {
    let equal = a.chars().zip(b.chars()).take_while(|(a, b)| a == b).count();
    if equal < VALUE_LENGTH - CONTEXT {
        return [cut(a), cut(b)];
    }
    [a, b].map(|text| {
        let rest: String = text.chars().skip(equal - CONTEXT).collect();
        format!("…{}", cut(&rest))
    })
}

/// What passes under a policy.
pub fn policy(policy: &Policy) -> String {
    match (policy.strict, policy.threshold) {
        (true, _) => "strict".to_owned(),
        (false, Some(threshold)) => format!("threshold {}", f64::from(threshold)),
        (false, None) => "no threshold".to_owned(),
    }
}

fn cut(text: &str) -> String {
    shortened(text, VALUE_LENGTH)
}
