//! The table that a person reads, as plain text and as Markdown.

mod clustered;
pub(crate) mod format;
pub(crate) mod grid;
mod memory;
pub(crate) mod owners;
mod recorded;
mod rows;
mod sections;

use std::borrow::{Borrow, Cow};

use store::StoreError;
use trace::rows::{CellRow, LatencyRow};

use crate::latency;
use grid::{Grid, WIDTH, wrap};

/// A section: a table, and the words that explain it.
pub(crate) struct Section {
    /// Its title.
    pub(crate) title: &'static str,
    /// The table.
    pub(crate) grid: Grid,
    /// What explains it.
    pub(crate) legend: Cow<'static, str>,
}

/// What both forms show.
pub(crate) struct Document {
    /// Its title.
    pub(crate) title: String,
    /// What stands below the title, a paragraph each.
    pub(crate) notes: Vec<String>,
    /// The tables.
    pub(crate) sections: Vec<Section>,
}

impl Document {
    /// Aligned plain text of at most 120 columns; a wide table continues below itself.
    pub(crate) fn text(&self) -> String {
        let mut out = wrap(&self.title, WIDTH);
        for note in &self.notes {
            out.push_str(&wrap(note, WIDTH));
        }
        for section in &self.sections {
            out.push('\n');
            out.push_str(section.title);
            out.push('\n');
            out.push_str(&section.grid.text());
            out.push_str(&wrap(&section.legend, WIDTH));
        }
        out
    }

    /// The same as Markdown.
    pub(crate) fn markdown(&self) -> String {
        let mut out = format!("# {}\n", self.title);
        for note in &self.notes {
            out.extend(["\n", note.as_str(), "\n"]);
        }
        for section in &self.sections {
            out.extend(["\n## ", section.title, "\n\n"]);
            out.push_str(&section.grid.markdown());
            out.extend(["\n", section.legend.as_ref(), "\n"]);
        }
        out
    }
}

/// The run by world and defense as aligned plain text of at most 120 columns: attacks, benign tasks,
/// benign controls, classes of guarantee, attacks in memory, what owners said unasked, latencies. A
/// wide table continues below itself.
///
/// # Errors
/// A row of `latency` holds no histogram.
pub fn table<C: Borrow<CellRow>>(
    cells: &[C],
    latency: &[LatencyRow],
) -> Result<String, StoreError> {
    Ok(document(cells, latency)?.text())
}

/// The same as [`table`], as Markdown.
///
/// # Errors
/// A row of `latency` holds no histogram.
pub fn markdown<C: Borrow<CellRow>>(
    cells: &[C],
    latency: &[LatencyRow],
) -> Result<String, StoreError> {
    Ok(document(cells, latency)?.markdown())
}

pub(crate) fn document<C: Borrow<CellRow>>(
    cells: &[C],
    latency: &[LatencyRow],
) -> Result<Document, StoreError> {
    let cells: Vec<&CellRow> = cells.iter().map(Borrow::borrow).collect();
    let cells = cells.as_slice();
    let hooks = latency::by_hook(latency)?;
    let sections = [
        sections::attacks(cells),
        sections::benign(cells),
        sections::controls(cells),
        sections::classes(cells),
        memory::attacks(cells),
        memory::stores(cells),
        memory::revocations(cells),
        owners::section(cells),
        recorded::attacks(cells),
        clustered::attacks(cells),
        recorded::benign(cells),
        sections::latencies(&hooks),
    ];
    Ok(Document {
        title: sections::title(cells),
        notes: sections::notes(cells),
        sections: sections.into_iter().flatten().collect(),
    })
}
