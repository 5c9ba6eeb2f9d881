//! Statistics of a run: pure functions of its records.

mod distribution;
mod properties;

use weighbridge::metric_data::{Identity, MetricData};
use weighbridge::outcome::{ErrorCode, Failure, Measurement, Observation, Outcome};
use weighbridge::policy::{Direction, Policy, Scale, Threshold, Verdict, decide};
use weighbridge::summary::{Method, MetricSummary, Tally};

const UNIT: Scale = Scale {
    direction: Direction::HigherIsBetter,
    lowest: 0.0,
    highest: 1.0,
};

/// A score, a failure, or a skip.
#[derive(Clone, Copy, Debug)]
enum Pair {
    Score(f64),
    Failed,
    Skipped,
}

/// The summary of these pairs of one metric with the threshold 0.5.
fn summary(scale: Scale, pairs: &[Pair]) -> MetricSummary {
    let identity = Identity {
        name: "metric".to_owned(),
        version: "sha256:00".to_owned(),
        contract: "sha256:01".to_owned(),
        scale,
    };
    let policy = Policy {
        threshold: Threshold::try_from(0.5).ok(),
        strict: false,
    };
    let mut tally = Tally::new([("metric".to_owned(), scale)]);
    for (row, pair) in (1..).zip(pairs) {
        let outcome = match *pair {
            Pair::Score(score) => Outcome::Measured(Measurement {
                score,
                reason: None,
                breakdown: Vec::new(),
            }),
            Pair::Failed => Outcome::Failed(Failure::new(ErrorCode::Trap, "trapped")),
            Pair::Skipped => Outcome::Skipped {
                reason: "not mine".to_owned(),
            },
        };
        let verdict: Verdict = decide(&outcome, &scale, &policy);
        let observation = Observation {
            outcome,
            ..Observation::without_instance(Failure::new(ErrorCode::Trap, ""))
        };
        let data = MetricData::new(&identity, &policy, observation);
        tally.add(row, &[data], verdict);
    }
    let mut summary = tally.finish();
    assert_eq!(summary.cases.total, pairs.len() as u64);
    summary.metrics.remove(0)
}

fn of_scores(scores: &[f64]) -> MetricSummary {
    let pairs: Vec<Pair> = scores.iter().copied().map(Pair::Score).collect();
    summary(UNIT, &pairs)
}

#[track_caller]
fn close(found: f64, expected: f64) {
    let error = (found - expected).abs();
    assert!(
        error <= 1e-12 * expected.abs().max(1.0),
        "{found} is not {expected}"
    );
}

#[test]
fn mean_error_and_interval_are_those_of_numpy() {
    // numpy 2.4.6, scipy 1.17.1: mean, std(ddof=1) / sqrt(n), norm.ppf(0.975).
    let summary = of_scores(&[0.1, 0.4, 0.4, 0.9, 1.0, 0.25]);
    close(summary.mean.expect("six scores"), 0.508_333_333_333_333_3);
    close(
        summary.standard_error.expect("six scores"),
        0.147_431_716_774_617_8,
    );
    let interval = summary.interval.expect("six scores");
    assert_eq!(interval.method, Method::Normal);
    close(interval.confidence, 0.95);
    close(interval.low, 0.219_372_478_276_272_68);
    close(interval.high, 0.797_294_188_390_493_9);
    // Cut to the scale.
    let interval = of_scores(&[1.0, 1.0, 0.0]).interval.expect("three scores");
    assert_eq!((interval.low > 0.0, interval.high), (true, 1.0));
}

#[test]
fn scores_far_from_zero_keep_their_deviations() {
    // By hand: mean 10, variance 30, sqrt(30 / 4). Squares of such scores would
    // swallow it.
    let scale = Scale {
        highest: 2e9,
        ..UNIT
    };
    let far = [4.0, 7.0, 13.0, 16.0].map(|score| Pair::Score(1e9 + score));
    let far = summary(scale, &far);
    assert_eq!(far.mean, Some(1e9 + 10.0));
    close(far.standard_error.expect("four"), 2.738_612_787_525_830_6);
}

#[test]
fn pass_rates_have_the_interval_of_wilson() {
    // statsmodels 0.15.0: proportion_confint(k, n, method="wilson").
    for (passed, total, low, high) in [
        (8, 10, 0.490_162_471_536_641_83, 0.943_317_848_545_624_7),
        (0, 5, 0.0, 0.434_482_464_783_174_87),
        (5, 5, 0.565_517_535_216_825_2, 1.0),
        (1, 1, 0.206_549_314_377_237_4, 1.0),
        (777, 1000, 0.750_168_106_027_897_9, 0.801_711_869_771_103_6),
    ] {
        let scores: Vec<f64> = (0..total).map(|place| f64::from(place < passed)).collect();
        let rate = of_scores(&scores).pass_rate.expect("scores");
        close(rate.rate, f64::from(passed) / f64::from(total));
        assert_eq!(rate.interval.method, Method::Wilson);
        close(rate.interval.low, low);
        close(rate.interval.high, high);
    }
}

#[test]
fn failures_bound_what_mean_and_pass_rate_can_be() {
    let pairs = [
        Pair::Score(1.0),
        Pair::Score(0.4),
        Pair::Failed,
        Pair::Failed,
        Pair::Skipped,
    ];
    let higher = summary(UNIT, &pairs);
    assert_eq!(
        (higher.measured, higher.missing(), higher.skipped),
        (2, 2, 1)
    );
    close(higher.mean.expect("two scores"), 0.7);
    let bounds = higher.bounds.expect("two failed");
    close(bounds.mean.worst, 0.35);
    close(bounds.mean.best, 0.85);
    close(bounds.pass_rate.worst, 0.25);
    close(bounds.pass_rate.best, 0.75);

    let lower = Scale {
        direction: Direction::LowerIsBetter,
        ..UNIT
    };
    let bounds = summary(lower, &pairs).bounds.expect("two failed");
    close(bounds.mean.worst, 0.85);
    close(bounds.mean.best, 0.35);
    close(bounds.pass_rate.worst, 0.25);
    close(bounds.pass_rate.best, 0.75);

    assert_eq!(of_scores(&[0.3]).bounds, None, "nothing is missing");
    let bounds = summary(UNIT, &[Pair::Failed]).bounds.expect("one failed");
    assert_eq!((bounds.mean.worst, bounds.mean.best), (0.0, 1.0));
}

#[test]
fn where_there_is_nothing_to_say_nothing_is_said() {
    for pairs in [&[][..], &[Pair::Failed], &[Pair::Skipped]] {
        let summary = summary(UNIT, pairs);
        assert_eq!(summary.mean, None, "an error is never a score");
        assert_eq!(summary.standard_error, None);
        assert_eq!(summary.interval, None);
        assert_eq!(summary.pass_rate, None);
        assert_eq!(summary.quantiles, None);
        assert_eq!(summary.histogram, None);
    }
    let one = of_scores(&[0.25]);
    assert_eq!(one.mean, Some(0.25));
    assert_eq!(one.interval, None, "one score has no deviation");
    assert!(one.quantiles.is_some() && one.histogram.is_some());
}

#[test]
fn a_scale_as_wide_as_all_doubles_has_finite_statistics() {
    let scale = Scale {
        direction: Direction::HigherIsBetter,
        lowest: -f64::MAX,
        highest: f64::MAX,
    };
    let pairs = [
        Pair::Score(-f64::MAX),
        Pair::Score(f64::MAX),
        Pair::Score(0.0),
        Pair::Failed,
    ];
    let summary = summary(scale, &pairs);
    close(summary.mean.expect("three scores") / f64::MAX, 0.0);
    assert_eq!(summary.standard_error, None, "its square is no double");
    assert_eq!(summary.interval, None);
    let histogram = summary.histogram.expect("three scores");
    assert_eq!(histogram.counts[0], 1);
    assert_eq!(histogram.counts[10], 1);
    assert_eq!(histogram.counts[19], 1);
    let bounds = summary.bounds.expect("one failed");
    close(bounds.mean.worst / f64::MAX, -0.25);
    close(bounds.mean.best / f64::MAX, 0.25);
    let text = serde_json::to_string(&bounds).expect("it is JSON");
    assert!(!text.contains("null"), "{text}");
}

/// A run file that was edited can hold such a scale, and is to be refused with
/// reasons.
#[test]
fn a_scale_upside_down_is_survived() {
    let scale = Scale {
        direction: Direction::HigherIsBetter,
        lowest: 1.0,
        highest: 0.0,
    };
    let pairs = [Pair::Score(0.25), Pair::Score(0.75), Pair::Failed];
    assert_eq!(summary(scale, &pairs).mean, Some(0.5));
}
