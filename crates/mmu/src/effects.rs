//! What was carried out, and what it was based on: revoking a page reports it.

use std::{collections::VecDeque, sync::Arc};

use crate::{Effect, Origins, PageId};

/// The most effects that are remembered; the oldest go first.
pub const MAX_EFFECTS: usize = 16_384;

/// A call that the kernel let through to the world.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Executed {
    /// Its number, counted from 0 over all effects of the kernel.
    pub sequence: u64,
    /// When it was dispatched, in the embedder's own units.
    pub at: u64,
    /// The tool's name in its schema; `None` for a tool without one.
    pub tool: Option<Arc<str>>,
    /// What the tool does; `None` for a tool without a schema.
    pub effect: Option<Effect>,
    /// Whether the owner had to approve it.
    pub approved: bool,
    /// The pages that its values trace to, with the counters recorded there.
    pub origins: Origins,
}

#[derive(Default)]
pub(crate) struct EffectLog {
    kept: VecDeque<Executed>,
    next: u64,
}

impl EffectLog {
    pub(crate) fn push(&mut self, executed: Executed) {
        if self.kept.len() == MAX_EFFECTS {
            self.kept.pop_front();
        }
        self.kept.push_back(Executed { sequence: self.next, ..executed });
        self.next += 1;
    }

    pub(crate) fn tracing_to(&self, page: PageId) -> Vec<Executed> {
        self.kept.iter().filter(|executed| executed.origins.contains(page)).cloned().collect()
    }

    pub(crate) fn kept(&self) -> impl Iterator<Item = &Executed> {
        self.kept.iter()
    }
}
