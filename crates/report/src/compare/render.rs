//! A comparison as a person reads it.

use std::collections::BTreeSet;

use super::{CellName, Comparison, Group, HookFigures, InvalidPair, Percentile, Row};
use crate::stats::Interval;
use crate::table::format::{NONE, percent, points, time};
use crate::table::grid::Grid;
use crate::table::{Document, Section};

/// How many cells a list names; the JSON names all.
const MOST_NAMED: usize = 25;

/// A property of groups or cells that is shown as a column where it differs, else as a note.
struct Axis<T> {
    name: &'static str,
    of: fn(&T) -> String,
}

const GROUP_AXES: &[Axis<Group>] = &[
    Axis { name: "suite", of: |group| group.key.suite.clone() },
    Axis { name: "kind", of: |group| group.key.kind.clone() },
    Axis { name: "attack", of: |group| or_none(group.key.attack.as_ref()) },
    Axis { name: "harness", of: |group| group.key.harness.clone() },
    Axis { name: "agent", of: |group| group.key.agent.clone() },
    Axis { name: "owner", of: |group| group.key.owner.clone() },
];

const CELL_AXES: &[Axis<CellName>] = &[
    Axis { name: "suite", of: |cell| cell.suite.clone() },
    Axis { name: "kind", of: |cell| cell.kind.clone() },
    Axis { name: "attack", of: |cell| or_none(cell.attack.as_ref()) },
    Axis { name: "harness", of: |cell| cell.harness.clone() },
    Axis { name: "agent", of: |cell| cell.agent.clone() },
    Axis { name: "owner", of: |cell| cell.owner.clone() },
    Axis { name: "epoch", of: |cell| cell.epoch.to_string() },
];

fn or_none(value: Option<&String>) -> String {
    value.map_or_else(|| NONE.to_owned(), String::clone)
}

/// The axes on which these items differ.
fn differing<T>(axes: &'static [Axis<T>], items: &[T]) -> Vec<&'static Axis<T>> {
    let values = |axis: &Axis<T>| items.iter().map(axis.of).collect::<BTreeSet<_>>().len();
    axes.iter().filter(|axis| values(axis) > 1).collect()
}

pub(super) fn document(comparison: &Comparison) -> Document {
    let of = comparison;
    let sections = [
        outcomes(&of.groups),
        named("Newly landed", &of.newly_landed, "Attacks that missed in A and landed in B."),
        named("Newly stopped", &of.newly_stopped, "Attacks that landed in A and missed in B."),
        named("Utility lost", &of.utility_lost, "User tasks done in A and not in B."),
        named("Utility gained", &of.utility_gained, "User tasks done in B and not in A."),
        named("Only in A", &of.only_a, "Cells without a partner in B: in no count."),
        named("Only in B", &of.only_b, "Cells without a partner in A: in no count."),
        invalid(&of.invalid),
        latencies(of),
    ];
    Document {
        title: title(comparison),
        notes: notes(comparison),
        sections: sections.into_iter().flatten().collect(),
    }
}

fn title(of: &Comparison) -> String {
    let side = |defenses: &[String]| match defenses {
        [] => "no cells".to_owned(),
        _ => defenses.join(", "),
    };
    let (a, b) = (side(&of.defenses_a), side(&of.defenses_b));
    format!("Comparison of A ({a}) and B ({b}): {} pairs of cells", of.pairs)
}

fn notes(of: &Comparison) -> Vec<String> {
    let mut notes = Vec::new();
    let (only_a, only_b, invalid) = (of.only_a.len(), of.only_b.len(), of.invalid.len());
    if of.pairs == 0 {
        notes
            .push("No cell of A has a valid partner in B: there is nothing to compare.".to_owned());
    }
    if only_a + only_b + invalid > 0 {
        notes.push(format!(
            "Not counted: {only_a} cells only in A, {only_b} only in B, {invalid} pairs with an \
             invalid cell."
        ));
    }
    let constant = |axis: &Axis<Group>| {
        let value = (axis.of)(of.groups.first()?);
        let same = of.groups.iter().all(|group| (axis.of)(group) == value);
        (same && value != NONE).then(|| format!("{} {value}", axis.name))
    };
    let constants: Vec<String> = GROUP_AXES.iter().filter_map(constant).collect();
    if !constants.is_empty() {
        notes.push(constants.join(" · "));
    }
    notes
}

fn outcomes(groups: &[Group]) -> Option<Section> {
    let axes = differing(GROUP_AXES, groups);
    let mut header: Vec<String> = axes.iter().map(|axis| axis.name.to_owned()).collect();
    let figures = ["A", "B", "A only", "B only", "difference", "by user task", "p", "p (Holm)"];
    header.push("outcome".to_owned());
    header.extend(figures.map(str::to_owned));
    let mut rows = Vec::new();
    for group in groups {
        for row in &group.rows {
            let mut line: Vec<String> = axes.iter().map(|axis| (axis.of)(group)).collect();
            line.push(row.outcome.to_owned());
            line.extend(figures_of(row));
            rows.push(line);
        }
    }
    (!rows.is_empty()).then(|| Section {
        title: "Outcomes",
        grid: Grid { labels: axes.len() + 1, header, rows },
        legend: "k/n over pairs; A only, B only: pairs where the outcome holds on that side alone. \
                 Difference: B less A in points over scenarios (epochs share a scenario's weight), \
                 with Newcombe's paired 95 % interval; by user task: the clustered t interval. p: \
                 McNemar's exact, with epochs the sign-flip test over scenarios; Holm over all rows. \
                 The intervals are about the sampling of scenarios."
            .into(),
    })
}

fn figures_of(row: &Row) -> [String; 8] {
    let rate = |k: u64, rate: f64| format!("{k}/{} {} %", row.n, percent(rate));
    let difference = match row.interval {
        None => format!("{} by construction", points(row.difference)),
        Some(interval) => format!("{} {}", points(row.difference), limits(interval)),
    };
    [
        rate(row.k_a, row.rate_a),
        rate(row.k_b, row.rate_b),
        row.only_a.to_string(),
        row.only_b.to_string(),
        difference,
        row.clustered.map_or_else(|| NONE.to_owned(), limits),
        row.p.map_or_else(|| NONE.to_owned(), chance),
        row.p_holm.map_or_else(|| NONE.to_owned(), chance),
    ]
}

fn limits(interval: Interval) -> String {
    format!("[{}, {}]", points(interval.low), points(interval.high))
}

/// A chance with two digits; below a thousandth only that.
fn chance(p: f64) -> String {
    if p < 0.001 { "<0.001".to_owned() } else { format!("{p:.3}") }
}

fn named(title: &'static str, cells: &[CellName], legend: &'static str) -> Option<Section> {
    let axes = differing(CELL_AXES, cells);
    let mut header = vec!["case".to_owned()];
    header.extend(axes.iter().map(|axis| axis.name.to_owned()));
    let line = |cell: &CellName| {
        let mut line = vec![cell.case()];
        line.extend(axes.iter().map(|axis| (axis.of)(cell)));
        line
    };
    let rows: Vec<_> = cells.iter().take(MOST_NAMED).map(line).collect();
    (!rows.is_empty()).then(|| Section {
        title,
        grid: Grid { labels: header.len(), header, rows },
        legend: format!("{legend}{}", more(cells.len())).into(),
    })
}

fn more(all: usize) -> String {
    match all.saturating_sub(MOST_NAMED) {
        0 => String::new(),
        more => format!(" {more} more are in the JSON."),
    }
}

fn invalid(pairs: &[InvalidPair]) -> Option<Section> {
    let line = |pair: &InvalidPair| {
        let reason = |reason: Option<&String>| or_none(reason);
        vec![pair.cell.case(), reason(pair.reason_a.as_ref()), reason(pair.reason_b.as_ref())]
    };
    let rows: Vec<_> = pairs.iter().take(MOST_NAMED).map(line).collect();
    (!rows.is_empty()).then(|| Section {
        title: "Invalid",
        grid: Grid { labels: 3, header: ["case", "A", "B"].map(str::to_owned).to_vec(), rows },
        legend: format!(
            "Pairs of which a cell was not judged, and why: in no count.{}",
            more(pairs.len())
        )
        .into(),
    })
}

fn latencies(of: &Comparison) -> Option<Section> {
    let names = ["suite", "hook", "n A", "n B", "p50 A", "p50 B", "p99 A", "p99 B", "Cliff's δ"];
    let rows: Vec<Vec<String>> = of
        .latency
        .iter()
        .map(|pair| {
            let mut line = vec![pair.suite.clone(), pair.hook.clone()];
            let sides = [pair.a, pair.b];
            let figure = |of: fn(HookFigures) -> String| {
                sides.map(|side| side.map_or_else(|| NONE.to_owned(), of))
            };
            line.extend(figure(|side| side.n.to_string()));
            line.extend(figure(|side| quantile(side.p50_ns)));
            line.extend(figure(|side| quantile(side.p99_ns)));
            line.push(pair.cliffs_delta.map_or_else(|| NONE.to_owned(), |it| format!("{it:+.2}")));
            line
        })
        .collect();
    (!rows.is_empty()).then(|| Section {
        title: "Latency by hook",
        grid: Grid { labels: 2, header: names.map(str::to_owned).to_vec(), rows },
        legend:
            "From merged histograms, with 95 % limits by order statistics. Cliff's δ: the share \
                 of pairs of samples in which B's took longer, less the share in which it was \
                 quicker. The cost of reading the clock is contained."
                .into(),
    })
}

fn quantile(of: Percentile) -> String {
    match (of.low, of.high) {
        (Some(low), Some(high)) => format!("{} [{}, {}]", time(of.value), time(low), time(high)),
        _ => "n too small".to_owned(),
    }
}
