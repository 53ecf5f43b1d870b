//! Golden rows: runs that upstream's own Python has judged, judged again by the port.
//!
//! A row is one line of JSON, a [`GoldenRow`]; its schema is `bench schema golden-row`. The port
//! carries out the row's calls in the row's world and compares every output, every error and both
//! verdicts with what upstream said.

mod file;
mod judge;

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::suite::SuiteError;

pub use file::{Conformance, Line, conform};
pub use judge::judge;

/// A run that upstream's Python has judged.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GoldenRow {
    /// The world, which upstream calls a suite: `workspace`, `travel`, `banking`, `slack`.
    pub suite: String,
    /// The benchmark's version, such as `v1.2.2`.
    pub version: String,
    /// The user task's id.
    pub user_task: String,
    /// The injection task's id, where the row is judged for one.
    pub injection_task: Option<String>,
    /// The injected texts by vector, as the attacker writes them.
    pub injections: BTreeMap<String, String>,
    /// The calls, in order.
    pub calls: Vec<GoldenCall>,
    /// The final answer.
    pub answer: String,
    /// What upstream said.
    pub expect: Expected,
}

/// A call of a golden row.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GoldenCall {
    /// The tool's name.
    pub function: String,
    /// Its arguments by name.
    pub args: serde_json::Map<String, Value>,
}

/// What upstream said of a row.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Expected {
    /// An output a call; null where only the verdicts are compared.
    pub outputs: Option<Vec<GoldenOutput>>,
    /// Whether the user's task is done.
    pub utility: GoldenVerdict,
    /// Whether the injection task's check holds; null without an injection task, where upstream
    /// itself says true.
    pub security: Option<GoldenVerdict>,
}

/// What a tool answered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct GoldenOutput {
    /// The text; empty beside an error.
    pub text: String,
    /// The error: upstream's type and message.
    pub error: Option<String>,
}

/// Upstream's verdict: whether the check holds, or the exception that it stops with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum GoldenVerdict {
    /// Whether it holds.
    Held(bool),
    /// It stops with an exception.
    Raised {
        /// The exception's type.
        raised: String,
    },
}

/// A field of `expect` where ours and upstream's differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// The field: `expect.utility`, `expect.outputs[2].text`.
    pub field: String,
    /// What it is about: the task, or the call's tool.
    pub about: String,
    /// What the port says, as JSON.
    pub ours: String,
    /// What the row says, as JSON.
    pub expected: String,
}

/// How many agree, of how many.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Agreement {
    /// Those that agree.
    pub k: usize,
    /// All that were compared.
    pub n: usize,
}

impl Agreement {
    fn add(&mut self, agrees: bool) {
        self.n += 1;
        self.k += usize::from(agrees);
    }
}

impl std::iter::Sum for Agreement {
    fn sum<I: Iterator<Item = Self>>(parts: I) -> Self {
        parts.fold(Self::default(), |sum, part| Self { k: sum.k + part.k, n: sum.n + part.n })
    }
}

/// What judging a row came to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Judged {
    /// Whether both verdicts are upstream's.
    pub verdicts_agree: bool,
    /// Texts of outputs.
    pub texts: Agreement,
    /// Errors, where either side has one.
    pub errors: Agreement,
    /// Each check that was asked, with its world and the version that its task was registered for
    /// (`banking/user_task_6@1.2.2`), and upstream's verdict.
    pub checks: Vec<(String, GoldenVerdict)>,
    /// Each call's tool, with its world, and whether upstream answered with an error; calls of tools
    /// that the world does not have are left out.
    pub tools: Vec<(String, bool)>,
    /// Every field that differs.
    pub mismatches: Vec<Mismatch>,
}

/// A row that cannot be judged.
#[derive(Debug, thiserror::Error)]
pub enum Unjudged {
    /// The line has not the form of a row.
    #[error("not a golden row: {0}")]
    Form(#[from] serde_json::Error),
    /// The row has another number of outputs than calls.
    #[error("{calls} calls and {outputs} outputs")]
    Outputs {
        /// Calls.
        calls: usize,
        /// Outputs.
        outputs: usize,
    },
    /// No such world, or no such task in it.
    #[error("unknown {what} `{name}` in version {version}")]
    Unknown {
        /// `suite`, `user task` or `injection task`.
        what: &'static str,
        /// Its name.
        name: String,
        /// The row's version.
        version: String,
    },
    /// No such version, or injections that break the environment.
    #[error(transparent)]
    Suite(#[from] SuiteError),
}
