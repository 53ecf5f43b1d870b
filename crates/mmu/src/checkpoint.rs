//! Checkpoints: what an agent saw may roll back, and what the kernel knows may not.

use crate::{
    Context, Crossing, Fault, FaultKind, Kernel, Outcome, Reason, context::Comeback, grant,
    table::Table,
};

/// A context as it was. The counters, approvals, their uses, withdrawals, grants, page ids, who
/// wrote which resource, the effect log and the audit log are not in it.
#[derive(Clone)]
pub struct Checkpoint {
    context: Context,
    /// What an ablation has in it.
    table: Option<Box<Table>>,
}

/// A context that came back.
pub struct Restored {
    /// The context.
    pub context: Context,
    /// One for each representation that did not come back as it was: `UseAfterRevoke` for those
    /// that are Evidence now, `AddressSpaceViolation` for those whose grant has ended, which are
    /// not there any more.
    pub faults: Vec<Fault>,
}

impl Kernel {
    /// Saves a context.
    pub fn checkpoint(&self, context: &Context) -> Checkpoint {
        let inside = self.config.ablations.table_inside;
        let table = inside.then(|| Box::new(self.table.clone()));
        Checkpoint { context: context.clone(), table }
    }

    /// Brings a saved context back. Each of its representations crosses **reload**.
    pub fn restore(&mut self, checkpoint: &Checkpoint, now: u64) -> Restored {
        let now = self.tick(now);
        if let Some(table) = &checkpoint.table {
            self.table.roll_back(table);
        }
        let mut context = checkpoint.context.clone();
        let mut faults = Vec::new();
        let (table, config) = (&self.table, &self.config);
        context.readmit(|page, descriptor, pass| {
            let fault = |kind, reason| Fault::of(kind, Crossing::Reload, reason, Some(page));
            if pass.is_some_and(|id| !grant::is_live(&table.grants, id, now)) {
                faults.push(fault(FaultKind::AddressSpaceViolation, Reason::OtherTenant));
                if !config.observe {
                    return Comeback::Nothing;
                }
            } else if !table.is_live(&descriptor.origins) && !config.ablations.no_reload {
                faults.push(fault(FaultKind::UseAfterRevoke, Reason::Revoked));
                if !config.observe {
                    return Comeback::Evidence;
                }
            }
            Comeback::AsItWas
        });
        let outcome = if self.config.observe { Outcome::Observed } else { Outcome::Relabelled };
        for fault in &faults {
            self.record_fault(context.tenant(), fault, outcome, None);
        }
        Restored { context, faults }
    }
}
