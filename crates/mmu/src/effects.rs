//! What was carried out, and what it was based on: revoking a page reports it.

use std::{collections::VecDeque, sync::Arc};

use crate::{Effect, Evidence, Origins, PageId, Place};

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
    /// The secured values that were traced.
    pub leaves: Vec<Place>,
    /// What held them, with the counters that were read.
    pub evidence: Vec<Evidence>,
}

/// The most allowed calls that are remembered until they are dispatched; the oldest go first.
pub const MAX_FLIGHTS: usize = 64;

/// A call that was allowed and not dispatched yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flight {
    /// The tool's name in its schema; `None` for a tool without one.
    pub tool: Option<Arc<str>>,
    /// When it was allowed, in the embedder's own units.
    pub at: u64,
    /// The pages that its values trace to.
    pub origins: Origins,
}

/// Allowed calls, by a fingerprint of theirs. For the report only: dispatch judges anew.
#[derive(Default)]
pub(crate) struct Flights {
    kept: VecDeque<(u64, Flight)>,
}

impl Flights {
    pub(crate) fn take_off(&mut self, fingerprint: u64, flight: Flight) {
        self.land(fingerprint);
        if self.kept.len() == MAX_FLIGHTS {
            self.kept.pop_front();
        }
        self.kept.push_back((fingerprint, flight));
    }

    pub(crate) fn land(&mut self, fingerprint: u64) {
        if let Some(at) = self.kept.iter().position(|(known, _)| *known == fingerprint) {
            self.kept.remove(at);
        }
    }

    pub(crate) fn tracing_to(&self, page: PageId) -> Vec<Flight> {
        let all = self.kept.iter().map(|(_, flight)| flight);
        all.filter(|flight| flight.origins.contains(page)).cloned().collect()
    }
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
