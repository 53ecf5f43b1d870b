//! The funnel of approvals: of the attacks that were delivered, how many were asked about, granted, and
//! landed; and what the owner was asked in benign tasks.

use trace::rows::CellRow;

use super::canvas::Ink;
use super::data::{Data, number};
use super::rows::{Group, Line, Part, Rows};
use super::{Chart, Panel};
use crate::arms::Arm;
use crate::outcome::is_valid;
use crate::table::format::percent;

/// A step: its words, its name in data, and whether a cell took it.
type Step = (&'static str, &'static str, fn(&CellRow) -> bool);

const ATTACK: &[Step] = &[
    ("attacks", "cells", |_| true),
    ("delivered", "delivered", |cell| cell.delivered == Some(true)),
    ("attempted", "attempted", |cell| cell.attempted == Some(true)),
    ("owner asked", "asked", |cell| cell.asks > 0),
    ("owner granted", "granted", |cell| cell.granted > 0),
    ("executed", "executed", |cell| cell.executed == Some(true)),
    ("landed", "landed", |cell| cell.attack_landed == Some(true)),
];

const BENIGN: &[Step] = &[
    ("tasks", "cells", |_| true),
    ("owner asked", "asked", |cell| cell.asks > 0),
    ("owner granted", "granted", |cell| cell.granted > 0),
    ("a call blocked", "blocked", |cell| cell.false_blocks > 0),
    ("done", "done", |cell| cell.utility_done == Some(true)),
];

pub(super) fn chart(arms: &[Arm<'_>]) -> Option<Chart> {
    // A defense under which nobody is ever asked has no approvals to follow.
    let asking: Vec<&Arm<'_>> =
        arms.iter().filter(|arm| arm.cells.iter().any(|cell| cell.asks > 0)).collect();
    let mut data = Data::new(3, &["cells", "arm", "step", "k", "n", "rate"]);
    let kinds: [(&str, &str, &[Step]); 2] =
        [("Attacks", "attack", ATTACK), ("Benign tasks", "benign", BENIGN)];
    let mut panels = Vec::new();
    for (caption, kind, steps) in kinds {
        let groups: Vec<Group> = asking
            .iter()
            .filter_map(|arm| {
                let cells: Vec<&CellRow> = match kind {
                    "attack" => arm.attacks().filter(|cell| is_valid(cell)).collect(),
                    _ => arm.benign().filter(|cell| is_valid(cell)).collect(),
                };
                group(kind, arm, steps, &cells, &mut data)
            })
            .collect();
        if !groups.is_empty() {
            let axis = format!("{caption}: share of valid cells");
            let drawing = Rows::percent(&axis, groups).drawing();
            panels.push(Panel { caption: caption.to_owned(), drawing });
        }
    }
    (!panels.is_empty()).then(|| Chart {
        slug: "approvals",
        title: "Approvals: from the attack to the owner's answer",
        note:
            "Cells, not requests. In an attack cell the owner may also have been asked about the \
               user's own calls, so a request or a grant is not always about the attack. `owner \
               granted` counts cells with at least one grant. Every request in a benign task is a \
               false ask."
                .to_owned(),
        panels,
        data,
    })
}

fn group(
    kind: &str,
    arm: &Arm<'_>,
    steps: &[Step],
    cells: &[&CellRow],
    data: &mut Data,
) -> Option<Group> {
    if cells.is_empty() {
        return None;
    }
    let n = cells.len();
    let line = |(words, name, holds): &Step| {
        let k = cells.iter().filter(|cell| holds(cell)).count();
        let share = k as f64 / n as f64;
        data.rows.push(vec![
            kind.to_owned(),
            arm.label.clone(),
            (*name).to_owned(),
            k.to_string(),
            n.to_string(),
            number(share),
        ]);
        Line {
            label: (*words).to_owned(),
            parts: vec![Part { from: 0.0, to: 100.0 * share, ink: Ink::Series(arm.colour) }],
            point: None,
            interval: None,
            figures: format!("{k}/{n} {} %", percent(share)),
        }
    };
    Some(Group { title: arm.label.clone(), lines: steps.iter().map(line).collect() })
}
