//! Several epochs of a scenario. Repeats are not samples: they make a scenario's score surer, not the
//! scenarios more.

use super::{finite, mean, squares};

/// The chance that at least one of `k` tries succeeds, of `trials` with this many `successes`, drawn
/// without replacement: pass@k = 1 − C(n − c, k)/C(n, k) (Chen and others, 2021). Of an attack, that
/// any of k tries breaks through. `None` unless 1 ≤ k ≤ trials and successes ≤ trials.
pub fn pass_at_k(trials: u64, successes: u64, k: u64) -> Option<f64> {
    defined(trials, successes, k)?;
    Some(1.0 - all_drawn(trials, trials - successes, k))
}

/// The chance that all of `k` tries succeed: pass^k = C(c, k)/C(n, k) (Yao and others, 2024).
pub fn pass_hat_k(trials: u64, successes: u64, k: u64) -> Option<f64> {
    defined(trials, successes, k)?;
    Some(all_drawn(trials, successes, k))
}

fn defined(trials: u64, successes: u64, k: u64) -> Option<()> {
    (k >= 1 && k <= trials && successes <= trials).then_some(())
}

/// C(marked, k)/C(all, k), factor by factor.
fn all_drawn(all: u64, marked: u64, k: u64) -> f64 {
    if k > marked {
        return 0.0;
    }
    (0..k).map(|drawn| (marked - drawn) as f64 / (all - drawn) as f64).product()
}

/// The mean over scenarios of their means over epochs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RepeatedMean {
    /// Scenarios.
    pub scenarios: usize,
    /// The mean of the scenarios' means: each scenario weighs the same.
    pub mean: f64,
    /// The standard error over scenarios: sd(means)/√scenarios; `None` for one scenario. With the
    /// same number of epochs in each it equals CR1 clustered by scenario.
    pub sem: Option<f64>,
    /// The variance of the scenarios' means; `None` for one scenario.
    pub between: Option<f64>,
    /// The mean variance within a scenario; `None` unless each has two epochs or more.
    pub within: Option<f64>,
}

/// The mean of scores by scenario; `None` where there are none, or a scenario has no score.
pub fn repeated_mean<S: AsRef<[f64]>>(scores: &[S]) -> Option<RepeatedMean> {
    let mut means = Vec::with_capacity(scores.len());
    let mut variances = Vec::with_capacity(scores.len());
    for scores in scores.iter().map(AsRef::as_ref) {
        finite(scores)?;
        means.push(mean(scores));
        let spare = scores.len() - 1;
        variances.extend((spare > 0).then(|| squares(scores) / spare as f64));
    }
    finite(&means)?;
    let n = means.len();
    let between = (n > 1).then(|| squares(&means) / (n - 1) as f64);
    Some(RepeatedMean {
        scenarios: n,
        mean: mean(&means),
        sem: between.map(|between| (between / n as f64).sqrt()),
        between,
        within: (variances.len() == n).then(|| mean(&variances)),
    })
}
