//! Grants: pages that one tenant lets another's contexts see, with the consent of both.

use crate::{
    Act, ApprovalId, Authority, Crossing, Event, Fault, FaultKind, Kernel, PageId, Reason, Rights,
    Scope, Tenant,
};

/// What is granted. With the same tenant on both sides it lets content into scopes of his that its
/// own scope does not cover.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grant {
    /// Whose the pages are.
    pub from: Tenant,
    /// Into whose contexts they may go.
    pub to: Tenant,
    /// The pages.
    pub pages: Vec<PageId>,
    /// The most that the content may count as there; `None` means Evidence. Nothing of another
    /// tenant ever counts as Policy.
    pub ceiling: Option<Authority>,
    /// The last moment at which it holds; `None` for no end.
    pub expires: Option<u64>,
}

/// A grant in the table.
#[derive(Clone)]
pub(crate) struct Granted {
    pub(crate) id: ApprovalId,
    pub(crate) grant: Grant,
    accepted: bool,
}

impl Granted {
    pub(crate) fn ceiling(&self) -> Authority {
        let highest = if self.grant.from == self.grant.to {
            Authority::Policy
        } else {
            Authority::Preference
        };
        self.grant.ceiling.unwrap_or(Authority::Evidence).min(highest)
    }

    fn is_live(&self, now: u64) -> bool {
        self.accepted && self.grant.expires.is_none_or(|last| now <= last)
    }
}

/// The live grant with the highest ceiling under which a page of `from` may enter a context of
/// `to`; of several, the oldest.
pub(crate) fn find(
    grants: &[Granted],
    from: Tenant,
    to: Tenant,
    page: PageId,
    now: u64,
) -> Option<(ApprovalId, Authority)> {
    let fitting = grants.iter().filter(|granted| {
        granted.grant.from == from
            && granted.grant.to == to
            && granted.is_live(now)
            && granted.grant.pages.contains(&page)
    });
    let best = fitting.rev().max_by_key(|granted| granted.ceiling())?;
    Some((best.id, best.ceiling()))
}

pub(crate) fn is_live(grants: &[Granted], id: ApprovalId, now: u64) -> bool {
    grants.iter().any(|granted| granted.id == id && granted.is_live(now))
}

impl Kernel {
    /// The tenant `grant.from` offers pages to another, who must accept. Only that tenant's human,
    /// through the approval channel, may cause this. A grant to himself holds at once.
    pub fn offer(&mut self, grant: Grant, now: u64) -> ApprovalId {
        self.tick(now);
        let id = self.table.approval_id();
        let last = self.table.grants.iter().rev();
        let mut last =
            last.filter(|last| last.grant.from == grant.from && last.grant.to == grant.to);
        let last = last.find(|last| last.grant.pages.iter().any(|p| grant.pages.contains(p)));
        let granted = Granted { id, accepted: grant.from == grant.to, grant };
        let rights = |authority| Rights { authority, scope: Scope::EVERYWHERE };
        let before = last.map(|last| rights(last.ceiling()));
        let after = rights(granted.ceiling());
        let widens = last.is_some_and(|last| exceeds(&granted, last));
        let event = Event::Act {
            act: Act::Offer,
            id: Some(id),
            tool: None,
            page: granted.grant.pages.first().copied(),
            before,
            after: Some(after),
            widens,
        };
        self.audit.push(self.latest(), Some(granted.grant.from), event);
        self.table.grants.push(granted);
        id
    }

    /// The tenant to whom pages were offered accepts them.
    ///
    /// # Errors
    ///
    /// `AddressSpaceViolation` where there is no such offer to this tenant.
    pub fn accept(&mut self, id: ApprovalId, by: Tenant, now: u64) -> Result<(), Fault> {
        self.tick(now);
        let offers = self.table.grants.iter_mut();
        let offer = offers.into_iter().find(|granted| granted.id == id && granted.grant.to == by);
        let offer = offer.ok_or_else(unknown)?;
        offer.accepted = true;
        let after = Rights { authority: offer.ceiling(), scope: Scope::EVERYWHERE };
        let event = Event::Act {
            act: Act::Accept,
            id: Some(id),
            tool: None,
            page: offer.grant.pages.first().copied(),
            before: None,
            after: Some(after),
            widens: false,
        };
        self.audit.push(self.latest(), Some(by), event);
        Ok(())
    }
}

/// Whether a grant gives something that the last one did not.
fn exceeds(new: &Granted, last: &Granted) -> bool {
    let later = match (new.grant.expires, last.grant.expires) {
        (_, None) => false,
        (None, Some(_)) => true,
        (Some(new), Some(last)) => new > last,
    };
    later
        || new.ceiling() > last.ceiling()
        || new.grant.pages.iter().any(|page| !last.grant.pages.contains(page))
}

pub(crate) fn unknown() -> Fault {
    Fault::of(FaultKind::AddressSpaceViolation, Crossing::Map, Reason::UnknownApproval, None)
}
