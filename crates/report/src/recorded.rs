//! Recorded agents: whether a replay without a defense ends as its log says.

use std::collections::BTreeSet;

use trace::rows::CellRow;

use crate::outcome::{is_attack, is_valid};
use crate::summary::Agreement;

/// Whether the cell repeats a log.
pub fn is_recorded(cell: &CellRow) -> bool {
    cell.agent.starts_with("recorded")
}

/// Whether a log's attack had landed by the log itself.
pub(crate) fn had_landed(cell: &CellRow) -> bool {
    is_recorded(cell) && is_attack(cell) && cell.attack_landed_logged == Some(true)
}

/// Whether a recorded attack was stopped: a call of its own was refused, on the recorded course, and it
/// has not landed.
pub(crate) fn is_stopped(cell: &CellRow) -> bool {
    cell.diverged == Some(false) && cell.stopped_at.is_some() && cell.attack_landed == Some(false)
}

/// A verdict of a log that the replay does not come to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Disagreement {
    /// The cell's scenario.
    pub scenario: String,
    /// Which log of the scenario it is.
    pub epoch: u32,
    /// `utility` or `security`.
    pub verdict: &'static str,
    /// What the replay came to.
    pub ours: Option<bool>,
    /// What the log says.
    pub logged: bool,
}

/// Replays without a defense whose verdicts are all those of their logs, of those whose logs have
/// any; `None` where there are none.
pub fn agreement<'c>(cells: impl IntoIterator<Item = &'c CellRow>) -> Option<Agreement> {
    let mut agreement = Agreement { k: 0, n: 0 };
    for cell in compared(cells) {
        agreement.n += 1;
        agreement.k += u64::from(verdicts(cell).all(|(_, ours, logged)| ours == Some(logged)));
    }
    (agreement.n > 0).then_some(agreement)
}

/// Every verdict that differs, in the order of the cells.
pub fn disagreements<'c>(cells: impl IntoIterator<Item = &'c CellRow>) -> Vec<Disagreement> {
    let differing = compared(cells).flat_map(|cell| {
        let differing = verdicts(cell).filter(|(_, ours, logged)| *ours != Some(*logged));
        differing.map(|(verdict, ours, logged)| Disagreement {
            scenario: cell.scenario.clone(),
            epoch: cell.epoch,
            verdict,
            ours,
            logged,
        })
    });
    differing.collect()
}

/// The cells whose verdicts are compared, each log once: without a defense it is the same under every
/// owner.
fn compared<'c>(cells: impl IntoIterator<Item = &'c CellRow>) -> impl Iterator<Item = &'c CellRow> {
    let mut seen = BTreeSet::new();
    cells.into_iter().filter(move |cell| {
        let log = (&cell.agent, &cell.scenario, &cell.kind, &cell.attack, cell.epoch);
        is_compared(cell) && seen.insert(log)
    })
}

/// Whether a cell's verdicts are compared with its log's: an invalid cell has none, and agrees with
/// nothing.
fn is_compared(cell: &CellRow) -> bool {
    let logged = cell.utility_done_logged.is_some() || cell.attack_landed_logged.is_some();
    is_recorded(cell) && cell.defense == "none" && (logged || !is_valid(cell))
}

/// The log's verdicts, each beside ours.
fn verdicts(cell: &CellRow) -> impl Iterator<Item = (&'static str, Option<bool>, bool)> + '_ {
    let utility = ("utility", cell.utility_done, cell.utility_done_logged);
    let security = ("security", cell.attack_landed_upstream, cell.attack_landed_logged);
    [utility, security]
        .into_iter()
        .filter_map(|(verdict, ours, logged)| Some((verdict, ours, logged?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(utility: (bool, Option<bool>), security: (bool, Option<bool>)) -> CellRow {
        CellRow {
            scenario: "s".into(),
            agent: "recorded/set@1".into(),
            defense: "none".into(),
            status: "ok".into(),
            utility_done: Some(utility.0),
            utility_done_logged: utility.1,
            attack_landed_upstream: Some(security.0),
            attack_landed_logged: security.1,
            ..CellRow::default()
        }
    }

    #[test]
    fn a_log_agrees_where_every_verdict_that_it_has_is_ours() {
        let (yes, no) = (Some(true), Some(false));
        let mut cells = vec![
            cell((true, yes), (false, no)),
            cell((true, yes), (false, None)),
            cell((true, no), (false, yes)),
            cell((true, None), (true, None)),
        ];
        for (epoch, cell) in (0..).zip(&mut cells) {
            cell.epoch = epoch;
        }
        cells.push(CellRow { owner: "gold".into(), ..cells[0].clone() });
        cells.push(CellRow { defense: "mmu".into(), ..cell((true, no), (true, yes)) });
        cells.push(CellRow { agent: "gullible".into(), ..cell((true, no), (true, yes)) });
        assert_eq!(agreement(&cells), Some(Agreement { k: 2, n: 3 }));
        let named = disagreements(&cells);
        let named: Vec<_> = named.iter().map(|one| (one.verdict, one.ours, one.logged)).collect();
        assert_eq!(named, [("utility", yes, false), ("security", no, true)]);
        assert_eq!(agreement(&cells[3..4]), None);
    }
}
