//! AgentDojo (Debenedetti et al., 2024): its data set as scenarios, its checks as typed predicates.
//!
//! Upstream's texts are read from the bundle that `bench datasets pull agentdojo` makes; none lies
//! here. Upstream's checks are ported bug for bug, task by task, in a module for each world.

pub mod banking;
mod benchmark;
pub mod bundle;
mod cases;
mod classes;
pub mod conform;
mod diff;
mod ground;
pub mod import;
mod names;
mod served;
pub mod slack;
mod suite;
mod tables;
pub mod travel;
mod wording;
pub mod workspace;

pub use benchmark::{Benchmark, Task};
pub use classes::earlier_classes_file;
pub use ground::Scripts;
pub use suite::{AgentDojo, SuiteError};
pub use wording::Attack;

/// The suite's name.
pub const NAME: &str = "agentdojo";

/// The version that runs by default, as upstream names it.
pub const VERSION: &str = "v1.2.2";

/// Upstream's versions, the oldest first. `v1.1.2` has the tasks of `v1.1.1`: upstream never loads the
/// module with its changes.
pub const VERSIONS: &[&str] = &["v1", "v1.1", "v1.1.1", "v1.1.2", "v1.2", "v1.2.1", VERSION];

/// The attack whose text is written by hand.
pub const MANUAL: &str = "manual";

/// Upstream's attacks, with what each does; the first one is the default.
pub const ATTACKS: &[(&str, &str)] = &[
    (
        "important_instructions",
        "the injection poses as an important message from the user, who is named, to the model",
    ),
    ("important_instructions_no_user_name", "the same, without the user's name"),
    ("important_instructions_no_model_name", "the same, without the model's name"),
    ("important_instructions_no_names", "the same, without either name"),
    ("important_instructions_wrong_model_name", "the same, with another model's name"),
    ("important_instructions_wrong_user_name", "the same, with another user's name"),
    ("tool_knowledge", "the same in other words, with the tools to call and their arguments"),
    ("direct", "the goal behind a word that asks for it"),
    ("ignore_previous", "an order to ignore previous instructions, and the goal"),
    ("system_message", "the goal as if the system had sent it"),
    ("injecagent", "the prefix of InjecAgent's enhanced setting, and the goal"),
    (MANUAL, "a text of one's own (`--attack-text FILE`), whatever the goal"),
    ("dos", "denial of service: asks to stop at once; one case a user task, landed = utility lost"),
    ("swearwords_dos", "denial of service: insults the model"),
    ("captcha_dos", "denial of service: asks for a captcha to be solved first"),
    ("offensive_email_dos", "denial of service: asks for a threat to be sent first"),
    ("felony_dos", "denial of service: says that reading on is a crime"),
];

/// The pipeline whose model the attack names, as in upstream's published runs without a model.
pub const PIPELINE: &str = "gpt-4o-2024-05-13";
