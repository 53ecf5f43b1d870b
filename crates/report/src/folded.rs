//! The cells of a run as its summary and tables see them: what a long run's rows are folded into as
//! they are written, so that they need not be held.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use trace::rows::CellRow;

use crate::outcome::is_valid;
use crate::pairs::Pairs;
use crate::recorded::is_recorded;

/// The cells of a run, those that differ in no figure standing once, with how often they came.
///
/// Of a cell's names its id, its pair's and its epoch are left out: no figure depends on them, but
/// that recorded agents have one epoch a log, which is kept. So what is held grows with the scenarios
/// and their outcomes, and not with repetitions. `pairs.csv` has a line a pair and epoch: for it
/// [`Pairs`] holds two bytes a cell, and two numbers a line.
#[derive(Default)]
pub struct Folded {
    kinds: Vec<Kind>,
    /// The kinds by their hash.
    by_hash: HashMap<u64, Vec<usize>>,
    cells: usize,
    invalid: usize,
    pairs: Pairs,
}

struct Kind {
    row: CellRow,
    times: usize,
}

impl Folded {
    /// Adds a cell.
    pub fn add(&mut self, mut cell: CellRow) {
        self.cells += 1;
        self.invalid += usize::from(!is_valid(&cell));
        self.pairs.add(&cell);
        cell.cell_id = String::new();
        cell.pair_id = String::new();
        if !is_recorded(&cell) {
            cell.epoch = 0;
        }
        let same_hash = self.by_hash.entry(hash(&cell)).or_default();
        let known = same_hash.iter().find(|kind| self.kinds[**kind].row == cell);
        if let Some(kind) = known {
            self.kinds[*kind].times += 1;
        } else {
            same_hash.push(self.kinds.len());
            self.kinds.push(Kind { row: cell, times: 1 });
        }
    }

    /// Every cell, in the order in which the kinds first came: a reference each, since figures count
    /// cells.
    pub fn cells(&self) -> Vec<&CellRow> {
        let each = self.kinds.iter();
        each.flat_map(|kind| std::iter::repeat_n(&kind.row, kind.times)).collect()
    }

    /// How many cells there are.
    pub fn len(&self) -> usize {
        self.cells
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.cells == 0
    }

    /// How many of them are invalid.
    pub fn invalid(&self) -> usize {
        self.invalid
    }

    /// What `pairs.csv` is made from.
    pub fn pairs(&self) -> &Pairs {
        &self.pairs
    }
}

impl Extend<CellRow> for Folded {
    fn extend<T: IntoIterator<Item = CellRow>>(&mut self, cells: T) {
        cells.into_iter().for_each(|cell| self.add(cell));
    }
}

/// A hash over what most cells differ in.
fn hash(cell: &CellRow) -> u64 {
    let mut hasher = DefaultHasher::new();
    let names = [&cell.scenario, &cell.kind, &cell.agent, &cell.defense, &cell.owner, &cell.status];
    (names, &cell.setting, &cell.attack, cell.epoch).hash(&mut hasher);
    (cell.attack_landed, cell.utility_done, cell.asks).hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(id: &str, epoch: u32, asks: u32) -> CellRow {
        CellRow {
            cell_id: id.to_owned(),
            pair_id: id.to_owned(),
            status: "ok".to_owned(),
            epoch,
            asks,
            ..CellRow::default()
        }
    }

    #[test]
    fn cells_that_differ_in_no_figure_are_held_once_and_counted_each() {
        let mut folded = Folded::default();
        folded.extend([cell("a", 0, 0), cell("b", 0, 1), cell("c", 1, 0)]);
        folded.add(CellRow { status: "invalid".to_owned(), ..cell("d", 2, 0) });
        assert_eq!((folded.len(), folded.invalid(), folded.kinds.len()), (4, 1, 3));
        let asks: Vec<u32> = folded.cells().iter().map(|cell| cell.asks).collect();
        assert_eq!(asks, [0, 0, 1, 0], "in the order in which the kinds came");

        let log = |epoch| CellRow { agent: "recorded/x@1".to_owned(), ..cell("e", epoch, 0) };
        folded.extend([log(0), log(1)]);
        assert_eq!(folded.kinds.len(), 5, "each log stands for itself");
    }
}
