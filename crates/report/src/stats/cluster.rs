//! Means of cases that are not independent: they share a user task, an injection task, or both.

use std::collections::BTreeMap;

use super::distribution::{t_quantile, z_of};
use super::{Interval, finite, mean, squares};

/// Errors up to this share of the greatest value are rounding, and are 0.
const ROUNDING: f64 = 1e-13;

/// A mean with the standard errors that take clusters into account, and the one that does not.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClusteredMean {
    /// Cases.
    pub n: usize,
    /// Clusters, G.
    pub clusters: usize,
    /// The mean.
    pub mean: f64,
    /// sd/√n, as if the cases were independent; `None` for one case.
    pub sem: Option<f64>,
    /// √(Σ S²)/n, S the sum of a cluster's distances from the mean (Liang and Zeger, 1986).
    pub cr0: f64,
    /// CR0 · √(G/(G−1)): the default; `None` for one cluster.
    pub cr1: Option<f64>,
    /// Equation 4 of Miller, *Adding Error Bars to Evals* (2024), as printed: CR0 but for Bessel's
    /// correction on the diagonal; `None` for one case.
    pub miller: Option<f64>,
}

impl ClusteredMean {
    /// (CR1/SEM)²: how many times fewer independent cases these are worth; `None` where the SEM is 0.
    pub fn design_effect(self) -> Option<f64> {
        let sem = self.sem.filter(|sem| *sem > 0.0)?;
        Some((self.cr1? / sem).powi(2))
    }

    /// The mean ± CR1 times the t quantile of G − 1 degrees of freedom.
    pub fn t_interval(self, confidence: f64) -> Option<Interval> {
        super::inside(confidence)?;
        let cr1 = self.cr1?;
        let t = t_quantile(f64::midpoint(1.0, confidence), (self.clusters - 1) as f64)?;
        Some(Interval::around(self.mean, t * cr1))
    }

    /// The mean ± CR1 times the normal quantile: too narrow for few clusters.
    pub fn z_interval(self, confidence: f64) -> Option<Interval> {
        Some(Interval::around(self.mean, z_of(confidence)? * self.cr1?))
    }
}

/// The mean of cases in clusters; `None` without cases, or where a case has no cluster.
pub fn clustered_mean<K: Ord>(values: &[f64], clusters: &[K]) -> Option<ClusteredMean> {
    if values.len() != clusters.len() {
        return None;
    }
    finite(values)?;
    let n = values.len() as f64;
    let groups = sums(values, clusters.iter());
    let between: f64 = groups.values().map(|sum| sum * sum).sum();
    let square = squares(values);
    let greatest = values.iter().map(|value| value.abs()).fold(0.0, f64::max);
    let error = |error: f64| if error <= ROUNDING * greatest { 0.0 } else { error };
    let cr0 = error(between.sqrt() / n);
    let count = groups.len() as f64;
    let variance = (values.len() > 1).then(|| square / (n - 1.0) / n);
    let miller =
        variance.map(|variance| error((variance + (between - square) / (n * n)).max(0.0).sqrt()));
    Some(ClusteredMean {
        n: values.len(),
        clusters: groups.len(),
        mean: mean(values),
        sem: variance.map(|variance| error(variance.sqrt())),
        cr0,
        cr1: (groups.len() > 1).then(|| cr0 * (count / (count - 1.0)).sqrt()),
        miller,
    })
}

/// The variance of the mean clustered two ways: V(first) + V(second) − V(both), without small-sample
/// correction; where that is negative, the greater of the first two (Cameron, Gelbach and Miller,
/// 2011).
pub fn two_way_variance<A: Ord, B: Ord>(values: &[f64], first: &[A], second: &[B]) -> Option<f64> {
    if values.len() != first.len() || values.len() != second.len() {
        return None;
    }
    finite(values)?;
    let n = values.len() as f64;
    let variance = |squares: f64| squares / (n * n);
    let by_first = variance(square_sum(sums(values, first.iter())));
    let by_second = variance(square_sum(sums(values, second.iter())));
    let by_both = variance(square_sum(sums(values, first.iter().zip(second))));
    let both_ways = by_first + by_second - by_both;
    Some(if both_ways < 0.0 { by_first.max(by_second) } else { both_ways })
}

/// The mean ± the error clustered two ways ([`two_way_variance`]) times the t quantile of the smaller
/// number of clusters less one; `None` for one cluster of either kind.
pub fn two_way_interval<A: Ord, B: Ord>(
    values: &[f64],
    first: &[A],
    second: &[B],
    confidence: f64,
) -> Option<Interval> {
    super::inside(confidence)?;
    let variance = two_way_variance(values, first, second)?;
    let distinct = |count: usize| (count > 1).then_some(count - 1);
    let firsts = first.iter().collect::<std::collections::BTreeSet<_>>().len();
    let seconds = second.iter().collect::<std::collections::BTreeSet<_>>().len();
    let freedom = distinct(firsts.min(seconds))?;
    let t = t_quantile(f64::midpoint(1.0, confidence), freedom as f64)?;
    Some(Interval::around(mean(values), t * variance.sqrt()))
}

fn square_sum<K>(sums: BTreeMap<K, f64>) -> f64 {
    sums.into_values().map(|sum| sum * sum).sum()
}

/// A cluster's distances from the mean, summed.
fn sums<K: Ord>(values: &[f64], clusters: impl Iterator<Item = K>) -> BTreeMap<K, f64> {
    let centre = mean(values);
    let mut sums = BTreeMap::new();
    for (value, cluster) in values.iter().zip(clusters) {
        *sums.entry(cluster).or_insert(0.0) += value - centre;
    }
    sums
}
