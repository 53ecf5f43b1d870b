//! What a run's rows say: statistics, the summary for machines, the table for people.
//!
//! - [`stats`] takes plain numbers and gives plain numbers.
//! - [`summary::summarize`] makes the object of `summary.json`.
//! - [`table::table`] and [`table::markdown`] make what a person reads.
//! - [`compare`] pairs the cells of two runs and says what differs; [`gate`] judges a run by rules.
//! - [`outcome`] says what is counted of a cell, and what is so by construction.

pub mod compare;
pub mod gate;
pub mod outcome;
pub mod stats;
pub mod summary;
pub mod table;

mod latency;
