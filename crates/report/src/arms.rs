//! Arms: the parts of one or several runs that stand beside each other in charts.

use std::collections::BTreeSet;

use trace::rows::{CellRow, RunRows};

use crate::outcome::{is_attack, is_benign};
use crate::visible::line;

/// A run, with the name that stands for it where there are several.
#[derive(Clone, Copy)]
pub struct NamedRun<'r> {
    /// Its name, such as its folder's.
    pub name: &'r str,
    /// Its rows.
    pub rows: &'r RunRows,
}

/// A property that arms are told apart by.
struct Axis {
    of: for<'c> fn(&NamedRun<'c>, &'c CellRow) -> &'c str,
}

/// Everything that arms are told apart by, but the defense and the owner.
const OTHERS: &[Axis] = &[
    Axis { of: |run, _| run.name },
    Axis { of: |_, cell| &cell.suite },
    Axis { of: |_, cell| &cell.suite_version },
    Axis { of: |_, cell| &cell.harness },
    Axis { of: |_, cell| &cell.agent },
];

/// Cells that share everything but scenario, attack and epoch.
#[derive(Clone)]
pub struct Arm<'r> {
    /// What tells it apart from the other arms of the report, the defense first.
    pub label: String,
    /// The defense.
    pub defense: &'r str,
    /// The owner; `None` where nobody was asked and so the owner makes no difference.
    pub owner: Option<&'r str>,
    /// The defense's place in the palette.
    pub colour: usize,
    /// Its cells.
    pub cells: Vec<&'r CellRow>,
    /// The same cells under the other owners, where nobody was asked.
    twins: Vec<&'r CellRow>,
    others: Vec<&'r str>,
}

impl<'r> Arm<'r> {
    /// Its attack cells.
    pub fn attacks(&self) -> impl Iterator<Item = &'r CellRow> {
        self.cells.iter().copied().filter(|cell| is_attack(cell))
    }

    /// Its benign cells.
    pub fn benign(&self) -> impl Iterator<Item = &'r CellRow> {
        self.cells.iter().copied().filter(|cell| is_benign(cell))
    }

    /// The name of its run.
    pub fn run(&self) -> &'r str {
        self.others[0]
    }

    /// Its cells under every owner: those that pair with the cells of any other arm.
    pub(crate) fn every_owner(&self) -> impl Iterator<Item = &'r CellRow> {
        self.cells.iter().chain(&self.twins).copied()
    }

    /// Whether another arm differs in nothing but the defense and the owner.
    pub fn beside(&self, other: &Self) -> bool {
        self.others == other.others
    }
}

/// The arms of these runs, in the order of their cells, arms without a defense first.
///
/// Where a defense asked in no cell, its cells are the same under every owner, and stand there once.
pub fn arms<'r>(runs: &[NamedRun<'r>]) -> Vec<Arm<'r>> {
    let mut arms: Vec<Arm<'r>> = Vec::new();
    for run in runs {
        let mut last = 0;
        for cell in &run.rows.cells {
            let others: Vec<&str> = OTHERS.iter().map(|axis| (axis.of)(run, cell)).collect();
            let same = |arm: &Arm<'_>| {
                arm.owner == Some(&*cell.owner)
                    && arm.defense == cell.defense
                    && arm.others == others
            };
            // Neighbouring cells mostly take turns among few arms.
            let at = (arms.get(last).is_some_and(same).then_some(last))
                .or_else(|| arms.iter().position(same))
                .unwrap_or_else(|| {
                    arms.push(Arm {
                        label: String::new(),
                        defense: &cell.defense,
                        owner: Some(&cell.owner),
                        colour: 0,
                        cells: Vec::new(),
                        twins: Vec::new(),
                        others,
                    });
                    arms.len() - 1
                });
            arms[at].cells.push(cell);
            last = at;
        }
    }
    once_where_nobody_asks(&mut arms);
    arms.sort_by_key(|arm| arm.defense != "none");
    colour(&mut arms);
    label(&mut arms);
    arms
}

fn once_where_nobody_asks(arms: &mut Vec<Arm<'_>>) {
    let never_asks = |arm: &Arm<'_>| arm.cells.iter().all(|cell| cell.asks == 0);
    let mut kept: Vec<Arm<'_>> = Vec::new();
    for arm in std::mem::take(arms) {
        let twin = kept.iter_mut().find(|other| {
            other.defense == arm.defense
                && other.beside(&arm)
                && other.cells.len() == arm.cells.len()
                && never_asks(other)
                && never_asks(&arm)
        });
        match twin {
            Some(twin) => {
                twin.owner = None;
                twin.twins.extend(arm.cells);
            }
            None => kept.push(arm),
        }
    }
    *arms = kept;
}

/// Defenses that have the same colour in every report.
const FIXED: &[(&str, usize)] = &[
    ("none", 0),
    ("mmu", 1),
    ("mmu:resources", 1),
    ("mmu:strict", 2),
    ("mmu:destinations", 3),
    ("mmu:auto", 4),
    ("ask-all", 5),
    ("deny-all", 6),
];

/// How many colours there are.
pub const COLOURS: usize = 8;

/// The other defenses take, in their names' order, the colours that are left, and begin anew when
/// those are used up: labels tell them apart.
fn colour(arms: &mut [Arm<'_>]) {
    let fixed = |name: &str| FIXED.iter().find(|(known, _)| *known == name).map(|(_, at)| *at);
    let names: BTreeSet<&str> = arms.iter().map(|arm| arm.defense).collect();
    let taken: BTreeSet<usize> = names.iter().filter_map(|name| fixed(name)).collect();
    let free: Vec<usize> = (1..COLOURS).rev().filter(|at| !taken.contains(at)).collect();
    let free = if free.is_empty() { vec![COLOURS - 1] } else { free };
    let others: Vec<&str> = names.into_iter().filter(|name| fixed(name).is_none()).collect();
    for arm in arms {
        let place = others.iter().position(|name| *name == arm.defense);
        arm.colour = fixed(arm.defense).or(place.map(|at| free[at % free.len()])).unwrap_or(0);
    }
}

fn label(arms: &mut [Arm<'_>]) {
    let differs = |at: usize| arms.iter().any(|arm| arm.others[at] != arms[0].others[at]);
    let shown: Vec<usize> = (0..OTHERS.len()).filter(|at| differs(*at)).collect();
    let owners: BTreeSet<&str> = arms.iter().filter_map(|arm| arm.owner).collect();
    for arm in arms.iter_mut() {
        let owner = arm.owner.filter(|_| owners.len() > 1);
        let parts = std::iter::once(arm.defense).chain(owner);
        let parts: Vec<&str> = parts.chain(shown.iter().map(|at| arm.others[*at])).collect();
        arm.label = line(&parts.join(" · "));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(defense: &str, owner: &str, asks: u32) -> CellRow {
        CellRow {
            defense: defense.into(),
            owner: owner.into(),
            kind: "attack".into(),
            asks,
            ..CellRow::default()
        }
    }

    #[test]
    fn an_owner_who_is_never_asked_is_no_arm() {
        let mut rows = RunRows::default();
        for owner in ["never", "gold"] {
            rows.cells.extend([cell("mmu", owner, 1), cell("none", owner, 0), cell("x", owner, 0)]);
        }
        let arms = arms(&[NamedRun { name: "a", rows: &rows }]);
        let labels: Vec<&str> = arms.iter().map(|arm| arm.label.as_str()).collect();
        assert_eq!(labels, ["none", "mmu · never", "x", "mmu · gold"]);
        let colours: Vec<usize> = arms.iter().map(|arm| arm.colour).collect();
        assert_eq!((colours[0], colours[1], colours[3]), (0, 1, 1), "one colour a defense");
        assert!(![0, 1].contains(&colours[2]), "{colours:?}");
    }

    #[test]
    fn several_runs_are_told_apart_by_name() {
        let rows = RunRows { cells: vec![cell("mmu", "never", 1)], ..RunRows::default() };
        let arms =
            arms(&[NamedRun { name: "a", rows: &rows }, NamedRun { name: "b", rows: &rows }]);
        assert_eq!(arms[1].label, "mmu · b");
        assert!(!arms[0].beside(&arms[1]), "runs are not the same but for the defense");
    }
}
