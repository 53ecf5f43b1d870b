//! The owner's answers, and the last check before the world carries a call out.

use crate::{
    Call, Context, Crossing, Effect, Executed, Fault, FaultKind, Kernel, Reason, Schema,
    call::CallDigest,
    judge::{self, Judgement},
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
        let digest = digest(context, call);
        let binding = self
            .table
            .answered(digest)
            .ok_or_else(|| fault(FaultKind::ConfusedDeputy, Reason::NotApproved))?;
        self.table.approve(digest, OneShot { binding, given: now });
        Ok(())
    }

    /// The owner refuses this very call, or nobody was there to ask. It is refused from now on
    /// without asking, in every session of the task.
    pub fn refuse(&mut self, context: &Context, call: &Call<'_>) {
        let digest = digest(context, call);
        self.table.answered(digest);
        self.table.refuse(digest);
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
        let judgement = judge::judge(&self.table, self.config.tie, context, call, schema);
        let passes = judgement.faults.is_empty();
        let approval = if self.table.has_approvals() {
            let digest = digest(context, call);
            self.table.use_up(digest)
        } else {
            None
        };
        if !passes {
            let Some(approval) = approval else { return Err(judgement.fault(schema)) };
            if !self.approval_stands(&approval, &judgement, context, now) {
                let revoked = !self.table.holds(&approval.binding)
                    || judgement.faults.iter().any(|fault| fault.reason == Reason::Revoked);
                let kind =
                    if revoked { FaultKind::UseAfterRevoke } else { FaultKind::ConfusedDeputy };
                let reason = Reason::ApprovalVoid;
                return Err(Fault { kind, reason, ..judgement.fault(schema) });
            }
        }
        self.record(context, &judgement, schema, now, !passes);
        Ok(())
    }

    fn record(
        &mut self,
        context: &Context,
        judgement: &Judgement,
        schema: Option<&Schema>,
        at: u64,
        approved: bool,
    ) {
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
        });
    }
}

fn digest(context: &Context, call: &Call<'_>) -> CallDigest {
    CallDigest::new(context.tenant(), &context.scope().tasks, call)
}

fn fault(kind: FaultKind, reason: Reason) -> Fault {
    Fault { kind, crossing: Crossing::Authorize, reason, page: None, tool: None, place: None }
}
