//! The page, its charts and its episodes.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

#[path = "../common/mod.rs"]
mod common;

mod browser;
mod charts;
mod chromium;
mod episodes;
mod runs;
mod whole;
