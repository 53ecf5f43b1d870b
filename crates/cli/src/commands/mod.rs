//! One file a subcommand.

pub(crate) mod datasets;
pub(crate) mod list;
pub(crate) mod run;
