//! What memory costs without a defense: 10,000 pages, 100 sessions of dormancy, compaction, growth.

use std::sync::{Arc, LazyLock};
use std::task::{Context, Poll, Waker};

use async_trait::async_trait;
use divan::{Bencher, black_box};
use harness::agent::{Act, Agent, Invalid, View};
use harness::defense::{Defense, Entry, Hook};
use harness::episode::Cast;
use harness::memory::{Comeback, Reload};
use harness::owner::{Owner, Request};
use harness::paged::store::{Record, Store, retrieve};
use harness::paged::{Planted, neutral_seeds};
use trace::call::{Reply, ToolCall, ToolError};
use trace::course::{Budget, Closing, Course, Event, Moment, PageKind, Seat, Seed, Session, Stage};
use trace::tool::{Channel, ToolSpec};
use world::World;

fn main() {
    divan::main();
}

/// A record's text: a few words of a small vocabulary, and its number.
fn text(number: u32) -> String {
    const WORDS: &[&str] = &[
        "garden", "invoice", "meeting", "train", "doctor", "letter", "school", "window", "market",
        "river", "kitchen", "holiday", "teacher", "bicycle", "winter", "ticket",
    ];
    let word = |step: u32| WORDS[(number.wrapping_mul(step) >> 3) as usize % WORDS.len()];
    format!("The {} of the {} is about the {} number {number}.", word(7), word(13), word(29))
}

fn filled(records: u32) -> Store {
    let mut store = Store::new("own");
    for number in 0..records {
        let text = text(number).into();
        let kind = PageKind::Evidence;
        store.put(Record { number, tenant: 0, kind, text, staged: None });
    }
    store
}

#[divan::bench(args = [100, 1_000, 10_000])]
fn rank_of_a_store(bencher: Bencher<'_, '_>, records: u32) {
    let store = filled(records);
    bencher
        .bench(|| retrieve(&[&store], black_box("the invoice of the garden number 77"), 0, |_| {}));
}

#[divan::bench(args = [100, 1_000, 10_000])]
fn growth_by_one_record(bencher: Bencher<'_, '_>, records: u32) {
    let store = filled(records);
    bencher.with_inputs(|| store.clone()).bench_local_refs(|store| {
        let text = text(records).into();
        let kind = PageKind::Evidence;
        store.put(Record { number: records, tenant: 0, kind, text, staged: None });
    });
}

/// Filter, rank and reload as one path: a session with one turn over so many records. What planting
/// them costs is not in it.
#[divan::bench(args = [100, 1_000, 10_000])]
fn a_turn_over_a_store(bencher: Bencher<'_, '_>, records: u32) {
    let moments = vec![Moment::User("Where is the invoice of the garden number 77?".to_owned())];
    let course = course(records, vec![session(moments)]);
    bencher.with_inputs(|| planted(&course)).bench_local_values(play);
}

/// A session whose one note resembles what is stored, so that the two become one.
#[divan::bench(args = [100, 1_000, 10_000])]
fn consolidation_of_a_note(bencher: Bencher<'_, '_>, records: u32) {
    let turn = Stage::Session(Session {
        closing: Closing { extract: true, ..Closing::default() },
        ..Session::new("a", "agent", vec![Moment::User(text(77))])
    });
    let course = Course { consolidates: true, ..course(records, vec![turn]) };
    bencher.with_inputs(|| planted(&course)).bench_local_values(play);
}

#[divan::bench(args = [100, 1_000, 10_000])]
fn planting_a_store(bencher: Bencher<'_, '_>, records: u32) {
    let course = course(records, Vec::new());
    bencher.bench_local(|| play(planted(&course)));
}

#[divan::bench(args = [0, 3, 20, 100])]
fn dormancy(bencher: Bencher<'_, '_>, sessions: u32) {
    let course =
        Course { seeds: neutral_seeds("own"), ..course(0, vec![Stage::Fillers(sessions)]) };
    bencher.bench_local(|| play(planted(&course)));
}

#[divan::bench(args = [10, 100])]
fn compaction_of_a_session(bencher: Bencher<'_, '_>, turns: u32) {
    let mut moments: Vec<Moment> = (0..turns).map(|turn| Moment::User(text(turn))).collect();
    moments.push(Moment::Event(Event::Compact));
    let course = course(0, vec![session(moments)]);
    bencher.bench_local(|| play(planted(&course)));
}

fn session(moments: Vec<Moment>) -> Stage {
    Stage::Session(Session::new("a", "agent", moments))
}

fn course(records: u32, stages: Vec<Stage>) -> Course {
    let seed = |number| Seed {
        id: format!("s{number}"),
        store: "own".to_owned(),
        tenant: 0,
        kind: PageKind::Evidence,
        channel: Channel::Preference,
        text: text(number),
    };
    Course {
        seats: vec![Seat::new("agent", 0, "own")],
        seeds: (0..records).map(seed).collect(),
        stages,
        budget: Budget { tokens: 4_000, records: 5 },
        ..Course::default()
    }
}

/// The course with its records in memory. Nobody of its cast has a state, so leaking them costs
/// nothing.
fn planted(course: &Course) -> Planted<'_> {
    let cast = Cast {
        world: Box::leak(Box::new(Empty)),
        agent: Box::leak(Box::new(Silent)),
        defense: Box::leak(Box::new(Through)),
        owner: Box::leak(Box::new(Nobody)),
    };
    Planted::new(cast, course).expect("the course is whole")
}

fn play(planted: Planted<'_>) -> usize {
    let mut episode = Box::pin(planted.play());
    match episode.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(record) => record.expect("nobody fails").events.len(),
        Poll::Pending => unreachable!("nothing here waits"),
    }
}

struct Empty;

static TOOLS: LazyLock<Arc<[ToolSpec]>> = LazyLock::new(|| Arc::from([]));

impl World for Empty {
    fn tools(&self) -> &Arc<[ToolSpec]> {
        &TOOLS
    }

    fn call(&mut self, _: &ToolCall) -> Result<Reply, ToolError> {
        Err(ToolError::value("there are no tools"))
    }
}

struct Silent;

#[async_trait]
impl Agent for Silent {
    async fn turn(&mut self, _: View<'_>) -> Result<Act, Invalid> {
        Ok(Act::Answer(String::new()))
    }
}

/// Lets everything through, with the hooks of memory called and timed.
struct Through;

impl Defense for Through {
    fn hooks(&self) -> &'static [Hook] {
        &[Hook::Retrieve, Hook::Reload]
    }

    fn on_reload(&mut self, _: &Reload<'_>) -> Comeback {
        Comeback { entry: Entry::Admit, noted: Vec::new() }
    }
}

struct Nobody;

impl Owner for Nobody {
    fn grants(&mut self, _: Request<'_>) -> bool {
        false
    }
}
