//! The kernel under test, driven by operations. What it answers is written down in words.

use std::{borrow::Cow, fmt::Write as _, sync::Arc};

use clawmmu::{
    Access, Amount, ApprovalId, ArgumentRule, Arrival, Authority, Call, Checkpoint, Claim, Config,
    ContentApproval, Context, Decision, Deriver, Descriptor, Effect, EntryId, Event, Extent, Fault,
    Form, Grant, Kernel, KernelId, Kind, LeafFault, Limit, Origination, Origins, PageId, Predicate,
    Representation, ResourceRule, SafeValue, Schema, Scope, Source, Standing, Target, Tenant,
    Value, Write,
};

use crate::op::{Op, PATHS, Pay, WORDS, text};

const KERNEL: KernelId = KernelId(9);

pub(crate) struct Real {
    kernel: Kernel,
    contexts: Vec<(Context, Vec<EntryId>)>,
    stored: Vec<(Representation, u8)>,
    saved: Vec<(usize, Checkpoint, Vec<EntryId>)>,
    pages: u32,
    approvals: u64,
    now: u64,
}

fn source(number: u8, tenant: Tenant) -> Source {
    match number {
        0..3 => Source::Typed(tenant),
        3 => Source::Typed(other(tenant)),
        4 => Source::OwnPreference(tenant),
        5 => Source::ApprovedInstruction(tenant),
        6 => Source::Tool,
        7 => Source::Web,
        8 => Source::Pasted,
        9 => Source::Peer,
        10 => Source::Mail,
        _ => Source::Model,
    }
}

fn other(tenant: Tenant) -> Tenant {
    Tenant(1 - tenant.0)
}

fn scope(number: u8) -> Option<Scope> {
    match number {
        0 => None,
        1 => Some(Scope::EVERYWHERE),
        2 => Some(Scope::of(0, 0)),
        3 => Some(Scope { tasks: Extent::of([0, 1]), sessions: Extent::All }),
        _ => Some(Scope { tasks: Extent::of([]), sessions: Extent::All }),
    }
}

fn extent(extent: &Extent) -> String {
    match extent {
        Extent::All => "*".into(),
        Extent::Set(ids) => format!("{ids:?}"),
    }
}

fn origins(origins: &Origins) -> String {
    let Origins::Listed(list) = origins else { return "many".into() };
    let mut text = String::new();
    for origin in list {
        let _ = write!(text, "{}#{} ", origin.page.number, origin.recorded.0);
    }
    text
}

fn described(descriptor: &Descriptor) -> String {
    format!(
        "of {} as {} in {}/{} from {}",
        descriptor.owner.tenant.0,
        descriptor.authority.name(),
        extent(&descriptor.scope.tasks),
        extent(&descriptor.scope.sessions),
        origins(&descriptor.origins),
    )
}

fn faulted(fault: &Fault) -> String {
    let page = fault.page.map(|page| page.number);
    format!("{} {} {page:?}", fault.kind.code(), fault.reason.code())
}

fn leaf_faults(faults: &[LeafFault]) -> String {
    let mut text = String::new();
    for fault in faults {
        let place = fault.place.as_ref().map(|place| (place.position, place.leaf));
        let from = fault.from.map(|page| page.number);
        let _ = write!(text, "{} {place:?} {from:?}; ", fault.reason.code());
    }
    text
}

fn schema() -> Schema {
    let secured = |required| ArgumentRule::secured(required, Kind::Identifier);
    Schema {
        tool: "pay".into(),
        effect: Effect::External,
        arguments: vec![
            ("to".into(), secured(Authority::Policy)),
            ("amount".into(), ArgumentRule::optional(Authority::Preference, Kind::Identifier)),
            ("note".into(), ArgumentRule::Free),
        ],
    }
}

type Arguments = Vec<(Cow<'static, str>, Value<'static>)>;

fn word(number: u8) -> Value<'static> {
    Value::Text(WORDS[usize::from(number)].into())
}

fn arguments(pay: Pay) -> Arguments {
    let mut sent: Arguments = Vec::new();
    let to = match pay.second {
        8.. => word(pay.to),
        second => Value::List(vec![word(pay.to), word(second)]),
    };
    if pay.odd != 5 {
        sent.push(("to".into(), to));
    }
    if pay.amount < 4 {
        sent.push(("amount".into(), word(pay.amount + 4)));
    }
    match pay.odd {
        1 => sent.push(("bcc".into(), word(0))),
        2 => sent.push(("to".into(), word(0))),
        4 => sent.push(("note".into(), word(7))),
        _ => {}
    }
    sent
}

fn file_tool(tool: &str) -> Schema {
    let free = |name: &str| (name.into(), ArgumentRule::Free);
    Schema {
        tool: tool.into(),
        effect: Effect::Write,
        arguments: ["path", "from", "to"].map(free).into(),
    }
}

fn path(name: &'static str, number: u8) -> (Cow<'static, str>, Value<'static>) {
    (name.into(), Value::Text(PATHS[usize::from(number)].into()))
}

fn authority(number: u8) -> Authority {
    Authority::ALL[usize::from(number)]
}

impl Real {
    pub(crate) fn new() -> Self {
        let mut kernel =
            Kernel::with_config(KERNEL, Config { approval_lifetime: 60, ..Config::default() });
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

    fn page(&self, number: u8) -> PageId {
        PageId { kernel: KERNEL, number: u32::from(number) % (self.pages + 1) }
    }

    fn given(&mut self, page: PageId) {
        self.pages = self.pages.max(page.number + 1);
    }

    fn entry(&self, at: usize, entry: u8) -> Option<EntryId> {
        let entries = &self.contexts[at].1;
        entries.get(usize::from(entry) % entries.len().max(1)).copied()
    }

    /// Indexes a new entry and says what it is, and what the context's label is now.
    fn entered(&mut self, at: usize, entry: EntryId) -> String {
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

    fn keep(&mut self, representation: Representation, words: u8) -> String {
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

    fn last_act(&self) -> String {
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
    fn words(&self, at: usize, entry: EntryId) -> u8 {
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
        let content = text(words);
        let derived = self.kernel.derive(&self.contexts[at].0, &write, content.as_str());
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

    fn approve_content(&mut self, at: usize, op: Op) -> String {
        let Op::ApproveContent { entry, ceiling, scope: place, named, forged, .. } = op else {
            unreachable!("it is called with no other")
        };
        let Some(entry) = self.entry(at, entry) else { return String::new() };
        let words = self.words(at, entry);
        let shown = text(if forged { words ^ 1 } else { words });
        let named = (named != 255).then(|| [WORDS[usize::from(named)]]);
        let context = &self.contexts[at].0;
        let scope = scope(place).unwrap_or_else(|| context.scope().clone());
        let approval = ContentApproval {
            shown: &shown,
            values: named.as_ref().map(|named| &named[..]),
            ceiling: authority(ceiling),
            scope: &scope,
        };
        match self.kernel.approve_content(context, entry, approval, self.now) {
            Ok(id) => self.numbered(id),
            Err(fault) => faulted(&fault),
        }
    }

    fn numbered(&mut self, id: ApprovalId) -> String {
        self.approvals = id.0;
        format!("number {id} {}", self.last_act())
    }

    fn file(&mut self, at: usize, op: Op) -> String {
        let context = &mut self.contexts[at].0;
        let (tool, arguments) = match op {
            Op::Write { path: file, append, .. } => {
                (if append { "append" } else { "write" }, vec![path("path", file)])
            }
            Op::Copy { from, to, .. } => ("copy", vec![path("from", from), path("to", to)]),
            Op::Read { path: file, source: number, words, .. } => {
                let arguments = [path("path", file)];
                let call = Call { tool: "read", arguments: &arguments };
                let source = source(number, context.tenant());
                return match self.kernel.reply(context, &call, source, &text(words)) {
                    Ok(mapped) => self.entered(at, mapped.entry),
                    Err(fault) => faulted(&fault),
                };
            }
            _ => unreachable!("it is called with no other"),
        };
        let call = Call { tool, arguments: &arguments };
        match self.kernel.dispatch(context, &call, Some(&file_tool(tool)), self.now) {
            Ok(()) => "sent".into(),
            Err(fault) => faulted(&fault),
        }
    }

    fn call(&mut self, at: usize, op: Op) -> String {
        let (Op::Authorize { pay, .. }
        | Op::Dispatch { pay, .. }
        | Op::Approve { pay, .. }
        | Op::Refuse { pay, .. }
        | Op::WithdrawCall { pay, .. }) = op
        else {
            unreachable!("it is called with no other")
        };
        let arguments = arguments(pay);
        let call = Call { tool: "pay", arguments: &arguments };
        let schema = (pay.odd != 3).then(schema);
        let (kernel, context) = (&mut self.kernel, &mut self.contexts[at].0);
        let done = match op {
            Op::Authorize { .. } => {
                return match kernel.authorize(context, &call, schema.as_ref(), self.now) {
                    Decision::Allow(permit) => {
                        let evidence = permit.evidence.iter();
                        let mut held: Vec<_> = evidence
                            .map(|e| (e.leaf, e.page.number, e.counter.0, e.authority.name()))
                            .collect();
                        held.sort_unstable();
                        let standing = permit.standing.map(|id| id.0);
                        format!("allow {} {standing:?} {held:?}", permit.approved)
                    }
                    Decision::Ask(faults) => format!("ask {}", leaf_faults(&faults)),
                    Decision::Refused(fault) => format!("refused {}", faulted(&fault)),
                };
            }
            Op::Dispatch { .. } => kernel.dispatch(context, &call, schema.as_ref(), self.now),
            Op::Approve { .. } => kernel.approve(context, &call, self.now),
            Op::WithdrawCall { .. } => kernel.withdraw_call(context, &call),
            _ => {
                kernel.refuse(context, &call);
                Ok(())
            }
        };
        match done {
            Ok(()) => "done".into(),
            Err(fault) => faulted(&fault),
        }
    }

    fn revoke(&mut self, page: u8) -> String {
        match self.kernel.revoke(self.page(page)) {
            Err(fault) => faulted(&fault),
            Ok(report) => {
                let executed = report.executed.iter().map(|done| (done.sequence, done.approved));
                let invalidated = report.invalidated.iter().map(|(page, form)| (page.number, form));
                format!(
                    "{} {} invalid {:?} executed {:?} flying {:?} voided {} {}",
                    report.page.number,
                    report.counter.0,
                    invalidated.collect::<Vec<_>>(),
                    executed.collect::<Vec<_>>(),
                    report.in_flight.iter().map(|flight| flight.at).collect::<Vec<_>>(),
                    report.approvals_voided,
                    report.asks_voided,
                )
            }
        }
    }

    fn act(&mut self, op: Op) -> String {
        let now = self.now;
        let end = |expires: u8| (expires > 0).then(|| now + 20 * u64::from(expires));
        let tenant = |number: u8| Tenant(u32::from(number));
        match op {
            Op::Offer { from, to, page, ceiling, expires } => {
                let grant = Grant {
                    from: tenant(from),
                    to: tenant(to),
                    pages: vec![self.page(page)],
                    ceiling: (ceiling < 4).then(|| authority(ceiling)),
                    expires: end(expires),
                };
                let id = self.kernel.offer(grant, now);
                self.numbered(id)
            }
            Op::Accept { id, by } => {
                let id = ApprovalId(u64::from(id) % (self.approvals + 1));
                match self.kernel.accept(id, tenant(by), now) {
                    Ok(()) => "accepted".into(),
                    Err(fault) => faulted(&fault),
                }
            }
            Op::Withdraw { id, by } => {
                let id = ApprovalId(u64::from(id) % (self.approvals + 1));
                match self.kernel.withdraw(id, tenant(by)) {
                    Ok(()) => "withdrawn".into(),
                    Err(fault) => faulted(&fault),
                }
            }
            Op::Advance { tenant: by, task, to, source: from, each, uses, expires } => {
                let amount = |hundreds: u8| {
                    Amount::parse(&(100 * u32::from(hundreds)).to_string()).expect("it is plain")
                };
                let tasks = if task == 2 { Extent::All } else { Extent::of([u64::from(task)]) };
                let to = match to {
                    255 => Predicate::Any,
                    to => Predicate::OneOf(vec![SafeValue::Text(WORDS[usize::from(to)].into())]),
                };
                let standing = Standing {
                    tenant: tenant(by),
                    scope: Scope { tasks, sessions: Extent::All },
                    tool: "pay".into(),
                    arguments: vec![(Arc::from("to"), to), (Arc::from("amount"), Predicate::Any)],
                    source: match from % 3 {
                        0 => Origination::Channel(Source::Web),
                        1 => Origination::Channel(Source::Tool),
                        _ => Origination::Page(self.page(from / 3)),
                    },
                    limit: (each > 0).then(|| Limit {
                        argument: "amount".into(),
                        each: amount(each),
                        total: amount(2 * each),
                    }),
                    uses: (uses > 0).then_some(u32::from(uses)),
                    expires: end(expires),
                };
                match self.kernel.approve_in_advance(standing, now) {
                    Ok(id) => self.numbered(id),
                    Err(fault) => faulted(&fault),
                }
            }
            _ => unreachable!("it is called with no other"),
        }
    }

    fn restore(&mut self, saved: u8) -> String {
        let Some(saved) = pick(saved, self.saved.len()) else { return String::new() };
        let (at, checkpoint, entries) = &self.saved[saved];
        let restored = self.kernel.restore(checkpoint, self.now);
        self.contexts[*at] = (restored.context, entries.clone());
        restored.faults.iter().map(faulted).collect()
    }
}

/// Which of so many.
pub(crate) fn pick(number: u8, length: usize) -> Option<usize> {
    (length > 0).then(|| usize::from(number) % length)
}
