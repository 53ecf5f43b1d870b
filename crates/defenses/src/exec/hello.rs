//! The greeting: what a program is told of the tools, and what it wants to be asked.

use serde::Deserialize;
use serde_json::{Value, json};
use trace::tool::ToolSpec;

use super::answers::{read, to_question};
use super::hooks::Name;

/// The version of the protocol that is offered.
pub const PROTOCOL: u32 = 2;

/// The oldest version that is still spoken, with the hooks and the lines that it had.
const OLDEST: u32 = 1;

/// The first line to a program.
pub(super) fn greeting(tools: &[ToolSpec]) -> Value {
    let tools = tools.iter().map(|tool| {
        json!({
            "name": tool.name,
            "description": tool.description,
            "effect": tool.capability.effect.as_str(),
            "parameters": tool.parameters,
        })
    });
    json!({ "hook": "hello", "protocol": PROTOCOL, "id": 1, "tools": tools.collect::<Vec<_>>() })
}

/// A program that has answered the greeting.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Greeted {
    /// The version that it speaks.
    pub(super) protocol: u32,
    /// What it wants to be asked.
    pub(super) asked: Vec<Name>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Hello {
    id: u64,
    protocol: u32,
    hooks: Vec<String>,
    /// For whoever reads the lines; nothing depends on it.
    #[serde(default)]
    #[expect(dead_code, reason = "it is allowed, and not used")]
    name: Option<String>,
}

/// Reads the answer to the greeting.
pub(super) fn hello(line: &str) -> Result<Greeted, String> {
    let Hello { id, protocol, hooks, .. } = read(line)?;
    to_question(1, id)?;
    if !(OLDEST..=PROTOCOL).contains(&protocol) {
        return Err(format!("it speaks protocol {protocol}, expected {OLDEST} to {PROTOCOL}"));
    }
    let asked: Option<Vec<Name>> = hooks.iter().map(|word| Name::parse(word)).collect();
    let asked = asked.ok_or("it wants a hook that does not exist")?;
    match asked.iter().find(|name| name.since() > protocol) {
        Some(name) => Err(format!("protocol {protocol} has no hook `{}`", name.as_str())),
        None => Ok(Greeted { protocol, asked }),
    }
}
