//! Plans cells, runs them, and judges how they ended.
//!
//! A run goes plan ([`plan`]) → jobs on worker tasks ([`dispatcher`]) → episodes ([`executor`]) →
//! verdicts ([`verdict`]) → rows. The runner alone holds both the answer key and the agents: it hands
//! an agent its script as data, and the owner `gold` its key. It imports no kernel.

mod actor;
mod cell_rows;
pub mod dispatcher;
mod draw;
pub mod executor;
mod fatigue;
pub mod filter;
pub mod harness;
pub mod latency;
mod leafwise;
mod memory;
mod own_calls;
mod owner_acts;
pub mod owners;
pub mod partition;
pub mod plan;
mod recall;
pub mod replay;
mod shared_world;
pub mod verdict;
