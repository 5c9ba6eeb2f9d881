//! The figures of a comparison, against other tools and against themselves.

use std::num::NonZeroUsize;

use proptest::prelude::*;
use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64;
use weighbridge::compare::{Difference, mcnemar};

const ONE: NonZeroUsize = NonZeroUsize::MIN;

/// With these scores in B, and 0 in A.
fn differences(values: &[f64]) -> Difference {
    let scores: Vec<[f64; 2]> = values.iter().map(|&value| [0.0, value]).collect();
    Difference::of(&scores, 0, ONE).expect("there are scores")
}

fn ends(difference: &Difference) -> (f64, f64) {
    let interval = difference.interval.expect("there are two differences");
    (interval.low, interval.high)
}

#[test]
fn mcnemars_test_is_that_of_scipy() {
    // scipy 1.17.1: binomtest(min(b, c), b + c, 0.5).pvalue; for (12, 30) also
    // statsmodels 0.15.0: mcnemar([[5, 12], [30, 7]], exact=True).pvalue.
    for (b, c, expected) in [
        (0, 0, 1.0),
        (1, 1, 1.0),
        (1, 9, 0.021_484_375),
        (2, 5, 0.453_125),
        (12, 30, 0.007_915_897_334_896_727),
        (0, 60, 1.734_723_475_976_807e-18),
        (400, 600, 2.728_464_156_065_947e-10),
        (10, 1000, 5.359_574_874_624_725e-281),
        (0, 1000, 1.866_527_237_006_437_8e-301),
        (49_000, 51_000, 2.588_716_038_346_894_3e-10),
        (500_000, 500_500, 0.617_867_260_015_547_3),
        (5_000_000, 5_002_000, 0.527_337_153_760_712_9),
        (5_000_000, 5_000_000, 1.0),
    ] {
        let p = mcnemar(b, c);
        // The logarithm of the factorial of a million has 9 digits behind the
        // point.
        let digits = if b < 500_000 { 1e-9 } else { 1e-7 };
        assert!((p / expected - 1.0).abs() < digits, "{b}, {c}: {p}");
        assert_eq!(p, mcnemar(c, b));
    }
    assert_eq!(mcnemar(0, 100_000), 0.0, "less than a double can hold");
}

#[test]
fn the_interval_is_the_one_that_can_be_worked_out() {
    // Means 0, 1/2 and 1 with chances 1/4, 1/2 and 1/4.
    assert_eq!(ends(&differences(&[0.0, 1.0])), (0.0, 1.0));
    // One in ten: how often it is drawn is binomial, with 0.930 up to twice
    // and 0.987 up to three times; never with 0.349.
    let mut values = [0.0; 10];
    values[3] = 1.0;
    assert_eq!(ends(&differences(&values)), (0.0, 0.3));
}

#[test]
fn the_interval_is_that_of_scipy() {
    let a = [
        0.62, 0.71, 0.55, 0.80, 0.43, 0.90, 0.67, 0.58, 0.74, 0.49, 0.81, 0.66,
    ];
    let b = [
        0.70, 0.69, 0.61, 0.85, 0.50, 0.88, 0.72, 0.70, 0.71, 0.60, 0.90, 0.64,
    ];
    let scores: Vec<[f64; 2]> = a.into_iter().zip(b).map(|(a, b)| [a, b]).collect();
    // scipy 1.17.1: bootstrap((b - a,), np.mean, n_resamples=1_000_000,
    // method='percentile').confidence_interval. The standard error is 0.015,
    // and an end of 10,000 draws is good to about 0.03 of it.
    for seed in 0..5 {
        let found = Difference::of(&scores, seed, ONE).expect("there are scores");
        let (low, high) = ends(&found);
        assert!((found.mean - 0.045).abs() < 1e-15);
        assert!((low - 0.015).abs() < 0.0015, "seed {seed}: {low}");
        assert!((high - 0.073_333).abs() < 0.0015, "seed {seed}: {high}");
    }
}

#[test]
fn a_seed_gives_the_same_on_any_number_of_threads() {
    let mut random = Pcg64::seed_from_u64(1);
    let scores: Vec<[f64; 2]> = (0..3001)
        .map(|_| [uniform(&mut random), uniform(&mut random)])
        .collect();
    let found = |seed, threads| {
        let threads = NonZeroUsize::new(threads).expect("not 0");
        let found = Difference::of(&scores, seed, threads).expect("there are scores");
        let (low, high) = ends(&found);
        [found.mean, low, high].map(f64::to_bits)
    };
    for threads in [2, 3, 7, 20_000] {
        assert_eq!(found(7, threads), found(7, 1), "{threads} threads");
    }
    assert_ne!(found(7, 1), found(8, 1));
}

#[test]
fn about_95_of_100_intervals_hold_the_true_difference() {
    let mut random = Pcg64::seed_from_u64(2);
    let hits = (0..300)
        .filter(|&seed| {
            // A difference of 1/6 on average: of a square root from its root.
            let scores: Vec<[f64; 2]> = (0..60)
                .map(|_| {
                    let value = uniform(&mut random);
                    [value, value.sqrt()]
                })
                .collect();
            let found = Difference::of(&scores, seed, ONE).expect("there are scores");
            let (low, high) = ends(&found);
            low <= 1.0 / 6.0 && 1.0 / 6.0 <= high
        })
        .count();
    // 285 with a standard deviation of 3.8, and the bootstrap is a little
    // narrow for 60 pairs.
    assert!((270..=297).contains(&hits), "{hits} of 300");
}

#[test]
fn sums_lose_nothing_and_do_not_overflow() {
    assert_eq!(differences(&[1e16, 1.0, -1e16, 1.0]).mean, 0.5);
    let equal = differences(&[0.1; 1000]);
    assert_eq!((equal.mean, ends(&equal)), (0.1, (0.1, 0.1)));
    let many: Vec<[f64; 2]> = vec![[1e308, 0.5e308]; 100];
    let huge = Difference::of(&many, 0, ONE).expect("it is a double");
    assert_eq!((huge.mean, ends(&huge)), (-0.5e308, (-0.5e308, -0.5e308)));
    let wide: Vec<[f64; 2]> = vec![[1e308, -1e308]; 100];
    assert_eq!(Difference::of(&wide, 0, ONE), None, "-2e308 is no double");
    // The mean is one, and each difference isn't.
    let both: Vec<[f64; 2]> = [[1e308, -1e308], [-1e308, 1e308]].repeat(50);
    let found = Difference::of(&both, 0, ONE).expect("0 is a double");
    assert_eq!(found.mean, 0.0);
    let (low, high) = ends(&found);
    assert!(low < -1e307 && high > 1e307 && low.is_finite() && high.is_finite());
}

#[test]
fn too_few_pairs_have_no_interval() {
    assert_eq!(Difference::of(&[], 0, ONE), None);
    let one = differences(&[0.25]);
    assert_eq!((one.cases, one.mean, one.interval), (1, 0.25, None));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn swapping_mirrors_to_the_last_bit(
        scores in prop::collection::vec(prop::array::uniform2(-1e3_f64..1e3), 1..40),
        seed in any::<u64>(),
    ) {
        let swapped: Vec<[f64; 2]> = scores.iter().map(|&[a, b]| [b, a]).collect();
        let there = Difference::of(&scores, seed, ONE).expect("there are scores");
        let back = Difference::of(&swapped, seed, ONE).expect("there are scores");
        prop_assert_eq!(there.mean, -back.mean);
        if let (Some(there), Some(back)) = (there.interval, back.interval) {
            prop_assert_eq!((there.low, there.high), (-back.high, -back.low));
            prop_assert!(there.low <= there.high);
        }
    }

    #[test]
    fn any_finite_scores_give_finite_figures(
        scores in prop::collection::vec(
            prop::array::uniform2(any::<f64>().prop_filter("finite", |score| score.is_finite())),
            1..20,
        ),
    ) {
        if let Some(found) = Difference::of(&scores, 0, ONE) {
            prop_assert!(found.mean.is_finite());
            let finite = |end: f64| end.is_finite();
            prop_assert!(found.interval.is_none_or(|found| finite(found.low) && finite(found.high)));
        }
    }
}

/// From 0 to 1.
fn uniform(random: &mut Pcg64) -> f64 {
    (random.next_u64() >> 11) as f64 / 9_007_199_254_740_992.0
}
