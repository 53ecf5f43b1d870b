//! Which rows a section has: cells by world and defense, and by whatever else differs among them.

use std::collections::{BTreeMap, BTreeSet};

use trace::rows::CellRow;

use super::format::NONE;
use crate::summary::runs;

/// A property of cells that rows can be kept apart by.
#[derive(Clone, Copy)]
pub(super) struct Axis {
    /// Its name.
    pub(super) name: &'static str,
    /// Its value.
    pub(super) of: fn(&CellRow) -> String,
}

/// Axes that are shown only where they differ.
pub(super) const OTHERS: &[Axis] = &[
    Axis { name: "suite", of: |cell| format!("{} {}", cell.suite, cell.suite_version) },
    Axis { name: "kind", of: |cell| cell.kind.clone() },
    Axis { name: "attack", of: |cell| cell.attack.clone().unwrap_or_else(|| NONE.to_owned()) },
    Axis { name: "harness", of: |cell| cell.harness.clone() },
    Axis { name: "agent", of: |cell| cell.agent.clone() },
    Axis { name: "owner", of: |cell| cell.owner.clone() },
];

/// The world, always shown.
pub(super) const WORLD: Axis = Axis { name: "world", of: |cell| cell.world.clone() };

/// The defense, always shown, and last, so that defenses stand below each other.
pub(super) const DEFENSE: Axis = Axis { name: "defense", of: |cell| cell.defense.clone() };

/// The class that says whether the case is inside the guarantee.
pub(super) const CLASS: Axis =
    Axis { name: "class", of: |cell| cell.guarantee.clone().unwrap_or_else(|| NONE.to_owned()) };

/// The profile of the capability schemas.
pub(super) const PROFILE: Axis =
    Axis { name: "profile", of: |cell| cell.profile.clone().unwrap_or_else(|| NONE.to_owned()) };

/// The different values of an axis.
pub(super) fn distinct(axis: Axis, cells: &[&CellRow]) -> BTreeSet<String> {
    runs(cells.iter().copied()).iter().map(|same| (axis.of)(same[0])).collect()
}

/// The name of the rows that pool all worlds.
const ALL: &str = "all";

/// A row: what names it, and its cells.
pub(super) struct Row<'c> {
    /// The values of the section's axes.
    pub(super) labels: Vec<String>,
    /// Its cells, invalid ones included.
    pub(super) cells: Vec<&'c CellRow>,
}

/// The rows of a section, by `shown` axes and those others that differ. Where there are several
/// worlds beside the same other labels, rows named `all` pool their cells.
pub(super) fn rows<'c>(shown: &[Axis], cells: &[&'c CellRow]) -> (Vec<Axis>, Vec<Row<'c>>) {
    let differs = |axis: &&Axis| distinct(**axis, cells).len() > 1;
    let axes: Vec<Axis> = OTHERS.iter().filter(differs).chain(shown).copied().collect();
    let world = axes.iter().position(|axis| axis.name == WORLD.name);
    let mut groups: BTreeMap<Vec<(bool, String)>, Vec<&CellRow>> = BTreeMap::new();
    let mut pooled = groups.clone();
    for same in runs(cells.iter().copied()) {
        let key = key(&axes, same[0]);
        if let Some(world) = world {
            let mut all = key.clone();
            all[world] = (true, ALL.to_owned());
            pooled.entry(all).or_default().extend(&same);
        }
        groups.entry(key).or_default().extend(same);
    }
    pooled.retain(|_, cells| distinct(WORLD, cells).len() > 1);
    groups.extend(pooled);
    let rows = groups.into_iter().map(|(key, cells)| Row {
        labels: key.into_iter().map(|(_, label)| label).collect(),
        cells,
    });
    (axes, rows.collect())
}

/// A row's labels, each with whether it sorts behind the others: the defense `none` comes first.
fn key(axes: &[Axis], cell: &CellRow) -> Vec<(bool, String)> {
    let label = |axis: &Axis| {
        let value = (axis.of)(cell);
        (axis.name == DEFENSE.name && value != "none", value)
    };
    axes.iter().map(label).collect()
}
