//! What owners said unasked, a table a run.

use maud::{Markup, html};
use trace::rows::CellRow;

use super::{Part, figure};
use crate::table::owners;
use crate::visible::line;

/// The section's anchor.
pub(super) const ID: &str = "unasked";

/// The section; nothing where nobody spoke.
pub(super) fn section(parts: &[Part<'_>]) -> Option<Markup> {
    let tables: Vec<_> = parts
        .iter()
        .filter_map(|part| {
            let cells: Vec<&CellRow> = part.run.rows.cells.iter().collect();
            Some((part.run.name, owners::section(&cells)?))
        })
        .collect();
    let (_, first) = tables.first()?;
    Some(html! {
        section id=(ID) {
            h2 { (first.title) }
            p.note { (line(&first.legend)) }
            @for (name, section) in &tables {
                @let grid = &section.grid;
                @if parts.len() > 1 { h3 { (line(name)) } }
                (figure::table(section.title, grid.labels, &grid.header, &grid.rows, &|_, _| None))
            }
        }
    })
}
