//! Scenarios, checks and the answer key.
//!
//! The only crate, with `suites`, that knows the answers: agents and defenses never import it. It does
//! no I/O and is deterministic.
#![warn(clippy::disallowed_methods)]

pub mod check;
pub mod classify;
pub mod guarantee;
pub mod kind;
pub mod language;
pub mod mistake;
pub mod oracle;
pub mod scenario;
pub mod yaml;
