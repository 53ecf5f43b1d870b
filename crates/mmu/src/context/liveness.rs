//! Whether what a context holds is live.

use super::{Context, Entry, Holder};
use crate::{KernelId, table::Table};

/// What [`Context::any_dead`] answered, and for which state of table and context.
#[derive(Clone, Copy)]
pub(super) struct Known {
    kernel: KernelId,
    epoch: u64,
    entries: usize,
    evictions: u64,
    dead: bool,
}

impl Context {
    /// Whether a holder's origins are live: now, or as an ablation has it, as they were at entry.
    pub(crate) fn is_live(&self, holder: Holder, table: &Table, recheck: bool) -> bool {
        let entry = &self.entries[holder.0 as usize];
        if recheck { table.is_live(&entry.descriptor.origins) } else { entry.was_live }
    }

    /// Whether any page in this context was revoked: where the index left places out, a value may be
    /// held by it. Time grows with what came in since the last answer, until something is revoked.
    pub(crate) fn any_dead(&mut self, table: &Table, recheck: bool) -> bool {
        let seen = |entry: &&Entry| !entry.evicted || entry.typed;
        if !recheck {
            return self.entries.iter().filter(seen).any(|entry| !entry.was_live);
        }
        let (kernel, epoch) = (table.kernel(), table.epoch());
        let same = self.dead.filter(|known| known.kernel == kernel && known.epoch == epoch);
        let (looked, dead) = match same {
            // What was live stays so while nothing is revoked, and what goes takes nothing in.
            Some(known) if !known.dead || known.evictions == self.evictions => {
                (known.entries, known.dead)
            }
            _ => (0, false),
        };
        let mut new = self.entries[looked..].iter().filter(seen);
        let dead = dead || new.any(|entry| !table.is_live(&entry.descriptor.origins));
        let (entries, evictions) = (self.entries.len(), self.evictions);
        self.dead = Some(Known { kernel, epoch, entries, evictions, dead });
        dead
    }
}
