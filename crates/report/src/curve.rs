//! What attacks are let through, over how often the owner is asked: a point a defense and owner.
//!
//! Landed counts all attack cells, whatever their class; the share of tasks that ask is over the benign
//! cells. Attacks are static. Bytes are a function of the points.

use std::borrow::Borrow;

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use trace::rows::CellRow;

use crate::outcome::{is_attack, is_benign, is_valid};

/// A defense with an owner.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    /// The defense.
    pub defense: String,
    /// The owner.
    pub owner: String,
    /// Attacks that landed, and attack cells.
    pub landed: (usize, usize),
    /// Benign tasks that asked, and benign cells.
    pub asked: (usize, usize),
}

impl Point {
    fn landed_share(&self) -> f64 {
        100.0 * self.landed.0 as f64 / self.landed.1 as f64
    }

    fn asked_share(&self) -> f64 {
        100.0 * self.asked.0 as f64 / self.asked.1 as f64
    }
}

/// The points of a run, in the order of its cells: those with attack cells and benign cells.
pub fn points<C: Borrow<CellRow>>(cells: &[C]) -> Vec<Point> {
    let mut points: Vec<Point> = Vec::new();
    let cells = cells.iter().map(Borrow::borrow);
    for cell in cells.filter(|cell| is_valid(cell) && (is_attack(cell) || is_benign(cell))) {
        let same = |point: &Point| point.defense == cell.defense && point.owner == cell.owner;
        let at = points.iter().position(same).unwrap_or_else(|| {
            points.push(Point {
                defense: cell.defense.clone(),
                owner: cell.owner.clone(),
                landed: (0, 0),
                asked: (0, 0),
            });
            points.len() - 1
        });
        let (count, yes) = if is_attack(cell) {
            (&mut points[at].landed, cell.attack_landed == Some(true))
        } else {
            (&mut points[at].asked, cell.asks > 0)
        };
        count.0 += usize::from(yes);
        count.1 += 1;
    }
    points.retain(|point| point.landed.1 > 0 && point.asked.1 > 0);
    points
}

/// One colour, dark enough on white; what a point is stands beside it in words.
const MARK: RGBColor = RGBColor(0, 114, 178);

const WIDTH: u32 = 1_000;
const PANEL: u32 = 300;

/// Defenses that are ceiling, floor or absent: they do not set the scale.
const BOUNDS: &[&str] = &["none", "ask-all", "deny-all"];

/// The chart as SVG, a panel an owner; `None` without a point.
pub fn svg(points: &[Point]) -> Option<String> {
    let mut owners: Vec<&str> = Vec::new();
    for point in points {
        if !owners.contains(&point.owner.as_str()) {
            owners.push(&point.owner);
        }
    }
    if points.is_empty() {
        return None;
    }
    let mut text = String::new();
    draw(&mut text, points, &owners).ok()?;
    Some(text)
}

type DrawResult = Result<(), Box<dyn std::error::Error>>;
type Area<'a> = DrawingArea<SVGBackend<'a>, plotters::coord::Shift>;

fn draw(text: &mut String, points: &[Point], owners: &[&str]) -> DrawResult {
    let height = PANEL * u32::try_from(owners.len())?;
    let area = SVGBackend::with_string(text, (WIDTH, height)).into_drawing_area();
    area.fill(&WHITE)?;
    let scaled = points.iter().filter(|point| !BOUNDS.contains(&point.defense.as_str()));
    let top = scaled.map(Point::landed_share).fold(4.0, f64::max) * 1.35;
    for (panel, owner) in area.split_evenly((owners.len(), 1)).iter().zip(owners) {
        let own: Vec<&Point> = points.iter().filter(|point| point.owner == **owner).collect();
        draw_panel(panel, owner, &own, top)?;
    }
    area.present()?;
    Ok(())
}

fn draw_panel(area: &Area<'_>, owner: &str, own: &[&Point], top: f64) -> DrawResult {
    let beyond = own.iter().filter(|point| point.landed_share() > top);
    let beyond: Vec<String> = beyond
        .map(|point| {
            let (asked, landed) = (point.asked_share(), point.landed_share());
            format!("{} {landed:.1} % landed, {asked:.0} % ask", point.defense)
        })
        .collect();
    let mut title = format!("owner {owner}: attacks landed over benign tasks that ask (static)");
    if !beyond.is_empty() {
        title = format!("{title}; above the scale: {}", beyond.join("; "));
    }
    let mut chart = ChartBuilder::on(area)
        .caption(title, ("sans-serif", 14))
        .margin(14)
        .margin_right(90)
        .x_label_area_size(44)
        .y_label_area_size(58)
        .build_cartesian_2d(0.0..100.0_f64, 0.0..top)?;
    chart
        .configure_mesh()
        .light_line_style(WHITE)
        .x_desc("benign tasks that ask the owner, %")
        .y_desc("landed of all, %")
        .y_labels(6)
        .label_style(("sans-serif", 12))
        .axis_desc_style(("sans-serif", 13))
        .draw()?;
    let mut shown: Vec<&&Point> = own.iter().filter(|point| point.landed_share() <= top).collect();
    shown.sort_by(|a, b| a.asked_share().total_cmp(&b.asked_share()));
    for (rank, point) in shown.iter().enumerate() {
        let at = (point.asked_share(), point.landed_share());
        let style = ("sans-serif", 12).into_font().color(&BLACK);
        // Neighbours are labelled above and to the left, below and to the right, in turn.
        let above = rank % 2 == 0 || at.1 == 0.0;
        let (place, shift) = if above { (VPos::Bottom, -9) } else { (VPos::Top, 8) };
        let leftward = at.0 > 85.0 || (above && at.0 > 15.0);
        let side = if leftward { HPos::Right } else { HPos::Left };
        let words = format!("{} {:.1} %", point.defense, point.landed_share());
        let style = style.pos(Pos::new(side, place));
        let mark = EmptyElement::at(at)
            + Circle::new((0, 0), 4, MARK.filled())
            + Text::new(words, (if leftward { 4 } else { -4 }, shift), style);
        chart.draw_series(std::iter::once(mark))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(kind: &str, defense: &str, landed: Option<bool>, asks: u32) -> CellRow {
        CellRow {
            kind: kind.to_owned(),
            defense: defense.to_owned(),
            owner: "never".to_owned(),
            status: "ok".to_owned(),
            attack_landed: landed,
            asks,
            ..CellRow::default()
        }
    }

    #[test]
    fn a_point_counts_attacks_and_benign_tasks_apart() {
        let cells = [
            cell("attack", "mmu", Some(true), 1),
            cell("attack", "mmu", Some(false), 2),
            cell("benign", "mmu", None, 1),
            cell("benign", "mmu", None, 0),
            cell("benign", "mmu", None, 0),
            cell("benign-control", "mmu", Some(false), 3),
            cell("attack", "alone", Some(true), 0),
        ];
        let points = points(&cells);
        assert_eq!(points.len(), 1, "a defense without benign cells has no point");
        assert_eq!((points[0].landed, points[0].asked), ((1, 2), (1, 3)));
        let drawn = svg(&points).unwrap();
        assert!(drawn.contains("owner never") && drawn.contains("mmu"), "{drawn}");
        assert_eq!(svg(&points), Some(drawn), "the same points give the same bytes");
        assert_eq!(svg(&[]), None);
    }
}
