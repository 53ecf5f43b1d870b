//! How many cases a comparison takes.

use super::distribution::normal_quantile;
use super::inside;

/// What a paired comparison of means is planned with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairedPlan {
    /// ω²: variance over scenarios of the difference of expected scores.
    pub between: f64,
    /// σ²: variance of the first's score within a scenario.
    pub within_first: f64,
    /// The same of the second.
    pub within_second: f64,
    /// Epochs of the first.
    pub epochs_first: u32,
    /// Epochs of the second.
    pub epochs_second: u32,
}

impl PairedPlan {
    /// Scenarios, before rounding up, to find a difference `delta` at the two-sided level `alpha` with
    /// this power: (z₁₋α/₂ + z_power)² (ω² + σ_a²/K_a + σ_b²/K_b)/δ² (Miller, 2024, equation 9).
    pub fn cases(self, delta: f64, alpha: f64, power: f64) -> Option<f64> {
        let variances = [self.between, self.within_first, self.within_second];
        let defined = variances.iter().all(|variance| variance.is_finite() && *variance >= 0.0);
        if !defined || self.epochs_first == 0 || self.epochs_second == 0 {
            return None;
        }
        let variance = self.between
            + self.within_first / f64::from(self.epochs_first)
            + self.within_second / f64::from(self.epochs_second);
        let z = z_of_level(alpha)? + normal_quantile(power)?;
        (delta != 0.0 && delta.is_finite()).then(|| z * z * variance / (delta * delta))
    }
}

/// Pairs, before rounding up, for McNemar's test to find that the first alone holds in a share
/// `only_first` of the cases and the second alone in `only_second` (Connor, 1987):
/// (z_α √(p_b + p_c) + z_β √(p_b + p_c − (p_b − p_c)²))²/(p_b − p_c)².
pub fn mcnemar_cases(only_first: f64, only_second: f64, alpha: f64, power: f64) -> Option<f64> {
    let (sum, apart) = (only_first + only_second, only_first - only_second);
    let defined = only_first >= 0.0 && only_second >= 0.0 && sum <= 1.0 && apart != 0.0;
    let z = z_of_level(alpha)? * sum.sqrt()
        + normal_quantile(power)? * (sum - apart * apart).max(0.0).sqrt();
    defined.then(|| z * z / (apart * apart))
}

fn z_of_level(alpha: f64) -> Option<f64> {
    normal_quantile(1.0 - inside(alpha)? / 2.0)
}
