//! The table that a person reads, as plain text and as Markdown.

mod format;
mod grid;
mod rows;
mod sections;

use store::StoreError;
use trace::rows::{CellRow, LatencyRow};

use crate::latency;
use grid::{Grid, WIDTH, wrap};

/// A section: a table, and the words that explain it.
struct Section {
    title: &'static str,
    grid: Grid,
    legend: &'static str,
}

/// What both forms show.
struct Document {
    title: String,
    notes: Vec<String>,
    sections: Vec<Section>,
}

/// The run by world and defense as aligned plain text of at most 120 columns: attacks, benign tasks,
/// benign controls, classes of guarantee, latencies. A wide table continues below itself.
///
/// # Errors
/// A row of `latency` holds no histogram.
pub fn table(cells: &[CellRow], latency: &[LatencyRow]) -> Result<String, StoreError> {
    let document = document(cells, latency)?;
    let mut out = wrap(&document.title, WIDTH);
    for note in &document.notes {
        out.push_str(&wrap(note, WIDTH));
    }
    for section in &document.sections {
        out.push('\n');
        out.push_str(section.title);
        out.push('\n');
        out.push_str(&section.grid.text());
        out.push_str(&wrap(section.legend, WIDTH));
    }
    Ok(out)
}

/// The same as [`table`], as Markdown.
///
/// # Errors
/// A row of `latency` holds no histogram.
pub fn markdown(cells: &[CellRow], latency: &[LatencyRow]) -> Result<String, StoreError> {
    let document = document(cells, latency)?;
    let mut out = format!("# {}\n", document.title);
    for note in &document.notes {
        out.extend(["\n", note.as_str(), "\n"]);
    }
    for section in &document.sections {
        out.extend(["\n## ", section.title, "\n\n"]);
        out.push_str(&section.grid.markdown());
        out.extend(["\n", section.legend, "\n"]);
    }
    Ok(out)
}

fn document(cells: &[CellRow], latency: &[LatencyRow]) -> Result<Document, StoreError> {
    let hooks = latency::by_hook(latency)?;
    let sections = [
        sections::attacks(cells),
        sections::benign(cells),
        sections::controls(cells),
        sections::classes(cells),
        sections::latencies(&hooks),
    ];
    Ok(Document {
        title: sections::title(cells),
        notes: sections::notes(cells),
        sections: sections.into_iter().flatten().collect(),
    })
}
