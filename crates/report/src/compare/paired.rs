//! One outcome over the pairs of a group: counts, difference, intervals, p.

use std::collections::BTreeMap;

use trace::rows::CellRow;

use crate::outcome::Outcome;
use crate::stats::Interval;
use crate::stats::cluster::{ClusteredMean, clustered_mean};
use crate::stats::difference::{Paired, Phi};
use crate::stats::mcnemar::mcnemar;
use crate::stats::permutation::{sign_flip, sign_flip_sampled};

/// Sign assignments that are sampled where there are too many to go through.
const SAMPLED_FLIPS: u32 = 20_000;

/// What makes a scenario, within cells that share an attack, an agent, an owner and a harness. Its
/// epochs are repeats, not samples.
pub(crate) type ScenarioKey<'c> = (
    (&'c str, &'c str, &'c str, Option<&'c str>),
    (&'c str, Option<&'c str>, &'c str, Option<&'c str>),
    (&'c str, &'c str, &'c str),
);

/// The scenario that a cell repeats.
pub(crate) fn scenario(cell: &CellRow) -> ScenarioKey<'_> {
    (
        (&cell.suite, &cell.suite_version, &cell.world, cell.setting.as_deref()),
        (&cell.scenario, cell.injection_task.as_deref(), &cell.kind, cell.attack.as_deref()),
        (&cell.harness, &cell.agent, &cell.owner),
    )
}

/// What cases are clustered by: the user task, in its world.
pub(crate) fn user_cluster(cell: &CellRow) -> (&str, &str, &str) {
    (&cell.suite, &cell.world, &cell.cluster_user)
}

/// An outcome over pairs. Differences are B less A.
pub(crate) struct PairedOutcome {
    /// Pairs that the outcome applies to on both sides.
    pub(crate) n: u64,
    /// Those where it holds in A.
    pub(crate) k_a: u64,
    /// Those where it holds in B.
    pub(crate) k_b: u64,
    /// Those where it holds in A alone.
    pub(crate) only_a: u64,
    /// Those where it holds in B alone.
    pub(crate) only_b: u64,
    /// Whether some scenario has several epochs.
    pub(crate) repeats: bool,
    /// Whether it is so by construction on both sides.
    pub(crate) by_construction: bool,
    /// The same counts over scenarios, whose epochs share a weight of 1; B first.
    weighted: Paired,
    /// The mean difference of each scenario.
    differences: Vec<f64>,
    /// The differences' mean and errors, by user task.
    clustered: ClusteredMean,
}

impl PairedOutcome {
    /// Counts an outcome; `None` where it applies to no pair.
    pub(crate) fn of(outcome: Outcome, pairs: &[(&CellRow, &CellRow)]) -> Option<Self> {
        let mut scenarios: BTreeMap<_, Vec<(bool, bool)>> = BTreeMap::new();
        let mut by_construction = true;
        for (a, b) in pairs {
            if let (Some(in_a), Some(in_b)) = (outcome.of(a), outcome.of(b)) {
                let key = (user_cluster(a), scenario(a));
                scenarios.entry(key).or_default().push((in_a, in_b));
                by_construction &= outcome.by_construction(a) && outcome.by_construction(b);
            }
        }
        let mut weighted = Paired::default();
        let (mut differences, mut clusters) = (Vec::new(), Vec::new());
        for ((cluster, _), epochs) in &scenarios {
            let weight = 1.0 / epochs.len() as f64;
            let share = |a, b| weight * count(epochs, |pair| pair == (a, b)) as f64;
            weighted.both += share(true, true);
            weighted.only_first += share(false, true);
            weighted.only_second += share(true, false);
            weighted.neither += share(false, false);
            differences.push(share(false, true) - share(true, false));
            clusters.push(*cluster);
        }
        let clustered = clustered_mean(&differences, &clusters)?;
        let all: Vec<(bool, bool)> = scenarios.values().flatten().copied().collect();
        Some(Self {
            n: all.len() as u64,
            k_a: count(&all, |(a, _)| a),
            k_b: count(&all, |(_, b)| b),
            only_a: count(&all, |pair| pair == (true, false)),
            only_b: count(&all, |pair| pair == (false, true)),
            repeats: all.len() > scenarios.len(),
            by_construction,
            weighted,
            differences,
            clustered,
        })
    }

    /// The rate in B less the rate in A, every scenario weighing the same.
    pub(crate) fn difference(&self) -> f64 {
        self.clustered.mean
    }

    /// Newcombe's paired interval over scenarios; `None` where both sides are so by construction.
    /// With clusters their number is that which independent ones would be worth: their counts over
    /// the design effect, where that is above 1.
    pub(crate) fn interval(&self, confidence: f64, clusters: bool) -> Option<Interval> {
        if self.by_construction {
            return None;
        }
        let effect = self.clustered.design_effect().filter(|_| clusters).unwrap_or(1.0).max(1.0);
        let Paired { both, only_first, only_second, neither } = self.weighted;
        let worth = Paired {
            both: both / effect,
            only_first: only_first / effect,
            only_second: only_second / effect,
            neither: neither / effect,
        };
        worth.newcombe(Phi::Corrected, confidence)
    }

    /// The t interval by user task; `None` where there is one cluster, or nothing varies between
    /// them: it would claim certainty.
    pub(crate) fn clustered(&self, confidence: f64) -> Option<Interval> {
        let varies = !self.by_construction && self.clustered.cr0 > 0.0;
        if varies { self.clustered.t_interval(confidence) } else { None }
    }

    /// How many user tasks there are.
    pub(crate) fn clusters(&self) -> u64 {
        self.clustered.clusters as u64
    }

    /// How many scenarios there are.
    pub(crate) fn scenarios(&self) -> u64 {
        self.clustered.n as u64
    }

    /// The exact p of `McNemar`, or with repeats the sign-flip test's over scenarios, the same where
    /// every scenario has one epoch; `None` where both sides are so by construction.
    pub(crate) fn p(&self) -> Option<f64> {
        if self.by_construction {
            None
        } else if self.repeats {
            let flips = sign_flip(&self.differences)
                .or_else(|| sign_flip_sampled(&self.differences, SAMPLED_FLIPS, 0));
            flips.map(|flips| flips.two_sided)
        } else {
            Some(mcnemar(self.only_a, self.only_b).exact)
        }
    }
}

fn count(pairs: &[(bool, bool)], holds: impl Fn((bool, bool)) -> bool) -> u64 {
    pairs.iter().filter(|pair| holds(**pair)).count() as u64
}
