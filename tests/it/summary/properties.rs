//! What holds for any scores on any scale.

use proptest::prelude::*;
use weighbridge::policy::{Direction, Scale};
use weighbridge::summary::Range;

use super::{Pair, UNIT, of_scores, summary};

/// Few scores, many of them equal.
fn scores() -> impl Strategy<Value = Vec<f64>> {
    prop::collection::vec(
        prop_oneof![0.0..=1.0, Just(0.0), Just(0.5), Just(1.0)],
        1..60,
    )
}

/// Any scale, from narrow to as wide as all doubles.
fn scale() -> impl Strategy<Value = Scale> {
    let end = || {
        prop_oneof![
            -10.0..10.0,
            prop::num::f64::NORMAL | prop::num::f64::SUBNORMAL | prop::num::f64::ZERO,
            Just(f64::MAX),
            Just(-f64::MAX),
        ]
    };
    let direction = prop_oneof![
        Just(Direction::HigherIsBetter),
        Just(Direction::LowerIsBetter)
    ];
    (end(), end(), direction)
        .prop_filter("a scale has two ends", |(one, other, _)| one != other)
        .prop_map(|(one, other, direction): (f64, f64, _)| Scale {
            direction,
            lowest: one.min(other),
            highest: one.max(other),
        })
}

/// The score at a place from 0 to 1 on a scale.
fn at(scale: &Scale, place: f64) -> f64 {
    let score = scale.lowest * (1.0 - place) + scale.highest * place;
    score.clamp(scale.lowest, scale.highest)
}

/// Places on a scale, some of them at its ends.
fn places(count: std::ops::Range<usize>) -> impl Strategy<Value = Vec<f64>> {
    prop::collection::vec(prop_oneof![0.0..=1.0, Just(0.0), Just(1.0)], count)
}

/// The first numbers of a generator that mixes `seed` (Steele, Lea and Flood,
/// "Fast Splittable Pseudorandom Number Generators", 2014).
fn numbers(seed: u64) -> impl Iterator<Item = u64> {
    let mut state = seed;
    std::iter::repeat_with(move || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    })
}

fn shuffle(scores: &mut [f64], seed: u64) {
    for (place, number) in (1..scores.len()).zip(numbers(seed)) {
        scores.swap(place, (number % (place as u64 + 1)) as usize);
    }
}

/// The score of this rank, definition 1 of Hyndman and Fan.
fn ranked(sorted: &[f64], percent: usize) -> f64 {
    sorted[(sorted.len() * percent).div_ceil(100).max(1) - 1]
}

proptest! {
    #[test]
    fn quantiles_split_the_sorted_scores(mut scores in scores()) {
        let quantiles = of_scores(&scores).quantiles.expect("scores");
        scores.sort_by(f64::total_cmp);
        prop_assert_eq!(quantiles.p5, ranked(&scores, 5));
        prop_assert_eq!(quantiles.p25, ranked(&scores, 25));
        prop_assert_eq!(quantiles.median, ranked(&scores, 50));
        prop_assert_eq!(quantiles.p75, ranked(&scores, 75));
        prop_assert_eq!(quantiles.p95, ranked(&scores, 95));
        prop_assert_eq!(quantiles.relative_error, 0.0);
    }

    #[test]
    fn the_histogram_holds_every_score_in_its_cell(
        scale in scale(),
        places in places(1..60),
    ) {
        let scores: Vec<f64> = places.iter().map(|place| at(&scale, *place)).collect();
        let pairs: Vec<Pair> = scores.iter().copied().map(Pair::Score).collect();
        let histogram = summary(scale, &pairs).histogram.expect("scores");
        prop_assert_eq!(histogram.counts.len(), 20);
        prop_assert_eq!(histogram.counts.iter().sum::<u64>(), scores.len() as u64);
        let count = |wanted: f64| scores.iter().filter(|score| **score == wanted).count() as u64;
        prop_assert!(histogram.counts[0] >= count(scale.lowest));
        prop_assert!(histogram.counts[19] >= count(scale.highest));
    }

    /// However the failed pairs would have come out, the run lies between its
    /// bounds: an incomplete run can't look better than it is.
    #[test]
    fn a_completed_run_lies_within_the_bounds(
        scale in scale(),
        measured in places(0..40),
        missing in places(1..10),
    ) {
        let score = |place: &f64| Pair::Score(at(&scale, *place));
        let mut pairs: Vec<Pair> = measured.iter().map(score).collect();
        pairs.extend(missing.iter().map(|_| Pair::Failed));
        let incomplete = summary(scale, &pairs);
        let bounds = incomplete.bounds.expect("some failed");
        pairs.truncate(measured.len());
        pairs.extend(missing.iter().map(score));
        let complete = summary(scale, &pairs);
        prop_assert_eq!(complete.bounds, None);

        let sign = match scale.direction {
            Direction::HigherIsBetter => 1.0,
            Direction::LowerIsBetter => -1.0,
        };
        let within = |range: Range, value: f64, slack: f64| {
            sign * range.worst <= sign * value + slack && sign * value <= sign * range.best + slack
        };
        prop_assert!(scale.contains(bounds.mean.worst) && scale.contains(bounds.mean.best));
        if let Some(mean) = incomplete.mean {
            prop_assert!(within(bounds.mean, mean, 0.0), "{} in {:?}", mean, bounds.mean);
        }
        let slack = scale.lowest.abs().max(scale.highest.abs()) * 1e-12;
        let mean = complete.mean.expect("some missing were measured");
        prop_assert!(within(bounds.mean, mean, slack), "{} in {:?}", mean, bounds.mean);
        let rate = complete.pass_rate.expect("scores").rate;
        let range = bounds.pass_rate;
        prop_assert!(range.worst <= rate && rate <= range.best);
    }

    #[test]
    fn intervals_hold_what_they_are_about(scale in scale(), places in places(2..60)) {
        let pairs: Vec<Pair> = places.iter().map(|place| Pair::Score(at(&scale, *place))).collect();
        let summary = summary(scale, &pairs);
        let mean = summary.mean.expect("scores");
        prop_assert!(scale.contains(mean));
        if let Some(interval) = summary.interval {
            prop_assert!(interval.low <= mean && mean <= interval.high);
            prop_assert!(scale.contains(interval.low) && scale.contains(interval.high));
        }
        let rate = summary.pass_rate.expect("scores");
        prop_assert!(0.0 <= rate.interval.low && rate.interval.low <= rate.rate);
        prop_assert!(rate.rate <= rate.interval.high && rate.interval.high <= 1.0);
    }

    #[test]
    fn the_order_of_scores_changes_nothing(scores in scores(), seed in any::<u64>()) {
        let mut shuffled = scores.clone();
        shuffle(&mut shuffled, seed);
        let (one, other) = (of_scores(&scores), of_scores(&shuffled));
        prop_assert_eq!(one.quantiles, other.quantiles);
        prop_assert_eq!(one.histogram, other.histogram);
        prop_assert_eq!(one.pass_rate, other.pass_rate);
        prop_assert!((one.mean.expect("scores") - other.mean.expect("scores")).abs() < 1e-12);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    /// Scores of every size, sign and exponent, with many zeros: more of them
    /// than are counted apart.
    #[test]
    fn thousands_of_scores_are_within_the_stated_error_in_any_order(
        seed in any::<u64>(),
        exponents in 0..=11_u32,
        count in 3_000..12_000_usize,
    ) {
        // Sign and mantissa at random, the exponent in some of its bits.
        let mask = !((!0 << exponents & 0x7ff) << 52);
        let mut scores: Vec<f64> = numbers(seed)
            .map(|number| f64::from_bits(number & mask))
            .filter(|score| score.is_finite())
            .map(|score| if score.to_bits().is_multiple_of(5) { 0.0 } else { score })
            .take(count)
            .collect();
        let scale = Scale { lowest: -f64::MAX, highest: f64::MAX, ..UNIT };
        let pairs = |scores: &[f64]| -> Vec<Pair> {
            scores.iter().copied().map(Pair::Score).collect()
        };
        let found = summary(scale, &pairs(&scores));
        shuffle(&mut scores, seed);
        let again = summary(scale, &pairs(&scores));
        prop_assert_eq!(&found.quantiles, &again.quantiles);
        prop_assert_eq!(found.histogram, again.histogram);

        scores.sort_by(f64::total_cmp);
        let quantiles = found.quantiles.expect("scores");
        for (percent, found) in [
            (0, quantiles.min),
            (5, quantiles.p5),
            (25, quantiles.p25),
            (50, quantiles.median),
            (75, quantiles.p75),
            (95, quantiles.p95),
            (100, quantiles.max),
        ] {
            let exact = ranked(&scores, percent);
            let stated = if percent % 100 == 0 { 0.0 } else { quantiles.relative_error };
            let reach = stated * exact.abs().max(f64::MIN_POSITIVE);
            prop_assert!((found - exact).abs() <= reach, "{percent} %: {found} for {exact}");
            prop_assert!(exact != 0.0 || found == 0.0, "{percent} %: {found} for 0");
        }
        scores.dedup();
        prop_assert_eq!(quantiles.relative_error > 0.0, scores.len() > 4_096);
    }
}
