//! `bench gate`: whether a run keeps its rules.

use std::path::PathBuf;

use clap::Args;
use report::gate::{self, Options, Rule, Run};

use crate::commands::{Format, runs};
use crate::failure::Failure;
use crate::{Done, exit};

/// Judge a run by rules: it passes, it fails, or there is too little to say.
#[derive(Args)]
#[command(after_help = "\
Examples:
  bench gate results/run --rule 'asr{suite=agentdojo,defense=mmu:*} <= 0.05'
  bench gate results/after --baseline results/before --rule 'new_landed == 0' \\
      --rule 'delta(asr).upper95 <= 0.02' --rule 'p99(authorize) < 50us'

A rule that matches no cell is an error, not a pass. Exit codes: 0 passed, 100 failed, 101 inconclusive.")]
pub(crate) struct Arguments {
    /// The run's folder.
    #[arg(value_name = "RUN")]
    run: PathBuf,
    /// A rule; may be given several times.
    #[arg(long = "rule", required = true, value_name = "RULE")]
    rules: Vec<String>,
    /// The run that rules compare with.
    #[arg(long, value_name = "RUN", env = "BENCH_BASELINE")]
    baseline: Option<PathBuf>,
    /// What to print.
    #[arg(long, value_name = "FORMAT", env = "BENCH_FORMAT", default_value = "table")]
    format: Format,
    /// Exit with 0 where the gate fails or is inconclusive.
    #[arg(long)]
    exit_zero: bool,
}

/// Prints what the gate says; the exit code is its verdict.
pub(crate) fn run(arguments: &Arguments) -> Done {
    let rules = arguments.rules.iter().map(|text| {
        Rule::parse(text).map_err(|error| {
            Failure::new(exit::INVALID, format!("rule `{text}`: {error}"))
                .hint("see `bench gate --help`")
        })
    });
    let rules: Vec<Rule> = rules.collect::<Result<_, _>>()?;
    let candidate = runs::read(&arguments.run)?;
    let baseline = arguments.baseline.as_deref().map(runs::read).transpose();
    let baseline = baseline.map_err(|failure| failure.with_code(exit::NOT_COMPARABLE))?;
    if let Some(baseline) = &baseline {
        runs::check_comparable(&candidate, baseline)?;
    }
    if !candidate.complete {
        return Err(Failure::new(exit::INCOMPLETE, "the run was stopped before its end")
            .hint("a part of a run is not judged: run it to its end"));
    }
    let before = baseline.as_ref().map(as_judged);
    let report = gate::evaluate(&rules, as_judged(&candidate), before, Options::default())
        .map_err(|error| Failure::new(exit::INVALID, error))?;
    let printed = match arguments.format {
        Format::Table => report.text(),
        Format::Markdown => report.markdown(),
        Format::Json => report.to_json(),
    };
    println!("{}", printed.trim_end());
    Ok(if arguments.exit_zero { exit::OK } else { report.exit_code })
}

/// What of a run the rules are about.
fn as_judged(run: &runs::ReadRun) -> Run<'_> {
    Run { cells: &run.rows.cells, latency: &run.rows.latency }
}
