//! `bench conform`: what upstream has judged, judged again by the port.

use std::path::PathBuf;

use clap::Args;
use suites::injecagent;

use super::conform_injecagent;
use crate::Done;

/// Judge again what upstream has judged, and name every verdict that differs.
#[derive(Args)]
#[command(after_help = "\
Examples:
  bench conform injecagent recorded --data path/to/InjecAgent

Exits with 100 where a verdict differs.")]
pub(crate) struct Arguments {
    /// The suite.
    #[arg(value_parser = [injecagent::NAME])]
    suite: String,
    /// What upstream has judged: the folder of recorded outputs.
    #[arg(value_name = "ROWS")]
    rows: PathBuf,
    /// The folder of the data set's files, instead of the one that was pulled.
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
}

/// Judges, and prints how far both agree.
pub(crate) fn run(arguments: &Arguments) -> Done {
    conform_injecagent::run(&arguments.rows, arguments.data.as_deref())
}
