//! Hand-made runs, and one rule's verdict on them.

use report::gate::{GateError, Options, Rule, Run, Verdict, evaluate};
use trace::rows::CellRow;

use crate::common::cell;

/// Attack cells of 20 × 30 tasks under `mmu`, of which the first so many land.
pub(crate) fn grid(landed: usize) -> Vec<CellRow> {
    let mut cells = Vec::new();
    for (user, injection) in (0..20).flat_map(|user| (0..30).map(move |task| (user, task))) {
        let mut cell = cell("attack", "slack", user, injection, "mmu");
        cell.attack_landed = Some(cells.len() < landed);
        cell.utility_done = Some(true);
        cells.push(cell);
    }
    cells
}

pub(crate) fn rules(texts: &[&str]) -> Vec<Rule> {
    texts.iter().map(|text| Rule::parse(text).unwrap()).collect()
}

pub(crate) fn run(cells: &[CellRow]) -> Run<'_> {
    Run { cells, latency: &[] }
}

/// The verdict of one rule.
pub(crate) fn verdict(
    rule: &str,
    candidate: &[CellRow],
    baseline: &[CellRow],
    options: Options,
) -> Verdict {
    let report = evaluate(&rules(&[rule]), run(candidate), Some(run(baseline)), options).unwrap();
    assert_eq!(report.verdict, report.rules[0].verdict);
    report.verdict
}

pub(crate) fn error(rule: &str, candidate: Run<'_>, baseline: Option<Run<'_>>) -> GateError {
    evaluate(&rules(&[rule]), candidate, baseline, Options::default()).unwrap_err()
}
