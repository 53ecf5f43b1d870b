//! Intervals that take clusters into account, for suites whose cases share tasks in two settings.

use std::collections::BTreeMap;

use trace::rows::CellRow;

use super::Section;
use super::format::{NONE, percent};
use super::grid::Grid;
use crate::outcome::{is_attack, is_valid};
use crate::recorded::{had_landed, is_recorded, is_stopped};
use crate::stats::Interval;
use crate::stats::cluster::{clustered_mean, two_way_interval};

/// A share that is looked at: its name, whose cells count, and which of them are counted.
type Share = (&'static str, fn(&CellRow) -> bool, fn(&CellRow) -> bool);

const SHARES: &[Share] = &[
    ("landed, of all", |_| true, |cell| cell.attack_landed == Some(true)),
    ("stopped, of logs landed", had_landed, is_stopped),
];

/// Attacks that landed or were stopped, over all settings of a suite that has them: what differs in the
/// setting alone shares its clusters. What is so by construction is left out.
pub(super) fn attacks(cells: &[&CellRow]) -> Option<Section> {
    let mut groups: BTreeMap<(&str, &str, &str), Vec<&CellRow>> = BTreeMap::new();
    for cell in cells.iter().copied().filter(|cell| is_attack(cell) && is_valid(cell)) {
        let by_construction = cell.defense == "none" && !is_recorded(cell);
        if cell.setting.is_some() && !by_construction {
            groups.entry((&cell.agent, &cell.owner, &cell.defense)).or_default().push(cell);
        }
    }
    let mut rows = Vec::new();
    for ((agent, owner, defense), cells) in groups {
        for (name, belongs, counts) in SHARES {
            let cells: Vec<&CellRow> = cells.iter().copied().filter(|cell| belongs(cell)).collect();
            let recorded_only = *name != SHARES[0].0 && defense == "none";
            if cells.is_empty() || recorded_only {
                continue;
            }
            let mut row = vec![agent.to_owned(), owner.to_owned(), defense.to_owned()];
            row.push((*name).to_owned());
            row.extend(figures(&cells, *counts));
            rows.push(row);
        }
    }
    let header = [
        "agent",
        "owner",
        "defense",
        "share",
        "k/n",
        "by attacker's task",
        "by user's task",
        "both ways",
    ];
    (!rows.is_empty()).then(|| Section {
        title: "Clustered intervals",
        grid: Grid { labels: 4, header: header.map(str::to_owned).to_vec(), rows },
        legend: "95 % intervals over all settings, what shares a task in one cluster: clustered by the \
                 attacker's task, by the user's task, and by both ways at once (t with the clusters \
                 less one; both ways: the smaller number). Where all cases agree there is none."
            .into(),
    })
}

fn figures(cells: &[&CellRow], counts: fn(&CellRow) -> bool) -> Vec<String> {
    let values: Vec<f64> = cells.iter().map(|cell| f64::from(u8::from(counts(cell)))).collect();
    let users: Vec<&str> = cells.iter().map(|cell| cell.cluster_user.as_str()).collect();
    let attacks: Vec<&str> =
        cells.iter().map(|cell| cell.cluster_attack.as_deref().unwrap_or_default()).collect();
    let k = cells.iter().filter(|cell| counts(cell)).count();
    let share = k as f64 / cells.len() as f64;
    let one_way = |clusters: &[&str]| {
        clustered_mean(&values, clusters).and_then(|mean| mean.t_interval(CONFIDENCE))
    };
    let shown = |interval: Option<Interval>| match interval {
        Some(Interval { low, high }) if low < high => {
            format!("[{}, {}]", percent(low.max(0.0)), percent(high.min(1.0)))
        }
        _ => NONE.to_owned(),
    };
    vec![
        format!("{k}/{} {} %", cells.len(), percent(share)),
        shown(one_way(&attacks)),
        shown(one_way(&users)),
        shown(two_way_interval(&values, &attacks, &users, CONFIDENCE)),
    ]
}

/// Of the intervals.
const CONFIDENCE: f64 = 0.95;

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(user: u32, attack: u32, setting: &str, landed: bool) -> CellRow {
        CellRow {
            kind: "attack".into(),
            status: "ok".into(),
            agent: "recorded/m@1".into(),
            owner: "never".into(),
            defense: "mmu".into(),
            setting: Some(setting.into()),
            cluster_user: format!("u{user}"),
            cluster_attack: Some(format!("a{attack}")),
            attack_landed: Some(landed),
            attack_landed_logged: Some(true),
            diverged: Some(false),
            stopped_at: (!landed).then(|| "authorize".into()),
            ..CellRow::default()
        }
    }

    #[test]
    fn both_settings_of_a_case_are_one_cluster() {
        let mut cells = Vec::new();
        for (user, attack) in (0..4).flat_map(|user| (0..5).map(move |attack| (user, attack))) {
            for setting in ["base", "enhanced"] {
                cells.push(cell(user, attack, setting, attack == 0));
            }
        }
        let all: Vec<&CellRow> = cells.iter().collect();
        let section = attacks(&all).expect("there are attacks with a setting");
        // One of five attackers lands with everybody: 8/40, and all of the spread is between
        // attackers: CR0 = sqrt(4·1.6² + 6.4²)/40 = 0.178885, times sqrt(5/4) and t(4) = 2.776445.
        // Both ways: sqrt((51.2 + 0 - 12.8)/40²) = 0.154919, times t(3) = 3.182446.
        let row = &section.grid.rows[0];
        assert_eq!(row[3..], ["landed, of all", "8/40 20.0 %", "[0.0, 75.5]", "–", "[0.0, 69.3]"]);
        let row = &section.grid.rows[1];
        assert_eq!(row[3..5], ["stopped, of logs landed", "32/40 80.0 %"]);
        assert!(attacks(&[&CellRow { setting: None, ..cell(0, 0, "", true) }]).is_none());
    }
}
