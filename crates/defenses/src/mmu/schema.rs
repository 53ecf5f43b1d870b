//! Capability schemas in the kernel's words.

use std::collections::HashMap;
use std::sync::Arc;

use clawmmu::{Access, ArgumentRule, Authority, ResourceRule, SafeValue, Schema};
use serde_json::Value as Json;
use trace::profile::Profile;
use trace::tool::{ArgumentCapability, Capability, Effect, Kind, ToolSpec};

/// The capability schemas of a world's tools under one profile, in the kernel's words.
#[derive(Debug, Default)]
pub struct Schemas {
    tools: HashMap<String, Schema>,
    resources: Vec<ResourceRule>,
}

impl Schemas {
    /// The schemas of these tools, secured as the profile says.
    pub fn new(tools: &[ToolSpec], profile: Profile) -> Self {
        let schema = |tool: &ToolSpec| (tool.name.clone(), schema_of(tool, profile));
        Self {
            tools: tools.iter().map(schema).collect(),
            resources: tools.iter().filter_map(|tool| resource_of(tool, profile)).collect(),
        }
    }

    /// Which tools read and write which resources.
    pub(super) fn resources(&self) -> &[ResourceRule] {
        &self.resources
    }

    /// The schema of a tool.
    pub(super) fn of(&self, tool: &str) -> Option<&Schema> {
        self.tools.get(tool)
    }
}

/// The resource that a tool reads or writes, where its schema names the key. Keys of all tools are of
/// one space: what one tool wrote, another reads. A schema does not say whether a write replaces what
/// was there, so that none counts as if it did.
fn resource_of(tool: &ToolSpec, profile: Profile) -> Option<ResourceRule> {
    let capability = tool.capability_under(profile);
    let key: Arc<str> = Arc::from(capability.resource_key.as_deref()?);
    let access = if capability.effect.is_effectful() {
        Access::Append { key }
    } else {
        Access::Read { key }
    };
    Some(ResourceRule { tool: Arc::from(tool.name.as_str()), space: Arc::from("resource"), access })
}

fn schema_of(tool: &ToolSpec, profile: Profile) -> Schema {
    let capability = tool.capability_under(profile);
    let arguments = capability.arguments.iter();
    let arguments = arguments
        .map(|(name, _)| (Arc::from(name.as_str()), rule_of(capability, profile, name)))
        .collect();
    Schema {
        tool: Arc::from(tool.name.as_str()),
        effect: match capability.effect {
            Effect::Read => clawmmu::Effect::Read,
            Effect::Write => clawmmu::Effect::Write,
            Effect::External => clawmmu::Effect::External,
            Effect::Irreversible => clawmmu::Effect::Irreversible,
        },
        arguments,
    }
}

fn rule_of(capability: &Capability, profile: Profile, name: &str) -> ArgumentRule {
    match capability.argument(name) {
        Some(entry) if capability.effect.is_effectful() => entry_rule(entry, profile),
        _ => ArgumentRule::Free,
    }
}

fn entry_rule(entry: &ArgumentCapability, profile: Profile) -> ArgumentRule {
    if !entry.fields.is_empty() {
        let fields = entry.fields.iter();
        let fields: Vec<_> = fields
            .map(|(name, field)| (Arc::from(name.as_str()), entry_rule(field, profile)))
            .collect();
        // An object is free where nothing in it is secured.
        if fields.iter().all(|(_, rule)| *rule == ArgumentRule::Free) {
            return ArgumentRule::Free;
        }
        return ArgumentRule::Fields { fields, absent_safe: entry.absent_safe };
    }
    // Words for people have no kind of comparison: they are free, and stay so.
    match kind_of(entry.kind) {
        Some(kind) if profile.covers(entry.role) => ArgumentRule::Secured {
            required: Authority::Policy,
            kind,
            absent_safe: entry.absent_safe,
            safe_values: entry.safe_values.iter().filter_map(safe_value).collect(),
        },
        _ => ArgumentRule::Free,
    }
}

fn kind_of(kind: Kind) -> Option<clawmmu::Kind> {
    Some(match kind {
        Kind::Identifier => clawmmu::Kind::Identifier,
        Kind::Path => clawmmu::Kind::Path,
        Kind::Secret => clawmmu::Kind::Secret,
        Kind::Name => clawmmu::Kind::Name,
        Kind::Address => clawmmu::Kind::Address,
        Kind::Account => clawmmu::Kind::Account,
        Kind::Url => clawmmu::Kind::Url,
        Kind::Number => clawmmu::Kind::Number,
        Kind::Amount => clawmmu::Kind::Amount,
        Kind::Date => clawmmu::Kind::Date,
        Kind::Time => clawmmu::Kind::Time,
        Kind::Boolean => clawmmu::Kind::Boolean,
        Kind::Enumeration => clawmmu::Kind::Enumeration,
        Kind::Text => return None,
    })
}

pub(super) fn safe_value(value: &Json) -> Option<SafeValue> {
    match value {
        Json::Null => Some(SafeValue::Null),
        Json::Bool(value) => Some(SafeValue::Bool(*value)),
        Json::Number(number) => Some(SafeValue::Number(number.to_string())),
        Json::String(text) => Some(SafeValue::Text(text.clone())),
        Json::Array(_) | Json::Object(_) => None,
    }
}
