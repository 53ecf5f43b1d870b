//! One file a subcommand.

pub(crate) mod check;
pub(crate) mod compare;
pub(crate) mod config;
pub(crate) mod conform;
pub(crate) mod conform_injecagent;
pub(crate) mod datasets;
pub(crate) mod gate;
pub(crate) mod import;
pub(crate) mod list;
pub(crate) mod merge;
pub(crate) mod plan;
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

/// Reads a share.
pub(crate) fn share(text: &str) -> Result<f64, String> {
    let number: f64 = text.parse().map_err(|_| format!("`{text}` is not a number"))?;
    if (0.0..=1.0).contains(&number) { Ok(number) } else { Err("expected 0 to 1".to_owned()) }
}

/// How many processors there are.
fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}
