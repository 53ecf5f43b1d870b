//! The report: one HTML file that asks for nothing from anywhere, with every chart and its data, and an
//! episode's course for each cell that was traced.
//!
//! There is no script in it. A policy in the page forbids scripts, requests and frames, whatever the text
//! of an episode holds; such text is escaped, and what hides in it is made visible.

mod cells;
mod figure;
mod headline;
mod unasked;
mod untrusted;

use maud::{DOCTYPE, Markup, PreEscaped, html};
use store::StoreError;
use trace::rows::CellRow;

use crate::arms::{NamedRun, arms};
use crate::chart::{Chart, ChartError, FONT_LICENCE, THEMES, charts};
use crate::outcome::is_scripted;
use crate::table::{Section, document, owners};
use crate::visible::line;
pub use cells::CELLS;
use untrusted::Untrusted;

/// The chart that follows approvals.
const APPROVALS: &str = "approvals";

/// A run in a report.
pub struct Part<'r> {
    /// The run.
    pub run: NamedRun<'r>,
    /// What the run's manifest says of it: names and values.
    pub facts: Vec<(String, String)>,
}

/// What a report is made from, beside the runs.
#[derive(Clone, Debug)]
pub struct Options {
    /// The gate's margin, as a share.
    pub margin: f64,
    /// Episodes to show at most.
    pub cells: usize,
    /// The day to print (`2026-11-30`); none unless it is given, so that equal rows give equal bytes.
    pub date: Option<String>,
    /// The command that makes the report again.
    pub command: Option<String>,
}

/// A report.
pub struct Report {
    /// The page.
    pub html: String,
    /// The charts in it.
    pub charts: Vec<Chart>,
}

/// Makes the report.
///
/// # Errors
/// A row of latencies holds no histogram, or several cells of a run belong to the same pair.
pub fn report(parts: &[Part<'_>], options: &Options) -> Result<Report, ChartError> {
    let runs: Vec<NamedRun<'_>> = parts.iter().map(|part| part.run).collect();
    let charts = charts(&runs, options.margin)?;
    let episodes = cells::chosen(&runs, options.cells);
    let tables = tables(parts)?;
    let unasked = unasked::section(parts);
    // What owners said unasked stands with the approvals that were asked for, where there are any.
    let asked = charts.iter().any(|chart| chart.slug == APPROVALS);
    let mut cells = runs.iter().flat_map(|run| &run.rows.cells);
    let scripted = cells.any(|cell| is_scripted(&cell.agent));
    let body = html! {
        header {
            h1 { (title(parts)) }
            p.note {
                "A static replay: nobody adapted these attacks to the defenses."
                @if scripted {
                    " Scripted agents are the worst case that a layer must hold against, and say nothing \
                     about how often a model falls for an attack."
                }
            }
            @if let Some(date) = &options.date { p.note { "Made on " (line(date)) "." } }
            nav aria-label="Sections" {
                ul {
                    li { a href="#summary" { "Summary" } }
                    @for chart in &charts { li { a href={ "#" (chart.slug) } { (chart.title) } } }
                    @if unasked.is_some() { li { a href={ "#" (unasked::ID) } { (owners::TITLE) } } }
                    li { a href="#tables" { "Tables" } }
                    li { a href="#runs" { "How it was run" } }
                    @if !episodes.is_empty() { li { a href="#episodes" { "Episodes" } } }
                }
            }
        }
        main {
            (headline::section(&arms(&runs)))
            @for chart in &charts {
                (figure::chart(chart, &|run, cell| episodes.anchor(run, cell)))
                @if chart.slug == APPROVALS { @if let Some(unasked) = &unasked { (unasked) } }
            }
            @if !asked { @if let Some(unasked) = &unasked { (unasked) } }
            @if charts.is_empty() { p { "There is nothing to draw: the runs hold no judged cells." } }
            section id="tables" {
                h2 { "Tables" }
                (tables)
            }
            (runs_section(parts))
            (cells::section(&episodes))
        }
        (footer(options))
    };
    Ok(Report { html: page(&title(parts), &body), charts })
}

/// The text as it stands in a page.
pub fn escaped(text: &str) -> String {
    html! { (text) }.into_string()
}

fn title(parts: &[Part<'_>]) -> String {
    let names: Vec<String> = parts.iter().map(|part| line(part.run.name)).collect();
    format!("bench report: {}", names.join(", "))
}

/// A whole page around its body.
fn page(title: &str, body: &Markup) -> String {
    let style = format!(
        ":root{{{}}}@media (prefers-color-scheme:dark){{:root{{{}}}}}@media print{{:root{{color-scheme:light;{}}}}}{}",
        THEMES[0].css(),
        THEMES[1].css(),
        THEMES[0].css(),
        include_str!("style.css")
    );
    let markup = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy"
                    content="default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                meta name="generator" content={ "bench " (trace::version::TOOL) };
                link rel="icon" href="data:,";
                title { (title) }
                style { (PreEscaped(style)) }
            }
            body { (body) }
        }
    };
    let mut text = markup.into_string();
    text.push('\n');
    text
}

fn runs_section(parts: &[Part<'_>]) -> Markup {
    html! {
        section id="runs" {
            h2 { "How it was run" }
            @for part in parts {
                @if parts.len() > 1 { h3 { (line(part.run.name)) } }
                dl.facts {
                    dt { "cells" }
                    dd { (counts(&part.run.rows.cells)) }
                    @for (name, value) in &part.facts {
                        dt { (line(name)) }
                        dd { (Untrusted(value)) }
                    }
                }
            }
        }
    }
}

fn counts(cells: &[CellRow]) -> String {
    let attacks = cells.iter().filter(|cell| crate::outcome::is_attack(cell)).count();
    let invalid = cells.iter().filter(|cell| !crate::outcome::is_valid(cell)).count();
    format!("{} ({attacks} attacks, {invalid} invalid)", cells.len())
}

/// The tables of `bench run`, of each run.
fn tables(parts: &[Part<'_>]) -> Result<Markup, StoreError> {
    let mut out = Vec::new();
    for part in parts {
        let document = document(&part.run.rows.cells, &part.run.rows.latency)?;
        out.push((part, document));
    }
    Ok(html! {
        @for (part, document) in &out {
            @if parts.len() > 1 { h3 { (line(part.run.name)) } }
            p { (line(&document.title)) }
            @for note in &document.notes { p.note { (line(note)) } }
            @for section in document.sections.iter().filter(|one| one.title != owners::TITLE) {
                (table(section))
            }
        }
    })
}

fn table(section: &Section) -> Markup {
    let grid = &section.grid;
    html! {
        h3 { (section.title) }
        (figure::table(section.title, grid.labels, &grid.header, &grid.rows, &|_, _| None))
        p.note { (line(&section.legend)) }
    }
}

fn footer(options: &Options) -> Markup {
    html! {
        footer {
            p {
                "Made by bench " (trace::version::TOOL) ". The page asks for nothing from anywhere. PNG \
                 files of the charts are set in " (FONT_LICENCE) "."
            }
            @if let Some(command) = &options.command { p { "Made by " code { (Untrusted(command)) } } }
        }
    }
}
