//! A forest of paired differences: each arm less the one without a defense, or than the first run.

use std::collections::BTreeSet;

use trace::rows::CellRow;

use super::canvas::Ink;
use super::data::{Data, number, optional};
use super::rows::{Group, Line, Rows};
use super::{Chart, Panel};
use crate::arms::Arm;
use crate::compare::{CompareError, PairedOutcome, Pairs};
use crate::outcome::{CONFIDENCE, Outcome, is_attack, is_benign};
use crate::stats::multiple::{Adjustment, adjust};
use crate::table::format::points;

/// What is compared: its heading, its name in data, which cells, which outcome, and whether more of it
/// is worse.
type Measure = (&'static str, &'static str, fn(&CellRow) -> bool, Outcome, bool);

const MEASURES: &[Measure] = &[
    ("attacks that landed", "attack_landed", is_attack, Outcome::AttackLanded, true),
    ("benign tasks done", "utility_done", is_benign, Outcome::UtilityDone, false),
    ("benign tasks that ask", "tasks_asked", is_benign, Outcome::TasksAsked, true),
];

struct Difference {
    label: String,
    colour: usize,
    paired: PairedOutcome,
    p_holm: Option<f64>,
}

pub(super) fn chart(arms: &[Arm<'_>], margin: f64) -> Result<Option<Chart>, CompareError> {
    let mut found = Vec::new();
    for measure in MEASURES {
        found.push(differences(arms, measure)?);
    }
    adjust_all(&mut found);
    if found.iter().all(Vec::is_empty) {
        return Ok(None);
    }
    let mut data = Data::new(
        2,
        &[
            "measure",
            "difference",
            "n",
            "only_before",
            "only_after",
            "points",
            "low",
            "high",
            "p_holm",
        ],
    );
    let mut groups = Vec::new();
    for ((title, name, _, _, worse), differences) in MEASURES.iter().zip(&found) {
        data.rows.extend(differences.iter().map(|one| row(name, one)));
        let lines: Vec<Line> = differences
            .iter()
            .map(|one| line(one, if *worse { 1.0 } else { -1.0 }, margin))
            .collect();
        if !lines.is_empty() {
            groups.push(Group { title: format!("{title}, change in points"), lines });
        }
    }
    let rows = Rows {
        groups,
        domain: (-100.0, 100.0),
        ticks: [-100.0, -50.0, 0.0, 50.0, 100.0]
            .iter()
            .map(|at| (*at, if *at == 0.0 { "0".to_owned() } else { format!("{at:+}") }))
            .collect(),
        axis: "points, less the arm it is compared with".to_owned(),
        line: Some(0.0),
        band: Some((-100.0 * margin, 100.0 * margin)),
        legend: vec![
            (Ink::Band, format!("the gate's margin, {} points", number(100.0 * margin))),
            (Ink::Landed, "worse beyond the margin".to_owned()),
            (Ink::Gained, "better, or worse within the margin".to_owned()),
            (Ink::Invalid, "not decided".to_owned()),
        ],
        label_width: 255.0,
    };
    Ok(Some(Chart {
        slug: "differences",
        title: "Paired differences",
        note: "Cells are paired by everything but the defense. Intervals are Newcombe's paired 95 % over \
               scenarios taken as independent; none where both sides are so by construction. p by Holm, \
               over all rows."
            .to_owned(),
        panels: vec![Panel { caption: String::new(), drawing: rows.drawing() }],
        data,
    }))
}

/// The arm that another is compared with: the same defense and owner in an earlier run, or the one
/// without a defense (or the first) of its own run, or one without a defense of another.
pub(super) fn baseline<'a, 'r>(arms: &'a [Arm<'r>], at: usize) -> Option<&'a Arm<'r>> {
    let arm = &arms[at];
    let same = |other: &&Arm<'r>| other.defense == arm.defense && other.owner == arm.owner;
    let before = arms[..at].iter().filter(|other| !other.beside(arm)).find(same);
    let beside = arms.iter().find(|other| other.beside(arm));
    let elsewhere = arms.iter().find(|other| other.defense == "none");
    let candidates = [before, beside, elsewhere].into_iter().flatten();
    candidates.into_iter().find(|other| !std::ptr::eq(*other, arm))
}

fn differences(
    arms: &[Arm<'_>],
    (_, _, belongs, outcome, _): &Measure,
) -> Result<Vec<Difference>, CompareError> {
    let mut out = Vec::new();
    for (at, arm) in arms.iter().enumerate() {
        let Some(base) = baseline(arms, at) else { continue };
        let shared: BTreeSet<&str> = arm.cells.iter().map(|cell| cell.pair_id.as_str()).collect();
        let before = base.every_owner().filter(|cell| belongs(cell));
        let before = before.filter(|cell| shared.contains(cell.pair_id.as_str()));
        let after = arm.cells.iter().copied().filter(|cell| belongs(cell));
        let pairs = Pairs::of(before, after)?;
        let Some(paired) = PairedOutcome::of(*outcome, &pairs.valid) else { continue };
        let label = format!("{} − {}", arm.label, base.label);
        out.push(Difference { label, colour: arm.colour, paired, p_holm: None });
    }
    Ok(out)
}

/// Holm over all rows that have a p.
fn adjust_all(found: &mut [Vec<Difference>]) {
    let mut rows: Vec<(&mut Difference, f64)> = Vec::new();
    for one in found.iter_mut().flatten() {
        if let Some(p) = one.paired.p() {
            rows.push((one, p));
        }
    }
    let p: Vec<f64> = rows.iter().map(|(_, p)| *p).collect();
    let adjusted = adjust(&p, Adjustment::Holm).unwrap_or_default();
    for ((row, _), p) in rows.into_iter().zip(adjusted) {
        row.p_holm = Some(p);
    }
}

fn line(one: &Difference, worse: f64, margin: f64) -> Line {
    let difference = one.paired.difference();
    let limits = one.paired.interval(CONFIDENCE, false);
    let ink = limits.map_or(Ink::Series(one.colour), |limits| {
        // Turned so that more is worse.
        let (low, high) =
            if worse > 0.0 { (limits.low, limits.high) } else { (-limits.high, -limits.low) };
        if low > margin {
            Ink::Landed
        } else if high <= margin {
            Ink::Gained
        } else {
            Ink::Invalid
        }
    });
    let figures = match limits {
        None => format!("{} by construction", points(difference)),
        Some(limits) => {
            let (low, high) = (points(limits.low), points(limits.high));
            let p = one.p_holm.map_or_else(String::new, |p| format!(" p{}", short_p(p)));
            format!("{} [{low}, {high}]{p}", points(difference))
        }
    };
    Line {
        label: one.label.clone(),
        parts: Vec::new(),
        point: Some((100.0 * difference, ink)),
        interval: limits.map(|limits| (100.0 * limits.low, 100.0 * limits.high)),
        figures,
    }
}

fn short_p(p: f64) -> String {
    if p < 0.001 { "<0.001".to_owned() } else { format!("={p:.3}") }
}

fn row(name: &str, one: &Difference) -> Vec<String> {
    let limits = one.paired.interval(CONFIDENCE, false);
    let in_points = |value: f64| 100.0 * value;
    vec![
        name.to_owned(),
        one.label.clone(),
        one.paired.n.to_string(),
        one.paired.only_a.to_string(),
        one.paired.only_b.to_string(),
        number(in_points(one.paired.difference())),
        optional(limits.map(|limits| in_points(limits.low))),
        optional(limits.map(|limits| in_points(limits.high))),
        optional(one.p_holm),
    ]
}
