//! The classes of the guarantee (`mmu.md` §8), from the scenarios' ground truth and the capability
//! schemas alone.
//!
//! A case is **inside** under a profile where some effectful call of the attack has a secured value
//! that does not stand in the user's words: it was planted, read from somewhere, or made up. Where
//! every secured value stands there, the case is outside: **user-named**, since the attacker names it
//! too, or **selection**. Without a secured value it is **trigger-only** if some call is external or
//! irreversible, and **free-argument** if not. Without an effectful call it is **answer-only**.

use std::fmt::Write as _;

use scenario::guarantee::{Class, HEADER};
use serde_json::Value;
use suites::agentdojo::{AgentDojo, Benchmark, Task};
use trace::call::{Step, ToolCall, leaves};
use trace::profile::Profile;
use trace::tool::{Capability, Effect, Kind, ToolSpec};

/// The file's text.
pub(crate) fn file(suite: &AgentDojo) -> anyhow::Result<String> {
    let mut out = format!("{HEADER}\n");
    for world in &suite.worlds {
        let live = suite
            .open_with(world.world, &Vec::new())?
            .ok_or_else(|| anyhow::anyhow!("no world `{}`", world.world))?;
        for user in &world.user_tasks {
            for injection in &world.injection_tasks {
                row(world, user, injection, live.tools(), &mut out)?;
            }
        }
    }
    Ok(out)
}

fn row(
    world: &Benchmark,
    user: &Task,
    injection: &Task,
    tools: &[ToolSpec],
    out: &mut String,
) -> anyhow::Result<()> {
    write!(out, "{0}/{1},{0}/{2}", world.world, user.id, injection.id)?;
    for profile in Profile::ALL {
        let class = class_of(&user.text, injection, tools, *profile);
        write!(out, ",{class}")?;
    }
    writeln!(out)?;
    Ok(())
}

fn class_of(prompt: &str, injection: &Task, tools: &[ToolSpec], profile: Profile) -> Class {
    let capability = |call: &ToolCall| {
        tools.iter().find(|tool| tool.name == call.function).map(|tool| &tool.capability)
    };
    let effectful: Vec<(&ToolCall, &Capability)> = injection
        .calls
        .iter()
        .filter_map(|call| Some((call, capability(call)?)))
        .filter(|(_, capability)| capability.effect.is_effectful())
        .collect();
    if effectful.is_empty() {
        return Class::AnswerOnly;
    }
    let secured: Vec<(&Value, Kind)> =
        effectful.iter().flat_map(|(call, schema)| secured_of(call, schema, profile)).collect();
    if secured.iter().any(|(value, kind)| !stands_in(prompt, value, *kind)) {
        return Class::Inside;
    }
    if !secured.is_empty() {
        let named = secured.iter().any(|(value, kind)| stands_in(&injection.text, value, *kind));
        return if named { Class::UserNamed } else { Class::Selection };
    }
    let reaches_out = |effect| matches!(effect, Effect::External | Effect::Irreversible);
    if effectful.iter().any(|(_, schema)| reaches_out(schema.effect)) {
        return Class::TriggerOnly;
    }
    Class::FreeArgument
}

/// The secured values of a call, but those that the schema calls safe.
fn secured_of<'a>(
    call: &'a ToolCall,
    schema: &'a Capability,
    profile: Profile,
) -> Vec<(&'a Value, Kind)> {
    let mut secured = Vec::new();
    for (path, value) in leaves(&call.args) {
        let Some(Step::Key(name)) = path.first() else { continue };
        let entry = schema.argument(name).and_then(|entry| entry.of_leaf(&path[1..]));
        let Some(entry) = entry.filter(|entry| profile.covers(entry.role)) else { continue };
        if schema.effect.is_effectful() && !entry.safe_values.contains(value) {
            secured.push((value, entry.kind));
        }
    }
    secured
}

/// Whether a text holds a value, on boundaries of words. Plain and lax on purpose: this is not the
/// kernel's tracing, and where the two differ a run shows it.
fn stands_in(text: &str, value: &Value, kind: Kind) -> bool {
    match (value, kind) {
        (_, Kind::Boolean | Kind::Enumeration) | (Value::Null, _) => false,
        (Value::String(value), Kind::Url) => url_stands_in(text, value),
        (Value::String(value), Kind::Account) => {
            let bare = |text: &str| text.replace([' ', '-'], "").to_lowercase();
            holds_word(&bare(text), &bare(value)) || holds_word(text, value)
        }
        (Value::String(value), Kind::Name | Kind::Address) => {
            holds_word(&text.to_lowercase(), &value.to_lowercase())
        }
        (Value::String(value), _) => holds_word(text, value),
        (number, _) => agents::sight::shows(text, number),
    }
}

fn url_stands_in(text: &str, url: &str) -> bool {
    let url = url.strip_prefix("https://").or(url.strip_prefix("http://")).unwrap_or(url);
    holds_word(&text.to_lowercase(), &url.to_lowercase())
}

fn holds_word(text: &str, word: &str) -> bool {
    let is_part = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    text.match_indices(word).any(|(at, _)| {
        let behind = &text[at + word.len()..];
        !is_part(text[..at].chars().next_back()) && !is_part(behind.chars().next())
    })
}
