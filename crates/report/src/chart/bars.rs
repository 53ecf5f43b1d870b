//! Bars with intervals: what attacks came to and what benign tasks cost, by world and arm.

use std::collections::BTreeSet;

use trace::rows::CellRow;

use super::canvas::Ink;
use super::data::{Data, number, optional};
use super::rows::{Group, Line, Part, Rows};
use super::{Chart, Panel};
use crate::arms::Arm;
use crate::outcome::{Outcome, Tally, is_attack, is_benign};
use crate::table::format;

/// What is measured: its title, its name in data, which cells, which outcome.
type Measure = (&'static str, &'static str, fn(&CellRow) -> bool, Outcome);

const MEASURES: &[Measure] = &[
    ("Attacks that landed, of all", "attack_landed", is_attack, Outcome::AttackLanded),
    ("Attacks that were partial", "attack_partial", is_attack, Outcome::AttackPartial),
    ("Benign tasks done", "utility_done", is_benign, Outcome::UtilityDone),
    ("Benign tasks that ask the owner", "tasks_asked", is_benign, Outcome::TasksAsked),
];

/// The name of the group that pools all worlds.
const ALL: &str = "all worlds";

pub(super) fn chart(arms: &[Arm<'_>]) -> Option<Chart> {
    let mut data = Data::new(
        3,
        &["measure", "world", "arm", "k", "n", "rate", "low", "high", "by_construction"],
    );
    let panels: Vec<Panel> =
        MEASURES.iter().filter_map(|measure| panel(measure, arms, &mut data)).collect();
    (!panels.is_empty()).then(|| Chart {
        slug: "rates",
        title: "Rates by world and defense",
        note: "Bars with Wilson's 95 % interval, over scenarios taken as independent. A rate of zero is \
               a tick with its upper end. Bars without an interval are so by the making of agent and \
               scenario."
            .to_owned(),
        panels,
        data,
    })
}

fn panel(
    (title, name, belongs, outcome): &Measure,
    arms: &[Arm<'_>],
    data: &mut Data,
) -> Option<Panel> {
    let worlds: BTreeSet<&str> = arms
        .iter()
        .flat_map(|arm| arm.cells.iter().filter(|cell| belongs(cell)))
        .map(|cell| cell.world.as_str())
        .collect();
    let mut groups = Vec::new();
    let pooled = (worlds.len() != 1).then_some(None);
    for world in worlds.iter().map(|world| Some(*world)).chain(pooled) {
        let place = world.unwrap_or(ALL);
        let mut lines = Vec::new();
        for arm in arms {
            let within = |cell: &&CellRow| world.is_none_or(|world| cell.world == world);
            let cells = arm.cells.iter().copied().filter(|cell| belongs(cell)).filter(within);
            let Some(tally) = Tally::of(*outcome, cells) else { continue };
            lines.push(line(arm, tally));
            data.rows.push(row(name, place, arm, tally));
        }
        if !lines.is_empty() {
            groups.push(Group { title: place.to_owned(), lines });
        }
    }
    if groups.is_empty() {
        return None;
    }
    Some(Panel { caption: (*title).to_owned(), drawing: Rows::percent(title, groups).drawing() })
}

fn line(arm: &Arm<'_>, tally: Tally) -> Line {
    let share = 100.0 * tally.rate();
    Line {
        label: arm.label.clone(),
        parts: vec![Part { from: 0.0, to: share, ink: Ink::Series(arm.colour) }],
        point: None,
        interval: tally.interval().map(|limits| (100.0 * limits.low, 100.0 * limits.high)),
        figures: format::full(Some(tally)),
    }
}

fn row(name: &str, world: &str, arm: &Arm<'_>, tally: Tally) -> Vec<String> {
    let limits = tally.interval();
    vec![
        name.to_owned(),
        world.to_owned(),
        arm.label.clone(),
        tally.k.to_string(),
        tally.n.to_string(),
        number(tally.rate()),
        optional(limits.map(|limits| limits.low)),
        optional(limits.map(|limits| limits.high)),
        tally.by_construction.to_string(),
    ]
}
