//! Quantiles, and how sure they are.

use super::distribution::binomial_quantile;
use super::{Interval, finite, inside};

/// The values in ascending order; `None` where there are none or one is not finite.
pub fn sorted(values: &[f64]) -> Option<Vec<f64>> {
    finite(values)?;
    let mut values = values.to_vec();
    values.sort_by(f64::total_cmp);
    Some(values)
}

/// The quantile of sorted values that lies on the line between its neighbours: type 7 of Hyndman and
/// Fan (1996), the default of R and numpy.
pub fn type7(sorted: &[f64], q: f64) -> Option<f64> {
    let last = sorted.len().checked_sub(1)?;
    if !(0.0..=1.0).contains(&q) {
        return None;
    }
    let place = last as f64 * q;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to last")]
    let below = (place.floor() as usize).min(last);
    let above = (below + 1).min(last);
    Some(sorted[below] + (place - below as f64) * (sorted[above] - sorted[below]))
}

/// The least of the sorted values whose cumulative share reaches `q`: the inverse of the empirical
/// distribution, type 1. Histograms of the `HdrHistogram` kind answer so, within their buckets.
pub fn inverse_cdf(sorted: &[f64], q: f64) -> Option<f64> {
    let last = sorted.len().checked_sub(1)?;
    if !(0.0..=1.0).contains(&q) {
        return None;
    }
    // A share like 0.95 is a little off: what is whole but for that stays whole.
    let wanted = (sorted.len() as f64 * q * (1.0 - 4.0 * f64::EPSILON)).ceil();
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to n")]
    let rank = wanted as usize;
    Some(sorted[rank.saturating_sub(1).min(last)])
}

/// The ranks, from 1, of the ordered samples between which the quantile `q` of what they were drawn
/// from lies with this confidence, whatever its distribution: BinomInv(α/2; n, q) and
/// BinomInv(1 − α/2; n, q) + 1. `None` where n is too small: the 99th percentile takes 368 samples at
/// 95 %.
pub fn quantile_ranks(n: u64, q: f64, confidence: f64) -> Option<(u64, u64)> {
    inside(q)?;
    let tail = (1.0 - inside(confidence)?) / 2.0;
    let low = binomial_quantile(tail, n, q)?;
    let high = binomial_quantile(1.0 - tail, n, q)? + 1;
    (low >= 1 && high <= n).then_some((low, high))
}

/// The values at [`quantile_ranks`].
pub fn quantile_interval(sorted: &[f64], q: f64, confidence: f64) -> Option<Interval> {
    let (low, high) = quantile_ranks(sorted.len() as u64, q, confidence)?;
    let at = |rank: u64| sorted.get(usize::try_from(rank).ok()? - 1).copied();
    Some(Interval { low: at(low)?, high: at(high)? })
}
