//! A chart in a page: drawings, data, CSV.

use maud::{Markup, PreEscaped, html};
use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};

use crate::chart::{Chart, Data};
use crate::visible::line;

/// Rows of data that are shown at most; the CSV holds all.
const ROWS: usize = 2_000;

/// What cannot stand in a data URL.
const UNSAFE: &AsciiSet =
    &CONTROLS.add(b' ').add(b'"').add(b'#').add(b'%').add(b'<').add(b'>').add(b'`');

/// The anchor of a run's cell, where it has one.
pub(super) type Shown<'s> = &'s dyn Fn(&str, &str) -> Option<String>;

/// The chart as a section that can be linked to. `shown` gives the anchor of a run's cell that has a
/// section of its own.
pub(super) fn chart(chart: &Chart, shown: Shown<'_>) -> Markup {
    html! {
        section id=(chart.slug) {
            h2 { (chart.title) }
            p.note { (line(&chart.note)) }
            @for panel in &chart.panels {
                @let title = panel.title(chart.title);
                figure {
                    @if !panel.caption.is_empty() { figcaption { (line(&panel.caption)) } }
                    div.scroll.plot tabindex="0" role="region" aria-label=(line(&title)) {
                        (PreEscaped(panel.drawing.inline(&title)))
                    }
                }
            }
            (data(chart, shown))
        }
    }
}

fn data(chart: &Chart, shown: Shown<'_>) -> Markup {
    let Data { labels, header, rows, cells } = &chart.data;
    let link = |row: usize, column: usize| {
        cells.get(&(row, column)).and_then(|(run, cell)| shown(run, cell))
    };
    let visible = &rows[..rows.len().min(ROWS)];
    html! {
        details {
            summary { "Data: " (rows.len()) " rows" }
            @if visible.len() < rows.len() {
                p.note { "The first " (visible.len()) " rows; the CSV holds all." }
            }
            (table(chart.title, *labels, header, visible, &link))
        }
        p.csv {
            a download={ (chart.slug) ".csv" } href={ "data:text/csv;charset=utf-8," (encoded(&chart.data.csv())) } {
                (chart.slug) ".csv"
            }
        }
    }
}

fn encoded(text: &str) -> String {
    utf8_percent_encode(text, UNSAFE).to_string()
}

/// A table that scrolls in itself where it is too wide. `link` gives the anchor that a field leads to.
pub(super) fn table(
    title: &str,
    labels: usize,
    header: &[String],
    rows: &[Vec<String>],
    link: &dyn Fn(usize, usize) -> Option<String>,
) -> Markup {
    let side = |column: usize| if column < labels { Some("l") } else { None };
    html! {
        div.scroll tabindex="0" role="region" aria-label=(line(title)) {
            table {
                thead { tr { @for (at, name) in header.iter().enumerate() {
                    th.(side(at).unwrap_or("n")) scope="col" { (line(name)) }
                } } }
                tbody { @for (at, row) in rows.iter().enumerate() { tr {
                    @for (column, field) in row.iter().enumerate() {
                        td class=[side(column)] {
                            @if let Some(anchor) = link(at, column) {
                                a href={ "#" (anchor) } { (line(field)) }
                            } @else { (line(field)) }
                        }
                    }
                } } }
            }
        }
    }
}
