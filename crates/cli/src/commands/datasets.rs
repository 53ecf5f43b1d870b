//! `bench datasets`: fetch and check what suites are made from.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use suites::datasets::{Options, Places, State, list, locate, pull, verify};

use crate::failure::Failure;
use crate::{Done, exit};

/// Fetch and check the data sets that suites are made from.
#[derive(Args)]
#[command(after_help = "\
Examples:
  bench datasets pull agentdojo
  bench datasets pull agentdojo --from agentdojo-0.1.35-py3-none-any.whl
  bench datasets verify agentdojo

Data sets lie in BENCH_DATASETS (read-only, searched first) or in BENCH_CACHE.")]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Say which data sets there are, and how each stands here.
    List,
    /// Fetch a data set with upstream's own package, through pip.
    Pull {
        /// The data set.
        #[arg(value_parser = ["agentdojo"])]
        name: String,
        /// Take the wheel from this file or folder instead of the package index.
        #[arg(long, value_name = "WHEEL")]
        from: Option<PathBuf>,
        /// The Python to use.
        #[arg(long, value_name = "PROGRAM", env = "BENCH_PYTHON")]
        python: Option<PathBuf>,
        /// Fetch it again even if it is there.
        #[arg(long)]
        force: bool,
    },
    /// Check a data set's digest.
    Verify {
        /// The data set.
        #[arg(value_parser = ["agentdojo"])]
        name: String,
    },
    /// Print where a data set lies.
    Path {
        /// The data set.
        #[arg(value_parser = ["agentdojo"])]
        name: String,
    },
}

/// Runs the subcommand.
pub(crate) fn run(arguments: Arguments) -> Done {
    let places = Places::from_env()?;
    match arguments.command {
        Command::List => {
            for entry in list(&places) {
                let state = match &entry.state {
                    State::Intact(located) => located.path.display().to_string(),
                    State::Missing(_) => "not here: `bench datasets pull agentdojo`".to_owned(),
                    State::Broken(error) => format!("cannot be used: {error}"),
                };
                println!("{} {}  {state}", entry.manifest.name, entry.manifest.version);
            }
        }
        Command::Pull { from, python, force, .. } => {
            let options = Options { from, python, force };
            let pulled = pull(&places, &options, &mut |line| eprintln!("{line}"))?;
            println!("{}", pulled.located.path.display());
        }
        Command::Verify { .. } => {
            let located = verify(&places)?;
            println!("{}  {}", located.digest, located.path.display());
        }
        Command::Path { .. } => {
            let located = locate(&places).map_err(|missing| {
                Failure::new(missing.exit_code(), &missing)
                    .hint("run `bench datasets pull agentdojo`")
            })?;
            println!("{}", located.path.display());
        }
    }
    Ok(exit::OK)
}
