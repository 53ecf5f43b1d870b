//! A drawing of rows: words at the left, a bar or a point with its interval in the middle, figures at
//! the right. It grows downwards, so that nothing is squeezed.

use super::canvas::{Align, Canvas, Drawing, Ink, Mark, draw, fit, width_of};

/// A part of a bar.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part {
    /// Where it begins, on the scale.
    pub(crate) from: f64,
    /// Where it ends.
    pub(crate) to: f64,
    /// Its colour.
    pub(crate) ink: Ink,
}

/// A row.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    /// The words at the left.
    pub(crate) label: String,
    /// The bar's parts.
    pub(crate) parts: Vec<Part>,
    /// A point, with its colour.
    pub(crate) point: Option<(f64, Ink)>,
    /// An interval.
    pub(crate) interval: Option<(f64, f64)>,
    /// The figures at the right.
    pub(crate) figures: String,
}

/// Rows under a heading.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    /// The heading; none where it is empty.
    pub(crate) title: String,
    /// The rows.
    pub(crate) lines: Vec<Line>,
}

/// A drawing of rows.
#[derive(Clone, Debug)]
pub(crate) struct Rows {
    /// The groups.
    pub(crate) groups: Vec<Group>,
    /// The scale's ends.
    pub(crate) domain: (f64, f64),
    /// The scale's ticks.
    pub(crate) ticks: Vec<(f64, String)>,
    /// What the scale measures.
    pub(crate) axis: String,
    /// A line across all rows, such as zero.
    pub(crate) line: Option<f64>,
    /// A band across all rows, such as the gate's margin.
    pub(crate) band: Option<(f64, f64)>,
    /// What the colours mean.
    pub(crate) legend: Vec<(Ink, String)>,
    /// The width of the words at the left.
    pub(crate) label_width: f64,
}

const WIDTH: u32 = 720;
const FIGURES: f64 = 200.0;
/// Where the scale ends.
const RIGHT: f64 = WIDTH as f64 - FIGURES;
const LINE: f64 = 19.0;
const HEADING: f64 = 26.0;
const TOP: f64 = 8.0;
const BOTTOM: f64 = 40.0;
const LEGEND: f64 = 20.0;

impl Rows {
    /// Rows on a scale from 0 to 100 %.
    pub(crate) fn percent(axis: &str, groups: Vec<Group>) -> Self {
        let ticks = [0.0, 25.0, 50.0, 75.0, 100.0];
        Self {
            groups,
            domain: (0.0, 100.0),
            ticks: ticks.iter().map(|at| (*at, format!("{at} %"))).collect(),
            axis: axis.to_owned(),
            line: None,
            band: None,
            legend: Vec::new(),
            label_width: 180.0,
        }
    }

    fn left(&self) -> f64 {
        self.label_width + 14.0
    }

    fn x(&self, value: f64) -> f64 {
        let (low, high) = self.domain;
        let share = ((value - low) / (high - low)).clamp(0.0, 1.0);
        self.left() + share * (RIGHT - self.left())
    }

    /// The lines of the legend, each with the places of its entries.
    fn legend_lines(&self) -> Vec<Vec<(f64, usize)>> {
        let mut lines: Vec<Vec<(f64, usize)>> = Vec::new();
        let mut x = f64::from(WIDTH);
        for (at, (_, words)) in self.legend.iter().enumerate() {
            let width = width_of(words, 11.0) + 34.0;
            if x + width > f64::from(WIDTH) || lines.is_empty() {
                lines.push(Vec::new());
                x = 10.0;
            }
            lines.last_mut().expect("a line was just added").push((x, at));
            x += width;
        }
        lines
    }

    /// Draws them.
    pub(crate) fn drawing(&self) -> Drawing {
        let rows: usize = self.groups.iter().map(|group| group.lines.len()).sum();
        let headings = self.groups.iter().filter(|group| !group.title.is_empty()).count();
        let legend = self.legend_lines();
        let top = TOP + LEGEND * legend.len() as f64;
        let bottom = top + rows as f64 * LINE + headings as f64 * HEADING;
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a height")]
        let height = (bottom + BOTTOM).ceil() as u32;
        draw(WIDTH, height, |canvas| {
            for (row, entries) in legend.iter().enumerate() {
                self.draw_legend(canvas, TOP + (row as f64 + 0.5) * LEGEND, entries);
            }
            self.draw_scale(canvas, top, bottom);
            let mut y = top;
            for group in &self.groups {
                if !group.title.is_empty() {
                    let title = fit(&group.title, 12.5, f64::from(WIDTH) - 20.0);
                    canvas.words((10.0, y + 15.0), &title, 12.5, Ink::Text, Align::Left);
                    y += HEADING;
                }
                for line in &group.lines {
                    self.draw_line(canvas, y + LINE / 2.0, line);
                    y += LINE;
                }
            }
        })
    }

    fn draw_legend(&self, canvas: &Canvas<'_>, y: f64, entries: &[(f64, usize)]) {
        for (x, at) in entries {
            let (ink, words) = &self.legend[*at];
            canvas.rect((*x, y - 5.0), (x + 14.0, y + 5.0), *ink);
            canvas.words((x + 19.0, y), words, 11.0, Ink::Text, Align::Left);
        }
    }

    fn draw_scale(&self, canvas: &Canvas<'_>, top: f64, bottom: f64) {
        if let Some((low, high)) = self.band {
            canvas.rect((self.x(low), top), (self.x(high), bottom), Ink::Band);
        }
        for (at, words) in &self.ticks {
            let x = self.x(*at);
            canvas.path(&[(x, top), (x, bottom + 4.0)], Ink::Grid, 0.75);
            canvas.words((x, bottom + 13.0), words, 10.5, Ink::Muted, Align::Centre);
        }
        if let Some(line) = self.line {
            let x = self.x(line);
            canvas.path(&[(x, top), (x, bottom)], Ink::Muted, 1.0);
        }
        let middle = f64::midpoint(self.left(), RIGHT);
        canvas.words((middle, bottom + 29.0), &self.axis, 11.0, Ink::Muted, Align::Centre);
    }

    fn draw_line(&self, canvas: &Canvas<'_>, y: f64, line: &Line) {
        let label = fit(&line.label, 11.0, self.label_width);
        canvas.words((self.left() - 8.0, y), &label, 11.0, Ink::Text, Align::Right);
        for part in &line.parts {
            let (from, to) = (self.x(part.from), self.x(part.to));
            // A part of nothing is a tick, so that its colour is still seen.
            let to = if to - from < 1.0 { from + 1.0 } else { to };
            canvas.rect((from, y - 6.0), (to, y + 6.0), part.ink);
        }
        if let Some((low, high)) = line.interval {
            let (low, high) = (self.x(low), self.x(high));
            canvas.path(&[(low, y), (high, y)], Ink::Text, 1.25);
            for end in [low, high] {
                canvas.path(&[(end, y - 3.5), (end, y + 3.5)], Ink::Text, 1.25);
            }
        }
        if let Some((at, ink)) = line.point {
            canvas.mark((self.x(at), y), Mark::Square, 4.5, ink);
        }
        let figures = fit(&line.figures, 10.5, FIGURES - 14.0);
        canvas.words((RIGHT + 12.0, y), &figures, 10.5, Ink::Text, Align::Left);
    }
}
