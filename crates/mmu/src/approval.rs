//! The owner's answers, and the last check before the world carries a call out.

use std::sync::Arc;

use crate::{
    Act, ApprovalId, Authority, Call, Context, Crossing, Effect, Event, Executed, Fault, FaultKind,
    Kernel, Outcome, Reason, Rights, Schema, Tenant,
    call::{self, CallDigest},
    grant,
    judge::{self, Judgement},
    standing,
    table::OneShot,
};

impl Kernel {
    /// The owner approves this very call, once. Only a tenant's human, through a channel that no
    /// tool and no model reaches, may cause this; a typed "yes" is no approval.
    ///
    /// # Errors
    ///
    /// `NotApproved` where [`Kernel::authorize`] did not ask about this very call in this tenant's
    /// task, or the ask was taken back by a revocation.
    pub fn approve(&mut self, context: &Context, call: &Call<'_>, now: u64) -> Result<(), Fault> {
        let digest = self.digest(context, call);
        let binding = self
            .table
            .answered(digest)
            .ok_or_else(|| fault(FaultKind::ConfusedDeputy, Reason::NotApproved))?;
        self.tick(now);
        self.answered(context, Act::Call, binding.tool.clone());
        self.table.approve(digest, OneShot { binding, given: now });
        Ok(())
    }

    /// The owner refuses this very call, or nobody was there to ask. It is refused from now on
    /// without asking, in every session of the task.
    pub fn refuse(&mut self, context: &Context, call: &Call<'_>) {
        let digest = self.digest(context, call);
        let tool = self.table.answered(digest).and_then(|binding| binding.tool);
        self.answered(context, Act::Refusal, tool);
        self.table.refuse(digest);
    }

    /// What an approval or a refusal of this very call binds.
    pub(crate) fn digest(&self, context: &Context, call: &Call<'_>) -> CallDigest {
        let seed = self.config.hash_seed;
        CallDigest::new(seed, context.tenant(), &context.scope().tasks, call)
    }

    fn answered(&mut self, context: &Context, act: Act, tool: Option<Arc<str>>) {
        let after = (act == Act::Call)
            .then(|| Rights { authority: Authority::Policy, scope: context.default_scope() });
        let event =
            Event::Act { act, id: None, tool, page: None, before: None, after, widens: false };
        self.audit.push(self.latest(), Some(context.tenant()), event);
    }

    /// The owner takes back his approval of this very call, before it was dispatched.
    ///
    /// # Errors
    ///
    /// `NotApproved` where there is none.
    pub fn withdraw_call(&mut self, context: &Context, call: &Call<'_>) -> Result<(), Fault> {
        let taken = self.table.use_up(self.digest(context, call));
        let taken = taken.ok_or_else(|| fault(FaultKind::ConfusedDeputy, Reason::NotApproved))?;
        self.answered(context, Act::Withdrawal, taken.binding.tool);
        Ok(())
    }

    /// A tenant takes back an approval of content or in advance, or either side a grant. Only his
    /// human, through the approval channel, may cause this.
    ///
    /// # Errors
    ///
    /// `AddressSpaceViolation` where there is no such approval or grant of this tenant.
    pub fn withdraw(&mut self, id: ApprovalId, by: Tenant) -> Result<(), Fault> {
        let table = &mut self.table;
        let before = table.raised.len() + table.standing.len() + table.grants.len();
        table.raised.retain(|raised| raised.id != id || raised.tenant != by);
        table.standing.retain(|running| running.id != id || running.standing.tenant != by);
        table.grants.retain(|granted| {
            granted.id != id || (granted.grant.from != by && granted.grant.to != by)
        });
        if table.raised.len() + table.standing.len() + table.grants.len() == before {
            return Err(grant::unknown());
        }
        let event = Event::Act {
            act: Act::Withdrawal,
            id: Some(id),
            tool: None,
            page: None,
            before: None,
            after: None,
            widens: false,
        };
        self.audit.push(self.latest(), Some(by), event);
        Ok(())
    }

    /// Judges a call once more, right before the world carries it out, and remembers it as carried
    /// out where it does more than read. An approval is used up here, whatever the tool then answers.
    ///
    /// # Errors
    ///
    /// `UseAfterRevoke` where a source of the call, or of its approval, was revoked; else
    /// `ConfusedDeputy` where a value does not trace and the owner has not approved this very
    /// call. The call must not be carried out then.
    pub fn dispatch(
        &mut self,
        context: &mut Context,
        call: &Call<'_>,
        schema: Option<&Schema>,
        now: u64,
    ) -> Result<(), Fault> {
        let latest = self.tick(now);
        let print = call::fingerprint(self.config.hash_seed, context.tenant(), call);
        self.flights.land(print);
        if self.config.ablations.labels_as_text {
            self.record(context, call, Judgement::default(), schema, now, false);
            return Ok(());
        }
        let judgement = judge::judge(&self.table, &self.config, context, call, schema);
        let approval = if self.table.has_approvals() {
            self.table.use_up(self.digest(context, call))
        } else {
            None
        };
        let mut approved = false;
        if !judgement.faults.is_empty() {
            match self.excused(context, call, &judgement, approval, [latest, now]) {
                Ok(()) => approved = true,
                Err(void) => {
                    let fault = at_dispatch(&judgement, schema, void.as_ref());
                    let observe = self.config.observe;
                    let outcome = if observe { Outcome::Observed } else { Outcome::Refused };
                    let authority = judgement.authority_of(fault.page);
                    self.record_fault(context.tenant(), &fault, outcome, authority);
                    if !observe {
                        return Err(fault);
                    }
                }
            }
        }
        self.record(context, call, judgement, schema, now, approved);
        Ok(())
    }

    /// [`Self::dispatch`], and then the call itself: the world receives the call that was judged,
    /// and no other.
    ///
    /// # Errors
    ///
    /// As [`Self::dispatch`]; `world` was not called then.
    pub fn carry_out<'a, T>(
        &mut self,
        context: &mut Context,
        call: &Call<'a>,
        schema: Option<&Schema>,
        now: u64,
        world: impl FnOnce(&Call<'a>) -> T,
    ) -> Result<T, Fault> {
        self.dispatch(context, call, schema, now)?;
        Ok(world(call))
    }

    /// Uses up what approves a call in spite of its faults. Fails where nothing does, with the
    /// approval of this call that did not stand, if there was one.
    fn excused(
        &mut self,
        context: &Context,
        call: &Call<'_>,
        judgement: &Judgement,
        approval: Option<OneShot>,
        [latest, now]: [u64; 2],
    ) -> Result<(), Option<Void>> {
        if let Some(approval) = approval {
            let stands = self.approval_stands(&approval, judgement, context, now);
            let held = self.table.holds(&approval.binding);
            return if stands { Ok(()) } else { Err(Some(Void { held })) };
        }
        if !self.table.was_refused(self.digest(context, call))
            && let Some((id, amount)) =
                standing::covering(&self.table, context, call, judgement, latest)
        {
            standing::use_up(&mut self.table.standing, id, amount);
            return Ok(());
        }
        Err(None)
    }

    fn record(
        &mut self,
        context: &mut Context,
        call: &Call<'_>,
        judgement: Judgement,
        schema: Option<&Schema>,
        at: u64,
        approved: bool,
    ) {
        self.wrote(context, call);
        let effect = schema.map(|schema| schema.effect);
        if effect == Some(Effect::Read) {
            return;
        }
        self.effects.push(Executed {
            sequence: 0,
            at,
            tool: schema.map(|schema| schema.tool.clone()),
            effect,
            approved,
            origins: judgement.origins(context),
            leaves: judgement.leaves,
            evidence: judgement.evidence,
        });
    }
}

fn at_dispatch(judgement: &Judgement, schema: Option<&Schema>, void: Option<&Void>) -> Fault {
    let fault = judgement.fault(schema);
    let Some(&Void { held }) = void else { return fault };
    let revoked = !held || judgement.faults.iter().any(|fault| fault.reason == Reason::Revoked);
    let kind = if revoked { FaultKind::UseAfterRevoke } else { FaultKind::ConfusedDeputy };
    Fault { kind, reason: Reason::ApprovalVoid, ..fault }
}

/// A one-shot approval that did not stand.
struct Void {
    /// Whether its sources were still as they had been.
    held: bool,
}

fn fault(kind: FaultKind, reason: Reason) -> Fault {
    Fault { kind, crossing: Crossing::Authorize, reason, page: None, tool: None, place: None }
}
