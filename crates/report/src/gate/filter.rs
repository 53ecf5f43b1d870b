//! Which cells a rule is about.

use std::collections::BTreeSet;

use trace::rows::{CellRow, LatencyRow};
use trace::words;

use super::rule::{Condition, Metric, Rule};
use crate::outcome::{is_attack, is_benign};

/// How many values a hint lists.
const MOST_LISTED: usize = 12;

/// A field of a cell; `None` where the cell has no such thing.
pub(super) fn field<'c>(cell: &'c CellRow, name: &str) -> Option<&'c str> {
    match name {
        "suite" => Some(&cell.suite),
        "world" => Some(&cell.world),
        "kind" => Some(&cell.kind),
        "scenario" => Some(&cell.scenario),
        "user_task" => Some(&cell.user_task),
        "injection_task" => cell.injection_task.as_deref(),
        "attack" => cell.attack.as_deref(),
        "harness" => Some(&cell.harness),
        "agent" => Some(&cell.agent),
        "defense" => Some(&cell.defense),
        "owner" => Some(&cell.owner),
        "guarantee" => cell.guarantee.as_deref(),
        "profile" => cell.profile.as_deref(),
        _ => None,
    }
}

impl Condition {
    /// Whether a field's value meets it; what a cell does not have equals no word.
    fn meets(&self, value: Option<&str>) -> bool {
        value.is_some_and(|value| words::matches(&self.word, value)) != self.negated
    }
}

/// Whether a rule's conditions keep a cell.
pub(super) fn keeps(filter: &[Condition], cell: &CellRow) -> bool {
    filter.iter().all(|condition| condition.meets(field(cell, condition.field)))
}

/// Whether a rule's conditions keep a row of latencies, of which only suite and defense are known.
pub(super) fn keeps_latency(filter: &[Condition], row: &LatencyRow) -> bool {
    let value = |name| if name == "suite" { &row.suite } else { &row.defense };
    filter.iter().all(|condition| condition.meets(Some(value(condition.field))))
}

/// Whether a condition names this field.
pub(super) fn names(rule: &Rule, field: &str) -> bool {
    rule.filter.iter().any(|condition| condition.field == field)
}

/// Whether a measure is about such cells, where the filter names no kind.
pub(super) fn belongs(metric: Metric, cell: &CellRow) -> bool {
    match metric {
        Metric::Asr | Metric::Partial | Metric::AsrUpstream | Metric::NewLanded => is_attack(cell),
        Metric::Utility | Metric::TasksAsked | Metric::FalseBlocks | Metric::AsksPerTask => {
            is_benign(cell)
        }
        Metric::ApprovalRate | Metric::ErrorRate | Metric::UtilityLost => true,
    }
}

/// The cells that a rule is about.
pub(super) fn select<'c>(rule: &Rule, metric: Metric, cells: &'c [CellRow]) -> Vec<&'c CellRow> {
    let any_kind = names(rule, "kind");
    cells
        .iter()
        .filter(|cell| any_kind || belongs(metric, cell))
        .filter(|cell| keeps(&rule.filter, cell))
        .collect()
}

/// Why a rule is about no cell, as a hint.
pub(super) fn hint(rule: &Rule, metric: Metric, cells: &[CellRow]) -> String {
    if cells.is_empty() {
        return "the run has no cells".to_owned();
    }
    for condition in &rule.filter {
        let value = |cell: &CellRow| field(cell, condition.field).map(str::to_owned);
        if !cells.iter().any(|cell| condition.meets(field(cell, condition.field))) {
            let values: BTreeSet<String> = cells.iter().filter_map(value).collect();
            return format!("`{}` is one of {}", condition.field, listed(values));
        }
    }
    if !names(rule, "kind") && !cells.iter().any(|cell| belongs(metric, cell)) {
        let kinds = cells.iter().map(|cell| cell.kind.clone()).collect();
        return format!("name a `kind`: the run has {}", listed(kinds));
    }
    let kinds = cells.iter().filter(|cell| keeps(&rule.filter, cell));
    let kinds: BTreeSet<String> = kinds.map(|cell| cell.kind.clone()).collect();
    if kinds.is_empty() {
        return "no cell meets all conditions at once".to_owned();
    }
    format!("name a `kind` to which it applies: the filter keeps {}", listed(kinds))
}

fn listed(values: BTreeSet<String>) -> String {
    let more = values.len().saturating_sub(MOST_LISTED);
    let words = values.into_iter().take(MOST_LISTED).map(|value| format!("`{value}`"));
    let text = words.collect::<Vec<_>>().join(", ");
    match (text.is_empty(), more) {
        (true, _) => "nothing here".to_owned(),
        (false, 0) => text,
        (false, more) => format!("{text} and {more} more"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_cell_does_not_have_equals_no_word() {
        let cell = CellRow { suite: "s".into(), ..CellRow::default() };
        let condition = |field, negated| Condition { field, negated, word: "*".into() };
        assert!(keeps(&[condition("suite", false)], &cell));
        assert!(!keeps(&[condition("attack", false)], &cell));
        assert!(keeps(&[condition("attack", true)], &cell));
    }
}
