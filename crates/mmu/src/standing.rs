//! Standing approvals: calls that an owner approved in advance.

use std::sync::Arc;

use crate::{
    Act, Amount, ApprovalId, Authority, Call, Context, Event, Fault, Kernel, PageId, Reason,
    Rights, SafeValue, Scope, Source, Tenant, Value, call::scalars, content, context::Holder,
    grant, judge::Judgement, table::Table,
};

/// What an argument of a call must be for a standing approval to cover it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Predicate {
    /// Whatever the call's schema and the approval's source allow. It may be left out.
    Any,
    /// Each of its values is one of these. The owner vouches for them.
    OneOf(Vec<SafeValue>),
}

/// Where the values must come from that trace to too little authority.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origination {
    /// Content that came in through this channel.
    Channel(Source),
    /// This page. Revoking it ends the approval.
    Page(PageId),
}

/// How much the calls may move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limit {
    /// The argument that says how much: one number.
    pub argument: Arc<str>,
    /// The largest amount of one call.
    pub each: Amount,
    /// The largest amount of all calls together.
    pub total: Amount,
}

/// An approval given in advance. It is a predicate over the whole call: an argument that is not
/// listed here is not covered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standing {
    /// The tenant who gives it.
    pub tenant: Tenant,
    /// In which contexts of his it holds.
    pub scope: Scope,
    /// The tool.
    pub tool: Arc<str>,
    /// The arguments.
    pub arguments: Vec<(Arc<str>, Predicate)>,
    /// The source.
    pub source: Origination,
    /// The amounts, for tools that move money.
    pub limit: Option<Limit>,
    /// How many calls it covers; `None` for any number.
    pub uses: Option<u32>,
    /// The last moment at which it holds; `None` for no end.
    pub expires: Option<u64>,
}

/// A standing approval in the table, with what was used of it.
#[derive(Clone)]
pub(crate) struct Running {
    pub(crate) id: ApprovalId,
    pub(crate) standing: Standing,
    spent: Amount,
    used: u32,
}

impl Running {
    /// Whether revoking the page ends it.
    pub(crate) fn pins(&self, page: PageId) -> bool {
        self.standing.source == Origination::Page(page)
    }

    fn runs(&self, now: u64) -> bool {
        self.standing.expires.is_none_or(|last| now <= last)
            && self.standing.uses.is_none_or(|uses| self.used < uses)
    }

    /// What the call would add to what was spent; `None` where it would be too much.
    fn spends(&self, call: &Call<'_>) -> Option<Amount> {
        let Some(limit) = &self.standing.limit else { return Some(Amount::default()) };
        let mut sent = call.arguments.iter().filter(|(name, _)| **name == *limit.argument);
        let (Some((_, value)), None) = (sent.next(), sent.next()) else { return None };
        let amount = Amount::parse(value.text()?.0)?;
        let total = self.spent.plus(amount)?;
        (amount <= limit.each && total <= limit.total).then_some(amount)
    }

    fn matches(&self, call: &Call<'_>) -> bool {
        *self.standing.tool == *call.tool
            && call.arguments.iter().all(|(name, value)| match self.predicate(name) {
                None => false,
                Some(Predicate::Any) => true,
                Some(Predicate::OneOf(_)) => {
                    let values = scalars(value);
                    !values.is_empty() && values.iter().all(|value| self.vouches(name, value))
                }
            })
    }

    fn predicate(&self, name: &str) -> Option<&Predicate> {
        let mut all = self.standing.arguments.iter();
        all.find(|(known, _)| **known == *name).map(|(_, predicate)| predicate)
    }

    fn vouches(&self, name: &str, value: &Value<'_>) -> bool {
        match self.predicate(name) {
            Some(Predicate::OneOf(safe)) => safe.iter().any(|safe| safe.allows(value)),
            _ => false,
        }
    }

    /// Whether everything that is wrong with the call is what this approval is for.
    fn excuses(&self, table: &Table, context: &Context, judgement: &Judgement) -> bool {
        judgement.faults.iter().all(|fault| {
            let Some(place) = &fault.place else { return fault.reason == Reason::Trigger };
            let named = place.argument.as_deref().and_then(|name| self.predicate(name));
            let vouched = matches!(named, Some(Predicate::OneOf(_)));
            match fault.reason {
                Reason::LowAuthority | Reason::Fabricated | Reason::Untraceable if vouched => true,
                Reason::LowAuthority => judgement.holders_at(place).any(|holder| {
                    self.supports(context, holder)
                        && table.is_live(&context.described(holder).origins)
                }),
                _ => false,
            }
        })
    }

    fn supports(&self, context: &Context, holder: Holder) -> bool {
        match self.standing.source {
            Origination::Channel(source) => context.source(holder) == Some(source),
            Origination::Page(page) => context.page(holder) == page,
        }
    }

    /// Whether it covers something that `last`, for the same tool, did not.
    fn exceeds(&self, last: &Self) -> bool {
        let (new, old) = (&self.standing, &last.standing);
        let more = |new: Option<u64>, old: Option<u64>| match (new, old) {
            (_, None) => false,
            (None, Some(_)) => true,
            (Some(new), Some(old)) => new > old,
        };
        let larger = match (&new.limit, &old.limit) {
            (_, None) => false,
            (None, Some(_)) => true,
            (Some(new), Some(old)) => {
                new.argument != old.argument || new.each > old.each || new.total > old.total
            }
        };
        larger
            || more(new.uses.map(u64::from), old.uses.map(u64::from))
            || more(new.expires, old.expires)
            || new.source != old.source
            || !old.scope.covers(&new.scope)
            || new.arguments.iter().any(|(name, predicate)| {
                match (last.predicate(name), predicate) {
                    (None, _) | (Some(Predicate::OneOf(_)), Predicate::Any) => true,
                    (Some(Predicate::Any), _) => false,
                    (Some(Predicate::OneOf(old)), Predicate::OneOf(new)) => {
                        new.iter().any(|value| !old.contains(value))
                    }
                }
            })
    }
}

/// The standing approval that covers a call, and what the call would spend of it: the oldest that
/// fits.
pub(crate) fn covering(
    table: &Table,
    context: &Context,
    call: &Call<'_>,
    judgement: &Judgement,
    now: u64,
) -> Option<(ApprovalId, Amount)> {
    table.standing.iter().find_map(|running| {
        let fits = running.standing.tenant == context.tenant()
            && running.standing.scope.covers(context.scope())
            && running.runs(now)
            && running.matches(call)
            && running.excuses(table, context, judgement);
        if fits { Some((running.id, running.spends(call)?)) } else { None }
    })
}

/// Counts one use, with what it spent.
pub(crate) fn use_up(standing: &mut [Running], id: ApprovalId, amount: Amount) {
    if let Some(running) = standing.iter_mut().find(|running| running.id == id) {
        running.used += 1;
        running.spent = running.spent.plus(amount).unwrap_or(running.spent);
    }
}

impl Kernel {
    /// A tenant approves calls in advance. Only his human, through the approval channel, may cause
    /// this.
    ///
    /// # Errors
    ///
    /// `AddressSpaceViolation` where the page that it names was never given out.
    pub fn approve_in_advance(
        &mut self,
        standing: Standing,
        now: u64,
    ) -> Result<ApprovalId, Fault> {
        self.tick(now);
        let page = match standing.source {
            Origination::Page(page) => Some(page),
            Origination::Channel(_) => None,
        };
        if page.is_some_and(|page| self.table.counter(page).is_none()) {
            return Err(Fault { page, reason: Reason::UnknownPage, ..grant::unknown() });
        }
        let id = self.table.approval_id();
        let running = Running { id, standing, spent: Amount::default(), used: 0 };
        let rights = |running: &Running| Rights {
            authority: Authority::Policy,
            scope: running.standing.scope.clone(),
        };
        let last = self.table.standing.iter().rev().find(|last| {
            last.standing.tool == running.standing.tool
                && last.standing.tenant == running.standing.tenant
        });
        let before = last.map(rights);
        let after = rights(&running);
        let widens = last.is_some_and(|last| running.exceeds(last))
            || before.as_ref().is_some_and(|before| content::widens(before, &after));
        let event = Event::Act {
            act: Act::Standing,
            id: Some(id),
            tool: Some(running.standing.tool.clone()),
            page,
            before,
            after: Some(after),
            widens,
        };
        self.audit.push(self.latest(), Some(running.standing.tenant), event);
        self.table.standing.push(running);
        Ok(id)
    }
}
