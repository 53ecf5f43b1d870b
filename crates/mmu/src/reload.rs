//! **reload**: stored content comes back, if it is still what it was.

use crate::{
    Authority, Content, Context, Crossing, Descriptor, Fault, FaultKind, Form, Kernel, Label,
    Mapped, Outcome, Reason, Representation, context::Admission, map::Pass,
};

/// Stored content that came back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reloaded {
    /// Its handles.
    pub mapped: Mapped,
    /// `UseAfterRevoke` where an origin was revoked, `TypeConfusion` where the bytes are others:
    /// it came back as Evidence then, and keeps the counters that it recorded.
    pub fault: Option<Fault>,
}

impl Kernel {
    /// Whether a representation would come back as it was: all of its counters are current. What
    /// [`Self::reload`] compares, without letting anything in.
    pub fn is_current(&self, representation: &Representation) -> bool {
        self.table.is_live(&representation.descriptor.origins)
    }

    /// Brings stored content back into a context. Where a page that it was made from was revoked
    /// since, or its bytes are not those it was stored with, it goes through map again, as
    /// Evidence; the counters that it recorded stay, so that nothing launders it.
    ///
    /// The content is not traceable before [`Context::index`].
    ///
    /// # Errors
    ///
    /// `AddressSpaceViolation` where it belongs to another tenant, or its scope does not cover the
    /// context's, and no live grant covers its page. Nothing entered then.
    pub fn reload<'a>(
        &mut self,
        context: &mut Context,
        representation: &Representation,
        bytes: impl Into<Content<'a>>,
        now: u64,
    ) -> Result<Reloaded, Fault> {
        self.tick(now);
        let pass = self.readable(context, representation)?;
        Ok(self.come_back(context, representation, bytes.into(), pass))
    }

    /// Follows a pointer to another representation of its page: a reload with both as inputs.
    ///
    /// # Errors
    ///
    /// As [`Self::reload`], for either; and `UnknownPage` where the first is no pointer to the
    /// second's page.
    pub fn follow<'a>(
        &mut self,
        context: &mut Context,
        pointer: &Representation,
        target: &Representation,
        bytes: impl Into<Content<'a>>,
        now: u64,
    ) -> Result<Reloaded, Fault> {
        self.tick(now);
        if pointer.form != Form::Pointer || pointer.page != target.page {
            let kind = FaultKind::AddressSpaceViolation;
            let page = Some(pointer.page);
            return Err(Fault::of(kind, Crossing::Reload, Reason::UnknownPage, page));
        }
        let first = self.readable(context, pointer)?;
        let second = self.readable(context, target)?;
        let pass = [first, second].into_iter().flatten().min_by_key(|(_, ceiling)| *ceiling);
        let Label { authority, scope, origins } =
            Label::from(&pointer.descriptor).meet(&Label::from(&target.descriptor));
        let mut both = target.clone();
        both.descriptor.authority = authority;
        both.descriptor.scope = scope;
        both.descriptor.origins = origins;
        Ok(self.come_back(context, &both, bytes.into(), pass))
    }

    fn readable(
        &mut self,
        context: &Context,
        representation: &Representation,
    ) -> Result<Pass, Fault> {
        let page = Some(representation.page);
        if !context.is_of(self.id) {
            let kind = FaultKind::AddressSpaceViolation;
            return Err(Fault::of(kind, Crossing::Reload, Reason::UnknownPage, page));
        }
        let descriptor = &representation.descriptor;
        let tenant = descriptor.owner.tenant;
        self.admission(context, Crossing::Reload, tenant, &descriptor.scope, page)
    }

    fn come_back(
        &mut self,
        context: &mut Context,
        representation: &Representation,
        bytes: Content<'_>,
        pass: Pass,
    ) -> Reloaded {
        let page = representation.page;
        let Descriptor { owner, scope, origins, authority } = &representation.descriptor;
        let mut authority = *authority;
        let live = self.table.is_live(origins);
        let fault = if !live && !self.config.ablations.no_reload {
            Some((FaultKind::UseAfterRevoke, Reason::Revoked))
        } else if bytes.digest() != representation.digest {
            Some((FaultKind::TypeConfusion, Reason::OtherBytes))
        } else {
            None
        };
        let fault = fault.map(|(kind, reason)| {
            let fault = Fault::of(kind, Crossing::Reload, reason, Some(page));
            let observe = self.config.observe;
            let outcome = if observe { Outcome::Observed } else { Outcome::Relabelled };
            self.record_fault(context.tenant(), &fault, outcome, Some(authority));
            if !observe {
                authority = Authority::Evidence;
            }
            fault
        });
        let scope = match pass {
            Some((_, ceiling)) => {
                authority = authority.meet(ceiling);
                context.scope()
            }
            None => scope,
        };
        let descriptor =
            Descriptor { owner: *owner, scope: scope.clone(), origins: origins.clone(), authority };
        let admission = Admission {
            page,
            descriptor,
            text: bytes.text(),
            source: None,
            live,
            grant: pass.map(|(grant, _)| grant),
        };
        Reloaded { mapped: Mapped { entry: context.admit(admission), page }, fault }
    }
}
