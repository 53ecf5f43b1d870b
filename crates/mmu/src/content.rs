//! Content approvals: an owner raises what he was shown, byte for byte.

use crate::{
    Act, ApprovalId, Authority, Context, Crossing, Descriptor, Digest, EntryId, Event, Fault,
    FaultKind, Kernel, Origins, PageId, Reason, Rights, Scope, Tenant, context::Holder,
};

/// What an owner approves of content.
#[derive(Clone, Copy, Debug)]
pub struct ContentApproval<'a> {
    /// The text that he was shown. It must be the representation's own, byte for byte.
    pub shown: &'a str,
    /// The values in it that he approves, as calls will send them; `None` approves all of it.
    pub values: Option<&'a [&'a str]>,
    /// Up to which authority.
    pub ceiling: Authority,
    /// Where it holds.
    pub scope: &'a Scope,
}

/// A content approval that is live.
#[derive(Clone)]
pub(crate) struct Raised {
    pub(crate) id: ApprovalId,
    pub(crate) tenant: Tenant,
    pub(crate) page: PageId,
    digest: Digest,
    values: Option<Vec<Box<str>>>,
    pub(crate) rights: Rights,
    pub(crate) origins: Origins,
}

impl Raised {
    /// Whether it raises something in these bytes.
    pub(crate) fn is_of(&self, digest: Digest) -> bool {
        self.digest == digest
    }

    fn covers(&self, context: &Context, digest: Digest, value: Option<&str>) -> bool {
        let named = self.values.as_ref().is_none_or(|values| {
            value.is_some_and(|value| values.iter().any(|known| **known == *value))
        });
        named
            && self.digest == digest
            && self.tenant == context.tenant()
            && self.rights.scope.covers(context.scope())
    }
}

/// The authority that decides about a value in a live holder: the base, or what an owner raised
/// these bytes to.
pub(crate) fn effective(
    raised: &[Raised],
    context: &mut Context,
    holder: Holder,
    value: Option<&str>,
) -> Authority {
    let base = context.described(holder).authority;
    if raised.is_empty() {
        return base;
    }
    let digest = context.digest(holder);
    let fitting = raised.iter().filter(|raised| raised.covers(context, digest, value));
    fitting.map(|raised| raised.rights.authority).max().map_or(base, |raised| raised.max(base))
}

/// Whether `after` covers something that `before` does not.
pub(crate) fn widens(before: &Rights, after: &Rights) -> bool {
    after.authority > before.authority || !before.scope.covers(&after.scope)
}

impl Kernel {
    /// The owner of the context approves content that he was shown: from now on these very bytes
    /// count as `ceiling`, until he withdraws it or an origin is revoked. Only a tenant's human,
    /// through a channel that no tool and no model reaches, may cause this.
    ///
    /// # Errors
    ///
    /// `TypeConfusion` where other bytes were shown, or a named value does not stand in them;
    /// `UseAfterRevoke` where an origin is revoked already; `AddressSpaceViolation` for an entry
    /// that this context does not have.
    pub fn approve_content(
        &mut self,
        context: &Context,
        entry: EntryId,
        approval: ContentApproval<'_>,
        now: u64,
    ) -> Result<ApprovalId, Fault> {
        self.tick(now);
        let fault = |kind, reason, page| Fault::of(kind, Crossing::Map, reason, page);
        let (Some(descriptor), Some(page)) =
            (context.descriptor(entry), context.page_of(entry).filter(|_| context.is_of(self.id)))
        else {
            return Err(fault(FaultKind::AddressSpaceViolation, Reason::UnknownPage, None));
        };
        let named = approval.values.unwrap_or_default();
        if context.text(entry) != Some(approval.shown)
            || named.iter().any(|value| value.is_empty() || !approval.shown.contains(value))
        {
            return Err(fault(FaultKind::TypeConfusion, Reason::OtherBytes, Some(page)));
        }
        if !self.table.is_live(&descriptor.origins) {
            return Err(fault(FaultKind::UseAfterRevoke, Reason::Revoked, Some(page)));
        }
        let rights = Rights { authority: approval.ceiling, scope: approval.scope.clone() };
        let last = self
            .table
            .raised
            .iter()
            .rev()
            .find(|last| last.page == page && last.tenant == context.tenant());
        let before = last.map_or_else(|| rights_of(descriptor), |last| last.rights.clone());
        let id = self.table.approval_id();
        self.table.raised.push(Raised {
            id,
            tenant: context.tenant(),
            page,
            digest: Digest::of(approval.shown),
            values: approval.values.map(|all| all.iter().map(|value| (*value).into()).collect()),
            rights: rights.clone(),
            origins: descriptor.origins.clone(),
        });
        let event = Event::Act {
            act: Act::Content,
            id: Some(id),
            tool: None,
            page: Some(page),
            widens: widens(&before, &rights),
            before: Some(before),
            after: Some(rights),
        };
        self.audit.push(self.latest(), Some(context.tenant()), event);
        Ok(id)
    }

    /// The authority that decides about a representation in a context: the base, raised by live
    /// approvals of all of its bytes; Evidence where an origin was revoked.
    pub fn effective_in(&self, context: &mut Context, entry: EntryId) -> Option<Authority> {
        let holder = context.holder(entry)?;
        if !self.is_live(context.described(holder)) {
            return Some(Authority::Evidence);
        }
        Some(effective(&self.table.raised, context, holder, None))
    }
}

pub(crate) fn rights_of(descriptor: &Descriptor) -> Rights {
    Rights { authority: descriptor.authority, scope: descriptor.scope.clone() }
}
