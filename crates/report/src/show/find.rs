//! Finding a cell.

use trace::rows::CellRow;

use crate::compare::CellName;

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
/// where it has one, which narrows it), that are among `kept`.
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
        let id = name.to_ascii_lowercase();
        found = by(&|cell| cell.cell_id.to_ascii_lowercase().starts_with(&id));
    }
    match found.as_slice() {
        [] => Found::Nothing,
        [one] => Found::One(one),
        _ => Found::Several(found),
    }
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
            ..CellRow::default()
        }
    }

    #[test]
    fn a_cell_is_found_by_id_and_by_name() {
        let cells = [
            cell("ab12", "banking/user_task_1", None, "none"),
            cell("ab34", "banking/user_task_1/injection_task_2", Some("injection_task_2"), "none"),
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
        assert_eq!(ids("banking/user_task_1/injection_task_2", ""), ["ab34", "cd56"]);
        assert_eq!(ids("banking/user_task_1/injection_task_2", "mmu"), ["cd56"]);
        assert_eq!(ids("nothing", ""), Vec::<String>::new());
        assert_eq!(ids("", ""), Vec::<String>::new(), "nothing is no beginning of everything");
    }
}
