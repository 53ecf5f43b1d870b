//! Charts: each drawn by plotters as SVG, with its data as a table beside it.
//!
//! Colours are names until a chart is written: within a page they follow the page's theme, in a file
//! they are those of the light one. The same defense has the same colour everywhere, and what a colour
//! means also stands in words. Bytes are a function of the rows.

mod bars;
mod canvas;
mod data;
mod forest;
mod funnel;
mod heatmap;
mod pareto;
mod png;
mod rows;
mod spectrum;
mod stops;

use store::StoreError;

use crate::arms::{NamedRun, arms};
use crate::compare::CompareError;

pub use canvas::{Drawing, THEMES, Theme};
pub use data::Data;
pub use png::{FONT_LICENCE, PngError};

/// A chart: one or several drawings, and the data of all of them.
#[derive(Clone, Debug)]
pub struct Chart {
    /// Its name in links and files, of lower-case letters and hyphens.
    pub slug: &'static str,
    /// Its title.
    pub title: &'static str,
    /// How to read it.
    pub note: String,
    /// The drawings.
    pub panels: Vec<Panel>,
    /// The data of all drawings.
    pub data: Data,
}

/// One drawing of a chart.
#[derive(Clone, Debug)]
pub struct Panel {
    /// What it shows, among the panels of its chart; empty where there is one.
    pub caption: String,
    /// The drawing.
    pub drawing: Drawing,
}

/// What can go wrong with charts.
#[derive(Debug, thiserror::Error)]
pub enum ChartError {
    /// A row of latencies holds no histogram.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Cells cannot be paired.
    #[error(transparent)]
    Compare(#[from] CompareError),
}

/// All charts of these runs, in the order of a report; those without any data are left out.
///
/// `margin` is the gate's, as a share: a greater difference is a regression.
///
/// # Errors
/// A row of latencies holds no histogram, or several cells of a run belong to the same pair.
pub fn charts(runs: &[NamedRun<'_>], margin: f64) -> Result<Vec<Chart>, ChartError> {
    let arms = arms(runs);
    let charts = [
        pareto::chart(&arms),
        bars::chart(&arms),
        forest::chart(&arms, margin)?,
        heatmap::chart(&arms),
        funnel::chart(&arms),
        stops::chart(&arms),
        spectrum::chart(runs)?,
    ];
    Ok(charts.into_iter().flatten().collect())
}

impl Chart {
    /// The names and bytes of its files: every panel as SVG and PNG, and the data as CSV. `clean` takes
    /// out of every text what must not reach a file.
    ///
    /// # Errors
    /// A drawing cannot be rasterised.
    pub fn files(
        &self,
        clean: &dyn Fn(&str) -> String,
    ) -> Result<Vec<(String, Vec<u8>)>, PngError> {
        let csv = clean(&self.data.csv());
        let mut files = vec![(format!("{}.csv", self.slug), csv.into_bytes())];
        for (at, panel) in self.panels.iter().enumerate() {
            let name = match self.panels.len() {
                1 => self.slug.to_owned(),
                _ => format!("{}-{}", self.slug, at + 1),
            };
            let title = panel.title(self.title);
            let svg = clean(&panel.drawing.file(&title));
            files.push((format!("{name}.png"), png::rasterise(&svg)?));
            files.push((format!("{name}.svg"), svg.into_bytes()));
        }
        Ok(files)
    }
}

impl Panel {
    /// The title of the drawing for those who do not see it.
    pub fn title(&self, chart: &str) -> String {
        if self.caption.is_empty() {
            chart.to_owned()
        } else {
            format!("{chart}: {}", self.caption)
        }
    }
}
