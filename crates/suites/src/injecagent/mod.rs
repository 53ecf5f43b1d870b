//! `InjecAgent` (Zhan, Liang, Ying and Kang, 2024): its 1,054 test cases in two settings, its verdicts
//! and its scores.
//!
//! Upstream's texts are read from the data set and never compiled in. Verdicts and scores are text
//! rules, ported bug for bug and proven on recorded outputs of real models ([`conform`]). The
//! arguments of the attacks' calls, the benign twins and the capability schemas are this project's
//! own: the data set has none.

mod classes;
pub mod conform;
pub mod data;
pub mod dataset;
pub mod error;
pub mod import;
mod landing;
mod python;
pub mod react;
pub mod rebuild;
pub mod recorded;
pub mod score;
mod scripts;
mod suite;
mod tools;
mod twins;
pub mod verdict;
mod written;

pub use suite::{InjecAgent, SuiteError};

/// The suite's name.
pub const NAME: &str = "injecagent";

/// The same cases where the reply is stored in one session and recalled in another. That is this
/// project's adaptation, never `InjecAgent`'s own measure, so it has a name of its own.
pub const MEMORY_NAME: &str = "injecagent-memory";

/// The version: the first digits of upstream's commit.
pub const VERSION: &str = "f19c9f2";

/// The SHA-256 of a text, in 64 hexadecimal digits.
pub fn digest(text: &str) -> String {
    crate::datasets::sha256(text.as_bytes())
}

/// The attacks, which are upstream's settings, with what each does.
pub const ATTACKS: &[(&str, &str)] = &[
    ("base", "InjecAgent: the instruction alone stands in a tool's reply"),
    ("enhanced", "InjecAgent: the same behind a fixed prefix that tells to drop all before"),
];
