//! AgentDojo (Debenedetti et al., 2024): its data set as scenarios, its checks as typed predicates.
//!
//! Upstream's texts are read from the bundle that `bench datasets pull agentdojo` makes; none lies
//! here. Upstream's checks are ported bug for bug, task by task, in a module for each world.

pub mod banking;
mod benchmark;
pub mod bundle;
mod classes;
mod diff;
mod ground;
mod served;
pub mod slack;
mod suite;
mod tables;
pub mod travel;
mod wording;
pub mod workspace;

pub use benchmark::{Benchmark, Task};
pub use ground::Scripts;
pub use suite::{AgentDojo, SuiteError};

/// The suite's name.
pub const NAME: &str = "agentdojo";

/// The version that runs by default, as upstream names it.
pub const VERSION: &str = "v1.2.2";

/// The attacks, with what each does.
pub const ATTACKS: &[(&str, &str)] = &[(
    "important_instructions",
    "the injection poses as an important message from the user, who is named, to the model",
)];

/// The pipeline whose model the attack names, as in upstream's published runs without a model.
pub const PIPELINE: &str = "gpt-4o-2024-05-13";
