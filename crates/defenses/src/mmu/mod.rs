//! `mmu`: ClawMMU (arXiv 2610.28093), through the kernel `clawmmu`.

mod call;
mod memory;
mod merging;
mod owner;
mod schema;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::sync::Arc;

use clawmmu::{
    Ablations, ApprovalId, ArgumentRule, Authority, Call, Config, Context, Decision, Effect,
    EntryId, FaultKind, Kernel, KernelId, LeafFault, PageId, Place, Reason, Representation, Schema,
    Scope, Tenant, Tie,
};
use harness::defense::{Defense, Entry, Hook, Page, Ruling, Verdict};
use harness::memory::{
    Comeback, Kept, Opening, OwnerAct, Reload, Revoked, Saved, Spoken, Subject, Write,
};
use trace::call::ToolCall;
use trace::event::{Crossing, Fault};
use trace::tool::{Channel, ToolSpec};

use call::{argument_path, arguments_of};
pub use merging::Merging;
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
    /// What becomes of the labels where the harness makes several records one.
    pub merging: Merging,
    /// Steps of the kernel that are left out, to see what each is worth.
    pub ablations: Ablations,
}

/// **What it does.** Gives every page a descriptor from its channel (`map`), and lets a call through
/// only if each value that its tool's schema secures traces to words of the owner (`authorize`).
/// Otherwise it asks the owner, once for the whole call.
/// **What it assumes.** Channels are stamped by the harness; the owner's words are the owner's; the
/// tool's effect goes through the harness. Where the harness has a memory, what is stored inherits
/// from all it was made from (`derive`), and comes back as Evidence once a source is revoked
/// (`reload`), also out of a checkpoint.
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
    /// The pages that were let in, by the harness's number.
    pages: HashMap<u32, Known>,
    /// The first of the harness's numbers for each of the kernel's pages.
    numbers: HashMap<PageId, u32>,
    /// Which context this is: those that were built before have smaller numbers.
    generation: u32,
    /// The context as the harness described it; `None` in a harness without memory.
    opening: Option<Opening>,
    /// The kernel's descriptors of the harness's records. They are no part of a checkpoint, since a
    /// record's number is never given twice.
    records: HashMap<u32, Representation>,
    /// Which record each copy was made from.
    copies: HashMap<u32, u32>,
    /// What owners said of their own accord, oldest first.
    spoken: Vec<(Subject, ApprovalId, Tenant)>,
    /// What they approved in advance, by its name, oldest first.
    allowed: Vec<(String, ApprovalId, Tenant)>,
}

/// A page that was let in.
#[derive(Clone, Copy)]
struct Known {
    channel: Channel,
    page: PageId,
    entry: EntryId,
    generation: u32,
}

/// The one tenant of an episode without memory.
const TENANT: Tenant = Tenant(0);

impl Mmu {
    /// The kernel, with one empty context for one tenant, task and session.
    pub fn new(schemas: Arc<Schemas>, setting: Setting) -> Self {
        let tie = if setting.forall { Tie::ForAll } else { Tie::Exists };
        let config = Config { tie, ablations: setting.ablations, ..Config::default() };
        let kernel = Kernel::with_config(KernelId(0), config);
        let context = kernel.open(TENANT, Scope::of(0, 0));
        Self {
            kernel,
            context,
            schemas,
            setting,
            refused: Vec::new(),
            pages: HashMap::new(),
            numbers: HashMap::new(),
            generation: 0,
            opening: None,
            records: HashMap::new(),
            copies: HashMap::new(),
            spoken: Vec::new(),
            allowed: Vec::new(),
        }
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
        Ruling::new(verdict, vec![fault])
    }

    /// The ruling on a call that may go ahead, on this approval in advance where it is one.
    fn permitted(&self, standing: Option<ApprovalId>) -> Ruling {
        let mut given = self.allowed.iter();
        let given = given.find(|(_, id, _)| Some(*id) == standing);
        Ruling { in_advance: given.map(|(name, _, _)| name.clone()), ..Ruling::ALLOW }
    }

    fn entry_of(&self, number: u32) -> Option<EntryId> {
        let known = self.pages.get(&number)?;
        (known.generation == self.generation).then_some(known.entry)
    }

    /// A fault of the kernel, with the harness's page number.
    fn fault(
        &self,
        crossing: Crossing,
        (kind, reason): (FaultKind, Reason),
        page: Option<PageId>,
        place: Option<&Place>,
    ) -> Fault {
        let number = page.and_then(|page| self.numbers.get(&page)).copied();
        let known = number.and_then(|number| self.pages.get(&number));
        Fault {
            crossing,
            name: format!("{kind:?}"),
            reason: format!("{reason:?}"),
            page: number,
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

/// Every hook but the one before ranking: what may not come back is turned away at reload.
const HOOKS: &[Hook] = &[
    Hook::Open,
    Hook::Enter,
    Hook::Index,
    Hook::Derive,
    Hook::Reload,
    Hook::Evict,
    Hook::Checkpoint,
    Hook::Call,
    Hook::Approval,
    Hook::Dispatch,
    Hook::Revoke,
];

impl Defense for Mmu {
    fn hooks(&self) -> &'static [Hook] {
        HOOKS
    }

    fn on_enter(&mut self, page: Page<'_>) -> Entry {
        // The harness's own words are never a source.
        let Some(source) = self.source(page.channel, page.typed_by) else { return Entry::Admit };
        let mapped = match page.reply_to {
            None => self.kernel.map(&mut self.context, source, page.text),
            Some(call) => {
                let arguments = arguments_of(call);
                let call = Call { tool: &call.function, arguments: &arguments };
                self.kernel.reply(&mut self.context, &call, source, page.text)
            }
        };
        match mapped {
            Ok(mapped) => {
                self.know(page.number, page.channel, mapped);
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
        let now = self.now();
        match self.kernel.authorize(&mut self.context, &asked, schema, now) {
            Decision::Allow(permit) => self.permitted(permit.standing),
            Decision::Ask(faults) => {
                let faults = faults.iter().map(|fault| self.leaf_fault(fault)).collect();
                let verdict = if self.setting.observe { Verdict::Allow } else { Verdict::Ask };
                Ruling::new(verdict, faults)
            }
            Decision::Refused(fault) => {
                let verdict = if self.setting.observe { Verdict::Allow } else { Verdict::Deny };
                Ruling::new(verdict, vec![self.call_fault(&fault)])
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
        let approved = self.kernel.approve(&self.context, &answered, self.now());
        // A harness with memory asks once more at dispatch.
        if self.opening.is_some() {
            return approved.map_err(|fault| self.call_fault(&fault));
        }
        let schemas = Arc::clone(&self.schemas);
        let schema = schemas.of(&call.function);
        approved
            .and_then(|()| self.kernel.dispatch(&mut self.context, &answered, schema, 0))
            .map_err(|fault| self.call_fault(&fault))
    }

    fn on_open(&mut self, opening: &Opening) {
        self.open(opening);
    }

    fn on_derive(&mut self, write: &Write<'_>) -> Kept {
        self.derive(write)
    }

    fn on_reload(&mut self, reload: &Reload<'_>) -> Comeback {
        self.reload(reload)
    }

    fn on_evict(&mut self, page: u32) {
        if let Some(entry) = self.entry_of(page) {
            self.context.evict(entry);
        }
    }

    fn on_save(&mut self) -> Saved {
        Some(Box::new(self.save()))
    }

    fn on_restore(&mut self, saved: &Saved) -> Vec<Fault> {
        self.restore(saved)
    }

    fn on_dispatch(&mut self, call: &ToolCall, _: Option<&ToolSpec>) -> Result<(), Fault> {
        self.dispatch(call)
    }

    fn on_clock(&mut self, now: u64) {
        self.clock(now);
    }

    fn on_owner(&mut self, act: &OwnerAct<'_>) -> Result<Spoken, Fault> {
        self.owner_acts(act)
    }

    fn on_revoke(&mut self, subjects: &[Subject]) -> Revoked {
        self.revoke(subjects)
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
