//! The kernel under test: calls, files and what owners do.

use std::sync::Arc;

use clawmmu::{
    Amount, ApprovalId, Call, ContentApproval, Decision, Extent, Grant, Limit, Origination,
    Predicate, SafeValue, Scope, Source, Standing, Tenant,
};

use crate::{
    op::{Op, WORDS, text},
    real::Real,
    words::{
        arguments, authority, faulted, file_tool, leaf_faults, path, pick, schema, scope, source,
    },
};

impl Real {
    pub(crate) fn approve_content(&mut self, at: usize, op: Op) -> String {
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

    pub(crate) fn numbered(&mut self, id: ApprovalId) -> String {
        self.approvals = id.0;
        format!("number {id} {}", self.last_act())
    }

    pub(crate) fn file(&mut self, at: usize, op: Op) -> String {
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

    pub(crate) fn call(&mut self, at: usize, op: Op) -> String {
        let (Op::Authorize { pay, .. }
        | Op::Dispatch { pay, .. }
        | Op::Approve { pay, .. }
        | Op::Refuse { pay, .. }
        | Op::WithdrawCall { pay, .. }) = op
        else {
            unreachable!("it is called with no other")
        };
        let cited = (pay.cited != 255).then(|| self.page(pay.cited));
        let arguments = arguments(pay, cited);
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
                        let observed = leaf_faults(&permit.observed);
                        format!("allow {} {standing:?} {held:?} {observed}", permit.approved)
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

    pub(crate) fn revoke(&mut self, page: u8) -> String {
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

    pub(crate) fn act(&mut self, op: Op) -> String {
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

    pub(crate) fn restore(&mut self, saved: u8) -> String {
        let Some(saved) = pick(saved, self.saved.len()) else { return String::new() };
        let (at, checkpoint, entries) = &self.saved[saved];
        let restored = self.kernel.restore(checkpoint, self.now);
        self.contexts[*at] = (restored.context, entries.clone());
        restored.faults.iter().map(faulted).collect()
    }
}
