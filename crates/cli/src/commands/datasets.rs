//! `bench datasets`: fetch and check what suites are made from.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use suites::datasets::{
    self, FilesOptions, LoadError, Located, Options, Places, State, list, locate, locate_files,
    pull, pull_files, state_of_files, verify,
};
use suites::{agentdojo, injecagent};

use crate::{Done, exit};

/// Fetch and check the data sets that suites are made from.
#[derive(Args)]
#[command(after_help = "\
Examples:
  bench datasets pull agentdojo
  bench datasets pull agentdojo --from agentdojo-0.1.35-py3-none-any.whl
  bench datasets pull injecagent --from path/to/InjecAgent
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
    /// Fetch a data set: upstream's own package through pip, or its repository through git.
    Pull {
        /// The data set.
        #[arg(value_parser = NAMES)]
        name: String,
        /// Take it from here instead: a wheel or a folder of wheels (agentdojo); the folder of the
        /// files, or another address of the repository (injecagent).
        #[arg(long, value_name = "PATH")]
        from: Option<PathBuf>,
        /// The Python to use (agentdojo).
        #[arg(long, value_name = "PROGRAM", env = "BENCH_PYTHON")]
        python: Option<PathBuf>,
        /// Fetch it again even if it is there.
        #[arg(long)]
        force: bool,
    },
    /// Check a data set's digest.
    Verify {
        /// The data set.
        #[arg(value_parser = NAMES)]
        name: String,
    },
    /// Print where a data set lies.
    Path {
        /// The data set.
        #[arg(value_parser = NAMES)]
        name: String,
    },
}

/// The data sets that there are.
const NAMES: [&str; 2] = [agentdojo::NAME, injecagent::NAME];

/// Runs the subcommand.
pub(crate) fn run(arguments: Arguments) -> Done {
    let places = Places::from_env()?;
    match arguments.command {
        Command::List => {
            for entry in list(&places) {
                line((&entry.manifest.name, &entry.manifest.version), &entry.state);
            }
            let set = datasets::injecagent();
            line((&set.name, &set.version), &state_of_files(set, &places));
        }
        Command::Pull { name, from, python, force } => {
            let say: datasets::Progress<'_> = &mut |line| eprintln!("{line}");
            let pulled = if name == injecagent::NAME {
                pull_files(datasets::injecagent(), &places, &FilesOptions { from, force }, say)?
            } else {
                pull(&places, &Options { from, python, force }, say)?
            };
            println!("{}", pulled.located.path.display());
        }
        Command::Verify { name } => {
            let located = if name == injecagent::NAME {
                datasets::load_files(datasets::injecagent(), &places)?;
                located_files(&places)?
            } else {
                verify(&places)?
            };
            println!("{}  {}", located.digest, located.path.display());
        }
        Command::Path { name } => {
            let located = if name == injecagent::NAME {
                located_files(&places)?
            } else {
                locate(&places).map_err(LoadError::from)?
            };
            println!("{}", located.path.display());
        }
    }
    Ok(exit::OK)
}

fn located_files(places: &Places) -> Result<Located, LoadError> {
    Ok(locate_files(datasets::injecagent(), places)?)
}

/// A data set and how it stands here.
fn line((name, version): (&str, &str), state: &State) {
    let state = match state {
        State::Intact(located) => located.path.display().to_string(),
        State::Missing(_) => format!("not here: `bench datasets pull {name}`"),
        State::Broken(error) => format!("cannot be used: {error}"),
    };
    println!("{name} {version}  {state}");
}
