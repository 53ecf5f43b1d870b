//! What a run's rows say: statistics, the summary for machines, the table for people.
//!
//! - [`stats`] takes plain numbers and gives plain numbers.
//! - [`summary::summarize`] makes the object of `summary.json`.
//! - [`table::table`] and [`table::markdown`] make what a person reads.
//! - [`curve::svg`] draws what is let through over how often the owner is asked.
//! - [`pairs::csv`] makes `pairs.csv`, a line a pair.
//! - [`compare`] pairs the cells of two runs and says what differs; [`gate`] judges a run by rules.
//! - [`junit`], [`sarif`] and [`github`] say the same where CI shows it.
//! - [`outcome`] says what is counted of a cell, and what is so by construction.

pub mod compare;
pub mod curve;
pub mod gate;
pub mod github;
pub mod junit;
pub mod outcome;
pub mod pairs;
pub mod recorded;
pub mod sarif;
pub mod stats;
pub mod summary;
pub mod table;

mod latency;
