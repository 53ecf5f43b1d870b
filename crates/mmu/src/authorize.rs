//! **authorize**: a call leaves as an action, if each of its secured values comes from somebody
//! with enough authority.

use crate::{
    ApprovalId, Authority, Call, Context, Counter, Crossing, Effect, Fault, FaultKind, Flight,
    Kernel, LeafFault, Outcome, PageId, Place, Reason, Schema, call,
    judge::{self, Judgement},
    standing,
};

/// A representation that holds one of a call's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Evidence {
    /// Which of [`Permit::leaves`] it holds.
    pub leaf: usize,
    /// The page.
    pub page: PageId,
    /// The page's counter as it was read for this decision.
    pub counter: Counter,
    /// The effective authority.
    pub authority: Authority,
}

/// What a call was allowed on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Permit {
    /// The secured values that were traced.
    pub leaves: Vec<Place>,
    /// What holds them.
    pub evidence: Vec<Evidence>,
    /// Whether an approval of the owner, of this call or in advance, stands for what does not trace.
    pub approved: bool,
    /// The standing approval, where it was one.
    pub standing: Option<ApprovalId>,
    /// What is wrong with the call, where the kernel only observes.
    pub observed: Vec<LeafFault>,
}

/// What authorize answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// Go on to [`Kernel::dispatch`].
    Allow(Permit),
    /// Ask the owner, once for the whole call; then [`Kernel::approve`] or [`Kernel::refuse`].
    Ask(Vec<LeafFault>),
    /// The owner refused this very call before: it is refused again without asking.
    Refused(Fault),
}

impl Kernel {
    /// Judges a call, by the counters of this moment. It must be the call that the world will
    /// carry out: after any rewrite, judge it again. `schema` is `None` for a tool without one,
    /// which is never allowed by silence. `now` is in the embedder's own units.
    pub fn authorize(
        &mut self,
        context: &mut Context,
        call: &Call<'_>,
        schema: Option<&Schema>,
        now: u64,
    ) -> Decision {
        let latest = self.tick(now);
        if self.config.ablations.labels_as_text {
            return Decision::Allow(Judgement::default().permit(false));
        }
        let judgement = judge::judge(&self.table, &self.config, context, call, schema);
        if judgement.faults.is_empty() {
            self.take_off(context, &judgement, call, schema, now);
            return Decision::Allow(judgement.permit(false));
        }
        let digest = self.digest(context, call);
        if let Some(approval) = self.table.approval(digest)
            && self.approval_stands(approval, &judgement, context, now)
        {
            self.take_off(context, &judgement, call, schema, now);
            return Decision::Allow(judgement.permit(true));
        }
        if self.table.was_refused(digest) {
            let fault = Fault { reason: Reason::RefusedBefore, ..judgement.fault(schema) };
            return self.refuse_or_observe(context, judgement, fault);
        }
        if let Some((id, _)) = standing::covering(&self.table, context, call, &judgement, latest) {
            self.take_off(context, &judgement, call, schema, now);
            return Decision::Allow(Permit { standing: Some(id), ..judgement.permit(true) });
        }
        let fault = judgement.fault(schema);
        if !context.attended {
            return self.refuse_or_observe(context, judgement, fault);
        }
        let mut binding = judgement.bind(&self.table, context);
        binding.tool.clone_from(&fault.tool);
        self.table.ask(digest, binding);
        let outcome = if self.config.observe { Outcome::Observed } else { Outcome::Asked };
        let authority = judgement.authority_of(fault.page);
        self.record_fault(context.tenant(), &fault, outcome, authority);
        if self.config.observe {
            return Decision::Allow(judgement.observed());
        }
        Decision::Ask(judgement.faults)
    }

    fn refuse_or_observe(
        &mut self,
        context: &Context,
        judgement: Judgement,
        fault: Fault,
    ) -> Decision {
        let observe = self.config.observe;
        let outcome = if observe { Outcome::Observed } else { Outcome::Refused };
        let authority = judgement.authority_of(fault.page);
        self.record_fault(context.tenant(), &fault, outcome, authority);
        if observe { Decision::Allow(judgement.observed()) } else { Decision::Refused(fault) }
    }

    /// Remembers an allowed call until it is dispatched.
    fn take_off(
        &mut self,
        context: &mut Context,
        judgement: &Judgement,
        call: &Call<'_>,
        schema: Option<&Schema>,
        at: u64,
    ) {
        if schema.is_some_and(|schema| schema.effect == Effect::Read) {
            return;
        }
        let print = call::fingerprint(self.config.hash_seed, context.tenant(), call);
        let tool = schema.map(|schema| schema.tool.clone());
        let origins = judgement.origins(context);
        self.flights.take_off(print, Flight { tool, at, origins });
    }
}

impl Judgement {
    fn permit(self, approved: bool) -> Permit {
        let Self { leaves, evidence, .. } = self;
        Permit { leaves, evidence, approved, standing: None, observed: Vec::new() }
    }

    fn observed(mut self) -> Permit {
        let observed = std::mem::take(&mut self.faults);
        Permit { observed, ..self.permit(false) }
    }

    /// The fault that stands for all that is wrong with the call: a revoked holder's, if one
    /// decided, else the first.
    pub(crate) fn fault(&self, schema: Option<&Schema>) -> Fault {
        let revoked = self.faults.iter().find(|fault| fault.reason == Reason::Revoked);
        let first = revoked.or(self.faults.first());
        let known = self.faults.iter().all(|fault| fault.reason != Reason::UnknownTool);
        Fault {
            kind: revoked.map_or(FaultKind::ConfusedDeputy, |_| FaultKind::UseAfterRevoke),
            crossing: Crossing::Authorize,
            reason: first.map_or(Reason::NotApproved, |fault| fault.reason),
            page: first.and_then(|fault| fault.from),
            tool: schema.filter(|_| known).map(|schema| schema.tool.clone()),
            place: first.and_then(|fault| fault.place.clone()),
        }
    }
}
