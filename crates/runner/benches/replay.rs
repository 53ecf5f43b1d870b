//! How fast the attacks of `AgentDojo` are replayed: pairs a second on one core, a world and a
//! defense a line, and the ratios that the goals are written in.
//!
//! A job under a defense runs the episode without one as well, since `exposed` comes from it. `job` is
//! the whole job; `guarded` is what the guarded episode alone adds, over the episode without a defense:
//! that is what the goal of 1.5 is about, and `mmu:observe` its honest arm, since a refused call does
//! less work. `ns/byte` is the same as the time that the guard takes over each byte that enters the
//! context, which is the goal's other form (10 ns): a replay that gets faster makes the ratio larger
//! while the guard costs what it did.
//!
//! `cargo bench -p runner` prints them. `BENCH_UPSTREAM_PAIRS=13.3` gives what upstream's own replay
//! of ground truths does on the same machine, in pairs a second, and adds the ratio to it.

use std::sync::Arc;
use std::time::{Duration, Instant};

use agents::roster::{Character, Order};
use defenses::roster::Choice;
use runner::executor::Executor;
use runner::filter::Filter;
use runner::harness::HarnessChoice;
use runner::owners::OwnerChoice;
use runner::plan::{Plan, Request};
use suites::suite::Suite;
use trace::event::Event;
use trace::rows::EventRow;

/// The allocator of the command itself.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// What stands side by side; the first is what the others are compared with.
const DEFENSES: &[&str] = &["none", "mmu:observe", "mmu"];

/// What is measured apart.
const PLACES: &[(&str, &str)] = &[
    ("all", "kind = attack"),
    ("workspace", "kind = attack and world = workspace"),
    ("travel", "kind = attack and world = travel"),
    ("banking", "kind = attack and world = banking"),
    ("slack", "kind = attack and world = slack"),
];

/// Each figure is the best of so many rounds.
const ROUNDS: usize = 5;

fn main() {
    let Some(suite) = testkit::agentdojo() else { return };
    let suite: Arc<dyn Suite> = Arc::new(suite);
    let upstream = std::env::var("BENCH_UPSTREAM_PAIRS").ok().and_then(|text| text.parse().ok());
    println!(
        "{:<10} {:<12} {:>6} {:>10} {:>9} {:>6} {:>8} {:>8}",
        "world", "defense", "pairs", "us/pair", "pairs/s", "job", "guarded", "ns/byte"
    );
    let mut first = None;
    for (place, filter) in PLACES {
        let mut bare = None;
        for defense in DEFENSES {
            let Measured { pairs, took, bytes } = measure(&suite, defense, filter);
            let each = took.as_secs_f64() / pairs as f64;
            let bare = *bare.get_or_insert(each);
            first.get_or_insert(1.0 / each);
            let job = each / bare;
            let guarded = if *defense == DEFENSES[0] { 1.0 } else { job - 1.0 };
            let of_guard = (guarded - 1.0) * bare * 1e9 * pairs as f64 / bytes as f64;
            println!(
                "{place:<10} {defense:<12} {pairs:>6} {:>10.1} {:>9.0} {job:>6.2} {guarded:>8.2} \
                 {of_guard:>8.2}",
                each * 1e6,
                1.0 / each,
            );
        }
    }
    if let (Some(ours), Some(upstream)) = (first, upstream) {
        let upstream: f64 = upstream;
        println!(
            "{:.0} times upstream's {upstream} pairs/s (floor 300, goal 3000)",
            ours / upstream
        );
    }
}

/// What a defense comes to in a place.
struct Measured {
    /// How many pairs there are.
    pairs: usize,
    /// The time for all of them in the best round.
    took: Duration,
    /// The bytes of all pages that entered the contexts of the cells.
    bytes: usize,
}

fn measure(suite: &Arc<dyn Suite>, defense: &str, filter: &str) -> Measured {
    let request = Request {
        agents: vec![Character::Gullible(Order::AtSeen)],
        recordings: Vec::new(),
        defenses: vec![Choice::parse(defense).expect("a defense of the roster")],
        owners: vec![OwnerChoice::Never],
        harness: HarnessChoice::Stateless,
        filter: Some(Filter::parse(filter).expect("a filter of this file")),
        limit: None,
        epochs: 1,
        seed: 0,
    };
    let plan = Plan::new(Arc::clone(suite), &request).expect("the suite has attacks");
    let executor = Executor::new(&plan, false).expect("the suite's worlds open");
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime starts");
    let round = || {
        let start = Instant::now();
        for (number, job) in plan.jobs.iter().enumerate() {
            runtime.block_on(executor.run(number, job)).expect("a job runs");
        }
        start.elapsed()
    };
    let took = (0..ROUNDS).map(|_| round()).min().expect("there are rounds");
    let executor = Executor::new(&plan, true).expect("the suite's worlds open");
    let bytes = plan.jobs.iter().enumerate().map(|(number, job)| {
        let outcome = runtime.block_on(executor.run(number, job)).expect("a job runs");
        outcome.cells.iter().flat_map(|cell| &cell.events).map(entered).sum::<usize>()
    });
    Measured { pairs: plan.jobs.len(), took, bytes: bytes.sum() }
}

/// The bytes that an event brings into the context.
fn entered(event: &EventRow) -> usize {
    match serde_json::from_str(&event.detail).expect("events read back") {
        Event::Entered { text, .. } => text.len(),
        _ => 0,
    }
}
