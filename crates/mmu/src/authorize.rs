//! **authorize**: a call leaves as an action, if each of its secured values comes from somebody
//! with enough authority.

use crate::{Authority, Counter, Crossing, Fault, FaultKind, Reason};
use crate::{
    Call, Context, Kernel, LeafFault, PageId, Place, Schema,
    call::CallDigest,
    judge::{self, Judgement},
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
    /// Whether a one-shot approval of the owner stands for what does not trace.
    pub approved: bool,
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
        let judgement = judge::judge(&self.table, self.config.tie, context, call, schema);
        if judgement.faults.is_empty() {
            return Decision::Allow(judgement.permit(false));
        }
        let digest = CallDigest::new(context.tenant(), &context.scope().tasks, call);
        if let Some(approval) = self.table.approval(digest)
            && self.approval_stands(approval, &judgement, context, now)
        {
            return Decision::Allow(judgement.permit(true));
        }
        if self.table.was_refused(digest) {
            return Decision::Refused(Fault {
                reason: Reason::RefusedBefore,
                ..judgement.fault(schema)
            });
        }
        let binding = judgement.bind(&self.table, context);
        self.table.ask(digest, binding);
        Decision::Ask(judgement.faults)
    }
}

impl Judgement {
    fn permit(self, approved: bool) -> Permit {
        Permit { leaves: self.leaves, evidence: self.evidence, approved }
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
