//! User tasks over injection tasks: what each attack came to, a drawing an arm, and a drawing of what
//! changed against the arm it is compared with.

use std::collections::BTreeMap;

use trace::rows::CellRow;

use super::canvas::{Align, Canvas, Drawing, Ink, draw, fit};
use super::data::Data;
use super::forest::baseline;
use super::{Chart, Panel};
use crate::arms::Arm;
use crate::outcome::is_valid;
use crate::visible::line;

/// What a pair came to; with epochs and several attacks the worst of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum State {
    Invalid,
    Missed,
    Partial,
    Landed,
}

impl State {
    fn of(cell: &CellRow) -> Self {
        match (is_valid(cell), cell.attack_landed, cell.attack_partial) {
            (false, ..) => Self::Invalid,
            (_, Some(true), _) => Self::Landed,
            (_, _, Some(true)) => Self::Partial,
            _ => Self::Missed,
        }
    }

    fn word(self) -> &'static str {
        match self {
            Self::Invalid => "invalid",
            Self::Missed => "missed",
            Self::Partial => "partial",
            Self::Landed => "landed",
        }
    }

    fn ink(self) -> Ink {
        match self {
            Self::Invalid => Ink::Invalid,
            Self::Missed => Ink::Missed,
            Self::Partial => Ink::Partial,
            Self::Landed => Ink::Landed,
        }
    }
}

/// What changed from one arm to another.
fn change(before: State, after: State) -> Ink {
    match (before, after) {
        (State::Invalid, _) | (_, State::Invalid) => Ink::Invalid,
        (State::Landed, State::Landed) => Ink::Partial,
        (State::Landed, _) => Ink::Gained,
        (_, State::Landed) => Ink::Landed,
        _ => Ink::Missed,
    }
}

/// A square of user tasks and injection tasks: a suite's world.
struct Square<'c> {
    suite: &'c str,
    world: &'c str,
    /// What stands above it.
    name: String,
    users: Vec<&'c str>,
    injections: Vec<&'c str>,
}

type Place<'c> = (&'c str, &'c str, &'c str, &'c str);
type States<'c> = BTreeMap<Place<'c>, (State, &'c CellRow)>;

/// At most so many tasks of a world are drawn along an edge; the data hold all.
const EDGE: usize = 120;

/// At most so many arms are drawn; the data hold all.
const DRAWN: usize = 12;

pub(super) fn chart(arms: &[Arm<'_>]) -> Option<Chart> {
    let found: Vec<States<'_>> = arms.iter().map(states).collect();
    if found.iter().all(BTreeMap::is_empty) {
        return None;
    }
    let worlds = worlds(&found);
    let mut panels = Vec::new();
    for (arm, own) in arms.iter().zip(&found).filter(|(_, own)| !own.is_empty()).take(DRAWN) {
        let ink = |place: &Place<'_>| own.get(place).map(|(state, _)| state.ink());
        panels.push(Panel { caption: arm.label.clone(), drawing: grid(&worlds, ink, STATES) });
    }
    for (at, arm) in arms.iter().enumerate().take(DRAWN) {
        let Some(base) = baseline(arms, at) else { continue };
        let from = arms.iter().position(|other| std::ptr::eq(other, base)).unwrap_or(at);
        let ink =
            |place: &Place<'_>| Some(change(found[from].get(place)?.0, found[at].get(place)?.0));
        if found[at].keys().all(|place| ink(place).is_none()) {
            continue;
        }
        let caption = format!("change from {} to {}", base.label, arm.label);
        panels.push(Panel { caption, drawing: grid(&worlds, ink, CHANGES) });
    }
    Some(Chart {
        slug: "pairs",
        title: "Pairs of user task and injection task",
        note: note(&worlds, arms.len()),
        panels,
        data: data(arms, &found),
    })
}

const STATES: &[(Ink, &str)] = &[
    (Ink::Landed, "landed"),
    (Ink::Partial, "partial"),
    (Ink::Missed, "did not land"),
    (Ink::Invalid, "invalid"),
];

const CHANGES: &[(Ink, &str)] = &[
    (Ink::Landed, "newly landed"),
    (Ink::Gained, "newly stopped"),
    (Ink::Partial, "landed in both"),
    (Ink::Missed, "landed in neither"),
    (Ink::Invalid, "invalid"),
];

fn note(worlds: &[Square<'_>], arms: usize) -> String {
    let mut note = "A row is a user task, a column an injection task, in the order of their numbers. \
                    Blank: no such cell. Where a pair has several attacks or epochs, its worst counts: \
                    landed, then partial."
        .to_owned();
    if worlds.iter().any(|world| world.users.len().max(world.injections.len()) > EDGE) {
        note.push_str(
            " The first 120 tasks of a world are drawn along an edge; the data hold all.",
        );
    }
    if arms > DRAWN {
        note.push_str(" The first 12 arms are drawn; the data hold all.");
    }
    note
}

fn states<'c>(arm: &Arm<'c>) -> States<'c> {
    let mut states = States::new();
    for cell in arm.attacks() {
        let injection = cell.injection_task.as_deref().unwrap_or_default();
        let place = (&*cell.suite, &*cell.world, &*cell.user_task, injection);
        let state = State::of(cell);
        let worst = states.entry(place).or_insert((state, cell));
        if state > worst.0 {
            *worst = (state, cell);
        }
    }
    states
}

/// The number at the end of a task's name, so that tasks stand in the order of their numbers.
fn order(name: &str) -> (&str, u64, &str) {
    let stem = name.trim_end_matches(|sign: char| sign.is_ascii_digit());
    (stem, name[stem.len()..].parse().unwrap_or(u64::MAX), name)
}

fn worlds<'c>(found: &[States<'c>]) -> Vec<Square<'c>> {
    type Tasks<'c> = (Vec<&'c str>, Vec<&'c str>);
    let mut worlds: BTreeMap<(&'c str, &'c str), Tasks<'c>> = BTreeMap::new();
    for (suite, world, user, injection) in found.iter().flat_map(BTreeMap::keys) {
        let (users, injections) = worlds.entry((suite, world)).or_default();
        users.push(user);
        injections.push(injection);
    }
    let first = worlds.keys().next().map(|(suite, _)| *suite);
    let several = worlds.keys().any(|(suite, _)| Some(*suite) != first);
    let square = |((suite, world), (users, injections)): ((&'c str, &'c str), Tasks<'c>)| Square {
        suite,
        world,
        name: if several { format!("{suite}/{world}") } else { world.to_owned() },
        users: in_order(users),
        injections: in_order(injections),
    };
    worlds.into_iter().map(square).collect()
}

/// Each task once.
fn in_order(mut names: Vec<&str>) -> Vec<&str> {
    names.sort_unstable_by_key(|name| order(name));
    names.dedup();
    names
}

const WIDTH: f64 = 720.0;
const GAP: f64 = 34.0;
const TOP: f64 = 52.0;

/// Squares side by side, as many in a line as fit.
fn grid<'c>(
    worlds: &[Square<'c>],
    ink: impl Fn(&Place<'c>) -> Option<Ink>,
    legend: &[(Ink, &str)],
) -> Drawing {
    let longest = worlds.iter().map(|world| world.users.len().min(EDGE)).max().unwrap_or(1);
    let widest = worlds.iter().map(|world| world.injections.len().min(EDGE)).max().unwrap_or(1);
    let size = (320.0 / longest as f64).min((WIDTH - 40.0) / widest as f64).clamp(4.0, 14.0);
    let mut placed = Vec::new();
    let (mut x, mut y, mut tallest) = (10.0, TOP, 0.0_f64);
    for world in worlds {
        let wide = (world.injections.len().min(EDGE) as f64 * size).max(70.0);
        let tall = world.users.len().min(EDGE) as f64 * size;
        if x > 10.0 && x + wide > WIDTH - 10.0 {
            (x, y, tallest) = (10.0, y + tallest + GAP, 0.0);
        }
        placed.push((world, x, y));
        (x, tallest) = (x + wide + GAP, tallest.max(tall));
    }
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a height")]
    let height = (y + tallest + 12.0).ceil() as u32;
    draw(720, height, |canvas| {
        let mut x = 10.0;
        for (ink, words) in legend {
            canvas.rect((x, 9.0), (x + 12.0, 21.0), *ink);
            canvas.words((x + 17.0, 15.0), words, 11.0, Ink::Text, Align::Left);
            x += 30.0 + 6.4 * words.len() as f64;
        }
        for (world, x, y) in placed {
            square(canvas, world, (x, y), size, &ink);
        }
    })
}

fn square<'c>(
    canvas: &Canvas<'_>,
    world: &Square<'c>,
    (left, top): (f64, f64),
    size: f64,
    ink: &impl Fn(&Place<'c>) -> Option<Ink>,
) {
    let users = &world.users[..world.users.len().min(EDGE)];
    let injections = &world.injections[..world.injections.len().min(EDGE)];
    let wide = injections.len() as f64 * size;
    let title = fit(&format!("{} {}×{}", world.name, users.len(), injections.len()), 11.0, 200.0);
    canvas.words((left, top - 10.0), &title, 11.0, Ink::Text, Align::Left);
    for (column, injection) in injections.iter().enumerate() {
        let x = left + column as f64 * size;
        // Neighbours of one colour are one rectangle.
        let mut run: Option<(usize, Ink)> = None;
        for row in 0..=users.len() {
            let user = users.get(row);
            let own = user.and_then(|user| ink(&(world.suite, world.world, user, injection)));
            if let Some((start, before)) = run.filter(|(_, before)| Some(*before) != own) {
                let (from, to) = (top + start as f64 * size, top + row as f64 * size);
                canvas.rect((x, from), (x + size, to), before);
                run = None;
            }
            if let (None, Some(own)) = (run, own) {
                run = Some((row, own));
            }
        }
    }
    let tall = users.len() as f64 * size;
    let rule = if size < 6.0 { 0.25 } else { 1.0 };
    for row in 0..=users.len() {
        let y = top + row as f64 * size;
        canvas.path(&[(left, y), (left + wide, y)], Ink::Paper, rule);
    }
    for column in 0..=injections.len() {
        let x = left + column as f64 * size;
        canvas.path(&[(x, top), (x, top + tall)], Ink::Paper, rule);
    }
}

/// A row a pair, a column an arm.
fn data(arms: &[Arm<'_>], found: &[States<'_>]) -> Data {
    let mut data = Data::new(4, &["suite", "world", "user_task", "injection_task"]);
    data.header.extend(arms.iter().map(|arm| arm.label.clone()));
    let mut places: Vec<&Place<'_>> = found.iter().flat_map(BTreeMap::keys).collect();
    places.sort_unstable_by_key(|(suite, world, user, injection)| {
        (*suite, *world, order(user), order(injection))
    });
    places.dedup();
    for place in places {
        let (suite, world, user, injection) = place;
        let mut row: Vec<String> = [suite, world, user, injection].map(|part| line(part)).into();
        for (arm, own) in arms.iter().zip(found) {
            if let Some((_, cell)) = own.get(place) {
                let cell = (arm.run().to_owned(), cell.cell_id.clone());
                data.cells.insert((data.rows.len(), row.len()), cell);
            }
            row.push(own.get(place).map_or("", |(state, _)| state.word()).to_owned());
        }
        data.rows.push(row);
    }
    data
}
