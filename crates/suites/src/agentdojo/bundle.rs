//! The bundle: what upstream's own code exported of its package.

use serde::Deserialize;
use serde_json::{Map, Value};
use trace::call::ToolCall;
use trace::tool::Parameter;

/// A version of a suite, as upstream counts it.
pub type Version = [u32; 3];

/// The versions in which tasks have changed.
pub const V1_1_0: Version = [1, 1, 0];
/// See [`V1_1_0`].
pub const V1_1_1: Version = [1, 1, 1];
/// See [`V1_1_0`].
pub const V1_2_0: Version = [1, 2, 0];
/// See [`V1_1_0`].
pub const V1_2_1: Version = [1, 2, 1];
/// See [`V1_1_0`].
pub const V1_2_2: Version = [1, 2, 2];

/// The whole bundle.
#[derive(Debug, Deserialize)]
pub struct Bundle {
    /// The form's version.
    pub format: u32,
    /// The package it was exported from.
    pub package: Package,
    /// The benchmark's versions, each with its suites' versions.
    pub benchmark_versions: Vec<(String, std::collections::HashMap<String, Version>)>,
    /// The suites, in upstream's order.
    pub suites: Vec<Suite>,
    /// The attacks, in upstream's order.
    pub attacks: Vec<Attack>,
    /// Pieces of pipeline names with the model's name in prose, in upstream's order.
    pub model_names: Vec<(String, String)>,
    /// Each model's name in prose, with the one that upstream draws to call it wrongly.
    pub wrong_model_names: Vec<(String, String)>,
}

/// The package.
#[derive(Debug, Deserialize)]
pub struct Package {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
}

/// A suite.
#[derive(Debug, Deserialize)]
pub struct Suite {
    /// Its name.
    pub name: String,
    /// The environment, each text with an injection as `{"$host": raw scalar}`.
    pub environment: Value,
    /// The injection vectors.
    pub vectors: Vec<Vector>,
    /// The tools.
    pub tools: Vec<Tool>,
    /// The user tasks, in registration order.
    pub user_tasks: Vec<Task<UserVersion>>,
    /// The injection tasks, in registration order.
    pub injection_tasks: Vec<Task<InjectionVersion>>,
}

/// An injection vector.
#[derive(Debug, Deserialize)]
pub struct Vector {
    /// Its id.
    pub id: String,
    /// What stands there without an attack.
    pub default: String,
}

/// A tool.
#[derive(Debug, Deserialize)]
pub struct Tool {
    /// Its name.
    pub name: String,
    /// What it says it does.
    pub description: String,
    /// Its parameters.
    pub parameters: Vec<Parameter>,
}

/// A task with its versions.
#[derive(Debug, Deserialize)]
pub struct Task<V> {
    /// Its id.
    pub id: String,
    /// Every registered version.
    pub versions: Vec<V>,
}

/// A version of a user task.
#[derive(Debug, Deserialize)]
pub struct UserVersion {
    /// The version.
    pub version: Version,
    /// What the user says.
    pub prompt: String,
    /// Upstream's `GROUND_TRUTH_OUTPUT`.
    pub output: String,
    /// Upstream's `ground_truth`.
    pub script: Script,
}

/// A version of an injection task.
#[derive(Debug, Deserialize)]
pub struct InjectionVersion {
    /// The version.
    pub version: Version,
    /// What the attacker wants.
    pub goal: String,
    /// Upstream's `GROUND_TRUTH_OUTPUT`.
    pub output: String,
    /// Upstream's `ground_truth`.
    pub script: Script,
}

/// A ground truth.
#[derive(Debug, Deserialize)]
pub struct Script {
    /// Whether it never reads the environment.
    pub constant: bool,
    /// The calls on the default environment.
    pub calls: Vec<Call>,
}

/// A call of a ground truth.
#[derive(Clone, Debug, Deserialize)]
pub struct Call {
    /// The tool.
    pub function: String,
    /// The arguments.
    pub args: Map<String, Value>,
    /// The arguments as an attack may spell them out, with placeholders for what only the environment
    /// knows.
    pub placeholder_args: Option<Map<String, Value>>,
}

impl Call {
    /// The call with its placeholders.
    pub(super) fn spelt(&self) -> Option<ToolCall> {
        let args = self.placeholder_args.clone()?;
        Some(ToolCall { function: self.function.clone(), args })
    }
}

impl From<&Call> for ToolCall {
    fn from(call: &Call) -> Self {
        Self { function: call.function.clone(), args: call.args.clone() }
    }
}

/// An attack.
#[derive(Clone, Debug, Deserialize)]
pub struct Attack {
    /// Its name.
    pub name: String,
    /// The text, with places for what changes; `None` where upstream makes it otherwise.
    pub template: Option<String>,
    /// The user's name.
    pub user: Option<String>,
    /// `pipeline`, `wrong`, or `fixed:` and the model's name.
    pub model: Option<String>,
    /// Whether it only keeps the agent from the user's task.
    pub dos: bool,
    /// The sentences about tools of an attack that spells out the calls.
    pub tool_sentences: Option<ToolSentences>,
}

/// Sentences about the calls of a ground truth, each with places for a tool and its arguments.
#[derive(Clone, Debug, Deserialize)]
pub struct ToolSentences {
    /// For the first call.
    pub first: String,
    /// For a call between the first and the last.
    pub middle: String,
    /// For the last call, where there are several.
    pub last: String,
}

/// The version of a task that a suite of version `limit` serves: the highest that is not above it
/// (upstream: `get_version_compatible_items`).
pub fn resolve<V>(versions: &[V], version_of: fn(&V) -> Version, limit: Version) -> Option<&V> {
    versions.iter().filter(|one| version_of(one) <= limit).max_by_key(|one| version_of(one))
}
