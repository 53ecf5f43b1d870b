//! Tool calls and what comes back.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// A call of a tool, as the agent asked for it.
///
/// Serialised with upstream's keys `function` and `args`, so that golden rows and logs read the same.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolCall {
    /// The tool's name.
    pub function: String,
    /// Its arguments by name, in the order given.
    pub args: Map<String, Value>,
}

/// What a tool answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// The text that enters the context.
    pub text: String,
}

/// A tool's refusal, such as an unknown account: a part of the episode, shown to the agent.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{kind}: {message}")]
pub struct ToolError {
    /// The exception's type as upstream names it, such as `ValueError`.
    pub kind: &'static str,
    /// What is wrong.
    pub message: String,
}

impl ToolError {
    /// Upstream's `ValueError`.
    pub fn value(message: impl Into<String>) -> Self {
        Self { kind: "ValueError", message: message.into() }
    }
}

/// A step into a JSON value: an object's key or a list's position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// The key of an object.
    Key(String),
    /// The position in a list, from 0.
    Index(usize),
}

/// The scalars of a call's arguments, each with its path, in order. Empty lists and objects have none.
pub fn leaves(args: &Map<String, Value>) -> Vec<(Vec<Step>, &Value)> {
    fn walk<'v>(path: &mut Vec<Step>, value: &'v Value, out: &mut Vec<(Vec<Step>, &'v Value)>) {
        match value {
            Value::Array(items) => {
                for (at, item) in items.iter().enumerate() {
                    path.push(Step::Index(at));
                    walk(path, item, out);
                    path.pop();
                }
            }
            Value::Object(fields) => {
                for (key, field) in fields {
                    path.push(Step::Key(key.clone()));
                    walk(path, field, out);
                    path.pop();
                }
            }
            scalar => out.push((path.clone(), scalar)),
        }
    }
    let mut out = Vec::new();
    let mut path = Vec::new();
    for (name, value) in args {
        path.push(Step::Key(name.clone()));
        walk(&mut path, value, &mut out);
        path.pop();
    }
    out
}

/// A leaf's path as text: `attachments[0].file_id`.
pub fn path_text(path: &[Step]) -> String {
    let mut out = String::new();
    for step in path {
        match step {
            Step::Key(key) => {
                if !out.is_empty() {
                    out.push('.');
                }
                out.push_str(key);
            }
            Step::Index(at) => {
                out.push('[');
                out.push_str(&at.to_string());
                out.push(']');
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn leaves_come_in_order_with_their_paths() {
        let Value::Object(args) =
            json!({"to": ["a", "b"], "n": 3, "files": [{"id": "7"}], "cc": []})
        else {
            unreachable!("an object literal")
        };
        let paths: Vec<_> = leaves(&args).iter().map(|(path, _)| path_text(path)).collect();
        assert_eq!(paths, ["to[0]", "to[1]", "n", "files[0].id"]);
    }
}
