//! How scores are spread over a metric's scale.

use super::Histogram;
use crate::policy::Scale;

/// Cells of a histogram.
const CELLS: usize = 20;

/// Counts of scores by cell.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Cells {
    scale: Scale,
    /// Where each cell but the first begins.
    edges: [f64; CELLS - 1],
    counts: [u64; CELLS],
}

impl Cells {
    pub(super) fn new(scale: Scale) -> Cells {
        let mut edges = [0.0; CELLS - 1];
        let mut below = scale.lowest;
        for (place, edge) in (1..).zip(&mut edges) {
            // Rounding must not put an edge below the one before it.
            *edge = between(&scale, f64::from(place)).max(below);
            below = *edge;
        }
        Cells {
            scale,
            edges,
            counts: [0; CELLS],
        }
    }

    /// Counts a score. It is compared with the edges themselves, since the
    /// rounding of a quotient would put some scores beside their cell.
    pub(super) fn add(&mut self, score: f64) {
        self.counts[self.edges.partition_point(|edge| *edge <= score)] += 1;
    }

    pub(super) fn histogram(&self) -> Histogram {
        Histogram {
            lowest: self.scale.lowest,
            highest: self.scale.highest,
            counts: self.counts.to_vec(),
        }
    }
}

/// Where the cell at `place` begins. Ends that are whole numbers make the
/// double nearest to it.
fn between(scale: &Scale, place: f64) -> f64 {
    let (low, high) = (scale.lowest, scale.highest);
    let (cells, left) = (CELLS as f64, CELLS as f64 - place);
    let sum = low * left + high * place;
    if sum.is_finite() {
        sum / cells
    } else {
        low / cells * left + high / cells * place
    }
}
