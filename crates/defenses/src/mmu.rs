//! `mmu`: ClawMMU (arXiv 2610.28093), through the kernel `clawmmu`.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt::Write as _;
use std::sync::Arc;

use clawmmu::{
    ArgumentRule, Authority, Call, Context, Decision, EntryId, FaultKind, Kernel, KernelId,
    LeafFault, PageId, Part, Place, Reason, SafeValue, Schema, Scope, Source, Tenant, Value,
};
use harness::defense::{Defense, Entry, Hook, Page, Ruling, Verdict};
use serde_json::Value as Json;
use trace::call::ToolCall;
use trace::event::{Crossing, Fault};
use trace::profile::Profile;
use trace::tool::{ArgumentCapability, Capability, Channel, Effect, Kind, ToolSpec};

/// The capability schemas of a world's tools under one profile, in the kernel's words.
#[derive(Debug, Default)]
pub struct Schemas(HashMap<String, Schema>);

impl Schemas {
    /// The schemas of these tools, secured as the profile says.
    pub fn new(tools: &[ToolSpec], profile: Profile) -> Self {
        let schema = |tool: &ToolSpec| (tool.name.clone(), schema_of(tool, profile));
        Self(tools.iter().map(schema).collect())
    }
}

/// **What it does.** Gives every page a descriptor from its channel (`map`), and lets a call through
/// only if each value that its tool's schema secures traces to words of the owner (`authorize`).
/// Otherwise it asks the owner, once for the whole call.
/// **What it assumes.** Channels are stamped by the harness; the owner's words are the owner's; the
/// tool's effect goes through the harness.
/// **What it cannot stop.** Attacks on the answer alone, on free arguments, by a choice among the
/// owner's own values, or with a value that the owner named too.
/// **Example.** `bench run --defense mmu:strict --owner never`.
pub struct Mmu {
    kernel: Kernel,
    context: Context,
    schemas: Arc<Schemas>,
    observe: bool,
    /// The pages that were let in: the harness's number, the channel, and the kernel's handles.
    pages: Vec<Known>,
}

struct Known {
    number: u32,
    channel: Channel,
    page: PageId,
    entry: EntryId,
}

/// The one tenant, task and session of an episode.
const TENANT: Tenant = Tenant(0);

impl Mmu {
    /// The kernel, with one empty context for one tenant, task and session. With `observe`, it runs
    /// every check and refuses nothing.
    pub fn new(schemas: Arc<Schemas>, observe: bool) -> Self {
        let kernel = Kernel::new(KernelId(0));
        let context = kernel.open(TENANT, Scope::of(0, 0));
        Self { kernel, context, schemas, observe, pages: Vec::new() }
    }

    fn entry_of(&self, number: u32) -> Option<EntryId> {
        self.pages.iter().rev().find(|known| known.number == number).map(|known| known.entry)
    }

    /// A fault of the kernel, with the harness's page number.
    fn fault(
        &self,
        crossing: Crossing,
        (kind, reason): (FaultKind, Reason),
        page: Option<PageId>,
        place: Option<&Place>,
    ) -> Fault {
        let known = page.and_then(|page| self.pages.iter().find(|known| known.page == page));
        Fault {
            crossing,
            name: format!("{kind:?}"),
            reason: format!("{reason:?}"),
            page: known.map(|known| known.number),
            channel: known.map(|known| known.channel),
            argument: place.map(argument_path),
        }
    }

    fn leaf_fault(&self, fault: &LeafFault) -> Fault {
        let kind = match fault.reason {
            Reason::Revoked => FaultKind::UseAfterRevoke,
            _ => FaultKind::ConfusedDeputy,
        };
        let what = (kind, fault.reason);
        self.fault(Crossing::Authorize, what, fault.from, fault.place.as_ref())
    }

    fn call_fault(&self, fault: &clawmmu::Fault) -> Fault {
        let what = (fault.kind, fault.reason);
        self.fault(Crossing::Authorize, what, fault.page, fault.place.as_ref())
    }
}

impl Defense for Mmu {
    fn hooks(&self) -> &'static [Hook] {
        Hook::ALL
    }

    fn on_enter(&mut self, page: Page<'_>) -> Entry {
        let source = match page.channel {
            // The harness's own words are never a source.
            Channel::Harness => return Entry::Admit,
            Channel::User => Source::Typed(TENANT),
            Channel::Tool => Source::Tool,
            Channel::Model => Source::Model,
        };
        match self.kernel.map(&mut self.context, source, page.text) {
            Ok(mapped) => {
                self.pages.push(Known {
                    number: page.number,
                    channel: page.channel,
                    page: mapped.page,
                    entry: mapped.entry,
                });
                Entry::Admit
            }
            Err(_) if self.observe => Entry::Admit,
            Err(fault) => {
                let what = (fault.kind, fault.reason);
                Entry::Refuse(self.fault(Crossing::Map, what, fault.page, None))
            }
        }
    }

    fn on_index(&mut self, page: Page<'_>) {
        if let Some(entry) = self.entry_of(page.number) {
            self.context.index(entry);
        }
    }

    fn on_call(&mut self, call: &ToolCall, _: Option<&ToolSpec>) -> Ruling {
        let arguments = arguments_of(call);
        let asked = Call { tool: &call.function, arguments: &arguments };
        let schemas = Arc::clone(&self.schemas);
        let schema = schemas.0.get(&call.function);
        match self.kernel.authorize(&mut self.context, &asked, schema, 0) {
            Decision::Allow(_) => Ruling::ALLOW,
            Decision::Ask(faults) => {
                let faults = faults.iter().map(|fault| self.leaf_fault(fault)).collect();
                let verdict = if self.observe { Verdict::Allow } else { Verdict::Ask };
                Ruling { verdict, faults }
            }
            Decision::Refused(fault) => {
                let verdict = if self.observe { Verdict::Allow } else { Verdict::Deny };
                Ruling { verdict, faults: vec![self.call_fault(&fault)] }
            }
        }
    }

    fn on_approval(
        &mut self,
        call: &ToolCall,
        _: Option<&ToolSpec>,
        granted: bool,
    ) -> Result<(), Fault> {
        let arguments = arguments_of(call);
        let answered = Call { tool: &call.function, arguments: &arguments };
        if !granted {
            self.kernel.refuse(&self.context, &answered);
            return Ok(());
        }
        let schemas = Arc::clone(&self.schemas);
        let schema = schemas.0.get(&call.function);
        self.kernel
            .approve(&self.context, &answered, 0)
            .and_then(|()| self.kernel.dispatch(&mut self.context, &answered, schema, 0))
            .map_err(|fault| self.call_fault(&fault))
    }
}

/// A place in a call, by the schema's names and by positions only.
fn argument_path(place: &Place) -> String {
    let mut path = match &place.argument {
        Some(name) => name.to_string(),
        None => format!("#{}", place.position),
    };
    if let Some(field) = &place.field {
        path.push('.');
        path.push_str(field);
    }
    if place.leaf > 0 {
        let _ = write!(path, "[{}]", place.leaf);
    }
    match place.part {
        Part::Whole => {}
        Part::Host => path.push_str("/host"),
        Part::Path => path.push_str("/path"),
        Part::Date => path.push_str("/date"),
        Part::Time => path.push_str("/time"),
        Part::Currency => path.push_str("/currency"),
    }
    path
}

fn arguments_of(call: &ToolCall) -> Vec<(Cow<'_, str>, Value<'_>)> {
    call.args.iter().map(|(name, value)| (Cow::Borrowed(name.as_str()), value_of(value))).collect()
}

fn value_of(value: &Json) -> Value<'_> {
    match value {
        Json::Null => Value::Null,
        Json::Bool(value) => Value::Bool(*value),
        Json::Number(number) => Value::Number(Cow::Owned(number.to_string())),
        Json::String(text) => Value::Text(Cow::Borrowed(text)),
        Json::Array(items) => Value::List(items.iter().map(value_of).collect()),
        Json::Object(fields) => Value::Object(
            fields
                .iter()
                .map(|(key, field)| (Cow::Borrowed(key.as_str()), value_of(field)))
                .collect(),
        ),
    }
}

fn schema_of(tool: &ToolSpec, profile: Profile) -> Schema {
    let capability = &tool.capability;
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

fn safe_value(value: &Json) -> Option<SafeValue> {
    match value {
        Json::Null => Some(SafeValue::Null),
        Json::Bool(value) => Some(SafeValue::Bool(*value)),
        Json::Number(number) => Some(SafeValue::Number(number.to_string())),
        Json::String(text) => Some(SafeValue::Text(text.clone())),
        Json::Array(_) | Json::Object(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use trace::tool::Role;

    use super::*;

    /// A tool that sends attachments, each with a file's id and words that are free.
    fn tool() -> ToolSpec {
        let entry = |role, kind| ArgumentCapability {
            role,
            kind,
            absent_safe: true,
            safe_values: Vec::new(),
            fields: std::collections::BTreeMap::new(),
        };
        let mut attachments = entry(Role::Resource, Kind::Identifier);
        attachments.fields = [
            ("file_id".to_owned(), entry(Role::Resource, Kind::Identifier)),
            ("type".to_owned(), entry(Role::Free, Kind::Text)),
        ]
        .into();
        ToolSpec {
            name: "send".to_owned(),
            description: String::new(),
            parameters: Vec::new(),
            channel: Channel::Tool,
            capability: Capability {
                effect: Effect::Write,
                resource_key: None,
                arguments: vec![("attachments".to_owned(), attachments)],
            },
        }
    }

    #[test]
    fn a_value_within_an_object_is_secured_by_its_own_key() {
        let args = serde_json::json!({ "attachments": [{ "type": "file", "file_id": "42" }] });
        let Json::Object(args) = args else { unreachable!("an object literal") };
        let call = ToolCall { function: "send".to_owned(), args };
        for (profile, words, verdict) in [
            (Profile::Strict, "send file 42", Verdict::Allow),
            (Profile::Strict, "send that file", Verdict::Ask),
            (Profile::Destinations, "send that file", Verdict::Allow),
        ] {
            let schemas = Arc::new(Schemas::new(&[tool()], profile));
            let mut mmu = Mmu::new(schemas, false);
            let pages = [(Channel::User, words), (Channel::Tool, "id_: '42'")];
            for (number, (channel, text)) in (0..).zip(pages) {
                assert_eq!(mmu.on_enter(Page { number, channel, text }), Entry::Admit);
                mmu.on_index(Page { number, channel, text });
            }
            let ruling = mmu.on_call(&call, None);
            assert_eq!(ruling.verdict, verdict, "{profile:?}, {words}: {:?}", ruling.faults);
        }
    }
}
