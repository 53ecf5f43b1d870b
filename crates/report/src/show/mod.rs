//! One cell's episode as a person reads it: page by page, with channels, checks, faults, and who
//! approved what.
//!
//! - [`find`] finds cells by the beginning of an id or by a scenario's name.
//! - [`Episode::of`] gathers what a run's rows say of a cell.
//! - [`text`] makes what a terminal shows; `html::cells` makes the page's part.

mod episode;
mod find;
mod owner;
mod words;

pub use episode::{Episode, Index, Step};
pub use find::{Found, find};
pub use words::{Length, text};

pub(crate) use owner::{act_words, in_advance_words};
pub(crate) use words::{
    arguments, channel_words, facts, fault_words, headline, label_of, owner_words,
};
