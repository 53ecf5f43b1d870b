//! Progress on standard error: a bar with an ETA on a terminal, plain lines elsewhere.

use std::io::IsTerminal as _;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// How often a plain line is printed at most.
const LINE_EVERY: Duration = Duration::from_secs(5);

/// How far a run is.
pub(crate) enum Progress {
    /// A bar on a terminal.
    Bar(ProgressBar),
    /// Plain lines, for logs.
    Lines {
        /// Cells in all.
        total: usize,
        /// When the run began.
        start: Instant,
        /// When the last line was printed.
        last: Instant,
    },
    /// Nothing.
    Quiet,
}

impl Progress {
    /// Progress over so many cells, as fits where standard error goes.
    pub(crate) fn new(total: usize, quiet: bool) -> Self {
        if quiet {
            return Self::Quiet;
        }
        let in_ci = std::env::var_os("CI").is_some_and(|value| !value.is_empty());
        if std::io::stderr().is_terminal() && !in_ci {
            let bar = ProgressBar::new(total as u64);
            let style =
                ProgressStyle::with_template("{wide_bar} {pos}/{len} cells  {per_sec}  ETA {eta}");
            bar.set_style(style.expect("the template is valid"));
            return Self::Bar(bar);
        }
        let now = Instant::now();
        Self::Lines { total, start: now, last: now }
    }

    /// So many cells are done.
    pub(crate) fn done(&mut self, cells: usize) {
        match self {
            Self::Bar(bar) => bar.set_position(cells as u64),
            Self::Lines { total, start, last } => {
                if last.elapsed() >= LINE_EVERY {
                    *last = Instant::now();
                    let rate = cells as f64 / start.elapsed().as_secs_f64();
                    let left = total.saturating_sub(cells) as f64 / rate.max(f64::MIN_POSITIVE);
                    eprintln!("{cells}/{total} cells, {rate:.0} a second, ETA {left:.0} s");
                }
            }
            Self::Quiet => {}
        }
    }

    /// The run is over.
    pub(crate) fn finish(self) {
        if let Self::Bar(bar) = self {
            bar.finish_and_clear();
        }
    }
}
