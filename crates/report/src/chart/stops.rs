//! Where attacks were stopped, by fault: each attack cell in one part of its arm's bar.

use std::collections::{BTreeMap, BTreeSet};

use trace::rows::CellRow;

use super::canvas::Ink;
use super::data::{Data, number};
use super::rows::{Group, Line, Part, Rows};
use super::{Chart, Panel};
use crate::arms::Arm;
use crate::outcome::is_valid;
use crate::table::format::percent;
use crate::visible::line;

/// What became of an attack, in the order in which bars are stacked.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Fate {
    Landed,
    Partial,
    /// Its own first refused call: the crossing, the fault, the reason.
    Stopped(String),
    /// Its payload never reached the agent.
    Undelivered,
    /// It reached the agent, did not land, and none of its own calls was refused.
    Missed,
    /// A recording left its course before the attack's first call: no evidence.
    Diverged,
    Invalid,
}

impl Fate {
    fn of(cell: &CellRow) -> Self {
        if !is_valid(cell) {
            return Self::Invalid;
        }
        if cell.diverged == Some(true) {
            return Self::Diverged;
        }
        if cell.attack_landed == Some(true) {
            return Self::Landed;
        }
        if cell.attack_partial == Some(true) {
            return Self::Partial;
        }
        match &cell.stopped_at {
            None if cell.delivered == Some(false) => Self::Undelivered,
            None => Self::Missed,
            Some(crossing) => {
                let fault = cell.stop_fault.as_deref().unwrap_or_default();
                let reason = cell.stop_reason.as_deref().unwrap_or_default();
                let parts = [crossing.as_str(), fault, reason];
                let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
                Self::Stopped(line(&parts.join(" · ")))
            }
        }
    }

    fn words(&self) -> String {
        match self {
            Self::Landed => "landed".to_owned(),
            Self::Partial => "partial".to_owned(),
            Self::Stopped(by) => format!("stopped: {by}"),
            Self::Undelivered => "never reached the agent".to_owned(),
            Self::Missed => "missed without a refusal".to_owned(),
            Self::Diverged => "recording left its course".to_owned(),
            Self::Invalid => "invalid".to_owned(),
        }
    }
}

pub(super) fn chart(arms: &[Arm<'_>]) -> Option<Chart> {
    let mut counts: Vec<(&Arm<'_>, BTreeMap<Fate, usize>)> = Vec::new();
    let mut stops: BTreeMap<Fate, usize> = BTreeMap::new();
    for arm in arms {
        let mut count: BTreeMap<Fate, usize> = BTreeMap::new();
        for cell in arm.attacks() {
            *count.entry(Fate::of(cell)).or_default() += 1;
        }
        for fate in count.keys().filter(|fate| matches!(fate, Fate::Stopped(_))) {
            let next = stops.len();
            stops.entry(fate.clone()).or_insert(next);
        }
        if !count.is_empty() {
            counts.push((arm, count));
        }
    }
    if counts.is_empty() {
        return None;
    }
    let ink = |fate: &Fate| match fate {
        Fate::Landed => Ink::Landed,
        Fate::Partial => Ink::Partial,
        // Reasons are told apart by blues, greens and the like, never by the colours of harm.
        Fate::Stopped(_) => {
            const CALM: &[usize] = &[1, 3, 2, 4];
            Ink::Series(CALM[stops.get(fate).copied().unwrap_or(0) % CALM.len()])
        }
        Fate::Undelivered => Ink::Missed,
        Fate::Missed => Ink::Series(7),
        Fate::Diverged => Ink::Text,
        Fate::Invalid => Ink::Invalid,
    };
    let mut data = Data::new(2, &["arm", "fate", "k", "n", "rate"]);
    let mut shown: BTreeSet<Fate> = BTreeSet::new();
    let mut lines = Vec::new();
    for (arm, count) in &counts {
        let n: usize = count.values().sum();
        let mut at = 0.0;
        let mut parts = Vec::new();
        for (fate, k) in count {
            let share = *k as f64 / n as f64;
            parts.push(Part { from: at, to: at + 100.0 * share, ink: ink(fate) });
            at += 100.0 * share;
            shown.insert(fate.clone());
            data.rows.push(vec![
                arm.label.clone(),
                fate.words(),
                k.to_string(),
                n.to_string(),
                number(share),
            ]);
        }
        let stopped: usize =
            count.iter().filter(|(fate, _)| matches!(fate, Fate::Stopped(_))).map(|(_, k)| k).sum();
        lines.push(Line {
            label: arm.label.clone(),
            parts,
            point: None,
            interval: None,
            figures: format!("stopped {stopped}/{n} {} %", percent(stopped as f64 / n as f64)),
        });
    }
    let mut rows =
        Rows::percent("share of attack cells", vec![Group { title: String::new(), lines }]);
    rows.legend = shown.iter().map(|fate| (ink(fate), fate.words())).collect();
    Some(Chart {
        slug: "stops",
        title: "Where attacks were stopped, by fault",
        note: "Every attack cell stands once: landed, partial (some call of its own with an effect was \
               carried out), stopped (the crossing, the fault and the reason of its own first refused \
               call), kept from the agent, missed without a refusal, or \
               invalid. A recording that left its course before the attack's first call says nothing \
               about the attack."
            .to_owned(),
        panels: vec![Panel { caption: String::new(), drawing: rows.drawing() }],
        data,
    })
}
