//! Intervals for one proportion.
//!
//! Every function answers `None` where its value is not defined (no cases, more events than cases, a
//! confidence outside 0 to 1), never 0 or NaN. Rates and limits are fractions from 0 to 1.

use serde::Serialize;
use statrs::function::beta::beta_reg;
use statrs::function::erf::erfc_inv;

/// An interval of rates.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Interval {
    /// The lower limit.
    pub low: f64,
    /// The upper limit.
    pub high: f64,
}

/// Wilson's two-sided score interval for `k` events in `n` cases, without continuity correction
/// (Wilson, 1927).
pub fn wilson(k: u64, n: u64, confidence: f64) -> Option<Interval> {
    defined(k, n, confidence)?;
    let z = normal_quantile(f64::midpoint(1.0, confidence));
    let (events, cases) = (k as f64, n as f64);
    let rate = events / cases;
    let square = z * z;
    let scale = 1.0 + square / cases;
    let centre = (rate + square / (2.0 * cases)) / scale;
    let spread = rate * (1.0 - rate) / cases + square / (4.0 * cases * cases);
    let half = z / scale * spread.sqrt();
    Some(Interval {
        low: if k == 0 { 0.0 } else { (centre - half).max(0.0) },
        high: if k == n { 1.0 } else { (centre + half).min(1.0) },
    })
}

/// Clopper and Pearson's two-sided interval (1934): never narrower than its confidence says.
pub fn clopper_pearson(k: u64, n: u64, confidence: f64) -> Option<Interval> {
    defined(k, n, confidence)?;
    let one_sided = f64::midpoint(1.0, confidence);
    Some(Interval { low: exact_lower(k, n, one_sided), high: exact_upper(k, n, one_sided) })
}

/// Clopper and Pearson's one-sided upper limit: with this confidence the rate is no greater.
pub fn clopper_pearson_upper(k: u64, n: u64, confidence: f64) -> Option<f64> {
    defined(k, n, confidence)?;
    Some(exact_upper(k, n, confidence))
}

/// The one-sided upper limit of the rate when none of `n` cases was an event:
/// 1 − (1 − confidence)^(1/n), of which the rule of three (3/n at 95 %) is an approximation.
pub fn zero_event_upper(n: u64, confidence: f64) -> Option<f64> {
    defined(0, n, confidence)?;
    Some(exact_upper(0, n, confidence))
}

/// How many cases without an event it takes to claim, with this confidence, that the rate is at most
/// `bound`.
pub fn clean_cases_for(bound: f64, confidence: f64) -> Option<u64> {
    let open = |value: f64| value > 0.0 && value < 1.0;
    if !open(bound) || !open(confidence) {
        return None;
    }
    let cases = ((-confidence).ln_1p() / (-bound).ln_1p()).ceil();
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked here")]
    (cases < 9e15).then_some(cases as u64)
}

/// `None` unless there are cases, at most as many events, and a confidence between 0 and 1.
fn defined(k: u64, n: u64, confidence: f64) -> Option<()> {
    (n > 0 && k <= n && confidence > 0.0 && confidence < 1.0).then_some(())
}

/// The standard normal's quantile.
fn normal_quantile(p: f64) -> f64 {
    -std::f64::consts::SQRT_2 * erfc_inv(2.0 * p)
}

/// The upper limit at one-sided `confidence`.
fn exact_upper(k: u64, n: u64, confidence: f64) -> f64 {
    if k == n {
        return 1.0;
    }
    if k == 0 {
        // The closed form keeps its digits where the rate is tiny.
        return -((-confidence).ln_1p() / n as f64).exp_m1();
    }
    beta_quantile(confidence, k as f64 + 1.0, (n - k) as f64)
}

/// The lower limit at one-sided `confidence`: the mirror image of the upper limit.
fn exact_lower(k: u64, n: u64, confidence: f64) -> f64 {
    if k == 0 {
        return 0.0;
    }
    if k == n {
        return ((-confidence).ln_1p() / n as f64).exp();
    }
    beta_quantile(1.0 - confidence, k as f64, (n - k) as f64 + 1.0)
}

/// The beta distribution's quantile, by halving: slow beside Newton's method, and it always ends.
fn beta_quantile(p: f64, a: f64, b: f64) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    loop {
        let middle = f64::midpoint(low, high);
        if middle <= low || middle >= high {
            return middle;
        }
        if beta_reg(a, b, middle) < p {
            low = middle;
        } else {
            high = middle;
        }
    }
}
