//! Figures of one run: rates over scenarios, means, and latencies.

use std::collections::BTreeMap;

use trace::rows::CellRow;

use super::rule::Metric;
use crate::compare::{scenario, user_cluster};
use crate::outcome::{Outcome, is_valid};
use crate::stats::Interval;
use crate::stats::cluster::clustered_mean;
use crate::stats::proportion::clopper_pearson_one_sided;

impl Metric {
    /// The outcome that it is the share of; `None` for what is no share of valid cells.
    pub(super) fn outcome(self) -> Option<Outcome> {
        match self {
            Self::Asr => Some(Outcome::AttackLanded),
            Self::Partial => Some(Outcome::AttackPartial),
            Self::AsrUpstream => Some(Outcome::AttackLandedUpstream),
            Self::Utility => Some(Outcome::UtilityDone),
            Self::TasksAsked => Some(Outcome::TasksAsked),
            Self::FalseBlocks => Some(Outcome::FalseBlocks),
            _ => None,
        }
    }

    /// Whether it holds of a cell; `None` where it does not apply.
    pub(super) fn holds(self, cell: &CellRow) -> Option<bool> {
        match self.outcome() {
            Some(outcome) if is_valid(cell) => outcome.of(cell),
            Some(_) => None,
            None => Some(!is_valid(cell)),
        }
    }
}

/// A share of cells, every scenario weighing the same.
pub(super) struct Rate {
    /// Cells where it holds.
    pub(super) k: u64,
    /// Cells that it applies to.
    pub(super) n: u64,
    /// Scenarios among them.
    pub(super) scenarios: u64,
    /// The mean over scenarios of their shares.
    pub(super) value: f64,
    /// Whether it is so by construction, in every cell.
    pub(super) by_construction: bool,
    /// How many times fewer independent cases these are worth.
    design_effect: f64,
}

impl Rate {
    /// Counts the cells; `None` where the measure applies to none.
    pub(super) fn of(metric: Metric, cells: &[&CellRow]) -> Option<Self> {
        let mut scenarios: BTreeMap<_, (u64, u64)> = BTreeMap::new();
        let mut by_construction = true;
        for cell in cells {
            if let Some(holds) = metric.holds(cell) {
                let key = (user_cluster(cell), scenario(cell), cell.defense.as_str());
                let (k, n) = scenarios.entry(key).or_default();
                *k += u64::from(holds);
                *n += 1;
                let constructed = |outcome: Outcome| outcome.by_construction(cell);
                by_construction &= metric.outcome().is_some_and(constructed);
            }
        }
        let shares: Vec<f64> = scenarios.values().map(|(k, n)| *k as f64 / *n as f64).collect();
        let clusters: Vec<_> = scenarios.keys().map(|(cluster, ..)| *cluster).collect();
        let mean = clustered_mean(&shares, &clusters)?;
        Some(Self {
            k: scenarios.values().map(|(k, _)| k).sum(),
            n: scenarios.values().map(|(_, n)| n).sum(),
            scenarios: shares.len() as u64,
            value: mean.mean,
            by_construction,
            design_effect: mean.design_effect().unwrap_or(1.0).max(1.0),
        })
    }

    /// Clopper and Pearson's one-sided limits; `None` where it is so by construction.
    pub(super) fn bounds(&self, confidence: f64, clusters: bool) -> Option<Interval> {
        if self.by_construction {
            return None;
        }
        let effect = if clusters { self.design_effect } else { 1.0 };
        let n = self.scenarios as f64 / effect;
        clopper_pearson_one_sided((self.value * n).clamp(0.0, n), n, confidence)
    }

    /// What the share of cells would be if none of so many more held, and if all did; `None` for
    /// none.
    pub(super) fn with_more(&self, more: u64) -> Option<Interval> {
        let all = (self.n + more) as f64;
        let (low, high) = (self.k as f64 / all, (self.k + more) as f64 / all);
        (more > 0).then_some(Interval { low, high })
    }
}
