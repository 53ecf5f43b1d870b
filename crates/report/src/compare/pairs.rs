//! Which cells of two runs belong together.

use std::collections::BTreeMap;
use std::fmt;

use serde::Serialize;
use trace::rows::CellRow;

use crate::outcome::is_valid;

/// A cell as a person names it; the defense is not part of it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct CellName {
    /// The suite.
    pub suite: String,
    /// The scenario's id.
    pub scenario: String,
    /// The injection task; null without one.
    pub injection_task: Option<String>,
    /// `attack`, `benign`, `benign-control`, or a suite's own twin.
    pub kind: String,
    /// The attack; null without one.
    pub attack: Option<String>,
    /// The harness.
    pub harness: String,
    /// The agent.
    pub agent: String,
    /// The owner.
    pub owner: String,
    /// The repetition, from 0.
    pub epoch: u32,
    /// What the cells of both runs share.
    pub pair_id: String,
}

impl CellName {
    /// The name of a cell.
    pub fn of(cell: &CellRow) -> Self {
        Self {
            suite: cell.suite.clone(),
            scenario: cell.scenario.clone(),
            injection_task: cell.injection_task.clone(),
            kind: cell.kind.clone(),
            attack: cell.attack.clone(),
            harness: cell.harness.clone(),
            agent: cell.agent.clone(),
            owner: cell.owner.clone(),
            epoch: cell.epoch,
            pair_id: cell.pair_id.clone(),
        }
    }

    /// The scenario with its injection task, which ids of attacks often hold already.
    pub(crate) fn case(&self) -> String {
        match &self.injection_task {
            Some(task) if !self.scenario.split('/').any(|part| part == task) => {
                format!("{}/{task}", self.scenario)
            }
            _ => self.scenario.clone(),
        }
    }
}

impl fmt::Display for CellName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = self.attack.as_ref().unwrap_or(&self.kind);
        write!(f, "{} {} ({what}, {}, {}", self.suite, self.case(), self.agent, self.owner)?;
        if self.epoch > 0 {
            write!(f, ", epoch {}", self.epoch)?;
        }
        f.write_str(")")
    }
}

/// A pair of which at least one cell was not judged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct InvalidPair {
    /// The cells' name.
    #[serde(flatten)]
    pub cell: CellName,
    /// Why A's cell is invalid; null where it is valid.
    pub reason_a: Option<String>,
    /// Why B's cell is invalid; null where it is valid.
    pub reason_b: Option<String>,
}

/// Two runs that cannot be paired.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CompareError {
    /// Several cells of one run belong to the same pair.
    #[error(
        "failed to pair cells: {run} holds {} cells of {cell} (defenses {})\n\
         hint: keep one defense of it",
        defenses.len(),
        quoted(defenses)
    )]
    Ambiguous {
        /// `A` or `B`.
        run: char,
        /// The first such pair.
        cell: Box<CellName>,
        /// The defenses of its cells.
        defenses: Vec<String>,
    },
}

/// Words in backticks.
pub(crate) fn quoted(words: &[String]) -> String {
    words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ")
}

/// The cells of two runs, by what they share; each list in the order of the names.
#[derive(Default)]
pub(crate) struct Pairs<'c> {
    /// Pairs of which both cells are valid.
    pub(crate) valid: Vec<(&'c CellRow, &'c CellRow)>,
    /// The other pairs.
    pub(crate) invalid: Vec<(&'c CellRow, &'c CellRow)>,
    /// Cells of A without a partner.
    pub(crate) only_a: Vec<&'c CellRow>,
    /// Cells of B without a partner.
    pub(crate) only_b: Vec<&'c CellRow>,
}

impl<'c> Pairs<'c> {
    /// Pairs cells by `pair_id` alone.
    pub(crate) fn of(
        a: impl IntoIterator<Item = &'c CellRow>,
        b: impl IntoIterator<Item = &'c CellRow>,
    ) -> Result<Self, CompareError> {
        let a = by_pair(a, 'A')?;
        let mut b = by_pair(b, 'B')?;
        let mut pairs = Self::default();
        for (id, cell) in a {
            match b.remove(id) {
                None => pairs.only_a.push(cell),
                Some(other) if is_valid(cell) && is_valid(other) => pairs.valid.push((cell, other)),
                Some(other) => pairs.invalid.push((cell, other)),
            }
        }
        pairs.only_b.extend(b.into_values());
        pairs.valid.sort_by_cached_key(|(cell, _)| CellName::of(cell));
        pairs.invalid.sort_by_cached_key(|(cell, _)| CellName::of(cell));
        pairs.only_a.sort_by_cached_key(|cell| CellName::of(cell));
        pairs.only_b.sort_by_cached_key(|cell| CellName::of(cell));
        Ok(pairs)
    }

    /// The invalid pairs, with the reasons.
    pub(crate) fn invalid(&self) -> Vec<InvalidPair> {
        let reason = |cell: &CellRow| {
            let reason = cell.invalid_reason.clone().unwrap_or_else(|| cell.status.clone());
            (!is_valid(cell)).then_some(reason)
        };
        let pair = |(a, b): &(&CellRow, &CellRow)| InvalidPair {
            cell: CellName::of(a),
            reason_a: reason(a),
            reason_b: reason(b),
        };
        self.invalid.iter().map(pair).collect()
    }
}

fn by_pair<'c>(
    cells: impl IntoIterator<Item = &'c CellRow>,
    run: char,
) -> Result<BTreeMap<&'c str, &'c CellRow>, CompareError> {
    let mut by_pair: BTreeMap<&str, Vec<&CellRow>> = BTreeMap::new();
    for cell in cells {
        by_pair.entry(&cell.pair_id).or_default().push(cell);
    }
    let several = by_pair.values().filter(|cells| cells.len() > 1);
    if let Some(cells) = several.min_by_key(|cells| CellName::of(cells[0])) {
        let mut defenses: Vec<String> = cells.iter().map(|cell| cell.defense.clone()).collect();
        defenses.sort();
        let cell = Box::new(CellName::of(cells[0]));
        return Err(CompareError::Ambiguous { run, cell, defenses });
    }
    Ok(by_pair.into_iter().map(|(id, cells)| (id, cells[0])).collect())
}
