//! Distributions: quantiles and tail probabilities of the normal, t, χ², beta, binomial and
//! hypergeometric.
//!
//! The inverse error function is `statrs`'s; its error function is not used, for it is off by 4e-11 of
//! its value around 2. Binomial terms follow Loader, *Fast and Accurate
//! Computation of Binomial Probabilities* (2000): they keep their relative precision for any number
//! of cases, which differences of log-gammas do not.

use std::f64::consts::{PI, SQRT_2};

use statrs::function::erf::erfc_inv;
use statrs::function::gamma::ln_gamma;

use super::inside;

/// The standard normal's quantile.
pub fn normal_quantile(p: f64) -> Option<f64> {
    inside(p).map(|p| -SQRT_2 * erfc_inv(2.0 * p))
}

/// The z that leaves this confidence between −z and z.
pub(crate) fn z_of(confidence: f64) -> Option<f64> {
    inside(confidence).map(|confidence| SQRT_2 * erfc_inv(1.0 - confidence))
}

/// The chance that a standard normal variable is below `z`.
pub fn normal_cdf(z: f64) -> f64 {
    if z < 0.0 { normal_upper(-z) } else { 1.0 - normal_upper(z) }
}

/// The chance that a standard normal variable is at least as far from 0 as `z`.
pub fn normal_two_sided(z: f64) -> f64 {
    2.0 * normal_upper(z.abs())
}

/// The chance that a χ² variable of one degree of freedom is above `x`.
pub fn chi_square_1_upper(x: f64) -> Option<f64> {
    (x >= 0.0).then(|| normal_two_sided(x.sqrt()))
}

/// The upper tail from `z`, which is not negative: near the middle by the series
/// φ(z)(z + z³/3 + z⁵/15 + …), further out by Laplace's continued fraction for Mills's ratio.
fn normal_upper(z: f64) -> f64 {
    let density = (-z * z / 2.0).exp() / (2.0 * PI).sqrt();
    if z < 2.5 {
        let (mut term, mut sum) = (z, z);
        for odd in (3..200).step_by(2) {
            term *= z * z / f64::from(odd);
            sum += term;
        }
        return 0.5 - density * sum;
    }
    if z.is_infinite() {
        return 0.0;
    }
    density / (1..=300).rev().fold(z, |below, step| z + f64::from(step) / below)
}

/// Student's t quantile, for any positive number of degrees of freedom.
pub fn t_quantile(p: f64, df: f64) -> Option<f64> {
    inside(p)?;
    if !(df > 0.0 && df.is_finite()) {
        return None;
    }
    let share = beta_quantile((2.0 * p - 1.0).abs(), 0.5, df / 2.0).unwrap_or(0.0);
    Some((df * share / (1.0 - share)).sqrt().copysign(p - 0.5))
}

/// The chance that a t variable is at least as far from 0 as `t`.
pub fn t_two_sided(t: f64, df: f64) -> Option<f64> {
    (df > 0.0 && !t.is_nan()).then(|| beta_cdf(df / (df + t * t), df / 2.0, 0.5))?
}

/// The chance that a beta variable is at most `x`: the regularised incomplete beta function, by its
/// continued fraction (Lentz's method).
pub fn beta_cdf(x: f64, a: f64, b: f64) -> Option<f64> {
    if !(a > 0.0 && b > 0.0 && a.is_finite() && b.is_finite()) || x.is_nan() {
        return None;
    }
    Some(if x <= 0.0 {
        0.0
    } else if x >= 1.0 {
        1.0
    } else if x < (a + 1.0) / (a + b + 2.0) {
        beta_tail(x, a, b)
    } else {
        1.0 - beta_tail(1.0 - x, b, a)
    })
}

/// The smaller tail, where the continued fraction converges quickly.
fn beta_tail(x: f64, a: f64, b: f64) -> f64 {
    const TINY: f64 = 1e-300;
    let apart = |value: f64| if value.abs() < TINY { TINY } else { value };
    let mut c = 1.0;
    let mut d = 1.0 / apart(1.0 - (a + b) * x / (a + 1.0));
    let mut fraction = d;
    for step in 1..100_000 {
        let m = f64::from(step);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        d = 1.0 / apart(1.0 + even * d);
        c = apart(1.0 + even / c);
        fraction *= d * c;
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        d = 1.0 / apart(1.0 + odd * d);
        c = apart(1.0 + odd / c);
        fraction *= d * c;
        if (d * c - 1.0).abs() < 1e-16 {
            break;
        }
    }
    binomial_term(a, a + b, x) * b / (a + b) * fraction
}

/// The beta distribution's quantile, by halving: slow beside Newton's method, and it always ends.
pub fn beta_quantile(p: f64, a: f64, b: f64) -> Option<f64> {
    inside(p)?;
    let (mut low, mut high) = (0.0, 1.0);
    loop {
        let middle = f64::midpoint(low, high);
        if middle <= low || middle >= high {
            return Some(middle);
        }
        if beta_cdf(middle, a, b)? < p {
            low = middle;
        } else {
            high = middle;
        }
    }
}

/// The chance of exactly `k` events in `n` cases.
pub fn binomial_pmf(k: u64, n: u64, p: f64) -> Option<f64> {
    inside(p)?;
    (k <= n).then(|| binomial_term(k as f64, n as f64, p))
}

/// The chance of `k` events or fewer in `n` cases.
pub fn binomial_cdf(k: u64, n: u64, p: f64) -> Option<f64> {
    inside(p)?;
    Some(if k >= n {
        1.0
    } else if (k as f64) < n as f64 * p {
        binomial_tail(k, n, p)
    } else {
        1.0 - binomial_tail(n - k - 1, n, 1.0 - p)
    })
}

/// The chance of `k` events or more in `n` cases.
pub fn binomial_upper(k: u64, n: u64, p: f64) -> Option<f64> {
    if k > n { inside(p).map(|_| 0.0) } else { binomial_cdf(n - k, n, 1.0 - p) }
}

/// The lower tail: its terms from the greatest down, until they no longer count.
fn binomial_tail(k: u64, n: u64, p: f64) -> f64 {
    let mut term = binomial_term(k as f64, n as f64, p);
    let mut sum = term;
    for events in (1..=k).rev() {
        term *= events as f64 * (1.0 - p) / ((n - events + 1) as f64 * p);
        sum += term;
        if term < sum * 1e-18 {
            break;
        }
    }
    sum.min(1.0)
}

/// The least number of events whose cumulative chance reaches `q`.
pub fn binomial_quantile(q: f64, n: u64, p: f64) -> Option<u64> {
    inside(q)?;
    inside(p)?;
    let (mut low, mut high) = (0, n);
    while low < high {
        let middle = u64::midpoint(low, high);
        if binomial_cdf(middle, n, p)? >= q {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    Some(low)
}

/// The chance of `k` marked ones among `drawn`, when `marked` of `all` are marked.
pub(crate) fn hypergeometric(k: u64, marked: u64, drawn: u64, all: u64) -> f64 {
    if drawn == 0 || drawn == all {
        return 1.0;
    }
    let p = drawn as f64 / all as f64;
    let marked_drawn = binomial_term(k as f64, marked as f64, p);
    let others_drawn = binomial_term((drawn - k) as f64, (all - marked) as f64, p);
    marked_drawn * others_drawn / binomial_term(drawn as f64, all as f64, p)
}

/// Loader's binomial term, for real `k` from 0 to `n`, and `p` strictly between 0 and 1.
pub(crate) fn binomial_term(k: f64, n: f64, p: f64) -> f64 {
    if n == 0.0 {
        return 1.0;
    }
    if k == 0.0 {
        return (n * (-p).ln_1p()).exp();
    }
    if k == n {
        return (n * p.ln()).exp();
    }
    let rest = n - k;
    let stirling = stirling_error(n) - stirling_error(k) - stirling_error(rest);
    let exponent = stirling - deviance(k, n * p) - deviance(rest, n * (1.0 - p));
    exponent.exp() * (n / (2.0 * PI * k * rest)).sqrt()
}

/// ln Γ(n + 1) less Stirling's approximation of it.
fn stirling_error(n: f64) -> f64 {
    if n <= 15.0 {
        return ln_gamma(n + 1.0) - (n + 0.5) * n.ln() + n - 0.5 * (2.0 * PI).ln();
    }
    let square = n * n;
    let series = 1.0 / 1260.0 - (1.0 / 1680.0 - 1.0 / 1188.0 / square) / square;
    (1.0 / 12.0 - (1.0 / 360.0 - series / square) / square) / n
}

/// x ln(x / mean) + mean − x, without loss where both are near.
fn deviance(x: f64, mean: f64) -> f64 {
    if (x - mean).abs() >= 0.1 * (x + mean) {
        return x * (x / mean).ln() + mean - x;
    }
    let ratio = (x - mean) / (x + mean);
    let mut sum = (x - mean) * ratio;
    let mut term = 2.0 * x * ratio;
    for step in 1..1_000 {
        term *= ratio * ratio;
        let next = sum + term / f64::from(2 * step + 1);
        if next == sum {
            break;
        }
        sum = next;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn binomial_terms_are_exact_fractions() {
        for (k, n, expected) in [(0, 4, 1.0), (1, 4, 4.0), (2, 4, 6.0), (10, 20, 184_756.0)] {
            let got = binomial_pmf(k, n, 0.5).unwrap();
            let expected = expected / 2_f64.powi(i32::try_from(n).unwrap());
            assert!((got - expected).abs() < 1e-13 * expected, "{k} of {n}: {got}");
        }
        let sum: f64 = (0..=1_000).map(|k| binomial_pmf(k, 1_000, 0.003).unwrap()).sum();
        assert!((sum - 1.0).abs() < 1e-12, "{sum}");
    }

    #[test]
    fn the_two_ways_to_a_binomial_tail_agree() {
        for (k, n, p) in
            [(3, 10, 0.3), (480, 1_000, 0.5), (500_500, 1_000_000, 0.5), (2, 629, 0.01)]
        {
            let summed = binomial_cdf(k, n, p).unwrap();
            let integral = beta_cdf(1.0 - p, (n - k) as f64, k as f64 + 1.0).unwrap();
            assert!((summed - integral).abs() < 1e-10, "{k} of {n}: {summed} and {integral}");
            let upper = binomial_upper(k + 1, n, p).unwrap();
            assert!((summed + upper - 1.0).abs() < 1e-12, "{k} of {n}");
        }
    }

    #[test]
    fn quantiles_undo_their_distributions() {
        for p in [1e-6, 0.025, 0.5, 0.9, 0.975] {
            let z = normal_quantile(p).unwrap();
            assert!((normal_cdf(z) - p).abs() < 1e-14, "{p}");
            for (a, b) in [(0.5, 0.5), (1.0, 629.0), (40.5, 600.5), (1e6, 2e6)] {
                let x = beta_quantile(p, a, b).unwrap();
                assert!((beta_cdf(x, a, b).unwrap() - p).abs() < 1e-9, "{p} of {a}, {b}");
            }
            let t = t_quantile(p, 7.0).unwrap();
            let expected = 2.0 * p.min(1.0 - p);
            assert!((t_two_sided(t, 7.0).unwrap() - expected).abs() < 1e-12, "{p}");
        }
        assert_eq!(t_quantile(0.5, 3.0), Some(0.0));
        assert_eq!(binomial_quantile(0.5, 10, 0.5), Some(5));
    }

    #[test]
    fn normal_tails_are_those_of_the_tables() {
        // From the C library's erfc.
        let table = [
            (-8.0, 6.220_960_574_271_819e-16),
            (-5.0, 2.866_515_718_791_946e-7),
            (-2.5, 0.006_209_665_325_776_139),
            (-2.0, 0.022_750_131_948_179_22),
            (-0.5, 0.308_537_538_725_986_9),
            (0.5, 0.691_462_461_274_013_1),
        ];
        for (z, expected) in table {
            assert!((normal_cdf(z) - expected).abs() < 1e-13 * expected, "{z}");
        }
        assert_eq!(normal_cdf(f64::INFINITY), 1.0);
    }

    #[test]
    fn what_is_not_defined_has_no_value() {
        assert_eq!(normal_quantile(0.0), None);
        assert_eq!(normal_quantile(f64::NAN), None);
        assert_eq!(t_quantile(0.9, 0.0), None);
        assert_eq!(beta_quantile(0.5, 0.0, 1.0), None);
        assert_eq!(beta_cdf(f64::NAN, 1.0, 1.0), None);
        assert_eq!(binomial_pmf(3, 2, 0.5), None);
        assert_eq!(binomial_cdf(1, 2, 1.0), None);
        assert_eq!(chi_square_1_upper(-1.0), None);
    }
}
