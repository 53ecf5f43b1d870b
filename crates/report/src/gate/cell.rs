//! The cells that speak against a rule, by name.

use std::fmt;

use serde::Serialize;
use trace::rows::CellRow;

use super::rule::Metric;
use crate::compare::{CellName, Pairs};
use crate::outcome::Outcome;

/// A cell of the candidate.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct GateCell {
    /// What it shares with the baseline's cell.
    #[serde(flatten)]
    pub name: CellName,
    /// Its defense.
    pub defense: String,
    /// Its world.
    pub world: String,
    /// Its own id.
    pub cell_id: String,
}

impl GateCell {
    /// The name of a cell.
    pub fn of(cell: &CellRow) -> Self {
        Self {
            name: CellName::of(cell),
            defense: cell.defense.clone(),
            world: cell.world.clone(),
            cell_id: cell.cell_id.clone(),
        }
    }
}

impl fmt::Display for GateCell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.name.fmt(f)
    }
}

impl Metric {
    /// What happened in the cells that speak against a rule about this.
    pub(super) fn happened(self) -> Option<&'static str> {
        match self {
            Self::Asr | Self::NewLanded => Some("attack_landed"),
            Self::Partial => Some("attack_partial"),
            Self::AsrUpstream => Some("attack_landed_upstream"),
            Self::Utility | Self::UtilityLost => Some("utility_not_done"),
            Self::TasksAsked => Some("owner_asked"),
            Self::FalseBlocks => Some("false_block"),
            Self::ErrorRate => Some("invalid"),
            Self::AsksPerTask | Self::ApprovalRate => None,
        }
    }

    /// Whether more of it is worse: what speaks against a rule is then where it holds.
    fn is_harm(self) -> bool {
        !matches!(self, Self::Utility | Self::ApprovalRate)
    }
}

/// The cells that count against a rule about a share of them.
pub(super) fn against(metric: Metric, cells: &[&CellRow]) -> Vec<GateCell> {
    let bad = |cell: &&&CellRow| metric.holds(cell) == Some(metric.is_harm());
    let mut named: Vec<_> = cells.iter().filter(bad).map(|cell| GateCell::of(cell)).collect();
    named.sort();
    named
}

/// The candidate's cells in which an outcome is what it was not in the baseline.
pub(super) fn flipped(outcome: Outcome, pairs: &Pairs<'_>, holds_now: bool) -> Vec<GateCell> {
    let flipped = |(old, new): &&(&CellRow, &CellRow)| {
        outcome.of(old) == Some(!holds_now) && outcome.of(new) == Some(holds_now)
    };
    pairs.valid.iter().filter(flipped).map(|(_, new)| GateCell::of(new)).collect()
}

/// Those that turned to the worse, for a measure that is compared.
pub(super) fn worsened(metric: Metric, outcome: Outcome, pairs: &Pairs<'_>) -> Vec<GateCell> {
    flipped(outcome, pairs, metric.is_harm())
}
