//! Two samples of latencies, compared without assuming a distribution.

use std::cmp::Ordering;

use super::distribution::normal_two_sided;
use super::quantile::{sorted, type7};

/// The exact Mann-Whitney test stops at samples of this size.
const MOST_RANKED: usize = 100;

/// The exact Kolmogorov-Smirnov test stops at this product of the samples' sizes.
const MOST_PATHS: usize = 1_000_000;

/// The Mann-Whitney (Wilcoxon rank-sum) test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MannWhitney {
    /// Pairs in which the first sample's value is greater, ties half.
    pub u_first: f64,
    /// Two-sided, over all orders; `None` with ties, or more than 100 values in a sample.
    pub exact: Option<f64>,
    /// Two-sided, by the normal distribution, with corrections for continuity and ties; `None` where
    /// all values are the same.
    pub asymptotic: Option<f64>,
}

/// The Mann-Whitney test (1947); `None` where a sample is empty or not finite.
pub fn mann_whitney(first: &[f64], second: &[f64]) -> Option<MannWhitney> {
    let (a, b) = (sorted(first)?, sorted(second)?);
    let (greater, less) = wins(&a, &b);
    let pairs = (a.len() * b.len()) as f64;
    let u_first = greater + (pairs - greater - less) / 2.0;
    let u_greater = u_first.max(pairs - u_first);
    let ties = ties(&a, &b);
    let exact = (ties == 0.0 && a.len().max(b.len()) <= MOST_RANKED)
        .then(|| exact_upper(u_greater, a.len(), b.len()))
        .map(|upper| (2.0 * upper).min(1.0));
    let n = (a.len() + b.len()) as f64;
    let variance = pairs / 12.0 * (n + 1.0 - ties / (n * (n - 1.0)));
    let z = (u_greater - pairs / 2.0 - 0.5) / variance.sqrt();
    let asymptotic = (variance > 0.0).then(|| if z <= 0.0 { 1.0 } else { normal_two_sided(z) });
    Some(MannWhitney { u_first, exact, asymptotic })
}

/// The chance of a U of at least this, over all orders of `m` and `n` values: the numbers of orders by
/// U, as shares, follow f(m, n, u) = m/(m+n) f(m−1, n, u−n) + n/(m+n) f(m, n−1, u).
fn exact_upper(u: f64, m: usize, n: usize) -> f64 {
    let mut rows: Vec<Vec<f64>> = (0..=n).map(|_| vec![1.0]).collect();
    for i in 1..=m {
        let mut next: Vec<Vec<f64>> = Vec::with_capacity(n + 1);
        for j in 0..=n {
            let mut row = vec![0.0; i * j + 1];
            let share = i as f64 / (i + j) as f64;
            for (at, chance) in rows[j].iter().enumerate() {
                row[at + j] += share * chance;
            }
            if j > 0 {
                for (at, chance) in next[j - 1].iter().enumerate() {
                    row[at] += (1.0 - share) * chance;
                }
            }
            next.push(row);
        }
        rows = next;
    }
    let upper = rows[n].iter().enumerate().filter(|(at, _)| *at as f64 >= u);
    upper.map(|(_, chance)| chance).sum()
}

/// Σ(t³ − t) over groups of equal values in both samples.
fn ties(a: &[f64], b: &[f64]) -> f64 {
    let mut all: Vec<f64> = a.iter().chain(b).copied().collect();
    all.sort_by(f64::total_cmp);
    let groups = all.chunk_by(|left, right| left == right);
    groups.map(|group| group.len() as f64).map(|size| size.powi(3) - size).sum()
}

/// Pairs in which the first's value is greater, and in which it is less; both samples sorted.
fn wins(a: &[f64], b: &[f64]) -> (f64, f64) {
    let (mut greater, mut less) = (0, 0);
    for value in a {
        greater += b.partition_point(|other| other < value);
        less += b.len() - b.partition_point(|other| other <= value);
    }
    (greater as f64, less as f64)
}

/// The two-sample Kolmogorov-Smirnov test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KolmogorovSmirnov {
    /// The greatest distance between the empirical distributions.
    pub statistic: f64,
    /// Two-sided, over all orders; conservative with ties; `None` for samples whose sizes
    /// multiply to more than a million.
    pub exact: Option<f64>,
}

/// The two-sample Kolmogorov-Smirnov test (Smirnov, 1939); `None` where a sample is empty or not
/// finite.
pub fn kolmogorov_smirnov(first: &[f64], second: &[f64]) -> Option<KolmogorovSmirnov> {
    let (a, b) = (sorted(first)?, sorted(second)?);
    let (m, n) = (a.len(), b.len());
    let apart = |value: &f64| {
        let share =
            |of: &[f64]| of.partition_point(|other| other <= value) as f64 / of.len() as f64;
        (share(&a) - share(&b)).abs()
    };
    let statistic = a.iter().chain(&b).map(apart).fold(0.0, f64::max);
    let exact = (m * n <= MOST_PATHS).then(|| 1.0 - share_within(statistic, m, n));
    Some(KolmogorovSmirnov { statistic, exact: exact.map(|p| p.clamp(0.0, 1.0)) })
}

/// The share of lattice paths from (0, 0) to (m, n) that stay nearer to the diagonal than the
/// statistic (Hodges, 1958).
fn share_within(statistic: f64, m: usize, n: usize) -> f64 {
    let (rows, columns) = (m as f64, n as f64);
    let limit = (0.5 + (statistic * rows * columns - 1e-7).floor()) / (rows * columns);
    let outside = |i: usize, j: usize| (i as f64 / rows - j as f64 / columns).abs() > limit;
    let mut shares: Vec<f64> = (0..=n).map(|j| if outside(0, j) { 0.0 } else { 1.0 }).collect();
    for i in 1..=m {
        for j in 0..=n {
            let from_above = shares[j] * i as f64 / (i + j) as f64;
            let from_left = if j > 0 { shares[j - 1] * j as f64 / (i + j) as f64 } else { 0.0 };
            shares[j] = if outside(i, j) { 0.0 } else { from_above + from_left };
        }
    }
    shares[n]
}

/// The Hodges-Lehmann shift: the median of all differences, second less first (1963). `None` where a
/// sample is empty or not finite. Its memory grows with the product of the samples' sizes.
pub fn hodges_lehmann(first: &[f64], second: &[f64]) -> Option<f64> {
    let (a, b) = (sorted(first)?, sorted(second)?);
    let differences: Vec<f64> =
        b.iter().flat_map(|second| a.iter().map(move |first| second - first)).collect();
    type7(&sorted(&differences)?, 0.5)
}

/// Cliff's δ (1993): the share of pairs in which the second's value is greater, less the share in
/// which it is less; from −1 to 1.
pub fn cliffs_delta(first: &[f64], second: &[f64]) -> Option<f64> {
    let (a, b) = (sorted(first)?, sorted(second)?);
    let (greater, less) = wins(&b, &a);
    Some((greater - less) / (a.len() * b.len()) as f64)
}

/// Cliff's δ of two counted samples, each of (value, count), every value once and ascending, as
/// histograms hold them.
pub fn cliffs_delta_counted(first: &[(u64, u64)], second: &[(u64, u64)]) -> Option<f64> {
    let total = |sample: &[(u64, u64)]| sample.iter().map(|(_, count)| *count as f64).sum::<f64>();
    let pairs = total(first) * total(second);
    if pairs <= 0.0 {
        return None;
    }
    let (mut at, mut below, mut wins) = (0, 0.0, 0.0);
    let all = total(first);
    for (value, count) in second {
        while at < first.len() && first[at].0 < *value {
            below += first[at].1 as f64;
            at += 1;
        }
        let same = first.get(at).filter(|(other, _)| other.cmp(value) == Ordering::Equal);
        let above = all - below - same.map_or(0.0, |(_, count)| *count as f64);
        wins += (below - above) * *count as f64;
    }
    Some(wins / pairs)
}
