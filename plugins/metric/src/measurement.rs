use crate::{Measurement, Part};

/// What a metric found on one test case.
///
/// ```
/// use weighbridge_metric::Measurement;
///
/// let measurement = Measurement::new(0.75)
///     .reason("3 of 4 keywords occur")
///     .part("title", 1.0)
///     .part("body", 0.5);
/// assert_eq!(measurement.breakdown.len(), 2);
/// ```
impl Measurement {
    /// A score without a reason or parts. The host refuses one that isn't
    /// finite or lies outside the description's range.
    pub fn new(score: f64) -> Measurement {
        Measurement {
            score,
            reason: None,
            breakdown: Vec::new(),
        }
    }

    /// 1 if it `holds`, 0 if not, and why.
    pub fn binary(holds: bool, reason: impl Into<String>) -> Measurement {
        Measurement::new(if holds { 1.0 } else { 0.0 }).reason(reason)
    }

    /// Says why, in a sentence for people.
    #[must_use]
    pub fn reason(mut self, reason: impl Into<String>) -> Measurement {
        self.reason = Some(reason.into());
        self
    }

    /// Adds a named component of the score, on a scale of its own.
    #[must_use]
    pub fn part(mut self, name: impl Into<String>, score: f64) -> Measurement {
        self.breakdown.push(Part {
            name: name.into(),
            score,
            reason: None,
        });
        self
    }

    /// Adds a named component of the score with its own reason.
    #[must_use]
    pub fn part_because(
        mut self,
        name: impl Into<String>,
        score: f64,
        reason: impl Into<String>,
    ) -> Measurement {
        self.breakdown.push(Part {
            name: name.into(),
            score,
            reason: Some(reason.into()),
        });
        self
    }
}
