//! `mmu`: ClawMMU (arXiv 2610.28093), through the kernel `clawmmu`.

mod call;
mod schema;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use clawmmu::{
    ArgumentRule, Authority, Call, Config, Context, Decision, Effect, EntryId, FaultKind, Kernel,
    KernelId, LeafFault, PageId, Place, Reason, Schema, Scope, Source, Tenant, Tie,
};
use harness::defense::{Defense, Entry, Hook, Page, Ruling, Verdict};
use trace::call::ToolCall;
use trace::event::{Crossing, Fault};
use trace::tool::{Channel, ToolSpec};

use call::{argument_path, arguments_of};
pub use schema::Schemas;

/// How the MMU is set up, beside the profile.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Setting {
    /// Every check runs, and nothing is refused.
    pub observe: bool,
    /// Every holder of a value must have the authority (`tie=forall`), not just one.
    pub forall: bool,
    /// The context's accumulated label decides for every value, instead of the value's own source.
    pub context: bool,
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
    setting: Setting,
    /// Calls that the owner refused, where the label decides and the kernel is not asked.
    refused: Vec<ToolCall>,
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
    /// The kernel, with one empty context for one tenant, task and session.
    pub fn new(schemas: Arc<Schemas>, setting: Setting) -> Self {
        let tie = if setting.forall { Tie::ForAll } else { Tie::Exists };
        let kernel = Kernel::with_config(KernelId(0), Config { tie, ..Config::default() });
        let context = kernel.open(TENANT, Scope::of(0, 0));
        Self { kernel, context, schemas, setting, refused: Vec::new(), pages: Vec::new() }
    }

    /// The ruling where the accumulated label decides: once a page of Evidence was let in, no secured
    /// value has a source that is good enough.
    fn by_label(&self, call: &ToolCall) -> Ruling {
        let schema = self.schemas.of(&call.function);
        let secured = schema.and_then(|schema| first_secured(schema, call));
        let effect = schema.map(|schema| schema.effect);
        let label = self.context.label().authority;
        let reason = match (effect, secured) {
            (None, _) => Some(Reason::UnknownTool),
            (Some(Effect::Read), _) | (Some(Effect::Write), None) => None,
            (Some(_), Some(_)) => (label < Authority::Policy).then_some(Reason::LowAuthority),
            (Some(Effect::External | Effect::Irreversible), None) => Some(Reason::Trigger),
        };
        let Some(reason) = reason else { return Ruling::ALLOW };
        let mut fault =
            self.fault(Crossing::Authorize, (FaultKind::ConfusedDeputy, reason), None, None);
        fault.argument = secured.map(str::to_owned);
        if reason == Reason::LowAuthority {
            fault.channel = Some(Channel::Tool);
        }
        let verdict = if self.setting.observe {
            Verdict::Allow
        } else if self.refused.contains(call) {
            Verdict::Deny
        } else {
            Verdict::Ask
        };
        Ruling { verdict, faults: vec![fault] }
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
            // What is said to come from storage, and did not cross reload, is anybody's.
            Channel::Tool | Channel::Memory => Source::Tool,
            Channel::Model => Source::Model,
            Channel::Web => Source::Web,
            Channel::File => Source::File,
            Channel::Mail => Source::Mail,
            Channel::Peer => Source::Peer,
            Channel::Pasted => Source::Pasted,
            Channel::Instruction => Source::ApprovedInstruction(TENANT),
            Channel::Preference => Source::OwnPreference(TENANT),
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
            Err(_) if self.setting.observe => Entry::Admit,
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
        if self.setting.context {
            return self.by_label(call);
        }
        let arguments = arguments_of(call);
        let asked = Call { tool: &call.function, arguments: &arguments };
        let schemas = Arc::clone(&self.schemas);
        let schema = schemas.of(&call.function);
        match self.kernel.authorize(&mut self.context, &asked, schema, 0) {
            Decision::Allow(_) => Ruling::ALLOW,
            Decision::Ask(faults) => {
                let faults = faults.iter().map(|fault| self.leaf_fault(fault)).collect();
                let verdict = if self.setting.observe { Verdict::Allow } else { Verdict::Ask };
                Ruling { verdict, faults }
            }
            Decision::Refused(fault) => {
                let verdict = if self.setting.observe { Verdict::Allow } else { Verdict::Deny };
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
        if self.setting.context {
            if !granted {
                self.refused.push(call.clone());
            }
            return Ok(());
        }
        let arguments = arguments_of(call);
        let answered = Call { tool: &call.function, arguments: &arguments };
        if !granted {
            self.kernel.refuse(&self.context, &answered);
            return Ok(());
        }
        let schemas = Arc::clone(&self.schemas);
        let schema = schemas.of(&call.function);
        self.kernel
            .approve(&self.context, &answered, 0)
            .and_then(|()| self.kernel.dispatch(&mut self.context, &answered, schema, 0))
            .map_err(|fault| self.call_fault(&fault))
    }
}

/// The first argument of a call that its schema secures.
fn first_secured<'s>(schema: &'s Schema, call: &ToolCall) -> Option<&'s str> {
    let mut arguments = schema.arguments.iter();
    let found = arguments.find(|(name, rule)| {
        *rule != ArgumentRule::Free && call.args.get(&**name).is_some_and(|value| !value.is_null())
    });
    found.map(|(name, _)| &**name)
}
