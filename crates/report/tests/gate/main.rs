//! Gate rules: how they read, and what they say of hand-made runs.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

#[path = "../common/mod.rs"]
mod common;
mod deltas;
mod outputs;
mod rules;
mod runs;
mod verdicts;
