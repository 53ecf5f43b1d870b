//! The gate's question: is the candidate worse than the baseline, not worse than a margin, or is that
//! open?

use serde::Serialize;

use super::Interval;
use super::difference::newcombe_independent;

/// An answer with three values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Shown.
    Pass,
    /// Neither shown nor refuted.
    Inconclusive,
    /// Refuted.
    Fail,
}

/// What is called a regression. Differences are candidate less baseline, and more is worse.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Policy {
    /// An interval above 0, unless it is below the margin: the margin wins.
    #[default]
    UnlessWithinMargin,
    /// An interval above 0, even where it is below the margin.
    AnyRegression,
    /// An interval above the margin.
    BeyondMargin,
}

/// The two flags are independent: a proven regression can be smaller than the margin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Judgement {
    /// The upper limit is below the margin.
    pub non_inferior: bool,
    /// The lower limit is above 0, or above the margin where that is below 0.
    pub regression_proven: bool,
    /// The lower limit is above the margin.
    pub beyond_margin: bool,
}

impl Judgement {
    /// Judges an interval of candidate less baseline, where more is worse. A margin below 0 asks for
    /// an improvement.
    pub fn of(interval: Interval, margin: f64) -> Self {
        Self {
            non_inferior: interval.high < margin,
            regression_proven: interval.low > margin.min(0.0),
            beyond_margin: interval.low > margin,
        }
    }

    /// The verdict under a policy.
    pub fn verdict(self, policy: Policy) -> Verdict {
        let fails = match policy {
            Policy::UnlessWithinMargin => self.regression_proven && !self.non_inferior,
            Policy::AnyRegression => self.regression_proven,
            Policy::BeyondMargin => self.beyond_margin,
        };
        match (fails, self.non_inferior) {
            (true, _) => Verdict::Fail,
            (false, true) => Verdict::Pass,
            (false, false) => Verdict::Inconclusive,
        }
    }
}

/// Newcombe's interval of candidate less baseline for runs over other cases, at 90 %, of which each
/// limit holds at 95 % by itself, judged. Runs over the same cases are better judged by
/// [`super::difference::Paired::newcombe`] and [`Judgement::of`].
pub fn independent(
    baseline: (u64, u64),
    candidate: (u64, u64),
    margin: f64,
) -> Option<(Interval, Judgement)> {
    let (base, now) = (baseline, candidate);
    let interval = newcombe_independent(now.0, now.1, base.0, base.1, 0.9)?;
    margin.is_finite().then(|| (interval, Judgement::of(interval, margin)))
}
