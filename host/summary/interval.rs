//! Confidence intervals.

use serde::{Deserialize, Serialize};

use crate::policy::Scale;

/// The 97.5 % quantile of the normal distribution, for 95 % between both ends.
pub(crate) const Z: f64 = 1.959_963_984_540_054;

/// Where the true value lies with 95 % confidence.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    /// Its lower end.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
    /// Always 0.95.
    pub confidence: f64,
    /// How it is computed.
    pub method: Method,
}

/// How an interval is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// Mean ± 1.96 standard errors, cut to the scale.
    Normal,
    /// The score interval for a share (E. B. Wilson, "Probable Inference, the
    /// Law of Succession, and Statistical Inference", 1927).
    Wilson,
    /// Percentiles of resampled means (B. Efron, "Bootstrap Methods", 1979).
    Bootstrap,
}

impl Interval {
    /// A 95 % interval by `method`.
    pub(crate) fn new(low: f64, high: f64, method: Method) -> Interval {
        Interval {
            low,
            high,
            confidence: 0.95,
            method,
        }
    }

    /// The normal interval of a mean on `scale`; `None` where the ends can't
    /// be computed.
    pub(crate) fn normal(mean: f64, standard_error: f64, scale: &Scale) -> Option<Interval> {
        let reach = Z * standard_error;
        reach.is_finite().then(|| {
            // Not `clamp`, which panics on the upside-down scale of an edited
            // run file.
            let cut = |end: f64| end.max(scale.lowest).min(scale.highest);
            Interval::new(cut(mean - reach), cut(mean + reach), Method::Normal)
        })
    }

    /// Wilson's interval of `passed` among `total`, which isn't 0.
    pub(crate) fn wilson(passed: u64, total: u64) -> Interval {
        let n = total as f64;
        let rate = passed as f64 / n;
        let z2 = Z * Z;
        let centre = (rate + z2 / (2.0 * n)) / (1.0 + z2 / n);
        let reach = Z / (1.0 + z2 / n) * (rate * (1.0 - rate) / n + z2 / (4.0 * n * n)).sqrt();
        // Rounding must not put an end beyond what it stands for.
        let low = if passed == 0 { 0.0 } else { centre - reach };
        let high = if passed == total { 1.0 } else { centre + reach };
        Interval::new(low, high, Method::Wilson)
    }
}
