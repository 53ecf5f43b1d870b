//! Approvals in advance, as a scenario file writes them.

use serde_json::Value;
use trace::allowance::{Allowance, Allowed, CHANNELS, Limit, Source, counts, is_amount};
use trace::tool::{Channel, Parameter, ParameterType, ToolSpec};

use super::events::{Named, about};
use super::scripts::argument;
use crate::mistake::did_you_mean;
use crate::yaml::{Content, Fields, Key, Node, Reader};

/// What may stand in an approval in advance.
pub(crate) const KEYS: &[&str] =
    &["name", "tool", "arguments", "source", "limit", "uses", "expires"];
/// What may stand in its limit.
pub(crate) const LIMIT_KEYS: &[&str] = &["argument", "each", "total"];
/// What an argument is that may be anything.
const ANY: &str = "any";

/// The words of the channels that values may come in by.
pub(crate) fn channels() -> Vec<(&'static str, Channel)> {
    CHANNELS.iter().map(|channel| (channel.as_str(), *channel)).collect()
}

/// An approval in advance.
pub(crate) fn allow(
    reader: &mut Reader<'_>,
    node: &Node,
    named: &mut Named<'_>,
) -> Option<Allowance> {
    let what = "`allow`";
    let fields = reader.fields(node, what, KEYS)?;
    let name = reader.required(fields, what, "name");
    let name = name.and_then(|node| Some((reader.text(node, "`name`")?.to_owned(), node.place)));
    if let Some((name, place)) = &name {
        if named.allowed.contains(name) {
            reader.wrong(*place, format!("there are two approvals in advance `{name}`"), None);
        }
        named.allowed.push(name.clone());
    }
    let source = reader.required(fields, what, "source");
    let source = source.and_then(|node| source_of(reader, node, named));
    let uses = fields.get("uses").and_then(|node| uses(reader, node));
    let expires = fields.get("expires").and_then(|node| reader.number(node, "`expires`"));
    let tool = reader.required(fields, what, "tool")?;
    let tool = known_tool(reader, tool, named.tools)?;
    let arguments = arguments(reader, fields, tool);
    let limit = fields.get("limit").and_then(|node| limit(reader, node, tool, &arguments));
    Some(Allowance {
        name: name?.0,
        tool: tool.name.clone(),
        arguments,
        source: source?,
        limit,
        uses,
        expires,
    })
}

fn known_tool<'t>(
    reader: &mut Reader<'_>,
    node: &Node,
    tools: &'t [ToolSpec],
) -> Option<&'t ToolSpec> {
    let name = reader.text(node, "`tool`")?;
    let found = tools.iter().find(|tool| tool.name == name);
    if found.is_none() {
        let known: Vec<&str> = tools.iter().map(|tool| tool.name.as_str()).collect();
        let hint = did_you_mean(name, &known);
        reader.wrong(node.place, format!("there is no tool `{name}`"), hint);
    }
    found
}

/// A channel's word, or content.
fn source_of(reader: &mut Reader<'_>, node: &Node, named: &mut Named<'_>) -> Option<Source> {
    if node.text().is_some() {
        return reader.word(node, "`source`", &channels()).map(Source::Channel);
    }
    about(reader, node, named).map(Source::Content)
}

fn uses(reader: &mut Reader<'_>, node: &Node) -> Option<u32> {
    let uses = reader.number(node, "`uses`")?;
    if uses == 0 {
        reader.wrong(node.place, "`uses` must be at least 1", None);
    }
    Some(u32::try_from(uses).unwrap_or(u32::MAX))
}

/// The arguments that calls may have. One that a call must have has to be among them.
fn arguments(
    reader: &mut Reader<'_>,
    fields: Fields<'_>,
    tool: &ToolSpec,
) -> Vec<(String, Allowed)> {
    let Some(node) = reader.required(fields, "`allow`", "arguments") else { return Vec::new() };
    let given = reader.map(node, "`arguments`").unwrap_or_default();
    for parameter in tool.parameters.iter().filter(|one| one.required) {
        let name = &parameter.name;
        if !given.iter().any(|(key, _)| key.name == *name) {
            let message = format!("no call of `{}` is covered without `{name}`", tool.name);
            reader.wrong(node.place, message, Some(format!("add `{name}: {ANY}`")));
        }
    }
    let mut arguments = Vec::new();
    for (key, node) in given {
        let Some(parameter) = parameter(reader, key, tool) else { continue };
        if let Some(allowed) = allowed(reader, node, parameter) {
            arguments.push((key.name.clone(), allowed));
        }
    }
    arguments
}

fn parameter<'t>(reader: &mut Reader<'_>, key: &Key, tool: &'t ToolSpec) -> Option<&'t Parameter> {
    let found = tool.parameters.iter().find(|one| one.name == key.name);
    if found.is_none() {
        let known: Vec<&str> = tool.parameters.iter().map(|one| one.name.as_str()).collect();
        let hint = did_you_mean(&key.name, &known);
        reader.wrong(key.place, format!("`{}` has no argument `{}`", tool.name, key.name), hint);
    }
    found
}

/// `any`, or the values that the owner vouches for: of a list, those that may stand in it.
fn allowed(reader: &mut Reader<'_>, node: &Node, parameter: &Parameter) -> Option<Allowed> {
    if node.text() == Some(ANY) {
        return Some(Allowed::Any);
    }
    let Content::List(items) = &node.content else {
        let message = format!("`{}` must be `{ANY}` or a list of values", parameter.name);
        let hint = node.text().map(|text| format!("a single value is a list, too: [{text}]"));
        reader.wrong(node.place, message, hint);
        return None;
    };
    if items.is_empty() {
        reader.wrong(node.place, format!("`{}` may have no value", parameter.name), None);
    }
    let single = match &parameter.ty {
        ParameterType::List { items } => Parameter { ty: (**items).clone(), ..parameter.clone() },
        _ => parameter.clone(),
    };
    let values = items.iter().filter_map(|item| argument(reader, item, &single));
    let values: Vec<Value> = values.collect();
    Some(Allowed::OneOf(values))
}

fn limit(
    reader: &mut Reader<'_>,
    node: &Node,
    tool: &ToolSpec,
    arguments: &[(String, Allowed)],
) -> Option<Limit> {
    let what = "`limit`";
    let fields = reader.fields(node, what, LIMIT_KEYS)?;
    let mut amount = |key: &str| {
        let node = reader.required(fields, what, key)?;
        let text = reader.text(node, &format!("`{key}`"))?;
        if !is_amount(text) {
            let hint = "digits, at most nine of them behind a point".to_owned();
            reader.wrong(node.place, format!("`{key}` is no amount"), Some(hint));
        }
        Some(text.to_owned())
    };
    let (each, total) = (amount("each"), amount("total"));
    let node = reader.required(fields, what, "argument")?;
    let argument = reader.text(node, "`argument`")?;
    let covered: Vec<&str> = arguments.iter().map(|(name, _)| name.as_str()).collect();
    if !covered.contains(&argument) {
        let hint = did_you_mean(argument, &covered);
        reader.wrong(node.place, format!("`{argument}` is not among `arguments`"), hint);
    } else if !counts(tool, argument) {
        let numbers: Vec<&str> = covered.into_iter().filter(|name| counts(tool, name)).collect();
        let hint = did_you_mean(argument, &numbers);
        reader.wrong(node.place, format!("`{argument}` is no number"), hint);
    }
    Some(Limit { argument: argument.to_owned(), each: each?, total: total? })
}
