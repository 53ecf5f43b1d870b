//! The paged harness keeps its promises: budgets, write-back, checkpoints, and hooks in order.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::collections::VecDeque;
use std::sync::{Arc, LazyLock, Mutex};

use async_trait::async_trait;
use harness::agent::{Act, Agent, Invalid, Message, View};
use harness::defense::{Defense, Entry, Hook};
use harness::episode::{Cast, Record};
use harness::memory::{Comeback, Kept, Opening, Reload, Write, Writer};
use harness::owner::{Owner, Request};
use harness::paged::page::tokens;
use harness::paged::{neutral_seeds, run};
use serde_json::{Value, json};
use trace::call::{Reply, ToolCall, ToolError};
use trace::course::{
    Budget, Content, Course, Event as Lifecycle, Moment, Seat, Session, Stage, tools,
};
use trace::event::{Crossing, Event, Fault};
use trace::tool::{Capability, Channel, Effect, ToolSpec};
use world::World;

/// A world whose every reading tool answers with many words.
struct Library;

static TOOLS: LazyLock<Arc<[ToolSpec]>> = LazyLock::new(|| {
    let tool = |name: &str, effect| {
        let capability = Capability { effect, resource_key: None, arguments: Vec::new() };
        ToolSpec {
            name: name.to_owned(),
            description: String::new(),
            parameters: Vec::new(),
            channel: Channel::File,
            automatic: capability.clone(),
            capability,
        }
    };
    Arc::from([tool("read", Effect::Read), tool("write", Effect::Write)])
});

impl World for Library {
    fn tools(&self) -> &Arc<[ToolSpec]> {
        &TOOLS
    }

    fn call(&mut self, call: &ToolCall) -> Result<Reply, ToolError> {
        let of = call.args.get("of").and_then(Value::as_str).unwrap_or("nothing");
        Ok(Reply { text: format!("Title: {of}\n{}", format!("{of} and more ").repeat(60)) })
    }
}

/// An agent that does what it was told, one act a turn, and keeps what it saw last.
#[derive(Default)]
struct Told {
    acts: VecDeque<Act>,
    views: Vec<Vec<Message>>,
}

#[async_trait]
impl Agent for Told {
    async fn turn(&mut self, view: View<'_>) -> Result<Act, Invalid> {
        self.views.push(view.messages.to_vec());
        Ok(self.acts.pop_front().unwrap_or(Act::Answer(String::new())))
    }
}

struct Nobody;

impl Owner for Nobody {
    fn grants(&mut self, _: Request<'_>) -> bool {
        false
    }
}

/// A defense that lets everything through and takes note, but for the hook that it refuses.
#[derive(Default)]
struct Watch {
    seen: Arc<Mutex<Vec<String>>>,
    refuses: Option<Hook>,
}

impl Watch {
    fn note(&self, text: String) {
        self.seen.lock().unwrap().push(text);
    }

    fn fault(crossing: Crossing) -> Fault {
        Fault {
            crossing,
            name: "Refused".to_owned(),
            reason: "Test".to_owned(),
            page: None,
            channel: None,
            argument: None,
        }
    }
}

impl Defense for Watch {
    fn hooks(&self) -> &'static [Hook] {
        Hook::ALL
    }

    fn on_open(&mut self, opening: &Opening) {
        self.note(format!("open {}", opening.session));
    }

    fn on_derive(&mut self, write: &Write<'_>) -> Kept {
        let by = if write.by == Writer::Agent { "agent" } else { "harness" };
        self.note(format!("derive {by} {:?}", write.form));
        match self.refuses {
            Some(Hook::Derive) => Kept::Refused(Self::fault(Crossing::Derive)),
            _ => Kept::AsIs,
        }
    }

    fn on_retrieve(&mut self, candidates: &mut Vec<u32>) {
        if self.refuses == Some(Hook::Retrieve) {
            candidates.clear();
        }
    }

    fn on_reload(&mut self, reload: &Reload<'_>) -> Comeback {
        self.note(format!("reload {}", reload.record));
        let entry = match self.refuses {
            Some(Hook::Reload) => Entry::Refuse(Self::fault(Crossing::Reload)),
            _ => Entry::Admit,
        };
        Comeback { entry, noted: Vec::new() }
    }

    fn on_evict(&mut self, page: u32) {
        self.note(format!("evict {page}"));
    }
}

fn call(function: &str, args: Value) -> Act {
    let Value::Object(args) = args else { unreachable!("an object literal") };
    Act::Call(vec![ToolCall { function: function.to_owned(), args }])
}

fn done() -> Act {
    Act::Answer(String::new())
}

fn store(text: &str) -> Act {
    call(tools::STORE, json!({ "text": text }))
}

fn user(text: &str) -> Moment {
    Moment::User(text.to_owned())
}

fn event(event: Lifecycle) -> Moment {
    Moment::Event(event)
}

fn session(name: &str, moments: Vec<Moment>) -> Stage {
    Stage::Session(Session::new(name, "agent", moments))
}

fn course(stages: Vec<Stage>, tokens: u32) -> Course {
    Course {
        seats: vec![Seat::new("agent", 0, "own")],
        seeds: neutral_seeds("own"),
        stages,
        budget: Budget { tokens, records: 5 },
        ..Course::default()
    }
}

fn play(course: &Course, acts: Vec<Act>, watch: Watch) -> (Record, Told) {
    let mut agent = Told { acts: acts.into(), views: Vec::new() };
    let (mut world, mut watch, mut owner) = (Library, watch, Nobody);
    let cast =
        Cast { world: &mut world, agent: &mut agent, defense: &mut watch, owner: &mut owner };
    // Nothing here waits, so one poll is the whole episode.
    let mut episode = Box::pin(run(cast, course));
    let mut context = std::task::Context::from_waker(std::task::Waker::noop());
    let std::task::Poll::Ready(record) = episode.as_mut().poll(&mut context) else {
        panic!("an episode of told agents never waits")
    };
    drop(episode);
    (record.unwrap(), agent)
}

fn size(view: &[Message]) -> u32 {
    view.iter().map(|message| tokens(&message.text)).sum()
}

#[test]
fn pages_of_earlier_turns_are_degraded_until_the_budget_is_met() {
    let reads = ["apples", "pears", "plums", "figs"];
    let mut acts = Vec::new();
    for of in reads {
        acts.extend([call("read", json!({ "of": of })), done()]);
    }
    acts.push(done());
    let mut moments: Vec<Moment> = reads.iter().map(|of| user(&format!("Read of {of}."))).collect();
    moments.push(user("And now?"));
    let (record, agent) = play(&course(vec![session("a", moments)], 450), acts, Watch::default());
    let last = agent.views.last().unwrap();
    assert!(size(last) <= 450, "{}", size(last));
    let words = |start: &str| {
        let page = last.iter().find(|message| message.text.starts_with(start));
        page.map(|message| message.text.split_whitespace().count())
    };
    assert_eq!(words("assistant:"), Some(11), "what every session begins with stays in full");
    for of in ["apples", "pears", "plums"] {
        assert_eq!(words(&format!("Title: {of}")), Some(32), "{of}: the older are compressed");
    }
    assert_eq!(words("Title: figs"), Some(182), "the latest is as full as there is room");
    assert!(
        last.iter().any(|message| message.text.ends_with(": conversation]")),
        "talk goes first"
    );
    assert_eq!(record.memory.unwrap().faults.pinned, 0);
}

#[test]
fn a_page_never_falls_below_its_least_form_and_the_refusal_is_counted() {
    let moments = vec![user("One."), user("Two.")];
    let (record, agent) =
        play(&course(vec![session("a", moments)], 1), Vec::new(), Watch::default());
    let last = agent.views.last().unwrap();
    let fields = last.iter().find(|message| message.text.starts_with("assistant:")).unwrap();
    assert_eq!(fields.text.lines().count(), 2, "a bootstrap page keeps its fields");
    assert_eq!(record.memory.unwrap().faults.pinned, 2, "one for each turn");
}

#[test]
fn a_write_is_staged_for_its_session_and_written_back_at_its_end() {
    let stages = vec![
        session("a", vec![user("Keep what I say of the lighthouse."), event(Lifecycle::Reset)]),
        session("b", vec![user("Where is the lighthouse?")]),
    ];
    let find = || call(tools::SEARCH, json!({ "query": "lighthouse" }));
    let acts =
        vec![store("The lighthouse stands at the cape."), find(), store("  "), done(), done()];
    let (record, agent) = play(&course(stages, 4_000), acts, Watch::default());
    let found = &agent.views[2];
    assert!(found.iter().any(|message| message.text.contains("at the cape")), "by its own session");
    let later = agent.views.last().unwrap();
    assert!(later.iter().any(|message| message.text.contains("at the cape")), "by a later one");
    let memory = record.memory.unwrap();
    assert_eq!(memory.faults.flush_miss, 1, "what holds nothing is rejected");
    assert_eq!(memory.texts.len(), 41);
    let rejected = Event::Lived { what: "rejected: empty".to_owned() };
    assert!(record.events.contains(&rejected));
}

#[test]
fn asking_again_for_what_is_in_view_or_was_is_counted_apart() {
    let read = || call("read", json!({ "of": "maps" }));
    let write = call("write", json!({}));
    let moments = vec![user("One."), event(Lifecycle::Compact), user("Two.")];
    let acts = vec![read(), read(), done(), read(), write, read(), done()];
    let (record, _) = play(&course(vec![session("a", moments)], 9_000), acts, Watch::default());
    let faults = record.memory.unwrap().faults;
    assert_eq!((faults.duplicate_tool, faults.refetch), (1, 1), "and none after an effect");
}

#[test]
fn a_checkpoint_brings_the_stores_back_and_gives_no_number_twice() {
    let save = event(Lifecycle::Save("x".to_owned()));
    let stages = vec![
        session("a", vec![user("Begin."), save]),
        session("b", vec![user("Go on.")]),
        Stage::Between(Lifecycle::Restore("x".to_owned())),
        Stage::Fillers(1),
        session("c", vec![user("And again.")]),
    ];
    let acts = vec![store("first"), done(), store("second"), done(), store("third"), done()];
    let (record, agent) = play(&course(stages, 4_000), acts, Watch::default());
    let memory = record.memory.unwrap();
    assert!(
        memory.texts.contains(&"first".to_owned()) && memory.texts.contains(&"third".to_owned())
    );
    assert!(!memory.texts.contains(&"second".to_owned()), "it was written after the checkpoint");
    assert!(
        memory.texts.iter().any(|text| text.starts_with("Day 1:")),
        "written after the restore"
    );
    let view = agent.views.last().unwrap();
    assert!(view.iter().any(|message| message.text == "Begin."), "the saved context is back");
    let records: Vec<u32> = record
        .events
        .iter()
        .filter_map(|event| match event {
            Event::Stored { record, .. } => *record,
            _ => None,
        })
        .collect();
    assert_eq!(records.len(), 4);
    assert!(records.is_sorted_by(|one, next| one < next), "{records:?}");
    let pages: Vec<u32> = record
        .events
        .iter()
        .filter_map(|event| match event {
            Event::Entered { page, .. } => Some(*page),
            _ => None,
        })
        .collect();
    assert!(pages.is_sorted_by(|one, next| one < next), "{pages:?}");
}

#[test]
fn a_compaction_keeps_what_a_session_begins_with_and_the_user_s_words() {
    let moments =
        vec![user("The owl sits in the barn."), event(Lifecycle::Compact), user("Go on.")];
    let (record, agent) =
        play(&course(vec![session("a", moments)], 4_000), Vec::new(), Watch::default());
    let view = agent.views.last().unwrap();
    let texts: Vec<&str> = view.iter().map(|message| message.text.as_str()).collect();
    assert!(texts[0].starts_with("assistant:"), "{texts:?}");
    assert!(texts.contains(&"The owl sits in the barn."), "{texts:?}");
    let memory = record.memory.unwrap();
    assert_eq!((memory.faults.bootstrap, memory.texts.len()), (0, 41));
}

#[test]
fn every_crossing_of_memory_is_told_to_the_defense_and_timed() {
    let watch = Watch::default();
    let seen = Arc::clone(&watch.seen);
    let stages = vec![
        session("a", vec![user("Keep the fox."), event(Lifecycle::Save("x".to_owned()))]),
        session("b", vec![user("Where is the fox?")]),
    ];
    let mut course = course(stages, 4_000);
    course.seeds.clear();
    let (record, _) = play(&course, vec![store("The fox is red."), done()], watch);
    let seen = seen.lock().unwrap().clone();
    assert_eq!(seen, ["open 0", "derive agent Full", "open 1", "reload 0"]);
    for hook in [Hook::Open, Hook::Derive, Hook::Retrieve, Hook::Reload, Hook::Checkpoint] {
        let timed = record.timings.samples().iter().any(|sample| sample.hook == hook);
        assert!(timed, "{hook:?}");
    }
}

#[test]
fn what_a_defense_refuses_does_not_come_and_is_counted() {
    let stages = || vec![session("a", vec![user("Is there a bicycle?"), user("And now?")])];
    let refusing = |hook| Watch { refuses: Some(hook), ..Watch::default() };
    let memory = |record: &Record, view: &[Message]| {
        let shown = view.iter().any(|message| message.channel == Channel::Memory);
        (shown, record.memory.as_ref().unwrap().faults)
    };
    let (record, agent) = play(&course(stages(), 4_000), Vec::new(), Watch::default());
    let (shown, faults) = memory(&record, &agent.views[1]);
    assert!(shown && faults.silent_recall == 0 && faults.bootstrap == 0);
    let (record, agent) = play(&course(stages(), 4_000), Vec::new(), refusing(Hook::Reload));
    let (shown, faults) = memory(&record, &agent.views[1]);
    assert_eq!((shown, faults.silent_recall, faults.bootstrap), (false, 1, 2));
    let (record, agent) = play(&course(stages(), 4_000), Vec::new(), refusing(Hook::Retrieve));
    let bicycle = agent.views[1].iter().any(|message| message.text.contains("bicycle was"));
    assert!(!bicycle && record.memory.unwrap().faults.bootstrap == 0);
    let acts = vec![store("The bicycle is mine."), done()];
    let (record, _) = play(&course(stages(), 4_000), acts, refusing(Hook::Derive));
    // Nothing is planted either.
    assert_eq!(record.memory.unwrap().texts.len(), 0);
}

#[test]
fn what_an_event_names_and_never_was_changes_nothing() {
    let never = || Content::Resource("attic".to_owned());
    let mut stages: Vec<Stage> = [
        Lifecycle::Revoke(never()),
        Lifecycle::Withdraw(never()),
        Lifecycle::Expire(never()),
        Lifecycle::Share {
            content: never(),
            to: "agent".to_owned(),
            ceiling: None,
            accepted: true,
        },
        Lifecycle::Recycle { content: never(), channel: Channel::Mail, text: "x".to_owned() },
    ]
    .into_iter()
    .map(Stage::Between)
    .collect();
    stages.push(session("a", vec![user("Hello.")]));
    let (record, _) = play(&course(stages, 4_000), Vec::new(), Watch::default());
    assert_eq!(record.memory.unwrap().texts.len(), 40);
}
