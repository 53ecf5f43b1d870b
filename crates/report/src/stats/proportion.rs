//! Intervals for one proportion.

use super::distribution::{beta_quantile, z_of};
use super::{Interval, inside};

/// Wilson's two-sided score interval for `k` events in `n` cases, without continuity correction:
/// centre (p + z²/2n) / (1 + z²/n), half-width z/(1 + z²/n) · √(p(1−p)/n + z²/4n²) (Wilson, 1927).
pub fn wilson(k: u64, n: u64, confidence: f64) -> Option<Interval> {
    wilson_weighted(k as f64, n as f64, confidence)
}

/// [`wilson`] for counts that need not be whole, as weighted repeats make them.
pub fn wilson_weighted(k: f64, n: f64, confidence: f64) -> Option<Interval> {
    defined(k, n, confidence)?;
    let z = z_of(confidence)?;
    let rate = k / n;
    let square = z * z;
    let scale = 1.0 + square / n;
    let centre = (rate + square / (2.0 * n)) / scale;
    let spread = rate * (1.0 - rate) / n + square / (4.0 * n * n);
    let half = z / scale * spread.sqrt();
    Some(Interval {
        low: if k == 0.0 { 0.0 } else { (centre - half).max(0.0) },
        high: if k == n { 1.0 } else { (centre + half).min(1.0) },
    })
}

/// Clopper and Pearson's two-sided interval (1934): never narrower than its confidence says.
/// Beta⁻¹(α/2; k, n−k+1) to Beta⁻¹(1−α/2; k+1, n−k).
pub fn clopper_pearson(k: u64, n: u64, confidence: f64) -> Option<Interval> {
    let (k, n) = (k as f64, n as f64);
    defined(k, n, confidence)?;
    let one_sided = f64::midpoint(1.0, confidence);
    Some(Interval { low: exact_lower(k, n, one_sided)?, high: exact_upper(k, n, one_sided)? })
}

/// Clopper and Pearson's one-sided upper limit: with this confidence the rate is no greater.
pub fn clopper_pearson_upper(k: u64, n: u64, confidence: f64) -> Option<f64> {
    clopper_pearson_one_sided(k as f64, n as f64, confidence).map(|limits| limits.high)
}

/// Both one-sided limits of Clopper and Pearson, each at this confidence by itself, for counts that
/// need not be whole (Korn and Graubard, 1998, use them with effective numbers of cases).
pub fn clopper_pearson_one_sided(k: f64, n: f64, confidence: f64) -> Option<Interval> {
    defined(k, n, confidence)?;
    Some(Interval { low: exact_lower(k, n, confidence)?, high: exact_upper(k, n, confidence)? })
}

/// Jeffreys's interval: the quantiles of Beta(k + ½, n − k + ½), by convention from 0 when there are
/// no events and to 1 when there is nothing else (Brown, Cai and `DasGupta`, 2001).
pub fn jeffreys(k: u64, n: u64, confidence: f64) -> Option<Interval> {
    let (events, rest) = (k as f64, n as f64 - k as f64);
    defined(events, n as f64, confidence)?;
    let tail = (1.0 - confidence) / 2.0;
    let quantile = |p: f64| beta_quantile(p, events + 0.5, rest + 0.5);
    Some(Interval {
        low: if k == 0 { 0.0 } else { quantile(tail)? },
        high: if k == n { 1.0 } else { quantile(1.0 - tail)? },
    })
}

/// The one-sided upper limit of the rate when none of `n` cases was an event:
/// 1 − (1 − confidence)^(1/n), of which [`zero_event_approximation`] is an approximation.
pub fn zero_event_upper(n: u64, confidence: f64) -> Option<f64> {
    defined(0.0, n as f64, confidence)?;
    exact_upper(0.0, n as f64, confidence)
}

/// −ln(1 − confidence)/n, at most 1: near [`zero_event_upper`], never below it, and at 95 % near the
/// rule of three.
pub fn zero_event_approximation(n: u64, confidence: f64) -> Option<f64> {
    defined(0.0, n as f64, confidence)?;
    Some((-(-confidence).ln_1p() / n as f64).min(1.0))
}

/// The rule of three: 3/n, at most 1, for a confidence of 95 % (Hanley and Lippman-Hand, 1983).
pub fn rule_of_three(n: u64) -> Option<f64> {
    (n > 0).then(|| (3.0 / n as f64).min(1.0))
}

/// How many cases without an event it takes to claim, with this confidence, that the rate is at most
/// `bound`.
pub fn clean_cases_for(bound: f64, confidence: f64) -> Option<u64> {
    inside(bound)?;
    inside(confidence)?;
    let cases = ((-confidence).ln_1p() / (-bound).ln_1p()).ceil();
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked here")]
    (cases < 9e15).then_some(cases as u64)
}

/// `None` unless there are cases, at most as many events, and a confidence between 0 and 1.
fn defined(k: f64, n: f64, confidence: f64) -> Option<()> {
    (n > 0.0 && n.is_finite() && k >= 0.0 && k <= n).then_some(())?;
    inside(confidence).map(|_| ())
}

/// The upper limit at one-sided `confidence`.
fn exact_upper(k: f64, n: f64, confidence: f64) -> Option<f64> {
    if k == n {
        return Some(1.0);
    }
    if k == 0.0 {
        // The closed form keeps its digits where the rate is tiny.
        return Some(-((-confidence).ln_1p() / n).exp_m1());
    }
    beta_quantile(confidence, k + 1.0, n - k)
}

/// The lower limit at one-sided `confidence`: the mirror image of the upper limit.
fn exact_lower(k: f64, n: f64, confidence: f64) -> Option<f64> {
    if k == 0.0 {
        return Some(0.0);
    }
    if k == n {
        return Some(((-confidence).ln_1p() / n).exp());
    }
    beta_quantile(1.0 - confidence, k, n - k + 1.0)
}
