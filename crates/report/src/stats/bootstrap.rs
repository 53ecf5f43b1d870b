//! The bootstrap of a mean: resample cases, or whole clusters, with replacement (Efron, 1979).
//!
//! Random draws come from [`SplitMix`], seeded, so that the same numbers give the same limits on every
//! machine. Two forms need no generator: an index matrix, and the whole distribution of few cases.

use std::collections::BTreeMap;

use super::distribution::{normal_cdf, normal_quantile};
use super::quantile::{sorted, type7};
use super::{Interval, finite, inside, mean, squares};

/// Values count as equal up to this share of the greatest of them, for rounding.
const SAME: f64 = 1e-12;

/// How many values the whole distribution is made of at most.
const MOST_ENUMERATED: usize = 10;

/// `SplitMix64` (Steele, Lea and Flood, 2014): a 64-bit counter that goes up by 0x9E3779B97F4A7C15,
/// and a mixing function.
#[derive(Clone, Debug)]
pub struct SplitMix {
    state: u64,
}

impl SplitMix {
    /// A generator that starts here.
    pub fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// The next 64 bits.
    pub fn next_u64(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number below `bound`, which is not 0, each as likely: the upper half of a product (Lemire,
    /// 2019), drawn again where it would be biased.
    pub fn below(&mut self, bound: usize) -> usize {
        let bound = bound as u64;
        let threshold = bound.wrapping_neg() % bound;
        loop {
            let product = u128::from(self.next_u64()) * u128::from(bound);
            #[expect(clippy::cast_possible_truncation, reason = "the halves of 128 bits")]
            let (high, low) = ((product >> 64) as usize, product as u64);
            if low >= threshold {
                return high;
            }
        }
    }
}

/// The index matrix of MINSTD: s ← 48271 · s mod (2³¹ − 1), index s mod n, row by row. `None` for no
/// cases or a seed that is 0 in that ring. For tests against tables made elsewhere.
pub fn minstd_indices(n: usize, resamples: usize, seed: u64) -> Option<Vec<Vec<usize>>> {
    const MODULUS: u64 = 2_147_483_647;
    let mut state = seed % MODULUS;
    if n == 0 || state == 0 {
        return None;
    }
    let mut next = || {
        state = state * 48_271 % MODULUS;
        usize::try_from(state % n as u64).expect("an index is below a usize")
    };
    Some((0..resamples).map(|_| (0..n).map(|_| next()).collect()).collect())
}

/// A bootstrap of a mean.
#[derive(Clone, Debug, PartialEq)]
pub struct Bootstrap {
    /// The mean itself.
    pub observed: f64,
    /// The resamples' means, in the order drawn.
    pub replicates: Vec<f64>,
    /// The jackknife's acceleration; 0 where leaving one out never changes the mean.
    pub acceleration: f64,
    /// How far apart two means may be and count as tied.
    tie: f64,
}

/// BCa's limits and what they were made of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bca {
    /// The bias correction: Φ⁻¹ of the share of replicates below the observed mean, ties half.
    pub bias: f64,
    /// The acceleration.
    pub acceleration: f64,
    /// The share at which the lower limit is read.
    pub low_share: f64,
    /// The share at which the upper limit is read.
    pub high_share: f64,
    /// The limits.
    pub interval: Interval,
}

impl Bootstrap {
    /// The standard deviation of the replicates, with n − 1; `None` for fewer than two.
    pub fn standard_error(&self) -> Option<f64> {
        let count = self.replicates.len();
        (count > 1).then(|| (squares(&self.replicates) / (count - 1) as f64).sqrt())
    }

    /// The percentile interval, by type-7 quantiles.
    pub fn percentile(&self, confidence: f64) -> Option<Interval> {
        let tail = (1.0 - inside(confidence)?) / 2.0;
        let replicates = sorted(&self.replicates)?;
        Some(Interval { low: type7(&replicates, tail)?, high: type7(&replicates, 1.0 - tail)? })
    }

    /// The bias-corrected and accelerated interval, by type-7 quantiles (Efron, 1987); `None` where
    /// all replicates lie on one side of the observed mean.
    pub fn bca(&self, confidence: f64) -> Option<Bca> {
        let tail = (1.0 - inside(confidence)?) / 2.0;
        let replicates = sorted(&self.replicates)?;
        let place = |replicate: &f64| match replicate - self.observed {
            apart if apart.abs() <= self.tie => 0.5,
            apart if apart < 0.0 => 1.0,
            _ => 0.0,
        };
        let below: f64 = replicates.iter().map(place).sum();
        let bias = normal_quantile(below / replicates.len() as f64)?;
        let share = |p: f64| {
            let z = bias + normal_quantile(p)?;
            Some(normal_cdf(bias + z / (1.0 - self.acceleration * z)))
        };
        let (low_share, high_share) = (share(tail)?, share(1.0 - tail)?);
        let limit = |share| type7(&replicates, share);
        let interval = Interval { low: limit(low_share)?, high: limit(high_share)? };
        Some(Bca { bias, acceleration: self.acceleration, low_share, high_share, interval })
    }
}

/// What is drawn: cases, or clusters of them.
struct Unit {
    sum: f64,
    cases: f64,
}

/// The bootstrap of the mean of independent cases (of paired differences: the paired bootstrap).
pub fn bootstrap(values: &[f64], resamples: usize, seed: u64) -> Option<Bootstrap> {
    finite(values)?;
    draw(&cases(values), resamples, seed)
}

/// The bootstrap over whole clusters. With clusters of equal size its standard error is CR0.
pub fn cluster_bootstrap<K: Ord>(
    values: &[f64],
    clusters: &[K],
    resamples: usize,
    seed: u64,
) -> Option<Bootstrap> {
    if values.len() != clusters.len() {
        return None;
    }
    finite(values)?;
    let mut units: BTreeMap<&K, Unit> = BTreeMap::new();
    for (value, cluster) in values.iter().zip(clusters) {
        let unit = units.entry(cluster).or_insert(Unit { sum: 0.0, cases: 0.0 });
        unit.sum += value;
        unit.cases += 1.0;
    }
    draw(&units.into_values().collect::<Vec<_>>(), resamples, seed)
}

/// The bootstrap of these resamples; `None` if an index is out of range.
pub fn bootstrap_of_indices(values: &[f64], indices: &[Vec<usize>]) -> Option<Bootstrap> {
    finite(values)?;
    let units = cases(values);
    let replicates = indices.iter().map(|indices| {
        let drawn: Option<Vec<&Unit>> = indices.iter().map(|index| units.get(*index)).collect();
        drawn.filter(|drawn| !drawn.is_empty()).map(|drawn| ratio(drawn.into_iter()))
    });
    finish(&units, replicates.collect::<Option<Vec<f64>>>()?)
}

fn cases(values: &[f64]) -> Vec<Unit> {
    values.iter().map(|value| Unit { sum: *value, cases: 1.0 }).collect()
}

fn draw(units: &[Unit], resamples: usize, seed: u64) -> Option<Bootstrap> {
    let mut random = SplitMix::new(seed);
    let mut replicate = || ratio((0..units.len()).map(|_| &units[random.below(units.len())]));
    let replicates = (0..resamples).map(|_| replicate()).collect();
    finish(units, replicates)
}

fn finish(units: &[Unit], replicates: Vec<f64>) -> Option<Bootstrap> {
    if replicates.is_empty() {
        return None;
    }
    let observed = ratio(units.iter());
    let scale = units.iter().map(|unit| (unit.sum / unit.cases).abs()).fold(0.0, f64::max);
    let acceleration = acceleration(units);
    Some(Bootstrap { observed, replicates, acceleration, tie: scale * SAME })
}

fn ratio<'u>(units: impl Iterator<Item = &'u Unit>) -> f64 {
    let (sum, cases) =
        units.fold((0.0, 0.0), |(sum, cases), unit| (sum + unit.sum, cases + unit.cases));
    sum / cases
}

/// The jackknife's: Σ(θ̄ − θᵢ)³ / (6 (Σ(θ̄ − θᵢ)²)^1.5), θᵢ the mean without unit i.
fn acceleration(units: &[Unit]) -> f64 {
    if units.len() < 2 {
        return 0.0;
    }
    let (sum, cases) =
        units.iter().fold((0.0, 0.0), |(sum, cases), unit| (sum + unit.sum, cases + unit.cases));
    let without: Vec<f64> =
        units.iter().map(|unit| (sum - unit.sum) / (cases - unit.cases)).collect();
    let centre = mean(&without);
    let power = |exponent| without.iter().map(|mean| (centre - mean).powi(exponent)).sum::<f64>();
    let square = power(2);
    if square > 0.0 { power(3) / (6.0 * square.powf(1.5)) } else { 0.0 }
}

/// The whole bootstrap distribution of a mean.
#[derive(Clone, Debug, PartialEq)]
pub struct ExactBootstrap {
    /// The means that occur, ascending.
    pub support: Vec<f64>,
    /// In how many of the resamples each of them occurs.
    pub count: Vec<u64>,
    /// nⁿ, the number of resamples.
    pub total: u64,
}

impl ExactBootstrap {
    /// The distribution's mean: the observed one.
    pub fn mean(&self) -> f64 {
        self.moment(|value| value)
    }

    /// The distribution's standard deviation: sd(values, with n)/√n.
    pub fn standard_error(&self) -> f64 {
        let centre = self.mean();
        self.moment(|value| (value - centre).powi(2)).sqrt()
    }

    /// The share of resamples whose mean is at most this.
    pub fn at_most(&self, value: f64) -> f64 {
        let pairs = self.support.iter().zip(&self.count);
        let below: u64 = pairs.filter(|(mean, _)| **mean <= value).map(|(_, count)| count).sum();
        below as f64 / self.total as f64
    }

    /// The least mean whose cumulative share reaches `p`.
    pub fn quantile(&self, p: f64) -> Option<f64> {
        let wanted = inside(p)? * self.total as f64;
        let mut below = 0;
        let reaches = |count: &u64| {
            below += count;
            below as f64 >= wanted
        };
        Some(self.support[self.count.iter().position(reaches)?])
    }

    fn moment(&self, of: impl Fn(f64) -> f64) -> f64 {
        let terms = self.support.iter().zip(&self.count).map(|(mean, n)| of(*mean) * *n as f64);
        terms.sum::<f64>() / self.total as f64
    }
}

/// The distribution over all nⁿ resamples, of at most ten values.
pub fn exact_bootstrap(values: &[f64]) -> Option<ExactBootstrap> {
    finite(values)?;
    if values.len() > MOST_ENUMERATED {
        return None;
    }
    let steps: Vec<(f64, u64)> = values.iter().map(|value| (*value, 1)).collect();
    let scale = values.iter().map(|value| value.abs()).sum::<f64>() * SAME;
    let mut sums = vec![(0.0, 1)];
    for _ in values {
        let next = |(sum, count): &(f64, u64)| {
            let (sum, count) = (*sum, *count);
            steps.iter().map(move |(value, times)| (sum + value, count * times)).collect::<Vec<_>>()
        };
        sums = merged(sums.iter().flat_map(next).collect(), scale);
    }
    let n = values.len() as f64;
    let (support, count): (Vec<f64>, Vec<u64>) =
        sums.into_iter().map(|(sum, count)| (sum / n, count)).unzip();
    let total = count.iter().sum();
    Some(ExactBootstrap { support, count, total })
}

/// Sums that are the same but for rounding, made one.
fn merged(mut sums: Vec<(f64, u64)>, scale: f64) -> Vec<(f64, u64)> {
    sums.sort_by(|left, right| left.0.total_cmp(&right.0));
    let mut out: Vec<(f64, u64)> = Vec::new();
    for (sum, count) in sums {
        match out.last_mut() {
            Some((last, total)) if sum - *last <= scale => *total += count,
            _ => out.push((sum, count)),
        }
    }
    out
}
