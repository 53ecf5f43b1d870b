//! `bench conform`: whether our judges say what upstream's said.

use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::{Args, Subcommand};
use suites::agentdojo::conform::{Agreement, conform};
use suites::datasets::{Places, load_bytes};
use suites::files;

use crate::failure::Failure;
use crate::{Done, exit};

/// Judge rows that upstream's own code has judged, and name every difference.
#[derive(Args)]
#[command(after_help = "\
Examples:
  bench conform agentdojo rows.jsonl
  bench conform injecagent recorded --data path/to/InjecAgent
  bench schema golden-row

Exit codes: 0 every verdict agrees, 100 a verdict differs, 3 a row cannot be judged.")]
pub(crate) struct Arguments {
    #[command(subcommand)]
    suite: Suite,
}

#[derive(Subcommand)]
enum Suite {
    /// Golden rows: calls, and what upstream's Python made of them.
    Agentdojo {
        /// The rows, one JSON object a line, perhaps compressed (.zst).
        #[arg(value_name = "ROWS")]
        rows: PathBuf,
        /// Rows at a time; one for each processor unless given.
        #[arg(short = 'j', long, value_name = "N", env = "BENCH_JOBS",
              value_parser = clap::value_parser!(u16).range(1..=1024))]
        jobs: Option<u16>,
    },
    /// Recorded outputs of models, and upstream's verdicts on them; prints upstream's scores, too.
    Injecagent {
        /// The folder of the recordings, in either of their two layouts.
        #[arg(value_name = "FOLDER")]
        rows: PathBuf,
        /// The folder of the data set's files, instead of the one that was pulled.
        #[arg(long, value_name = "FOLDER")]
        data: Option<PathBuf>,
    },
}

/// Judges the rows.
pub(crate) fn run(arguments: &Arguments) -> Done {
    match &arguments.suite {
        Suite::Agentdojo { rows, jobs } => agentdojo(rows, *jobs),
        Suite::Injecagent { rows, data } => super::conform_injecagent::run(rows, data.as_deref()),
    }
}

fn agentdojo(rows: &Path, jobs: Option<u16>) -> Done {
    let bundle = load_bytes(&Places::from_env()?)?;
    let text = files::read_text(rows).map_err(|error| {
        Failure::new(exit::INVALID, error).hint("give a file of rows, as `bench schema golden-row`")
    })?;
    let jobs = jobs.map_or_else(super::processors, usize::from);
    let start = Instant::now();
    let conformance = conform(&bundle, &text, jobs)?;
    let seconds = start.elapsed().as_secs_f64();
    for (number, unjudged) in conformance.unjudged() {
        eprintln!("error: {}:{number}: {unjudged}", rows.display());
    }
    let verdicts = conformance.verdicts();
    if verdicts.n == 0 {
        let failure = Failure::new(exit::INVALID, format!("`{}` holds no row", rows.display()));
        return Err(failure.hint("see `bench schema golden-row`"));
    }
    for (number, judged) in conformance.judged() {
        for mismatch in &judged.mismatches {
            println!("row {number} ({}): {}", mismatch.about, mismatch.field);
            println!("  ours      {}", mismatch.ours);
            println!("  expected  {}", mismatch.expected);
        }
    }
    line("outputs", conformance.texts());
    line("errors", conformance.errors());
    line("verdicts", verdicts);
    eprintln!("{} rows in {seconds:.1} s", verdicts.n);
    let unjudged = conformance.unjudged().count();
    if unjudged > 0 {
        let message = format!("{unjudged} rows of `{}` cannot be judged", rows.display());
        return Err(Failure::new(exit::INVALID, message).hint("see `bench schema golden-row`"));
    }
    Ok(if verdicts.k == verdicts.n { exit::OK } else { exit::FAILED })
}

/// The line that says how many agree.
fn line(what: &str, agreement: Agreement) {
    println!("{what}: {} of {} agree", agreement.k, agreement.n);
}
