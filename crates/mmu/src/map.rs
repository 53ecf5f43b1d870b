//! **map**: new content enters a context, and gets its descriptor from its channel.

use crate::{
    ApprovalId, Arrival, Authority, Context, Crossing, Descriptor, EntryId, Fault, FaultKind, Form,
    Kernel, Origins, Outcome, Owner, PageId, Reason, Scope, Source, Tenant, context::Admission,
    grant, storage::Written,
};

/// A representation that was let in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Mapped {
    /// Its handle in the context.
    pub entry: EntryId,
    /// Its page.
    pub page: PageId,
}

/// A grant that lets content in, and the most that it may count as.
pub(crate) type Pass = Option<(ApprovalId, Authority)>;

impl Kernel {
    /// Lets new content into a context. Its authority comes from the channel that the harness
    /// stamped, and from nothing else. Typed words of the context's tenant begin a new turn. What
    /// the context's own model says is made from everything that the context ever admitted.
    ///
    /// The content is not traceable before [`Context::index`].
    ///
    /// # Errors
    ///
    /// `AddressSpaceViolation` where the content belongs to another tenant, or its scope does not
    /// cover the context's, and no live grant covers its page; or where context or page belong to
    /// another kernel. Nothing entered then.
    pub fn map(
        &mut self,
        context: &mut Context,
        arrival: impl Into<Arrival>,
        text: &str,
    ) -> Result<Mapped, Fault> {
        self.enter(context, &arrival.into(), text, None)
    }

    /// [`Self::map`] of content that others wrote too, as tool-backed storage does.
    pub(crate) fn enter(
        &mut self,
        context: &mut Context,
        arrival: &Arrival,
        text: &str,
        written: Option<&Written>,
    ) -> Result<Mapped, Fault> {
        let &Arrival { source, page, ref scope } = arrival;
        let by_role = self.config.ablations.no_map;
        let known = page.is_none_or(|page| self.table.counter(page).is_some());
        if !context.is_of(self.id) || !known {
            return Err(self.turn_away(context, Crossing::Map, Reason::UnknownPage, page));
        }
        let own = context.tenant();
        let mut scope = match scope {
            Some(scope) => scope.clone(),
            None => default_scope(source, context),
        };
        let mut authority = authority(source, by_role);
        let mut inputs = Origins::NONE;
        let mut others: Vec<Tenant> = Vec::new();
        others.extend(source.tenant().filter(|tenant| *tenant != own && !by_role));
        if let Some(Written { label, tenants }) = written {
            authority = authority.meet(label.authority);
            scope = scope.meet(&label.scope);
            inputs.clone_from(&label.origins);
            others.extend(tenants.iter().filter(|tenant| **tenant != own));
        }
        if source == Source::Model {
            let inherited = context.inherited(!self.config.ablations.no_accumulate);
            scope = scope.meet(&inherited.scope);
            inputs = inputs.meet(&inherited.origins);
        }
        let (tenant, pass) = self.admissions(context, &others, &scope, page)?;
        let page = page.unwrap_or_else(|| self.table.page());
        let own = self.table.now(page);
        let origins = if inputs == Origins::NONE {
            self.catalogue.mapped(page);
            Origins::of(page, own.recorded)
        } else {
            let origins = inputs.with(own);
            self.catalogue.derived(page, Form::Full, &origins);
            origins
        };
        if let Some((_, ceiling)) = pass {
            authority = authority.meet(ceiling);
            scope = context.scope().clone();
        }
        let live = written.is_none() && source != Source::Model || self.table.is_live(&origins);
        let owner = Owner { tenant, producer: source.producer() };
        let descriptor = Descriptor { owner, scope, origins, authority };
        let source = Some(if by_role && descriptor.authority == Authority::Policy {
            Source::Typed(context.tenant())
        } else {
            source
        });
        let grant = pass.map(|(grant, _)| grant);
        let entry = context.admit(Admission { page, descriptor, text, source, live, grant });
        Ok(Mapped { entry, page })
    }

    /// Whether content may enter in which these other tenants had a hand, all of whom must have
    /// granted it, and as whose it does.
    #[inline]
    fn admissions(
        &mut self,
        context: &Context,
        others: &[Tenant],
        scope: &Scope,
        page: Option<PageId>,
    ) -> Result<(Tenant, Pass), Fault> {
        let own = context.tenant();
        let Some(&first) = others.first() else {
            return Ok((own, self.admission(context, Crossing::Map, own, scope, page)?));
        };
        let mut pass: Pass = None;
        for &other in others {
            let next = self.admission(context, Crossing::Map, other, scope, page)?;
            pass = match (pass, next) {
                (Some(least), Some(next)) if least.1 <= next.1 => Some(least),
                (least, next) => next.or(least),
            };
        }
        Ok((first, pass))
    }

    /// Whether content of this tenant and scope may enter: by itself, or by a live grant of its
    /// page.
    #[inline]
    pub(crate) fn admission(
        &mut self,
        context: &Context,
        crossing: Crossing,
        tenant: Tenant,
        scope: &Scope,
        page: Option<PageId>,
    ) -> Result<Pass, Fault> {
        let reason = if tenant != context.tenant() {
            Reason::OtherTenant
        } else if scope.is_empty() {
            Reason::EmptyScope
        } else if !scope.covers(context.scope()) {
            Reason::OutOfScope
        } else {
            return Ok(None);
        };
        let now = self.latest();
        let pass = page
            .filter(|_| !scope.is_empty())
            .and_then(|page| grant::find(&self.table.grants, tenant, context.tenant(), page, now));
        if pass.is_some() {
            return Ok(pass);
        }
        let fault = self.turn_away(context, crossing, reason, page);
        if self.config.observe { Ok(None) } else { Err(fault) }
    }

    /// The fault of content that may not be here, recorded.
    fn turn_away(
        &mut self,
        context: &Context,
        crossing: Crossing,
        reason: Reason,
        page: Option<PageId>,
    ) -> Fault {
        let fault = Fault::of(FaultKind::AddressSpaceViolation, crossing, reason, page);
        let observed = self.config.observe && reason != Reason::UnknownPage;
        let outcome = if observed { Outcome::Observed } else { Outcome::Refused };
        self.record_fault(context.tenant(), &fault, outcome, None);
        fault
    }
}

/// The authority of a channel; as an ablation has it, of its message role.
fn authority(source: Source, by_role: bool) -> Authority {
    match source {
        Source::Typed(_)
        | Source::OwnPreference(_)
        | Source::ApprovedInstruction(_)
        | Source::Pasted
        | Source::Peer
            if by_role =>
        {
            Authority::Policy
        }
        _ => source.authority(),
    }
}

/// Preferences hold everywhere; everything else for this task, in all sessions.
fn default_scope(source: Source, context: &Context) -> Scope {
    match source {
        Source::OwnPreference(_) => Scope::EVERYWHERE,
        _ => context.default_scope(),
    }
}
