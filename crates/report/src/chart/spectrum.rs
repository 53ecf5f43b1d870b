//! Latencies over percentiles, a line a defense, a drawing a hook.

use std::collections::BTreeMap;

use hdrhistogram::Histogram;
use store::StoreError;

use super::canvas::{Align, Canvas, Ink, draw, fit, width_of};
use super::data::Data;
use super::{Chart, Panel};
use crate::arms::{Arm, NamedRun, arms};
use crate::latency::by_hook;
use crate::outcome::CONFIDENCE;
use crate::stats::quantile::quantile_ranks;
use crate::table::format::time;

/// One defense's samples of a hook.
struct Series {
    label: String,
    colour: usize,
    samples: Histogram<u64>,
    clock_ns: u64,
}

/// Shares that are named at the scale.
const TICKS: &[(f64, &str)] = &[
    (0.0, "0"),
    (0.9, "90"),
    (0.99, "99"),
    (0.999, "99.9"),
    (0.9999, "99.99"),
    (0.99999, "99.999"),
];

/// Shares in the data.
const SHARES: &[f64] = &[0.0, 0.5, 0.75, 0.9, 0.95, 0.99, 0.999, 0.9999, 0.99999];

pub(super) fn chart(runs: &[NamedRun<'_>]) -> Result<Option<Chart>, StoreError> {
    let arms = arms(runs);
    let mut hooks: BTreeMap<(String, String), Vec<Series>> = BTreeMap::new();
    for run in runs {
        for ((suite, defense), found) in by_hook(&run.rows.latency)? {
            let name =
                if runs.len() > 1 { format!("{defense} · {}", run.name) } else { defense.clone() };
            for (hook, found) in found {
                hooks.entry((suite.clone(), hook)).or_default().push(Series {
                    label: name.clone(),
                    colour: colour(&arms, &defense),
                    samples: found.samples,
                    clock_ns: found.clock_ns,
                });
            }
        }
    }
    if hooks.is_empty() {
        return Ok(None);
    }
    let mut data =
        Data::new(4, &["suite", "hook", "defense", "percentile", "value_ns", "n", "clock_ns"]);
    let mut panels = Vec::new();
    for ((suite, hook), series) in &hooks {
        for one in series {
            rows(suite, hook, one, &mut data);
        }
        panels.push(Panel {
            caption: format!("{suite}, hook {hook}"),
            drawing: draw(720, 300, |canvas| paint(canvas, series)),
        });
    }
    Ok(Some(Chart {
        slug: "latency",
        title: "Latency of the defense's hooks, by percentile",
        note: "Each line stops at the last percentile that has a two-sided 95 % interval by order \
               statistics. Every sample holds one pair of clock reads, whose median cost is the dotted \
               line. The owner's wait is not in it."
            .to_owned(),
        panels,
        data,
    }))
}

fn colour(arms: &[Arm<'_>], defense: &str) -> usize {
    arms.iter().find(|arm| arm.defense == defense).map_or(0, |arm| arm.colour)
}

/// Whether the samples say anything of this percentile.
fn supported(samples: &Histogram<u64>, share: f64) -> bool {
    share <= 0.0 || quantile_ranks(samples.len(), share, CONFIDENCE).is_some()
}

fn rows(suite: &str, hook: &str, one: &Series, data: &mut Data) {
    for share in SHARES.iter().filter(|share| supported(&one.samples, **share)) {
        data.rows.push(vec![
            suite.to_owned(),
            hook.to_owned(),
            one.label.clone(),
            format!("{}", (share * 1e7).round() / 1e5),
            one.samples.value_at_quantile(*share).to_string(),
            one.samples.len().to_string(),
            one.clock_ns.to_string(),
        ]);
    }
}

const LEFT: f64 = 66.0;
const RIGHT: f64 = 560.0;
const TOP: f64 = 14.0;
const BOTTOM: f64 = 250.0;

/// From 0 to 5: nines of the share.
fn nines(share: f64) -> f64 {
    -(1.0 - share).log10()
}

fn x(nines: f64) -> f64 {
    LEFT + nines / 5.0 * (RIGHT - LEFT)
}

/// The decades that hold all samples.
fn decades(series: &[Series]) -> (f64, f64) {
    let lows = series.iter().map(|one| one.samples.min().max(1));
    let highs = series.iter().map(|one| one.samples.max().max(1));
    let low = (lows.min().unwrap_or(1) as f64).log10().floor();
    let high = (highs.max().unwrap_or(10) as f64).log10().ceil();
    (low, high.max(low + 1.0))
}

fn paint(canvas: &Canvas<'_>, series: &[Series]) {
    let (low, high) = decades(series);
    let y = |ns: u64| {
        let share = ((ns.max(1) as f64).log10() - low) / (high - low);
        BOTTOM - share * (BOTTOM - TOP)
    };
    let mut decade = low;
    while decade <= high {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a power of ten"
        )]
        let ns = 10_f64.powf(decade).round() as u64;
        canvas.path(&[(LEFT, y(ns)), (RIGHT, y(ns))], Ink::Grid, 0.75);
        let words = time(ns).replace(".00", "").replace(".0", "");
        canvas.words((LEFT - 8.0, y(ns)), &words, 11.0, Ink::Muted, Align::Right);
        decade += 1.0;
    }
    for (share, words) in TICKS {
        let at = x(nines(*share));
        canvas.path(&[(at, TOP), (at, BOTTOM + 5.0)], Ink::Grid, 0.75);
        canvas.words((at, BOTTOM + 15.0), words, 11.0, Ink::Muted, Align::Centre);
    }
    let middle = f64::midpoint(LEFT, RIGHT);
    canvas.words((middle, BOTTOM + 35.0), "percentile", 12.0, Ink::Text, Align::Centre);
    let clock = series.iter().map(|one| one.clock_ns).max();
    if let Some(clock) = clock.filter(|ns| *ns > 0 && (*ns as f64).log10() >= low) {
        dotted(canvas, y(clock));
    }
    let mut ends = Vec::new();
    for one in series {
        let points = line(&one.samples);
        let points: Vec<(f64, f64)> = points.iter().map(|(at, ns)| (x(*at), y(*ns))).collect();
        canvas.path(&points, Ink::Series(one.colour), 1.75);
        ends.extend(points.last().map(|end| (*end, one)));
    }
    names(canvas, ends);
}

fn dotted(canvas: &Canvas<'_>, y: f64) {
    let mut at = LEFT;
    while at < RIGHT {
        canvas.path(&[(at, y), (at + 2.0, y)], Ink::Muted, 1.0);
        at += 6.0;
    }
    canvas.words((RIGHT - 2.0, y + 8.0), "two reads of the clock", 9.5, Ink::Muted, Align::Right);
}

/// The line's points, as far as the samples carry it.
fn line(samples: &Histogram<u64>) -> Vec<(f64, u64)> {
    const STEPS: u32 = 100;
    let mut points: Vec<(f64, u64)> = Vec::new();
    for step in 0..=STEPS {
        let nines = 5.0 * f64::from(step) / f64::from(STEPS);
        let share = 1.0 - 10_f64.powf(-nines);
        if !supported(samples, share) {
            break;
        }
        points.push((nines, samples.value_at_quantile(share)));
    }
    points
}

/// Names at the lines' ends, one below the other.
fn names(canvas: &Canvas<'_>, mut ends: Vec<((f64, f64), &Series)>) {
    ends.sort_by(|a, b| a.0.1.total_cmp(&b.0.1));
    let mut free = TOP;
    for ((x, y), one) in ends {
        let height = y.max(free);
        free = height + 13.0;
        let words = fit(&one.label, 10.5, 138.0);
        let room = x + 12.0 + width_of(&words, 10.5) < 716.0;
        let at = if room && x > RIGHT - 1.0 { x + 12.0 } else { RIGHT + 12.0 };
        canvas.path(&[(x, y), (at - 4.0, height)], Ink::Series(one.colour), 0.5);
        canvas.words((at, height), &words, 10.5, Ink::Text, Align::Left);
    }
}
