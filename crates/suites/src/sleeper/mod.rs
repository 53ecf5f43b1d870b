//! The suite `sleeper`, and any folder of scenario files.
//!
//! Attacks that enter an agent's memory in one session and fire in a later one, with benign twins.
//! All of it is written by this project, as data: see `scenarios/sleeper` and
//! `docs/write-a-scenario.md`.

mod sources;

pub use sources::{Sources, Unreadable};

/// The suite's name.
pub const NAME: &str = "sleeper";
