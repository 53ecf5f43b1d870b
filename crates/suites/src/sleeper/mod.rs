//! The suite `sleeper`, and any folder of scenario files.
//!
//! Attacks that enter an agent's memory in one session and fire in a later one, with benign twins.
//! All of it is written by this project, as data: see `scenarios/sleeper` and
//! `docs/write-a-scenario.md`.

mod embedded;
mod sources;
mod suite;

pub use sources::{Sources, Unreadable};
pub use suite::{Sleeper, SleeperError, attack_calls, owner_words};

/// The suite's name.
pub const NAME: &str = "sleeper";

/// The suite's version.
pub const VERSION: &str = "1";

/// The JSON schema of scenario files, for editors.
pub fn scenario_schema() -> serde_json::Value {
    scenario::language::scenario_schema()
}

/// The JSON schema of world files, for editors.
pub fn world_schema() -> serde_json::Value {
    scenario::language::world_schema()
}
