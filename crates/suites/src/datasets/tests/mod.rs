//! Pulls with made-up Pythons, wheels and bundles: each way to fail, and what stays behind.
#![cfg(unix)]

mod fake;
mod loads;
mod pulls;
mod venvs;
