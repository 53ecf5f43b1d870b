//! The kernel under test, driven by operations. What it answers is written down in words.

use clawmmu::{
    Access, Arrival, Authority, Checkpoint, Claim, Context, Deriver, Descriptor, EntryId, Event,
    Form, Kernel, KernelId, PageId, Representation, ResourceRule, Scope, Target, Tenant, Write,
};

use crate::{
    arm::Arm,
    op::{Op, WORDS, text},
    words::{described, extent, faulted, origins, other, pick, scope, source},
};

const KERNEL: KernelId = KernelId(9);

pub(crate) struct Real {
    pub(crate) kernel: Kernel,
    pub(crate) contexts: Vec<(Context, Vec<EntryId>)>,
    pub(crate) stored: Vec<(Representation, u8)>,
    pub(crate) saved: Vec<(usize, Checkpoint, Vec<EntryId>)>,
    pub(crate) pages: u32,
    pub(crate) approvals: u64,
    pub(crate) now: u64,
}

impl Real {
    pub(crate) fn new(arm: Arm) -> Self {
        let mut kernel = Kernel::with_config(KERNEL, arm.config());
        let key = || "path".into();
        for (tool, access) in [
            ("read", Access::Read { key: key() }),
            ("write", Access::Replace { key: key() }),
            ("append", Access::Append { key: key() }),
            ("copy", Access::Copy { from: "from".into(), to: "to".into() }),
        ] {
            kernel.declare(ResourceRule { tool: tool.into(), space: "file".into(), access });
        }
        Self {
            kernel,
            contexts: Vec::new(),
            stored: Vec::new(),
            saved: Vec::new(),
            pages: 0,
            approvals: 0,
            now: 100,
        }
    }

    pub(crate) fn page(&self, number: u8) -> PageId {
        PageId { kernel: KERNEL, number: u32::from(number) % (self.pages + 1) }
    }

    pub(crate) fn given(&mut self, page: PageId) {
        self.pages = self.pages.max(page.number + 1);
    }

    pub(crate) fn entry(&self, at: usize, entry: u8) -> Option<EntryId> {
        let entries = &self.contexts[at].1;
        entries.get(usize::from(entry) % entries.len().max(1)).copied()
    }

    /// Indexes a new entry and says what it is, and what the context's label is now.
    pub(crate) fn entered(&mut self, at: usize, entry: EntryId) -> String {
        let (context, entries) = &mut self.contexts[at];
        context.index(entry);
        entries.push(entry);
        let page = context.page_of(entry).expect("it is there");
        let descriptor = context.descriptor(entry).expect("it is there");
        let label = context.label();
        let text = format!(
            "{} {} | {} {}/{} {}",
            page.number,
            described(descriptor),
            label.authority.name(),
            extent(&label.scope.tasks),
            extent(&label.scope.sessions),
            origins(&label.origins),
        );
        self.given(page);
        text
    }

    pub(crate) fn keep(&mut self, representation: Representation, words: u8) -> String {
        let page = representation.page;
        let text = format!(
            "{} {:?} {} for {:?}",
            page.number,
            representation.form,
            described(&representation.descriptor),
            representation.supersedes.map(|page| page.number),
        );
        self.given(page);
        self.stored.push((representation, words));
        text
    }

    pub(crate) fn last_act(&self) -> String {
        match self.kernel.audit().next_back().map(|record| &record.event) {
            Some(Event::Act { widens, before, after, .. }) => format!(
                "widens {widens} {:?} {:?}",
                before.as_ref().map(|rights| rights.authority.name()),
                after.as_ref().map(|rights| rights.authority.name()),
            ),
            _ => "no act".into(),
        }
    }

    /// Does it, and says what came of it.
    pub(crate) fn run(&mut self, op: Op) -> String {
        match op {
            Op::Open { tenant, task, session, attended } => {
                let scope = Scope::of(u64::from(task), u64::from(session));
                let tenant = Tenant(u32::from(tenant));
                let context = if attended {
                    self.kernel.open(tenant, scope)
                } else {
                    self.kernel.open_unattended(tenant, scope)
                };
                self.contexts.push((context, Vec::new()));
                String::new()
            }
            Op::Revoke { page } => self.revoke(page),
            Op::Offer { .. } | Op::Accept { .. } | Op::Withdraw { .. } | Op::Advance { .. } => {
                self.act(op)
            }
            Op::Restore { saved } => self.restore(saved),
            Op::Remove { stored, model } => {
                let Some(at) = pick(stored, self.stored.len()) else { return String::new() };
                let by = if model { Deriver::Model } else { Deriver::Harness };
                match self.kernel.may_remove(&self.stored[at].0, by) {
                    Ok(()) => "may".into(),
                    Err(fault) => faulted(&fault),
                }
            }
            Op::Wait { back, by } => {
                let by = u64::from(by);
                self.now = if back { self.now.saturating_sub(by) } else { self.now + by };
                String::new()
            }
            Op::Map { at, .. }
            | Op::Evict { at, .. }
            | Op::Derive { at, .. }
            | Op::Remember { at, .. }
            | Op::Reload { at, .. }
            | Op::Follow { at, .. }
            | Op::Calculate { at, .. }
            | Op::Authorize { at, .. }
            | Op::Dispatch { at, .. }
            | Op::Approve { at, .. }
            | Op::Refuse { at, .. }
            | Op::WithdrawCall { at, .. }
            | Op::ApproveContent { at, .. }
            | Op::Save { at }
            | Op::Write { at, .. }
            | Op::Copy { at, .. }
            | Op::Read { at, .. } => match pick(at, self.contexts.len()) {
                Some(at) => self.inside(at, op),
                None => String::new(),
            },
        }
    }

    fn inside(&mut self, at: usize, op: Op) -> String {
        let tenant = self.contexts[at].0.tenant();
        match op {
            Op::Map { source: number, page, scope: place, words, .. } => {
                let page = (page != 255).then(|| self.page(page));
                let arrival = Arrival { source: source(number, tenant), page, scope: scope(place) };
                let text = text(words);
                match self.kernel.map(&mut self.contexts[at].0, arrival, &text) {
                    Ok(mapped) => self.entered(at, mapped.entry),
                    Err(fault) => faulted(&fault),
                }
            }
            Op::Evict { entry, .. } => {
                if let Some(entry) = self.entry(at, entry) {
                    self.contexts[at].0.evict(entry);
                }
                self.contexts[at].0.label().authority.name().into()
            }
            Op::Remember { entry, .. } => {
                let Some(entry) = self.entry(at, entry) else { return String::new() };
                let words = self.words(at, entry);
                match self.kernel.remember(&self.contexts[at].0, entry, self.now) {
                    Ok(copy) => self.keep(copy, words) + &self.last_act(),
                    Err(fault) => faulted(&fault),
                }
            }
            Op::Save { .. } => {
                let (context, entries) = &self.contexts[at];
                let saved = self.kernel.checkpoint(context);
                self.saved.push((at, saved, entries.clone()));
                String::new()
            }
            Op::Derive { .. } => self.derive(at, op),
            Op::Reload { .. } | Op::Follow { .. } | Op::Calculate { .. } => self.back(at, op),
            Op::ApproveContent { .. } => self.approve_content(at, op),
            Op::Write { .. } | Op::Copy { .. } | Op::Read { .. } => self.file(at, op),
            _ => self.call(at, op),
        }
    }

    /// The mask of an entry's text, from the text.
    pub(crate) fn words(&self, at: usize, entry: EntryId) -> u8 {
        let text = self.contexts[at].0.text(entry).unwrap_or_default();
        let bits =
            WORDS.iter().enumerate().filter(|(_, word)| text.split(' ').any(|w| w == **word));
        bits.fold(0, |mask, (bit, _)| mask | 1 << bit)
    }

    fn derive(&mut self, at: usize, op: Op) -> String {
        let Op::Derive { model, inputs, also, form, target, claim, words, .. } = op else {
            unreachable!("it is called with no other")
        };
        let (context, entries) = &self.contexts[at];
        let last = entries.iter().rev().take(8).enumerate();
        let last = last.filter(|(bit, _)| inputs >> bit & 1 == 1).map(|(_, entry)| *entry);
        let also = if also == 255 { None } else { pick(also, self.stored.len()) };
        let used: Vec<Descriptor> = last
            .filter_map(|entry| context.descriptor(entry))
            .chain(also.map(|also| &self.stored[also].0.descriptor))
            .cloned()
            .collect();
        let used: Vec<&Descriptor> = used.iter().collect();
        let old = pick(target / 3, self.stored.len()).map(|old| self.stored[old].0.clone());
        let target = match (target % 3, &old) {
            (1, _) => Target::Page(self.page(target / 3)),
            (2, Some(old)) => Target::Replace(old),
            _ => Target::New,
        };
        let claimed = match claim {
            1 => Claim { authority: Some(Authority::Policy), ..Claim::default() },
            2 => Claim { scope: Some(Scope::EVERYWHERE), ..Claim::default() },
            3 => Claim { tenant: Some(other(context.tenant())), ..Claim::default() },
            _ => Claim::default(),
        };
        let form =
            [Form::Full, Form::Compressed, Form::Structured, Form::Pointer][usize::from(form)];
        let by = if model { Deriver::Model } else { Deriver::Harness };
        let write = Write { by, inputs: &used, form, target, claimed };
        let bytes = text(words);
        let derived = self.kernel.derive(&self.contexts[at].0, &write, bytes.as_str());
        let faults: String = derived.faults.iter().map(faulted).collect();
        self.keep(derived.representation, words) + &faults
    }

    fn back(&mut self, at: usize, op: Op) -> String {
        let back = match op {
            Op::Reload { stored, forged, .. } => {
                let Some(stored) = pick(stored, self.stored.len()) else { return String::new() };
                let (representation, words) = &self.stored[stored];
                let pointer = representation.form == Form::Pointer;
                let words = if pointer { 0 } else { *words };
                let text = text(if forged { words ^ 1 } else { words });
                let context = &mut self.contexts[at].0;
                self.kernel.reload(context, representation, text.as_str(), self.now)
            }
            Op::Follow { pointer, stored, .. } => {
                let Some(pointer) = pick(pointer, self.stored.len()) else { return String::new() };
                let Some(stored) = pick(stored, self.stored.len()) else { return String::new() };
                let (target, words) = &self.stored[stored];
                let pointer = &self.stored[pointer].0;
                let text = text(if target.form == Form::Pointer { 0 } else { *words });
                let context = &mut self.contexts[at].0;
                self.kernel.follow(context, pointer, target, text.as_str(), self.now)
            }
            Op::Calculate { left, right, result, .. } => {
                let operands = [WORDS[usize::from(left)], WORDS[usize::from(right)]];
                let result = WORDS[usize::from(result)];
                let context = &mut self.contexts[at].0;
                let mapped = self.kernel.calculated(context, &operands, result);
                mapped.map(|mapped| clawmmu::Reloaded { mapped, fault: None })
            }
            _ => unreachable!("it is called with no other"),
        };
        match back {
            Ok(back) => {
                let fault = back.fault.as_ref().map(faulted).unwrap_or_default();
                self.entered(at, back.mapped.entry) + &fault
            }
            Err(fault) => faulted(&fault),
        }
    }
}
