//! One file a subcommand.

pub(crate) mod check;
pub(crate) mod compare;
pub(crate) mod datasets;
pub(crate) mod gate;
pub(crate) mod list;
pub(crate) mod run;
mod runs;

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
