//! Suites: data sets turned into scenarios, and upstream's scorers ported.
//!
//! What is upstream's stays in one place. A suite's texts are read from its data set ([`datasets`])
//! and never compiled in; its checks are typed predicates over the worlds' environments.

pub mod agentdojo;
pub mod datasets;
pub mod files;
pub mod import;
pub mod injecagent;
pub mod sleeper;
pub mod suite;
