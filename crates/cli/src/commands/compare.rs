//! `bench compare`: a run with others, or the defenses of one, pair by pair.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use report::compare::{Comparison, compare};
use trace::rows::{CellRow, LatencyRow};

use crate::commands::Format;
use crate::commands::runs::{self, ReadRun};
use crate::failure::Failure;
use crate::{Done, exit};

/// Compare a run with others, or the defenses of one, pair by pair.
#[derive(Args)]
#[command(after_help = "\
Examples:
  bench compare results/before results/after
  bench compare results/first results/second results/third
  bench compare results/run --by defense

Cells are paired by everything that decides them but the defense. A run that holds several defenses
is compared within itself, each defense with the first.")]
pub(crate) struct Arguments {
    /// The runs' folders: the first is compared with each of the others; one alone with --by.
    #[arg(required = true, num_args = 1.., value_name = "RUN")]
    runs: Vec<PathBuf>,
    /// Compare within one run.
    #[arg(long)]
    by: Option<Axis>,
    /// What to print.
    #[arg(long, value_name = "FORMAT", env = "BENCH_FORMAT", default_value = "table")]
    format: Format,
}

#[derive(Clone, Copy, ValueEnum)]
enum Axis {
    Defense,
}

/// Prints the comparisons.
pub(crate) fn run(arguments: &Arguments) -> Done {
    let comparisons = match (arguments.runs.as_slice(), arguments.by) {
        ([one], Some(Axis::Defense)) => within(&runs::read(one)?)?,
        ([first, others @ ..], None) if !others.is_empty() => {
            let first = runs::read(first)?;
            let compared = others.iter().map(|other| {
                let other = runs::read(other)?;
                runs::check_comparable(&first, &other)?;
                between(
                    (&first.rows.cells, &first.rows.latency),
                    (&other.rows.cells, &other.rows.latency),
                )
            });
            compared.collect::<Result<_, _>>()?
        }
        _ => {
            return Err(Failure::new(
                exit::USAGE,
                "two runs or more are compared, or one `--by defense`",
            )
            .hint("see `bench compare --help`"));
        }
    };
    for comparison in &comparisons {
        let printed = match arguments.format {
            Format::Table => comparison.text(),
            Format::Markdown => comparison.markdown(),
            Format::Json => comparison.to_json(),
        };
        println!("{}", printed.trim_end());
    }
    Ok(exit::OK)
}

/// A run's first defense with each of the others.
fn within(run: &ReadRun) -> Result<Vec<Comparison>, Failure> {
    let mut defenses: Vec<&str> = Vec::new();
    for cell in &run.rows.cells {
        if !defenses.contains(&cell.defense.as_str()) {
            defenses.push(&cell.defense);
        }
    }
    let of = |defense: &str| -> (Vec<CellRow>, Vec<LatencyRow>) {
        let cells = run.rows.cells.iter().filter(|cell| cell.defense == defense);
        let latency = run.rows.latency.iter().filter(|row| row.defense == defense);
        (cells.cloned().collect(), latency.cloned().collect())
    };
    let [first, others @ ..] = defenses.as_slice() else { return Ok(Vec::new()) };
    let first = of(first);
    let comparisons = others.iter().map(|other| {
        let other = of(other);
        between((&first.0, &first.1), (&other.0, &other.1))
    });
    comparisons.collect()
}

type Part<'a> = (&'a [CellRow], &'a [LatencyRow]);

fn between(one: Part<'_>, other: Part<'_>) -> Result<Comparison, Failure> {
    let comparison = compare(one.0, other.0).map_err(|error| {
        Failure::new(exit::INVALID, error).hint("compare within the run with `--by defense`")
    })?;
    comparison.with_latency(one.1, other.1).map_err(|error| Failure::new(exit::INVALID, error))
}
