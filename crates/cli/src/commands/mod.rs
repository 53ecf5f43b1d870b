//! One file a subcommand.

pub(crate) mod compare;
pub(crate) mod conform;
pub(crate) mod conform_injecagent;
pub(crate) mod datasets;
pub(crate) mod gate;
pub(crate) mod import;
pub(crate) mod list;
pub(crate) mod report;
pub(crate) mod run;
mod runs;
pub(crate) mod schema;
pub(crate) mod show;

use clap::ValueEnum;

/// What a command prints.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum Format {
    /// A table that a person reads.
    Table,
    /// The same in Markdown.
    Markdown,
    /// JSON, for machines.
    Json,
}

/// How many processors there are.
fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}
