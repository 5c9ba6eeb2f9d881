//! Reports are pure functions of what a run came to.

use weighbridge::report;
use weighbridge::summary::{Bounds, CaseCounts, Interval, Method, MetricSummary, Range, Summary};

fn of(metrics: impl IntoIterator<Item = MetricSummary>) -> Summary {
    Summary {
        cases: CaseCounts::default(),
        metrics: metrics.into_iter().collect(),
    }
}

fn measured(name: &str, measured: u64, mean: f64, standard_error: f64) -> MetricSummary {
    MetricSummary {
        name: name.to_owned(),
        measured,
        passed: measured,
        mean: Some(mean),
        standard_error: Some(standard_error),
        interval: Some(Interval {
            low: mean - 2.0 * standard_error,
            high: mean + 2.0 * standard_error,
            confidence: 0.95,
            method: Method::Normal,
        }),
        ..MetricSummary::default()
    }
}

fn bounds(worst: f64, best: f64) -> Option<Bounds> {
    let range = Range { worst, best };
    Some(Bounds {
        mean: range,
        pass_rate: range,
    })
}

#[test]
fn the_table_fits_a_terminal_of_80_columns() {
    let nothing = MetricSummary {
        name: "exact-match".to_owned(),
        ..MetricSummary::default()
    };
    let huge = MetricSummary {
        failed: 1_000_000,
        input_failures: 1_000_000,
        metric_failures: 1_000_000,
        infrastructure_failures: 1_000_000,
        skipped: 1_000_000,
        ..measured("exact-match", 1_000_000, -f64::MAX, 1e150)
    };
    for metric in [nothing, measured("exact-match", 7, 0.7143, 0.1844), huge] {
        let summary = of([metric]);
        for (width, with_version) in [(80, false), (100, true)] {
            let table = report::table(&summary, &["sha256:0123456789"], true, width);
            for line in table.lines() {
                assert!(line.chars().count() <= usize::from(width), "{table}");
            }
            assert_eq!(table.contains("01234567"), with_version, "{table}");
        }
    }
}

#[test]
fn a_mean_stands_above_its_interval() {
    let summary = of([measured("exact-match", 7, 0.714_285_7, 0.184_428_7)]);
    let table = report::table(&summary, &["sha256:01"], false, 80);
    assert!(
        table.contains("0.7143") && table.contains("±0.3615"),
        "{table}"
    );
    assert_eq!(
        report::statistics(&summary),
        "±: 95 % interval of the mean (normal, 1.96 standard errors)\n"
    );
}

#[test]
fn what_is_missing_is_said_with_what_it_could_change() {
    let several = MetricSummary {
        input_failures: 1,
        infrastructure_failures: 1,
        bounds: bounds(5.0 / 9.0, 7.0 / 9.0),
        ..measured("several", 7, 0.714_285_7, 0.184_428_7)
    };
    let none = measured("none", 9, 0.5, 0.1);
    let one = MetricSummary {
        name: "one".to_owned(),
        metric_failures: 1,
        bounds: bounds(100.0, 0.0),
        ..MetricSummary::default()
    };
    let few = MetricSummary {
        name: "few".to_owned(),
        mean: Some(1.0),
        measured: 1,
        metric_failures: 1,
        bounds: bounds(0.5, 1.0),
        ..MetricSummary::default()
    };
    assert_eq!(
        report::statistics(&of([several, none, one, few])),
        "\
±: 95 % interval of the mean (normal, 1.96 standard errors)
several: 2 of 9 pairs have no score; with them the mean would be 0.5556 at worst and 0.7778 at best
one: the only pair has no score; with it the mean would be 100.0000 at worst and 0.0000 at best
few: 1 of 2 pairs has no score; with it the mean would be 0.5000 at worst and 1.0000 at best
"
    );
    assert_eq!(report::statistics(&of([])), "");
}
