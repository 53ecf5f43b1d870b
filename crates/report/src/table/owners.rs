//! What owners said unasked, as a table.

use trace::rows::CellRow;

use super::Section;
use super::format::NONE;
use super::grid::Grid;
use super::memory::groups;
use crate::owner_acts::OwnerActs;

/// The section's title.
pub(crate) const TITLE: &str = "What owners said unasked";

/// What owners said unasked, over all kinds of cells.
pub(crate) fn section(cells: &[&CellRow]) -> Option<Section> {
    let groups = groups(cells, |_| true).into_iter();
    let rows = groups.filter_map(|((agent, owner, defense), cells)| {
        let acts = OwnerActs::of(cells.iter().copied())?;
        let widened = acts.widened.map_or_else(|| NONE.to_owned(), |widened| widened.to_string());
        Some(vec![
            agent.to_owned(),
            owner.to_owned(),
            defense.to_owned(),
            cells.len().to_string(),
            acts.content.to_string(),
            acts.standing.to_string(),
            acts.grants.to_string(),
            widened,
            acts.revocations.to_string(),
            acts.calls_in_advance.to_string(),
        ])
    });
    let rows: Vec<Vec<String>> = rows.collect();
    let header = [
        "agent",
        "owner",
        "defense",
        "cells",
        "content",
        "in advance",
        "grants",
        "widened",
        "revoked",
        "calls in advance",
    ];
    (!rows.is_empty()).then(|| Section {
        title: TITLE,
        grid: Grid { labels: 3, header: header.map(str::to_owned).to_vec(), rows },
        legend: "Approvals of content, approvals in advance and grants that had an effect, over all \
                 valid cells. Widened: those among them that cover more than the last for the same \
                 tool or page; a dash where no defense was told of any. Revoked: revocations. Calls in \
                 advance: calls that went ahead on an approval in advance, without a request."
            .into(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(defense: &str, [content, standing, grants, revocations]: [u32; 4]) -> CellRow {
        CellRow {
            status: "ok".to_owned(),
            defense: defense.to_owned(),
            owner_content: Some(content),
            owner_standing: Some(standing),
            owner_grants: Some(grants),
            owner_revocations: Some(revocations),
            granted_in_advance: Some(2 * standing),
            ..CellRow::default()
        }
    }

    #[test]
    fn every_act_is_counted_and_widening_only_where_a_defense_knows() {
        let told = |widened| CellRow { owner_widened: Some(widened), ..cell("mmu", [1, 2, 0, 1]) };
        let invalid = CellRow { status: "invalid".to_owned(), ..told(7) };
        let cells = [told(2), told(1), invalid, cell("none", [1, 0, 3, 0])];
        let section = section(&cells.each_ref()).unwrap();
        let figures: Vec<&[String]> = section.grid.rows.iter().map(|row| &row[2..]).collect();
        assert_eq!(figures[0], ["mmu", "2", "2", "4", "0", "3", "2", "8"]);
        assert_eq!(figures[1], ["none", "1", "1", "0", "3", NONE, "0", "0"]);
    }

    #[test]
    fn where_nobody_spoke_nothing_is_printed() {
        assert!(section(&[&cell("mmu", [0; 4])]).is_none());
        assert!(section(&[&CellRow { status: "ok".to_owned(), ..CellRow::default() }]).is_none());
    }
}
