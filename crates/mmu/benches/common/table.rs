//! Clocks, histograms and the table that a benchmark ends with.
#![allow(dead_code, reason = "each benchmark uses some of it")]

use std::{hint::black_box, time::Instant};

use hdrhistogram::Histogram;

/// Times are kept in picoseconds, so that a share of a batch has digits left.
const PICOSECONDS: u64 = 1_000;

/// What a figure is held against, in nanoseconds; zero stands for no goal.
#[derive(Clone, Copy, Default)]
pub(crate) struct Goal {
    pub(crate) p50: f64,
    pub(crate) p99: f64,
}

impl Goal {
    pub(crate) const NONE: Self = Self { p50: 0.0, p99: 0.0 };

    pub(crate) const fn p50(most: f64) -> Self {
        Self { p50: most, p99: 0.0 }
    }
}

/// Times of one thing that was measured, and how many operations shared two readings of the clock.
pub(crate) struct Times {
    histogram: Histogram<u64>,
    shared_by: u32,
}

impl Times {
    pub(crate) fn new(shared_by: u32) -> Self {
        Self { histogram: Histogram::new(3).expect("three digits are kept"), shared_by }
    }

    /// Runs an operation as often as the clock is shared by, and records what one took.
    pub(crate) fn take<S, R>(&mut self, state: &mut S, mut operation: impl FnMut(&mut S) -> R) {
        let start = Instant::now();
        for _ in 0..self.shared_by {
            black_box(operation(black_box(state)));
        }
        let total = u64::try_from(start.elapsed().as_nanos()).unwrap_or(u64::MAX / PICOSECONDS);
        let one = total * PICOSECONDS / u64::from(self.shared_by);
        self.histogram.record(one).expect("the histogram grows as it must");
    }

    pub(crate) fn at(&self, quantile: f64) -> f64 {
        let value = self.histogram.value_at_quantile(quantile);
        assert!(value > 0, "nothing was measured");
        value as f64 / PICOSECONDS as f64
    }
}

/// Each operation between two readings of the clock of its own.
pub(crate) fn singly<S, R>(
    samples: u32,
    state: &mut S,
    mut operation: impl FnMut(&mut S) -> R,
) -> Times {
    let mut times = Times::new(1);
    for _ in 0..samples {
        times.take(state, &mut operation);
    }
    times
}

/// A batch of operations between two readings, on a state that is made anew for each batch.
pub(crate) fn amortised<S, R>(
    (batches, size): (u32, u32),
    mut fresh: impl FnMut() -> S,
    mut operation: impl FnMut(&mut S) -> R,
) -> Times {
    let mut times = Times::new(size);
    for _ in 0..batches {
        let mut state = fresh();
        times.take(&mut state, &mut operation);
    }
    times
}

/// The rows, printed together at the end.
pub(crate) struct Table {
    clock: Times,
    rows: Vec<[String; 6]>,
    missed: Vec<String>,
}

const HEAD: [&str; 6] = ["what", "p50", "p99", "goal", "", "clock floor"];

impl Table {
    /// An empty table, with the clock's own floor: two readings with nothing between them.
    pub(crate) fn new() -> Self {
        let clock = singly(100_000, &mut (), |()| ());
        Self { clock, rows: Vec::new(), missed: Vec::new() }
    }

    pub(crate) fn head(&mut self, words: &str) {
        self.rows.push([
            words.to_owned(),
            String::new(),
            String::new(),
            String::new(),
            String::new(),
            String::new(),
        ]);
    }

    pub(crate) fn add(&mut self, what: &str, times: &Times, goal: Goal) {
        let (p50, p99) = (times.at(0.5), times.at(0.99));
        let mut wanted = Vec::new();
        for (name, most) in [("p50", goal.p50), ("p99", goal.p99)] {
            if most > 0.0 {
                wanted.push(format!("{name} ≤ {}", time(most)));
            }
        }
        let met = (goal.p50 == 0.0 || p50 <= goal.p50) && (goal.p99 == 0.0 || p99 <= goal.p99);
        let floor = self.clock.at(0.5) / f64::from(times.shared_by);
        let shared = if times.shared_by == 1 {
            time(floor)
        } else {
            format!("{} (÷ {})", time(floor), times.shared_by)
        };
        let row = [what.to_owned(), time(p50), time(p99), wanted.join(", "), String::new(), shared];
        self.judged(row, !wanted.is_empty(), met);
    }

    /// A figure that is no time.
    pub(crate) fn figure(&mut self, what: &str, value: &str, goal: &str, met: bool) {
        let row =
            [what.into(), value.into(), String::new(), goal.into(), String::new(), String::new()];
        self.judged(row, !goal.is_empty(), met);
    }

    fn judged(&mut self, mut row: [String; 6], has_goal: bool, met: bool) {
        if has_goal {
            row[4] = if met { "met" } else { "MISSED" }.into();
            if !met {
                self.missed.push(row[0].trim().to_owned());
            }
        }
        self.rows.push(row);
    }

    pub(crate) fn print(self) {
        let (p50, p99) = (time(self.clock.at(0.5)), time(self.clock.at(0.99)));
        let mut rows = vec![HEAD.map(str::to_owned)];
        rows.extend(self.rows);
        let widths: [usize; 6] = std::array::from_fn(|column| {
            rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0)
        });
        for row in rows {
            let cells = row.iter().zip(widths).enumerate().map(|(column, (cell, width))| {
                let gap = " ".repeat(width - cell.chars().count());
                let right = column == 1 || column == 2;
                if right { format!("{gap}{cell}") } else { format!("{cell}{gap}") }
            });
            let line = cells.collect::<Vec<_>>().join("  ");
            println!("{}", line.trim_end());
        }
        println!("\nThe clock's floor is two readings with nothing between: p50 {p50}, p99 {p99}.");
        println!("It is part of every time above, shared where a batch shares it.");
        match self.missed.as_slice() {
            [] => println!("Every goal is met."),
            missed => println!("Missed: {}.", missed.join("; ")),
        }
    }
}

pub(crate) fn time(nanoseconds: f64) -> String {
    match nanoseconds {
        ..0.995 => format!("{nanoseconds:.2} ns"),
        ..9.95 => format!("{nanoseconds:.1} ns"),
        ..999.5 => format!("{nanoseconds:.0} ns"),
        ..999_500.0 => format!("{:.2} µs", nanoseconds / 1e3),
        _ => format!("{:.2} ms", nanoseconds / 1e6),
    }
}
