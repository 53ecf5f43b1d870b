//! One file a subcommand.

pub(crate) mod compare;
pub(crate) mod datasets;
pub(crate) mod gate;
pub(crate) mod list;
pub(crate) mod run;
mod runs;
