//! The Parquet files of a run: their schema, writing and reading; its latencies.
//!
//! This crate alone knows polars, and none of polars' types stands in a public signature. The rows
//! themselves are plain structs of the crate `trace`; the table [`FILES`] says which column of which
//! file holds which field.
//!
//! - [`write()`] writes a run's files whole or not at all, [`RunWriter`] does it part by part, [`read`]
//!   gives back exactly what was written, [`RunReader`] does so a part at a time.
//! - [`latency_row`] and [`histogram`] turn histograms into rows and back without loss.

mod error;
mod field;
mod latency;
mod read;
mod rows;
mod schema;
mod table;
mod write;

pub use error::StoreError;
pub use latency::{histogram, latency_row, merge_latency};
pub use read::read;
pub use rows::RunReader;
pub use schema::{Column, ColumnType, FILES, FileSchema};
pub use write::{RunWriter, check_writable, write};
