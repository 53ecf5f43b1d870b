//! `--harness paged`: several sessions with a memory between them, after ClawVM (arXiv 2604.10352).
//!
//! State is typed pages. A context holds pages in one of four forms under a token budget, and no
//! page falls below its kind's least form ([`page`]). What an agent wants kept is staged and written
//! back, validated, at each boundary of its life ([`store`]): compaction, reset, a session's end, a
//! checkpoint. What is stored comes back by plain BM25 ([`bm25`]). A checkpoint brings contexts,
//! stores, inboxes and jobs back; the world, the clock, the numbers given out and whatever a defense
//! keeps to itself stay as they are.
//!
//! The harness makes no security claim of its own. It tells a defense where content came from, who
//! made it from what, and when it comes back; what follows from that is the defense's affair.

pub mod bm25;
mod budget;
mod calls;
pub mod consolidate;
mod context;
mod enter;
mod filler;
mod lifecycle;
mod memory_tools;
mod owner;
pub mod page;
mod sessions;
pub mod store;
mod subjects;
mod tools;
mod validate;
mod write;

use std::collections::HashMap;
use std::sync::Arc;

use trace::call::ToolCall;
use trace::course::{Course, Stage};
use trace::event::Event;

use crate::agent::{Invalid, Message};
use crate::defense::{Defense, Hook};
use crate::episode::{Cast, Record as Episode};
use crate::memory::{Memory, PagerFaults, Saved};
use crate::timing::Timings;

use context::Context;
pub use filler::neutral_seeds;
use store::{Record, Store};
use subjects::Names;
pub use tools::MEMORY_TOOLS;
pub use validate::check;

/// Runs a course from its first stage to its last.
///
/// # Errors
/// The course names what it does not have, or the agent could not act.
pub async fn run<'e>(cast: Cast<'e>, course: &'e Course) -> Result<Episode, Invalid> {
    Planted::new(cast, course)?.play().await
}

/// A course before its first stage: what stands in memory at the start is there.
pub struct Planted<'e> {
    engine: Engine<'e>,
}

impl<'e> Planted<'e> {
    /// Plants the course's seeds.
    ///
    /// # Errors
    /// The course names what it does not have.
    pub fn new(cast: Cast<'e>, course: &'e Course) -> Result<Self, Invalid> {
        check(course, cast.world.tools()).map_err(Invalid::Course)?;
        let mut engine = Engine::new(cast, course);
        engine.plant_seeds();
        Ok(Self { engine })
    }

    /// Runs the course to its end.
    ///
    /// # Errors
    /// The agent could not act.
    pub async fn play(self) -> Result<Episode, Invalid> {
        let mut engine = self.engine;
        for stage in &engine.course.stages {
            match stage {
                Stage::Session(session) => engine.session(session).await?,
                Stage::Between(event) => engine.live(event),
                Stage::Fillers(count) => (0..*count).for_each(|_| engine.filler()),
                Stage::Jobs => engine.run_jobs().await?,
            }
        }
        Ok(engine.finish())
    }
}

/// A job that is due at some time.
#[derive(Clone, Copy, Debug)]
struct Job {
    due: u64,
    seat: usize,
    record: u32,
}

/// Whatever a checkpoint brings back.
#[derive(Clone)]
struct Rollback {
    stores: Vec<Store>,
    inboxes: Vec<Vec<u32>>,
    jobs: Vec<Job>,
}

/// A checkpoint.
struct Checkpoint {
    context: Context,
    rollback: Rollback,
    /// What the defense has in it.
    defense: Saved,
}

/// What is known of a record for good, whether or not a store still holds it.
#[derive(Clone, Debug)]
struct Known {
    tenant: u32,
    text: Arc<str>,
}

/// A course under way.
struct Engine<'e> {
    cast: Cast<'e>,
    course: &'e Course,
    hooks: &'static [Hook],
    context: Context,
    rollback: Rollback,
    checkpoints: HashMap<String, Arc<Checkpoint>>,
    /// For each seat, the checkpoint that its next session begins with.
    resuming: HashMap<usize, Arc<Checkpoint>>,
    known: HashMap<u32, Known>,
    names: Names,
    /// Whether a session is open.
    in_session: bool,
    now: u64,
    pages: u32,
    records: u32,
    sessions: u32,
    fillers: u32,
    turns: u32,
    events: Vec<Event>,
    log: Vec<Message>,
    answers: Vec<String>,
    asked: Vec<ToolCall>,
    faults: PagerFaults,
    timings: Timings,
}

impl<'e> Engine<'e> {
    fn new(cast: Cast<'e>, course: &'e Course) -> Self {
        let mut stores: Vec<Store> = Vec::new();
        let named = course.seats.iter().flat_map(|seat| &seat.stores);
        for name in named.chain(course.seeds.iter().map(|seed| &seed.store)) {
            if !stores.iter().any(|store| store.name() == name) {
                stores.push(Store::new(name.as_str()));
            }
        }
        let inboxes = vec![Vec::new(); course.seats.len()];
        Self {
            hooks: cast.defense.hooks(),
            cast,
            course,
            context: Context::default(),
            rollback: Rollback { stores, inboxes, jobs: Vec::new() },
            checkpoints: HashMap::new(),
            resuming: HashMap::new(),
            known: HashMap::new(),
            names: Names::default(),
            in_session: false,
            now: 0,
            pages: 0,
            records: 0,
            sessions: 0,
            fillers: 0,
            turns: 0,
            events: Vec::new(),
            log: Vec::new(),
            answers: Vec::new(),
            asked: Vec::new(),
            faults: PagerFaults::default(),
            timings: Timings::default(),
        }
    }

    fn finish(self) -> Episode {
        let mut records: Vec<&Record> =
            self.rollback.stores.iter().flat_map(Store::records).collect();
        records.sort_by_key(|record| record.number);
        let memory = Memory {
            texts: records.iter().map(|record| record.text.to_string()).collect(),
            written: self.known.into_iter().map(|(number, known)| (number, known.text)).collect(),
            faults: self.faults,
            sessions: self.sessions,
        };
        Episode {
            events: self.events,
            messages: self.log,
            answer: self.answers.join("\n"),
            turns: self.turns,
            timings: self.timings,
            memory: Some(memory),
        }
    }

    /// Calls a hook, timed, where the defense uses it.
    fn hook<T>(
        &mut self,
        hook: Hook,
        word: fn(&T) -> &'static str,
        run: impl FnOnce(&mut dyn Defense) -> T,
    ) -> Option<T> {
        if !self.hooks.contains(&hook) {
            return None;
        }
        let defense = &mut *self.cast.defense;
        Some(self.timings.time(hook, word, || run(defense)))
    }

    fn next_page(&mut self) -> u32 {
        self.pages += 1;
        self.pages - 1
    }

    fn next_record(&mut self) -> u32 {
        self.records += 1;
        self.records - 1
    }

    fn store_mut(&mut self, name: &str) -> Option<&mut Store> {
        self.rollback.stores.iter_mut().find(|store| store.name() == name)
    }

    /// The store that a seat writes to.
    fn own_store(&self, seat: usize) -> Option<String> {
        self.course.seats.get(seat).and_then(|seat| seat.stores.first().cloned())
    }

    fn lived(&mut self, what: impl Into<String>) {
        self.events.push(Event::Lived { what: what.into() });
    }
}
