//! What owners do of their own accord, in the kernel's words.

use clawmmu::{
    Act, Amount, Arrival, Authority, ContentApproval, Context, EntryId, Event, Extent,
    Fault as KernelFault, FaultKind, Grant, Limit, Origination, Predicate, Reason, Scope, Standing,
    Tenant,
};
use harness::memory::{Origin, OwnerAct, Spoken, Subject};
use trace::allowance::{self, Allowance, Allowed};
use trace::course::Ceiling;
use trace::event::{Crossing, Fault, Rights};

use super::Mmu;
use super::schema::safe_value;

impl Mmu {
    pub(super) fn owner_acts(&mut self, act: &OwnerAct<'_>) -> Result<Spoken, Fault> {
        let done = match act {
            OwnerAct::Approve { subject, shown, values, ceiling, now } => {
                self.approve_content(*subject, shown, (values, *ceiling), *now)
            }
            OwnerAct::Withdraw { subject } => self.withdraw(*subject),
            OwnerAct::Allow { tenant, allowance, source, until, now } => {
                self.allow(Tenant(*tenant), allowance, *source, (*until, *now))
            }
            OwnerAct::Disallow { name } => self.disallow(name),
            OwnerAct::Grant { record, to, ceiling, accepted, now } => {
                self.grant(*record, Tenant(*to), (*ceiling, *accepted), *now)
            }
        };
        done.map_err(|fault| self.crossing_fault(Crossing::Map, &fault))?;
        // Only an offer widens, not that it is accepted.
        let spoken = self.kernel.audit().rev().find_map(|record| match &record.event {
            Event::Act { act: Act::Accept, .. } => None,
            Event::Act { widens, before, after, .. } => Some(Spoken {
                widens: *widens,
                before: before.as_ref().map(rights),
                after: after.as_ref().map(rights),
            }),
            _ => None,
        });
        Ok(spoken.unwrap_or_default())
    }

    /// The owner approves what he was shown: where it stands in the present context, there; else in
    /// one of its own.
    fn approve_content(
        &mut self,
        subject: Subject,
        shown: &str,
        (values, ceiling): (&[String], Ceiling),
        now: u64,
    ) -> Result<(), KernelFault> {
        let values: Vec<&str> = values.iter().map(String::as_str).collect();
        let tasks = self.context.scope().tasks.clone();
        let scope = Scope { tasks, sessions: Extent::All };
        let approval = ContentApproval {
            shown,
            values: (!values.is_empty()).then_some(&values),
            ceiling: authority(ceiling),
            scope: &scope,
        };
        let here = match subject {
            Subject::Page(page) => self.entry_of(page),
            Subject::Record(_) => None,
        };
        let (tenant, id) = if let Some(entry) = here {
            let id = self.kernel.approve_content(&self.context, entry, approval, now)?;
            (self.context.tenant(), id)
        } else {
            let (aside, entry) = self.show_aside(subject, shown, now)?;
            (aside.tenant(), self.kernel.approve_content(&aside, entry, approval, now)?)
        };
        self.spoken.push((subject, id, tenant));
        Ok(())
    }

    /// Content in a context of its own, for its owner to look at.
    fn show_aside(
        &mut self,
        subject: Subject,
        shown: &str,
        now: u64,
    ) -> Result<(Context, EntryId), KernelFault> {
        match subject {
            Subject::Record(number) => {
                let record = self.records.get(&number).cloned().ok_or_else(unknown)?;
                let mut aside = self.aside(record.descriptor.owner.tenant);
                let back = self.kernel.reload(&mut aside, &record, shown, now)?;
                Ok((aside, back.mapped.entry))
            }
            Subject::Page(number) => {
                let known = self.pages.get(&number).copied().ok_or_else(unknown)?;
                let source = self.source(known.channel, None).ok_or_else(unknown)?;
                let mut aside = self.aside(self.context.tenant());
                let arrival = Arrival { source, page: Some(known.page), scope: None };
                let mapped = self.kernel.map(&mut aside, arrival, shown)?;
                Ok((aside, mapped.entry))
            }
        }
    }

    fn withdraw(&mut self, subject: Subject) -> Result<(), KernelFault> {
        let at = self.spoken.iter().rposition(|(known, _, _)| *known == subject);
        let (_, id, tenant) = self.spoken.remove(at.ok_or_else(unknown)?);
        self.kernel.withdraw(id, tenant)
    }

    fn grant(
        &mut self,
        number: u32,
        to: Tenant,
        (ceiling, accepted): (Option<Ceiling>, bool),
        now: u64,
    ) -> Result<(), KernelFault> {
        let record = self.records.get(&number).ok_or_else(unknown)?;
        let from = record.descriptor.owner.tenant;
        let pages = vec![record.page];
        let ceiling = ceiling.map(authority);
        let id = self.kernel.offer(Grant { from, to, pages, ceiling, expires: None }, now);
        // An owner speaks of what he shared, not of the copy.
        let shared = self.copies.get(&number).copied().unwrap_or(number);
        self.spoken.push((Subject::Record(shared), id, from));
        if accepted { self.kernel.accept(id, to, now) } else { Ok(()) }
    }

    /// The owner approves calls in advance, in all of his tasks and sessions.
    fn allow(
        &mut self,
        tenant: Tenant,
        allowance: &Allowance,
        source: Origin,
        (until, now): (Option<u64>, u64),
    ) -> Result<(), KernelFault> {
        let source = match source {
            Origin::Channel(channel) => {
                let source = self.source(channel, Some(tenant.0));
                Origination::Channel(source.ok_or_else(unknown)?)
            }
            Origin::Content(subject) => {
                Origination::Page(self.page_of(subject).ok_or_else(unknown)?)
            }
        };
        let arguments = allowance.arguments.iter();
        let arguments = arguments.map(|(name, allowed)| (name.as_str().into(), predicate(allowed)));
        let standing = Standing {
            tenant,
            scope: Scope::EVERYWHERE,
            tool: allowance.tool.as_str().into(),
            arguments: arguments.collect(),
            source,
            limit: allowance.limit.as_ref().map(limit).transpose()?,
            uses: allowance.uses,
            expires: until,
        };
        let id = self.kernel.approve_in_advance(standing, now)?;
        self.allowed.push((allowance.name.clone(), id, tenant));
        Ok(())
    }

    fn disallow(&mut self, name: &str) -> Result<(), KernelFault> {
        let given = self.allowed.iter().rev().find(|(known, _, _)| known == name);
        let (_, id, tenant) = given.ok_or_else(unknown)?;
        self.kernel.withdraw(*id, *tenant)
    }
}

fn predicate(allowed: &Allowed) -> Predicate {
    match allowed {
        Allowed::Any => Predicate::Any,
        Allowed::OneOf(values) => Predicate::OneOf(values.iter().filter_map(safe_value).collect()),
    }
}

fn limit(limit: &allowance::Limit) -> Result<Limit, KernelFault> {
    let amount = |text: &str| Amount::parse(text).ok_or_else(unknown);
    Ok(Limit {
        argument: limit.argument.as_str().into(),
        each: amount(&limit.each)?,
        total: amount(&limit.total)?,
    })
}

fn rights(rights: &clawmmu::Rights) -> Rights {
    Rights { authority: rights.authority.name().to_owned(), scope: rights.scope.to_string() }
}

fn authority(ceiling: Ceiling) -> Authority {
    match ceiling {
        Ceiling::Evidence => Authority::Evidence,
        Ceiling::Guidance => Authority::Guidance,
        Ceiling::Preference => Authority::Preference,
        Ceiling::Policy => Authority::Policy,
    }
}

/// What an owner speaks about that this kernel has never seen.
fn unknown() -> KernelFault {
    KernelFault {
        kind: FaultKind::AddressSpaceViolation,
        crossing: clawmmu::Crossing::Map,
        reason: Reason::UnknownPage,
        page: None,
        tool: None,
        place: None,
    }
}
