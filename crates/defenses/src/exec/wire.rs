//! The lines between the harness and a child.

use harness::defense::{Hook, Page, Verdict};
use serde::Deserialize;
use serde_json::{Value, json};
use trace::call::ToolCall;
use trace::tool::ToolSpec;

/// The version of the protocol.
pub const PROTOCOL: u32 = 1;

/// The JSON Schema of the lines, both ways.
pub const SCHEMA: &str = include_str!("schema.json");

/// The longest code of a reason.
const REASON_MAX: usize = 64;

/// The first line to a child.
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

/// A page is about to enter.
pub(super) fn entering(id: u64, page: Page<'_>) -> Value {
    json!({
        "hook": "on_enter",
        "id": id,
        "page": page.number,
        "channel": page.channel.as_str(),
        "text": page.text,
    })
}

/// A call is judged. The effect is null for a tool that does not exist.
pub(super) fn calling(id: u64, call: &ToolCall, tool: Option<&ToolSpec>) -> Value {
    json!({
        "hook": "on_call",
        "id": id,
        "tool": call.function,
        "arguments": call.args,
        "effect": tool.map(|tool| tool.capability.effect.as_str()),
    })
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Hello {
    id: u64,
    protocol: u32,
    hooks: Vec<HookName>,
    /// For whoever reads the lines; nothing depends on it.
    #[serde(default)]
    #[expect(dead_code, reason = "it is allowed, and not used")]
    name: Option<String>,
}

#[derive(Deserialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
enum HookName {
    OnEnter,
    OnCall,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Answer {
    id: u64,
    #[serde(rename = "answer")]
    word: String,
    reason: Option<String>,
}

/// The hooks that a child wants, from its answer to the greeting.
pub(super) fn hello(line: &str) -> Result<&'static [Hook], String> {
    let hello: Hello = read(line)?;
    if hello.id != 1 {
        return Err(format!("an answer to {}, and 1 was asked", hello.id));
    }
    if hello.protocol != PROTOCOL {
        return Err(format!("it speaks protocol {}, expected {PROTOCOL}", hello.protocol));
    }
    let wants = |hook| hello.hooks.contains(&hook);
    Ok(match (wants(HookName::OnEnter), wants(HookName::OnCall)) {
        (true, true) => &[Hook::Enter, Hook::Call],
        (true, false) => &[Hook::Enter],
        (false, true) => &[Hook::Call],
        (false, false) => &[],
    })
}

/// Whether a page is refused, and why.
pub(super) fn entry(line: &str, id: u64) -> Result<Option<String>, String> {
    let (answer, reason) = answer(line, id)?;
    match answer.as_str() {
        "admit" => Ok(None),
        "refuse" => Ok(Some(reason)),
        _ => Err("an answer that is neither `admit` nor `refuse`".to_owned()),
    }
}

/// What becomes of a call, and why.
pub(super) fn ruling(line: &str, id: u64) -> Result<(Verdict, String), String> {
    let (answer, reason) = answer(line, id)?;
    match answer.as_str() {
        "allow" => Ok((Verdict::Allow, reason)),
        "ask" => Ok((Verdict::Ask, reason)),
        "deny" => Ok((Verdict::Deny, reason)),
        _ => Err("an answer that is none of `allow`, `ask`, `deny`".to_owned()),
    }
}

fn answer(line: &str, id: u64) -> Result<(String, String), String> {
    let answer: Answer = read(line)?;
    if answer.id != id {
        return Err(format!("an answer to {}, and {id} was asked", answer.id));
    }
    let reason = answer.reason.unwrap_or_else(|| "Unspecified".to_owned());
    // The agent reads the reason: it is a code, so that no payload comes back through it.
    let is_code = |text: &str| text.chars().all(|c| c.is_ascii_alphanumeric() || "_-".contains(c));
    if reason.is_empty() || reason.len() > REASON_MAX || !is_code(&reason) {
        return Err(format!(
            "a reason that is no code of letters, digits, `_` and `-`, at most {REASON_MAX}"
        ));
    }
    Ok((answer.word, reason))
}

/// A line as JSON. What the child wrote is not repeated: it may hold anything.
fn read<'l, T: Deserialize<'l>>(line: &'l str) -> Result<T, String> {
    serde_json::from_str(line).map_err(|error| {
        let what =
            if error.is_data() { "a line of another form" } else { "a line that is no JSON" };
        format!("{what}, at column {}", error.column())
    })
}
