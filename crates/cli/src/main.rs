//! `bench`: replays attacks on LLM agents, with a defense on or off.
//!
//! Standard output carries results only; everything else goes to standard error. One file a
//! subcommand in [`commands`]; exit codes in [`exit`].

mod auto_partition;
mod carry_out;
mod commands;
mod config;
mod exit;
mod failure;
mod interrupts;
mod lost_output;
mod open_suite;
mod parts;
mod plan_file;
mod progress;
mod recordings;
mod redact;
mod run_dir;
mod wanted;
mod whole_file;

use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use crate::config::Config;
use crate::failure::Failure;

/// Episodes make and drop many small texts, for which this is the faster allocator.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Replays attacks on LLM agents through a harness, with a defense on or off.
#[derive(Parser)]
#[command(name = "bench", version, about, after_help = exit::HELP)]
struct Cli {
    /// The file with options, instead of the nearest `bench.toml` upward; empty for none.
    #[arg(long, global = true, value_name = "FILE", env = "BENCH_CONFIG")]
    config: Option<OsString>,
    /// A profile of that file.
    #[arg(long, global = true, value_name = "NAME", env = "BENCH_PROFILE")]
    profile: Option<String>,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Run a suite's cells and write what they came to.
    Run(Box<commands::run::Arguments>),
    /// Say which cells would run and what they cost, and run nothing.
    Plan(Box<commands::plan::Arguments>),
    /// Make one run of all parts of a plan.
    Merge(commands::merge::Arguments),
    /// Compare two runs, or the defenses of one, pair by pair.
    Compare(commands::compare::Arguments),
    /// Judge a run by rules.
    Gate(commands::gate::Arguments),
    /// Make a page of one or several runs, with every chart and its data.
    Report(commands::report::Arguments),
    /// Show one cell's episode: its pages, calls, checks and faults, and who approved what.
    Show(commands::show::Arguments),
    /// Show or check the options of `bench.toml`.
    Config(commands::config::Arguments),
    /// List what a run can be made of.
    List(commands::list::Arguments),
    /// Read world and scenario files, and name every mistake.
    Check(commands::check::Arguments),
    /// Judge rows that upstream's own code has judged.
    Conform(commands::conform::Arguments),
    /// Read recorded runs of other tools.
    Import(commands::import::Arguments),
    /// Print the JSON schema of a form.
    Schema(commands::schema::Arguments),
    /// Fetch and check the data sets that suites are made from.
    Datasets(commands::datasets::Arguments),
}

fn main() -> ExitCode {
    lost_output::heed();
    match run() {
        Ok(code) => ExitCode::from(code),
        Err(failure) => failure.report(),
    }
}

/// Reads the command line twice: what it says of the file of options comes first, and what stands in
/// the file becomes the second reading's defaults.
fn run() -> Done {
    let cli = Cli::parse();
    let start = std::env::current_dir().unwrap_or_default();
    let built_in = Cli::command();
    let config = Config::load(
        cli.config.as_deref().map(Path::new),
        cli.profile.as_deref(),
        &start,
        &built_in,
    )?;
    let matches = config.apply(Cli::command()).get_matches();
    let cli = Cli::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    match cli.command {
        Command::Run(arguments) => commands::run::run(&arguments),
        Command::Plan(arguments) => commands::plan::run(&arguments),
        Command::Merge(arguments) => commands::merge::run(&arguments),
        Command::Compare(arguments) => commands::compare::run(&arguments),
        Command::Gate(arguments) => commands::gate::run(&arguments, &config),
        Command::Report(arguments) => commands::report::run(&arguments),
        Command::Show(arguments) => commands::show::run(&arguments),
        Command::Config(arguments) => commands::config::run(&arguments, &config, &built_in),
        Command::List(arguments) => commands::list::run(&arguments),
        Command::Check(arguments) => commands::check::run(&arguments),
        Command::Conform(arguments) => commands::conform::run(&arguments),
        Command::Import(arguments) => commands::import::run(&arguments),
        Command::Schema(arguments) => commands::schema::run(&arguments),
        Command::Datasets(arguments) => commands::datasets::run(arguments),
    }
}

/// What a subcommand comes to: an exit code, or a failure with its own.
type Done = Result<u8, Failure>;
