//! A scenario: what the user wants, what the attacker wants, and where.

use std::sync::Arc;

use trace::profile::Profile;

use crate::guarantee::Class;
use crate::kind::Kind;

/// A scenario of a suite.
#[derive(Clone, Debug)]
pub struct Scenario {
    /// Its id, with its world: `banking/user_task_0`, or with the injection task and the kind.
    pub id: String,
    /// The world.
    pub world: Arc<str>,
    /// What it is judged for.
    pub kind: Kind,
    /// The user task's id, without its world.
    pub user_task: String,
    /// The injection task's id, without its world.
    pub injection_task: Option<String>,
    /// The suite's own setting, where it has one.
    pub setting: Option<String>,
    /// The suite's own kind of harm, where it has one.
    pub harm_kind: Option<String>,
    /// What clusters with it by the user's task.
    pub cluster_user: String,
    /// What clusters with it by the attacker's task; `None` without one.
    pub cluster_attack: Option<String>,
    /// How the injection is worded; `None` without an attack.
    pub attack: Option<String>,
    /// What the user says.
    pub prompt: String,
    /// The injected text by vector, as the attacker wrote it; empty without an attack.
    pub injections: Vec<(String, String)>,
    /// The same texts as they stand in the world, folded, without repetition.
    pub payloads: Vec<String>,
    /// The class of the guarantee by profile; empty without an attack.
    pub guarantee: Vec<(Profile, Class)>,
}

impl Scenario {
    /// The class under a profile.
    pub fn class(&self, profile: Profile) -> Option<Class> {
        self.guarantee.iter().find(|(known, _)| *known == profile).map(|(_, class)| *class)
    }
}
