//! The MMU in a harness with memory: what is stored, what comes back, and what is revoked.

use std::sync::Arc;

use clawmmu::{
    Call, Checkpoint, Claim, Context, Deriver, Descriptor, Fault as KernelFault, Mapped, PageId,
    Scope, Source, Target, Tenant,
};
use harness::defense::Entry;
use harness::memory::{
    Comeback, Form, Kept, Opening, Reload, Revoked, Saved, Subject, Write, Writer,
};
use trace::call::ToolCall;
use trace::event::{Crossing, Fault};
use trace::tool::Channel;

use super::call::arguments_of;
use super::{Known, Mmu};

/// The MMU's own part of a checkpoint: the context, and which of the harness's pages stand in it.
pub(super) struct Snapshot {
    checkpoint: Checkpoint,
    pages: Vec<(u32, Known)>,
}

impl Mmu {
    /// The source that a channel is; `None` for the harness's own words.
    pub(super) fn source(&self, channel: Channel, typed_by: Option<u32>) -> Option<Source> {
        let own = self.context.tenant();
        let typist = typed_by.map_or(own, Tenant);
        Some(match channel {
            Channel::Harness => return None,
            Channel::User => Source::Typed(typist),
            Channel::Preference => Source::OwnPreference(typist),
            Channel::Instruction => Source::ApprovedInstruction(typist),
            // What is said to come from storage, and did not cross reload, is anybody's.
            Channel::Tool | Channel::Memory => Source::Tool,
            Channel::Model => Source::Model,
            Channel::Web => Source::Web,
            Channel::File => Source::File,
            Channel::Mail => Source::Mail,
            Channel::Peer => Source::Peer,
            Channel::Pasted => Source::Pasted,
        })
    }

    pub(super) fn now(&self) -> u64 {
        self.opening.map_or(0, |opening| opening.now)
    }

    pub(super) fn clock(&mut self, now: u64) {
        if let Some(opening) = &mut self.opening {
            opening.now = now;
        }
    }

    /// Takes note of a page that was let in.
    pub(super) fn know(&mut self, number: u32, channel: Channel, mapped: Mapped) {
        let Mapped { page, entry } = mapped;
        self.numbers.entry(page).or_insert(number);
        self.pages.insert(number, Known { channel, page, entry, generation: self.generation });
    }

    pub(super) fn open(&mut self, opening: &Opening) {
        if self.opening.is_none() {
            let schemas = Arc::clone(&self.schemas);
            schemas.resources().iter().for_each(|rule| self.kernel.declare(rule.clone()));
        }
        self.opening = Some(*opening);
        self.generation += 1;
        let scope = Scope::of(u64::from(opening.task), u64::from(opening.session));
        let tenant = Tenant(opening.tenant);
        self.context = if opening.attended {
            self.kernel.open(tenant, scope)
        } else {
            self.kernel.open_unattended(tenant, scope)
        };
    }

    /// A context that no agent sees, for what owners do elsewhere.
    pub(super) fn aside(&self, tenant: Tenant) -> Context {
        self.kernel.open(tenant, self.context.scope().clone())
    }

    pub(super) fn derive(&mut self, write: &Write<'_>) -> Kept {
        if write.remembered
            && let Some(entry) = write.pages.first().and_then(|page| self.entry_of(*page))
            && let Ok(copy) = self.kernel.remember(&self.context, entry, self.now())
        {
            self.records.insert(write.record, copy);
            return Kept::AsIs;
        }
        let merged = match self.merge(write.of) {
            Ok(merged) => merged,
            Err(refused) => return Kept::Refused(refused),
        };
        let sources = self.labels(write.of);
        let pages = write.pages.iter().filter_map(|page| self.entry_of(*page));
        let mut inputs: Vec<Descriptor> =
            pages.filter_map(|entry| self.context.descriptor(entry)).cloned().collect();
        // What is made of records is their owner's, whoever's context was the last.
        let owner = sources.first().map(|source| source.owner.tenant);
        inputs.extend(sources);
        let inputs: Vec<&Descriptor> = inputs.iter().collect();
        let by = match write.by {
            Writer::Agent => Deriver::Model,
            Writer::Harness => Deriver::Harness,
        };
        let form = match write.form {
            Form::Full => clawmmu::Form::Full,
            Form::Compressed => clawmmu::Form::Compressed,
            Form::Structured => clawmmu::Form::Structured,
            Form::Pointer => clawmmu::Form::Pointer,
        };
        let (target, claimed) = (Target::New, Claim::default());
        let kernel_write = clawmmu::Write { by, inputs: &inputs, form, target, claimed };
        let derived = match owner {
            Some(tenant) => {
                let aside = self.aside(tenant);
                self.kernel.derive(&aside, &kernel_write, write.text)
            }
            None => self.kernel.derive(&self.context, &kernel_write, write.text),
        };
        if let [source] = write.of {
            self.copies.insert(write.record, *source);
        }
        self.records.insert(write.record, derived.representation);
        let faults = derived.faults.iter();
        let faults = faults.map(|fault| self.crossing_fault(Crossing::Derive, fault));
        let faults: Vec<Fault> = merged.into_iter().chain(faults).collect();
        if faults.is_empty() { Kept::AsIs } else { Kept::Relabelled(faults) }
    }

    pub(super) fn reload(&mut self, reload: &Reload<'_>) -> Comeback {
        let Some(record) = self.records.get(&reload.record).cloned() else {
            // What never crossed derive has no descriptor: it is anybody's.
            let mapped = self.kernel.map(&mut self.context, Source::Tool, reload.text);
            if let Ok(mapped) = mapped {
                self.know(reload.page, Channel::Memory, mapped);
            }
            return Comeback { entry: Entry::Admit, noted: Vec::new() };
        };
        match self.kernel.reload(&mut self.context, &record, reload.text, reload.now) {
            Ok(back) => {
                self.know(reload.page, Channel::Memory, back.mapped);
                let noted = back.fault.iter();
                let noted = noted.map(|fault| self.crossing_fault(Crossing::Reload, fault));
                Comeback { entry: Entry::Admit, noted: noted.collect() }
            }
            Err(fault) => {
                let fault = self.crossing_fault(Crossing::Reload, &fault);
                if self.setting.observe {
                    return Comeback { entry: Entry::Admit, noted: vec![fault] };
                }
                Comeback { entry: Entry::Refuse(fault), noted: Vec::new() }
            }
        }
    }

    pub(super) fn crossing_fault(&self, crossing: Crossing, fault: &KernelFault) -> Fault {
        self.fault(crossing, (fault.kind, fault.reason), fault.page, None)
    }

    pub(super) fn save(&self) -> Snapshot {
        let mut pages: Vec<(u32, Known)> = self
            .pages
            .iter()
            .filter(|(_, known)| known.generation == self.generation)
            .map(|(number, known)| (*number, *known))
            .collect();
        pages.sort_unstable_by_key(|(number, _)| *number);
        Snapshot { checkpoint: self.kernel.checkpoint(&self.context), pages }
    }

    pub(super) fn restore(&mut self, saved: &Saved) -> Vec<Fault> {
        let snapshot = saved.as_ref().and_then(|saved| saved.downcast_ref::<Snapshot>());
        let Some(snapshot) = snapshot else { return Vec::new() };
        let restored = self.kernel.restore(&snapshot.checkpoint, self.now());
        self.context = restored.context;
        self.generation += 1;
        for (number, known) in &snapshot.pages {
            self.pages.insert(*number, Known { generation: self.generation, ..*known });
        }
        let faults = restored.faults.iter();
        faults.map(|fault| self.crossing_fault(Crossing::Reload, fault)).collect()
    }

    pub(super) fn dispatch(&mut self, call: &ToolCall) -> Result<(), Fault> {
        if self.setting.context {
            return Ok(());
        }
        let arguments = arguments_of(call);
        let sent = Call { tool: &call.function, arguments: &arguments };
        let schemas = Arc::clone(&self.schemas);
        let (schema, now) = (schemas.of(&call.function), self.now());
        match self.kernel.dispatch(&mut self.context, &sent, schema, now) {
            Err(fault) if !self.setting.observe => Err(self.call_fault(&fault)),
            Ok(()) | Err(_) => Ok(()),
        }
    }

    /// The kernel's page of a subject.
    pub(super) fn page_of(&self, subject: Subject) -> Option<PageId> {
        match subject {
            Subject::Page(number) => self.pages.get(&number).map(|known| known.page),
            Subject::Record(number) => self.records.get(&number).map(|record| record.page),
        }
    }

    pub(super) fn revoke(&mut self, subjects: &[Subject]) -> Revoked {
        let mut pages: Vec<PageId> = Vec::new();
        for subject in subjects {
            let page = self.page_of(*subject);
            pages.extend(page.filter(|page| !pages.contains(page)));
        }
        let mut live: Vec<u32> = self
            .records
            .iter()
            .filter(|(_, record)| self.kernel.is_current(record))
            .map(|(number, _)| *number)
            .collect();
        let mut found = Revoked::default();
        let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        for page in pages {
            if let Ok(revocation) = self.kernel.revoke(page) {
                found.acts += number(revocation.executed.len());
                found.approvals += number(revocation.approvals_voided);
            }
        }
        live.retain(|number| !self.kernel.is_current(&self.records[number]));
        live.sort_unstable();
        found.records = live;
        found
    }
}
