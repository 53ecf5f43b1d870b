//! How far two rates, or two series over the same cases, are apart. A difference is the first less
//! the second.

use super::distribution::{normal_two_sided, t_two_sided, z_of};
use super::proportion::wilson_weighted;
use super::{Interval, finite, mean, squares};

/// Newcombe's hybrid score interval for `k1/n1 − k2/n2` of independent samples: method 10 of Newcombe
/// (1998a), without continuity correction. Lower limit d − √((p₁−l₁)² + (u₂−p₂)²), upper limit
/// d + √((u₁−p₁)² + (p₂−l₂)²), with l and u Wilson's limits.
pub fn newcombe_independent(
    k1: u64,
    n1: u64,
    k2: u64,
    n2: u64,
    confidence: f64,
) -> Option<Interval> {
    let first = Score::of(k1 as f64, n1 as f64, confidence)?;
    let second = Score::of(k2 as f64, n2 as f64, confidence)?;
    Some(first.minus(second, 0.0))
}

/// A rate with its distances to Wilson's limits.
#[derive(Clone, Copy)]
struct Score {
    rate: f64,
    down: f64,
    up: f64,
}

impl Score {
    fn of(k: f64, n: f64, confidence: f64) -> Option<Self> {
        let limits = wilson_weighted(k, n, confidence)?;
        let rate = k / n;
        Some(Self { rate, down: rate - limits.low, up: limits.high - rate })
    }

    /// The interval of the difference, of rates with this correlation.
    fn minus(self, other: Self, phi: f64) -> Interval {
        let half = |own: f64, others: f64| {
            (own * own - 2.0 * phi * own * others + others * others).max(0.0).sqrt()
        };
        let difference = self.rate - other.rate;
        Interval {
            low: difference - half(self.down, other.up),
            high: difference + half(self.up, other.down),
        }
    }
}

/// The same cases judged twice, by what holds. Counts need not be whole: repeats of a case may weigh
/// less than 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Paired {
    /// Cases where both hold.
    pub both: f64,
    /// Cases where only the first holds.
    pub only_first: f64,
    /// Cases where only the second holds.
    pub only_second: f64,
    /// Cases where neither holds.
    pub neither: f64,
}

/// How the correlation of the two judgements is estimated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phi {
    /// As it is: method 8 of Newcombe (1998b).
    Plain,
    /// Its numerator less n/2, at least 0, where it is positive: method 10, the recommended one.
    Corrected,
}

impl Paired {
    /// Whole counts.
    pub fn new(both: u64, only_first: u64, only_second: u64, neither: u64) -> Self {
        Self {
            both: both as f64,
            only_first: only_first as f64,
            only_second: only_second as f64,
            neither: neither as f64,
        }
    }

    /// The sum of the four.
    pub fn n(self) -> f64 {
        self.both + self.only_first + self.only_second + self.neither
    }

    /// The first's rate less the second's; `None` without cases.
    pub fn difference(self) -> Option<f64> {
        let n = self.defined()?;
        Some((self.only_first - self.only_second) / n)
    }

    /// The correlation (ad − bc)/√(product of the margins); 0 where a margin is 0.
    pub fn phi(self, phi: Phi) -> Option<f64> {
        let n = self.defined()?;
        let Self { both: a, only_first: b, only_second: c, neither: d } = self;
        let margins = (a + b) * (c + d) * (a + c) * (b + d);
        if margins == 0.0 {
            return Some(0.0);
        }
        let numerator = a * d - b * c;
        let numerator = match phi {
            Phi::Corrected if numerator > 0.0 => (numerator - n / 2.0).max(0.0),
            _ => numerator,
        };
        Some(numerator / margins.sqrt())
    }

    /// Newcombe's interval for the difference of paired rates: the square-and-add of
    /// [`newcombe_independent`] with the correlation's cross term (Newcombe, 1998b).
    pub fn newcombe(self, phi: Phi, confidence: f64) -> Option<Interval> {
        let n = self.defined()?;
        let phi = self.phi(phi)?;
        let first = Score::of(self.both + self.only_first, n, confidence)?;
        let second = Score::of(self.both + self.only_second, n, confidence)?;
        Some(first.minus(second, phi))
    }

    /// Wald's standard error √(b + c − (b−c)²/n)/n: 0 without discordant cases, so not for reports.
    pub fn wald_error(self) -> Option<f64> {
        let n = self.defined()?;
        let discordant = self.only_first + self.only_second;
        let apart = self.only_first - self.only_second;
        Some((discordant - apart * apart / n).max(0.0).sqrt() / n)
    }

    /// Wald's interval: see [`Paired::wald_error`].
    pub fn wald(self, confidence: f64) -> Option<Interval> {
        Some(Interval::around(self.difference()?, z_of(confidence)? * self.wald_error()?))
    }

    fn defined(self) -> Option<f64> {
        let counts = [self.both, self.only_first, self.only_second, self.neither];
        let fine = counts.iter().all(|count| count.is_finite() && *count >= 0.0);
        let n = self.n();
        (fine && n > 0.0 && n.is_finite()).then_some(n)
    }
}

/// Two series over the same cases.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairedDifference {
    /// Cases.
    pub n: usize,
    /// The mean difference.
    pub mean: f64,
    /// sd(d)/√n.
    pub paired_error: f64,
    /// √(Var x/n + Var y/n), as if the cases were others.
    pub unpaired_error: f64,
    /// Pearson's correlation; `None` where a series is constant.
    pub correlation: Option<f64>,
    /// The mean over its paired error; `None` where that is 0.
    pub t: Option<f64>,
    /// Two-sided chance of `t` with n − 1 degrees of freedom.
    pub p_t: Option<f64>,
    /// Two-sided chance of `t` under the normal distribution.
    pub p_z: Option<f64>,
}

impl PairedDifference {
    /// The mean ± z times the paired error.
    pub fn z_interval(self, confidence: f64) -> Option<Interval> {
        Some(Interval::around(self.mean, z_of(confidence)? * self.paired_error))
    }
}

/// The paired difference `x − y` (Miller, 2024); `None` for fewer than two cases or series of
/// different length. Clustered errors are those of [`super::cluster::clustered_mean`] of the
/// differences.
pub fn paired_difference(x: &[f64], y: &[f64]) -> Option<PairedDifference> {
    if x.len() != y.len() || x.len() < 2 {
        return None;
    }
    finite(x)?;
    finite(y)?;
    let differences: Vec<f64> = x.iter().zip(y).map(|(x, y)| x - y).collect();
    let n = x.len() as f64;
    let error = |squares: f64| (squares / (n - 1.0) / n).sqrt();
    let (mean_x, mean_y) = (mean(x), mean(y));
    let cross: f64 = x.iter().zip(y).map(|(x, y)| (x - mean_x) * (y - mean_y)).sum();
    let spread = (squares(x) * squares(y)).sqrt();
    let centre = mean(&differences);
    let paired_error = error(squares(&differences));
    let t = (paired_error > 0.0).then(|| centre / paired_error);
    Some(PairedDifference {
        n: x.len(),
        mean: centre,
        paired_error,
        unpaired_error: error(squares(x) + squares(y)),
        correlation: (spread > 0.0).then(|| cross / spread),
        t,
        p_t: t.and_then(|t| t_two_sided(t, n - 1.0)),
        p_z: t.map(normal_two_sided),
    })
}
