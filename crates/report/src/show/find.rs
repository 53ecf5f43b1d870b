//! Finding a cell.

use trace::rows::CellRow;

use crate::compare::CellName;
use crate::outcome::is_control;

/// What a name stands for.
#[derive(Debug)]
pub enum Found<'r> {
    /// One cell.
    One(&'r CellRow),
    /// Several cells, in the order of the run.
    Several(Vec<&'r CellRow>),
    /// None.
    Nothing,
}

/// Finds cells by the beginning of their id, or by the name of their scenario (with its injection task
/// where it has one), that are among `kept`. A name that an attack shares with its benign control is the
/// attack's.
pub fn find<'r>(cells: &'r [CellRow], name: &str, kept: impl Fn(&CellRow) -> bool) -> Found<'r> {
    let name = name.trim().trim_end_matches('…');
    if name.is_empty() {
        return Found::Nothing;
    }
    let by = |is: &dyn Fn(&CellRow) -> bool| -> Vec<&'r CellRow> {
        cells.iter().filter(|cell| kept(cell) && is(cell)).collect()
    };
    // A scenario's name is exact; the beginning of an id is not, and is tried last.
    let mut found = by(&|cell| CellName::of(cell).case() == name);
    if found.is_empty() {
        found = by(&|cell| cell.scenario == name || cell.pair_id == name);
    }
    if found.is_empty() {
        found = by(&|cell| is_id(cell, name));
    }
    if found.iter().any(|cell| !is_control(cell)) && !found.iter().all(|cell| is_id(cell, name)) {
        found.retain(|cell| !is_control(cell));
    }
    match found.as_slice() {
        [] => Found::Nothing,
        [one] => Found::One(one),
        _ => Found::Several(found),
    }
}

/// Whether the cell's id begins so.
fn is_id(cell: &CellRow, name: &str) -> bool {
    cell.cell_id.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(id: &str, scenario: &str, injection: Option<&str>, defense: &str) -> CellRow {
        CellRow {
            cell_id: id.into(),
            scenario: scenario.into(),
            injection_task: injection.map(Into::into),
            defense: defense.into(),
            kind: if id.starts_with('c') { "benign-control" } else { "attack" }.into(),
            ..CellRow::default()
        }
    }

    #[test]
    fn a_cell_is_found_by_id_and_by_name() {
        let cells = [
            cell("ab12", "banking/user_task_1", None, "none"),
            cell("ab34", "banking/user_task_1/injection_task_2", Some("injection_task_2"), "none"),
            cell("ef56", "banking/user_task_1/injection_task_2", Some("injection_task_2"), "mmu"),
            cell("cd56", "banking/user_task_1/injection_task_2", Some("injection_task_2"), "mmu"),
            cell("cd78", "banking/user_task_10", None, "none"),
        ];
        let ids = |name: &str, defense: &str| -> Vec<String> {
            let kept = |cell: &CellRow| defense.is_empty() || cell.defense == defense;
            match find(&cells, name, kept) {
                Found::One(cell) => vec![cell.cell_id.clone()],
                Found::Several(cells) => cells.iter().map(|cell| cell.cell_id.clone()).collect(),
                Found::Nothing => Vec::new(),
            }
        };
        assert_eq!(ids("ab1", ""), ["ab12"]);
        assert_eq!(ids("AB34", ""), ["ab34"]);
        assert_eq!(ids("ab", ""), ["ab12", "ab34"], "an ambiguous beginning gives all");
        assert_eq!(ids("banking/user_task_1", ""), ["ab12"], "a name is no beginning");
        assert_eq!(ids("banking/user_task_1/injection_task_2", ""), ["ab34", "ef56"]);
        assert_eq!(ids("banking/user_task_1/injection_task_2", "mmu"), ["ef56"]);
        assert_eq!(ids("CD5", ""), ["cd56"], "a control is found by its id");
        assert_eq!(ids("nothing", ""), Vec::<String>::new());
        assert_eq!(ids("", ""), Vec::<String>::new(), "nothing is no beginning of everything");
    }
}
