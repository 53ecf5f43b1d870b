//! What a run's rows say: statistics, the summary for machines, the table for people.
//!
//! - [`stats`] takes plain numbers and gives plain numbers.
//! - [`summary::summarize`] makes the object of `summary.json`.
//! - [`table::table`] and [`table::markdown`] make what a person reads.
//! - [`html::report`] makes a page of runs, with the charts of [`chart::charts`] and the episodes of
//!   [`show`].
//! - [`curve::svg`] draws what is let through over how often the owner is asked.
//! - [`pairs::Pairs`] makes `pairs.csv`, a line a pair.
//! - [`compare`] pairs the cells of two runs and says what differs; [`gate`] judges a run by rules.
//! - [`junit`], [`sarif`] and [`github`] say the same where CI shows it.
//! - [`folded::Folded`] is what a run that goes on keeps of its cells for all of these.
//! - [`outcome`] says what is counted of a cell, and what is so by construction.

pub mod arms;
pub mod chart;
pub mod compare;
pub mod curve;
pub mod folded;
pub mod gate;
pub mod github;
pub mod hgrm;
pub mod html;
pub mod junit;
pub mod outcome;
pub mod owner_acts;
pub mod pairs;
pub mod recorded;
pub mod sarif;
pub mod show;
pub mod stats;
pub mod summary;
pub mod table;
pub mod visible;

mod latency;
