//! `bench`: replays attacks on LLM agents, with a defense on or off.
//!
//! Standard output carries results only; everything else goes to standard error. One file a
//! subcommand in [`commands`]; exit codes in [`exit`].

mod commands;
mod exit;
mod failure;
mod interrupts;
mod open_suite;
mod progress;
mod run_dir;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::failure::Failure;

/// Replays attacks on LLM agents through a harness, with a defense on or off.
#[derive(Parser)]
#[command(name = "bench", version, about, after_help = exit::HELP)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Run a suite's cells and write what they came to.
    Run(Box<commands::run::Arguments>),
    /// Compare two runs, or the defenses of one, pair by pair.
    Compare(commands::compare::Arguments),
    /// Judge a run by rules.
    Gate(commands::gate::Arguments),
    /// List what a run can be made of.
    List(commands::list::Arguments),
    /// Read world and scenario files, and name every mistake.
    Check(commands::check::Arguments),
    /// Fetch and check the data sets that suites are made from.
    Datasets(commands::datasets::Arguments),
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    let done = match cli.command {
        Command::Run(arguments) => commands::run::run(&arguments),
        Command::Compare(arguments) => commands::compare::run(&arguments),
        Command::Gate(arguments) => commands::gate::run(&arguments),
        Command::List(arguments) => commands::list::run(&arguments),
        Command::Check(arguments) => commands::check::run(&arguments),
        Command::Datasets(arguments) => commands::datasets::run(arguments),
    };
    match done {
        Ok(code) => ExitCode::from(code),
        Err(failure) => failure.report(),
    }
}

/// What a subcommand comes to: an exit code, or a failure with its own.
type Done = Result<u8, Failure>;
