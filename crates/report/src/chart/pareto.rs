//! What attacks are let through over what benign tasks get done: a point an arm, an arrow from the arm
//! without a defense.

use super::canvas::{Align, Canvas, Ink, Mark, draw, fit, width_of};
use super::data::{Data, number, optional};
use super::{Chart, Panel};
use crate::arms::Arm;
use crate::outcome::{Outcome, Tally};
use crate::table::format;

struct Point {
    label: String,
    colour: usize,
    bare: bool,
    landed: Tally,
    useful: Tally,
    /// Utility under attack.
    under: Option<Tally>,
    /// The arm's place among all arms.
    arm: usize,
}

impl Point {
    /// Percent of attacks that landed, and of benign tasks done.
    fn at(&self) -> (f64, f64) {
        (100.0 * self.landed.rate(), 100.0 * self.useful.rate())
    }

    /// Whether no other point is better in one and as good in the other.
    fn is_on_front(&self, all: &[Point]) -> bool {
        let (x, y) = self.at();
        !all.iter().map(Point::at).any(|(a, b)| a <= x && b >= y && (a < x || b > y))
    }
}

pub(super) fn chart(arms: &[Arm<'_>]) -> Option<Chart> {
    let points: Vec<Point> =
        arms.iter().enumerate().filter_map(|(at, arm)| point(at, arm)).collect();
    if points.is_empty() {
        return None;
    }
    let header = [
        "arm",
        "landed",
        "attacks",
        "asr",
        "asr_low",
        "asr_high",
        "done",
        "tasks",
        "utility",
        "utility_low",
        "utility_high",
        "utility_under_attack",
        "on_front",
    ];
    let mut data = Data::new(1, &header);
    data.rows = points.iter().map(|point| row(point, point.is_on_front(&points))).collect();
    let drawing = draw(720, 460, |canvas| paint(canvas, &points, arms));
    Some(Chart {
        slug: "trade-off",
        title: "Attacks let through, and work done",
        note: "Each arm by the share of all attacks that landed (left is safe) and of benign tasks done \
               (up is useful), with Wilson's 95 % intervals on both axes. Filled: benign tasks. Hollow: \
               utility under attack, which without a defense is damage done by the attack's own calls. \
               Arrows run from the arm without a defense. The line is the front: nothing is better in \
               both."
            .to_owned(),
        panels: vec![Panel { caption: String::new(), drawing }],
        data,
    })
}

fn point(at: usize, arm: &Arm<'_>) -> Option<Point> {
    Some(Point {
        label: arm.label.clone(),
        colour: arm.colour,
        bare: arm.defense == "none",
        landed: Tally::of(Outcome::AttackLanded, arm.attacks())?,
        useful: Tally::of(Outcome::UtilityDone, arm.benign())?,
        under: Tally::of(Outcome::UtilityDone, arm.attacks()),
        arm: at,
    })
}

fn row(point: &Point, on_front: bool) -> Vec<String> {
    let (landed, useful) = (point.landed.interval(), point.useful.interval());
    vec![
        point.label.clone(),
        point.landed.k.to_string(),
        point.landed.n.to_string(),
        number(point.landed.rate()),
        optional(landed.map(|limits| limits.low)),
        optional(landed.map(|limits| limits.high)),
        point.useful.k.to_string(),
        point.useful.n.to_string(),
        number(point.useful.rate()),
        optional(useful.map(|limits| limits.low)),
        optional(useful.map(|limits| limits.high)),
        optional(point.under.map(Tally::rate)),
        on_front.to_string(),
    ]
}

const LEFT: f64 = 64.0;
const RIGHT: f64 = 700.0;
const TOP: f64 = 22.0;
const BOTTOM: f64 = 400.0;

fn x(percent: f64) -> f64 {
    LEFT + percent / 100.0 * (RIGHT - LEFT)
}

fn y(percent: f64) -> f64 {
    BOTTOM - percent / 100.0 * (BOTTOM - TOP)
}

fn paint(canvas: &Canvas<'_>, points: &[Point], arms: &[Arm<'_>]) {
    axes(canvas);
    front(canvas, points);
    for point in points.iter().filter(|point| !point.bare) {
        let bare = points.iter().find(|one| one.bare && arms[one.arm].beside(&arms[point.arm]));
        if let Some(bare) = bare {
            arrow(canvas, bare.at(), point.at());
        }
    }
    for point in points {
        intervals(canvas, point);
        if let Some(under) = point.under {
            let at = (x(100.0 * point.landed.rate()), y(100.0 * under.rate()));
            canvas.mark(at, Mark::Ring, 3.0, Ink::Series(point.colour));
        }
    }
    for point in points {
        let (across, up) = point.at();
        canvas.mark((x(across), y(up)), Mark::Disc, 5.0, Ink::Series(point.colour));
    }
    labels(canvas, points);
}

fn axes(canvas: &Canvas<'_>) {
    for percent in [0.0, 20.0, 40.0, 60.0, 80.0, 100.0] {
        canvas.path(&[(x(percent), TOP), (x(percent), BOTTOM + 5.0)], Ink::Grid, 0.75);
        canvas.path(&[(LEFT - 5.0, y(percent)), (RIGHT, y(percent))], Ink::Grid, 0.75);
        let words = format!("{percent} %");
        canvas.words((x(percent), BOTTOM + 15.0), &words, 11.0, Ink::Muted, Align::Centre);
        canvas.words((LEFT - 9.0, y(percent)), &words, 11.0, Ink::Muted, Align::Right);
    }
    let middle = f64::midpoint(LEFT, RIGHT);
    let words = "attacks that landed, of all (left is safe)";
    canvas.words((middle, BOTTOM + 37.0), words, 12.0, Ink::Text, Align::Centre);
    let middle = f64::midpoint(TOP, BOTTOM);
    canvas.words_up((14.0, middle), "benign tasks done", 12.0, Ink::Text, Align::Centre);
}

/// The front as steps, from the upper left.
fn front(canvas: &Canvas<'_>, points: &[Point]) {
    let on: Vec<&Point> = points.iter().filter(|point| point.is_on_front(points)).collect();
    let mut at: Vec<(f64, f64)> = on.iter().map(|point| point.at()).collect();
    at.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
    at.dedup();
    let mut steps: Vec<(f64, f64)> = Vec::new();
    let mut last: Option<(f64, f64)> = None;
    for (across, up) in at {
        if let Some((_, before)) = last {
            steps.push((x(across), y(before)));
        }
        steps.push((x(across), y(up)));
        last = Some((across, up));
    }
    if let Some((_, up)) = last {
        steps.push((x(100.0), y(up)));
    }
    canvas.path(&steps, Ink::Muted, 1.0);
}

fn arrow(canvas: &Canvas<'_>, from: (f64, f64), to: (f64, f64)) {
    let (from, to) = ((x(from.0), y(from.1)), (x(to.0), y(to.1)));
    let (across, down) = (to.0 - from.0, to.1 - from.1);
    let length = across.hypot(down);
    if length < 24.0 {
        return;
    }
    let (along, side) = ((across / length, down / length), (-down / length, across / length));
    let tip = (to.0 - 7.0 * along.0, to.1 - 7.0 * along.1);
    let back = (tip.0 - 8.0 * along.0, tip.1 - 8.0 * along.1);
    canvas.path(&[from, back], Ink::Grid, 1.25);
    let wing = |sign: f64| (back.0 + sign * 3.5 * side.0, back.1 + sign * 3.5 * side.1);
    canvas.shape(&[tip, wing(1.0), wing(-1.0)], Ink::Muted);
}

fn intervals(canvas: &Canvas<'_>, point: &Point) {
    let (across, up) = point.at();
    let ink = Ink::Series(point.colour);
    if let Some(limits) = point.landed.interval() {
        let ends = [(x(100.0 * limits.low), y(up)), (x(100.0 * limits.high), y(up))];
        canvas.path(&ends, ink, 1.25);
    }
    if let Some(limits) = point.useful.interval() {
        let ends = [(x(across), y(100.0 * limits.low)), (x(across), y(100.0 * limits.high))];
        canvas.path(&ends, ink, 1.25);
    }
}

const SPACING: f64 = 14.0;

/// Labels stand in two columns of their own, a thin line to each point, so that none hides another.
fn labels(canvas: &Canvas<'_>, points: &[Point]) {
    let (left, right): (Vec<&Point>, Vec<&Point>) =
        points.iter().partition(|point| point.at().0 <= 55.0);
    column(canvas, left, |own| own + 26.0, Align::Left);
    column(canvas, right, |own| own - 26.0, Align::Right);
}

fn column(canvas: &Canvas<'_>, mut points: Vec<&Point>, place: fn(f64) -> f64, align: Align) {
    points.sort_by(|a, b| b.at().1.total_cmp(&a.at().1).then(a.at().0.total_cmp(&b.at().0)));
    // One column, beside the point that is farthest in.
    let inner = points.iter().map(|point| x(point.at().0));
    let Some(inner) = (match align {
        Align::Left => inner.reduce(f64::max),
        _ => inner.reduce(f64::min),
    }) else {
        return;
    };
    let column = place(inner);
    let mut free = TOP - 8.0;
    let mut heights: Vec<f64> = Vec::new();
    for point in &points {
        let height = y(point.at().1).max(free);
        heights.push(height);
        free = height + SPACING;
    }
    // What ran out of the drawing moves up again, from below.
    let mut floor = BOTTOM - 2.0;
    for height in heights.iter_mut().rev() {
        *height = height.min(floor);
        floor = *height - SPACING;
    }
    for (point, height) in points.iter().zip(heights) {
        let (across, up) = point.at();
        let toward = if align == Align::Left { -4.0 } else { 4.0 };
        canvas.path(&[(x(across), y(up)), (column + toward, height)], Ink::Grid, 0.75);
        let (landed, done) =
            (format::percent(point.landed.rate()), format::percent(point.useful.rate()));
        let words = format!("{} ({landed} %, {done} %)", point.label);
        let words = fit(&words, 10.5, 330.0);
        let wide = width_of(&words, 10.5) + 14.0;
        let toward = if align == Align::Left { 1.0 } else { -1.0 };
        // A ground of its own, so that no line runs through the words.
        let far = column + toward * wide;
        let (from, to) = (column.min(far), column.max(far));
        canvas.rect((from - 1.0, height - 6.0), (to, height + 6.0), Ink::Paper);
        let swatch = (column + toward * 4.0, height);
        canvas.mark(swatch, Mark::Disc, 3.5, Ink::Series(point.colour));
        canvas.words((column + toward * 12.0, height), &words, 10.5, Ink::Text, align);
    }
}
