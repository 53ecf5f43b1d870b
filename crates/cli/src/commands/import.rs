//! `bench import`: recorded runs of other tools, as trajectories.

use std::path::PathBuf;

use clap::Args;
use suites::injecagent;

use super::import_injecagent;
use crate::Done;

/// Read recorded runs of other tools into trajectories, a JSON object a line.
#[derive(Args)]
#[command(after_help = "\
Examples:
  bench import injecagent recorded -o injecagent.jsonl")]
pub(crate) struct Arguments {
    /// The suite.
    #[arg(value_parser = [injecagent::NAME])]
    suite: String,
    /// What was recorded: a file or a folder.
    #[arg(value_name = "PATH")]
    path: PathBuf,
    /// Where the trajectories go; standard output unless given.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// The folder of the data set's files, instead of the one that was pulled.
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
}

/// Reads, and writes the trajectories.
pub(crate) fn run(arguments: &Arguments) -> Done {
    let (data, output) = (arguments.data.as_deref(), arguments.output.as_deref());
    import_injecagent::run(&arguments.path, data, output)
}
