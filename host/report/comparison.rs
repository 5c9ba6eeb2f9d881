//! What comparing two runs found, for people.

use super::escape;
use super::table::number;
use crate::compare::{
    Comparison, Difference, Found, MetricComparison, PairRow, PartChange, Point, Verdicts,
};
use crate::policy::Policy;

/// Longest value of a contract's part that is shown, in characters.
const VALUE_LENGTH: usize = 80;

/// The comparison of run B with run A, a metric a paragraph.
pub fn comparison(comparison: &Comparison) -> String {
    let mut text = format!(
        "{} paired by {}; only in A: {}, only in B: {}\n",
        counted(comparison.pairs, "test case", "test cases"),
        comparison.paired_by.as_str(),
        comparison.only_in_a,
        comparison.only_in_b
    );
    if comparison.other_inputs > 0 {
        text.push_str(&format!(
            "CAUTION: {} with different inputs; these rows may be other cases\n",
            counted(comparison.other_inputs, "pair", "pairs")
        ));
    }
    for (stopped, run) in [(comparison.a_stopped, 'A'), (comparison.b_stopped, 'B')] {
        if stopped {
            text.push_str(&format!(
                "run {run} stopped early and is compared as far as it goes\n"
            ));
        }
    }
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
    if !comparison.rows.is_empty() {
        text.push('\n');
        for row in &comparison.rows {
            text.push_str(&line(row));
        }
    }
    text
}

fn paragraph(metric: &MetricComparison) -> String {
    let kind = match &metric.judges {
        [None, None] => "deterministic".to_owned(),
        [Some(judge), _] | [None, Some(judge)] => format!("judged by {}", cut(&judge.to_string())),
    };
    let mut text = format!("{} ({kind})\n", escape(&metric.name));
    if !metric.contract_changes.is_empty() {
        let verb = match metric.found {
            Some(_) => "compared ACROSS CONTRACTS",
            None => "not compared, since its contracts differ",
        };
        text.push_str(&format!("  {verb}:\n"));
        text.extend(metric.contract_changes.iter().map(change));
    }
    if let Some(scales) = &metric.other_scale {
        text.push_str(&format!(
            "  not compared, since its scales differ: {scales}\n"
        ));
    }
    match &metric.found {
        Some(found) => text.push_str(&findings(found)),
        None if metric.other_scale.is_none() => {
            text.push_str("  to compare all the same, say `--across-contracts`\n");
        }
        None => {}
    }
    text
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
        None => "  mean difference: none, without a pair of scores\n".to_owned(),
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
    let mean = format!("{sign}{}", number(found.mean));
    let pairs = counted(found.pairs, "pair", "pairs");
    match &found.interval {
        Some(interval) => format!(
            "  mean difference {mean}, 95 % interval {} to {} ({pairs}, bootstrap, {} draws, seed {})\n",
            number(interval.low),
            number(interval.high),
            found.draws,
            found.seed
        ),
        None => format!("  mean difference {mean} ({pairs})\n"),
    }
}

fn verdicts(found: &Verdicts) -> String {
    let pairs = found.passed + found.failed + found.came_to_pass + found.came_to_fail;
    format!(
        "  verdicts: {} came to pass, {} came to fail; exact McNemar p = {} ({})\n",
        found.came_to_pass,
        found.came_to_fail,
        p_value(found.p_value),
        counted(pairs, "pair", "pairs")
    )
}

fn p_value(p: f64) -> String {
    if p < 0.0001 {
        format!("{p:.1e}")
    } else {
        format!("{p:.4}")
    }
}

fn change(change: &PartChange) -> String {
    format!(
        "    {}: {} in A, {} in B\n",
        change.part.as_str(),
        cut(&change.a),
        cut(&change.b)
    )
}

fn line(row: &PairRow) -> String {
    let rows = if row.row_a == row.row_b {
        format!("row {}", row.row_a)
    } else {
        format!("rows {} and {}", row.row_a, row.row_b)
    };
    let label = match row.label.as_str() {
        "" => String::new(),
        label => format!("  {}", escape(label)),
    };
    format!(
        "{}  {rows}  {} → {}{label}\n",
        escape(&row.metric),
        point(&row.a),
        point(&row.b)
    )
}

fn point(point: &Point) -> String {
    match point {
        Point::Score(score, _) => number(*score),
        Point::Failed(code) => format!("failed ({})", code.map_or("unknown", |code| code.as_str())),
        Point::Skipped => "skipped".to_owned(),
    }
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
    let shown: String = text.chars().take(VALUE_LENGTH).collect();
    let cut = if shown.len() < text.len() { "…" } else { "" };
    format!("{}{cut}", escape(&shown))
}

fn counted(count: u64, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}
