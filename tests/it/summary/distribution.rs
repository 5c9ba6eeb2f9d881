//! Quantiles and histograms.

use weighbridge::policy::{Direction, Scale};

use super::{Pair, UNIT, close, of_scores, summary};

#[test]
fn quantiles_are_those_of_numpy() {
    // numpy 2.4.6: quantile(method="inverted_cdf"), definition 1.
    let quantiles = of_scores(&[0.1, 0.4, 0.4, 0.9, 1.0, 0.25])
        .quantiles
        .expect("scores");
    let found = [
        quantiles.p5,
        quantiles.p25,
        quantiles.median,
        quantiles.p75,
        quantiles.p95,
    ];
    assert_eq!(found, [0.1, 0.25, 0.4, 0.9, 1.0]);
    assert_eq!((quantiles.min, quantiles.max), (0.1, 1.0));
    assert_eq!(quantiles.relative_error, 0.0);
}

#[test]
fn many_different_scores_are_counted_within_the_stated_error() {
    // A sequence of 50,000 different numbers, spread evenly.
    let mut scores: Vec<f64> = (0..50_000_u64)
        .map(|place| (place * 7919 % 50_000) as f64 / 50_000.0)
        .collect();
    let summary = of_scores(&scores);
    let quantiles = summary.quantiles.clone().expect("scores");
    assert_eq!(quantiles.relative_error, 1.0 / 512.0);
    assert_eq!((quantiles.min, quantiles.max), (0.0, 0.99998));
    for (found, exact) in [
        (quantiles.p5, 0.04998),
        (quantiles.p25, 0.24998),
        (quantiles.median, 0.49998),
        (quantiles.p75, 0.74998),
        (quantiles.p95, 0.94998),
    ] {
        let error = (found - exact).abs() / exact;
        assert!(error <= quantiles.relative_error, "{found} for {exact}");
    }
    // The order changes nothing but the rounding of the mean.
    scores.reverse();
    let reversed = of_scores(&scores);
    assert_eq!(reversed.quantiles, summary.quantiles);
    assert_eq!(reversed.histogram, summary.histogram);
    close(
        reversed.mean.expect("scores"),
        summary.mean.expect("scores"),
    );
}

#[test]
fn frequent_round_scores_stay_exact_among_thousands_of_others() {
    let scale = Scale {
        lowest: -1.0,
        ..UNIT
    };
    let others = (1..=3_000_u64).flat_map(|place| {
        let score = place as f64 / 3_001.0;
        [score, -score]
    });
    for round in [0.0, 0.5, -0.5] {
        let pairs: Vec<Pair> = others
            .clone()
            .chain(std::iter::repeat_n(round, 60_000))
            .map(Pair::Score)
            .collect();
        let quantiles = summary(scale, &pairs).quantiles.expect("scores");
        assert!(quantiles.relative_error > 0.0);
        assert_eq!((quantiles.p25, quantiles.median), (round, round));
    }
}

#[test]
fn the_zeros_are_one_score() {
    for scores in [[0.0, -0.0], [-0.0, 0.0]] {
        let quantiles = of_scores(&scores).quantiles.expect("two scores");
        assert!(quantiles.min.is_sign_positive() && quantiles.max.is_sign_positive());
    }
}

#[test]
fn a_score_on_an_edge_opens_the_cell_above() {
    for (lowest, highest) in [(0, 1), (1, 5), (-1, 1), (0, 10), (1, 10), (0, 100)] {
        let scale = Scale {
            direction: Direction::HigherIsBetter,
            lowest: f64::from(lowest),
            highest: f64::from(highest),
        };
        // The double nearest to each edge, as averages of whole ratings have it.
        let edge = |place: i32| f64::from(lowest * (20 - place) + highest * place) / 20.0;
        let pairs: Vec<Pair> = (0..=20).map(|place| Pair::Score(edge(place))).collect();
        let mut expected = vec![1; 20];
        expected[19] = 2;
        let histogram = summary(scale, &pairs).histogram.expect("scores");
        assert_eq!(histogram.counts, expected, "{lowest} to {highest}");
    }
}
