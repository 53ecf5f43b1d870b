//! McNemar's tests: the same cases judged twice, only the discordant ones count (McNemar, 1947).

use super::distribution::{binomial_cdf, binomial_pmf, binomial_upper, chi_square_1_upper};

/// A test statistic with its chance under the null hypothesis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChiSquare {
    /// The statistic, of one degree of freedom.
    pub statistic: f64,
    /// The chance of one at least as great.
    pub p: f64,
}

/// Everything McNemar's test says of two numbers of discordant cases.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct McNemar {
    /// Exact two-sided: min(1, 2 · P(X ≤ min(b, c))) with X ~ Bin(b + c, ½); 1 without discordant
    /// cases.
    pub exact: f64,
    /// Exact one-sided: the chance of at least as many cases where only the second holds.
    pub second_greater: f64,
    /// Exact one-sided: the chance of at most as many cases where only the second holds.
    pub second_less: f64,
    /// Two-sided mid-p, in which the observed split counts half: less conservative (Fagerland,
    /// Lydersen and Laake, 2013). 1 where both numbers are the same.
    pub mid_p: f64,
    /// (|b − c| − 1)² / (b + c), not clamped where b = c; `None` without discordant cases.
    pub corrected: Option<ChiSquare>,
    /// (b − c)² / (b + c); `None` without discordant cases.
    pub uncorrected: Option<ChiSquare>,
}

/// McNemar's test of cases where only the first or only the second holds.
pub fn mcnemar(only_first: u64, only_second: u64) -> McNemar {
    let n = only_first + only_second;
    let fewer = only_first.min(only_second);
    let half = |value: Option<f64>| value.expect("a half lies between 0 and 1");
    let tail = half(binomial_cdf(fewer, n, 0.5));
    let exact = if only_first == only_second { 1.0 } else { (2.0 * tail).min(1.0) };
    let observed = half(binomial_pmf(fewer, n, 0.5));
    let mid_p = if only_first == only_second { 1.0 } else { (2.0 * tail - observed).min(1.0) };
    let apart = only_first.abs_diff(only_second) as f64;
    McNemar {
        exact,
        second_greater: half(binomial_upper(only_second, n, 0.5)),
        second_less: half(binomial_cdf(only_second, n, 0.5)),
        mid_p,
        corrected: chi_square((apart - 1.0).powi(2), n),
        uncorrected: chi_square(apart.powi(2), n),
    }
}

fn chi_square(square: f64, n: u64) -> Option<ChiSquare> {
    if n == 0 {
        return None;
    }
    let statistic = square / n as f64;
    Some(ChiSquare { statistic, p: chi_square_1_upper(statistic)? })
}
