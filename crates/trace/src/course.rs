//! A course: an episode of several sessions, as plain data without answers.
//!
//! A course says who takes part, what stands in memory before the first word, what comes in from
//! outside, and in which order people speak and the harness's life goes on. What an agent does in it
//! stands apart, in [`crate::script::Part`]s, and what would be a success stands in neither. The
//! paged harness runs it; a single prompt is the course of one session with one turn.

use serde::{Deserialize, Serialize};

use crate::allowance::Allowance;
use crate::tool::Channel;

/// An episode of several sessions.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Course {
    /// Who takes part. The first seat is the owner's, whom the cell's defense serves.
    pub seats: Vec<Seat>,
    /// What stands in memory at the start.
    pub seeds: Vec<Seed>,
    /// What comes in from outside.
    pub deliveries: Vec<Delivery>,
    /// What happens, in order.
    pub stages: Vec<Stage>,
    /// How much room there is.
    pub budget: Budget,
    /// Whether a new record and one that says nearly the same become one.
    #[serde(default)]
    pub consolidates: bool,
}

/// An agent with its tenant and its memory.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seat {
    /// The agent's name within the course.
    pub name: String,
    /// The tenant for whom it acts: whoever types in its sessions.
    pub tenant: u32,
    /// The stores that it retrieves from; it writes to the first. Seats that name the same store
    /// share it.
    pub stores: Vec<String>,
}

impl Seat {
    /// A seat with one store.
    pub fn new(name: impl Into<String>, tenant: u32, store: impl Into<String>) -> Self {
        Self { name: name.into(), tenant, stores: vec![store.into()] }
    }
}

/// A record that stands in memory before the first session.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seed {
    /// Its name within the course.
    pub id: String,
    /// The store that it stands in.
    pub store: String,
    /// The tenant whose it is.
    pub tenant: u32,
    /// What kind of page it is.
    pub kind: PageKind,
    /// Where its content came from when it was stored: [`Channel::Preference`] for what the owner
    /// set himself, [`Channel::User`] for what he typed, anything else for what he did not write.
    pub channel: Channel,
    /// Its text.
    pub text: String,
}

/// The kinds of pages, after ClawVM. A kind decides how far a page may be degraded.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
)]
#[serde(rename_all = "kebab-case")]
pub enum PageKind {
    /// What every session begins with. At least its fields stay in view.
    Bootstrap,
    /// What must hold. At least its fields stay in view.
    Constraint,
    /// A procedure, a skill, a job to be done.
    Plan,
    /// What somebody likes or wants.
    Preference,
    /// A fact.
    #[default]
    Evidence,
    /// What was said.
    Conversation,
}

impl PageKind {
    /// All kinds, in the order in which they are given up last to first.
    pub const ALL: &[Self] = &[
        Self::Bootstrap,
        Self::Constraint,
        Self::Plan,
        Self::Preference,
        Self::Evidence,
        Self::Conversation,
    ];

    /// Whether every session begins with such a page.
    pub fn opens_sessions(self) -> bool {
        matches!(self, Self::Bootstrap | Self::Constraint)
    }

    /// The word in files.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Bootstrap => "bootstrap",
            Self::Constraint => "constraint",
            Self::Plan => "plan",
            Self::Preference => "preference",
            Self::Evidence => "evidence",
            Self::Conversation => "conversation",
        }
    }
}

/// Content from outside that the harness takes in itself: a link's prefilled words, a peer's
/// message, a skill's file, a tool's description. What stands in the world and is read by a tool
/// needs no delivery.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Delivery {
    /// Its name within the course.
    pub name: String,
    /// The channel that the harness stamps.
    pub channel: Channel,
    /// The tenant who typed it, where the channel is [`Channel::User`] and he is another.
    #[serde(default)]
    pub tenant: Option<u32>,
    /// Its text, byte for byte.
    pub text: String,
}

/// How much room there is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Budget {
    /// Tokens that a context may hold before pages are degraded.
    pub tokens: u32,
    /// Records that one retrieval brings back at most.
    pub records: u32,
}

impl Default for Budget {
    fn default() -> Self {
        Self { tokens: 4_000, records: 5 }
    }
}

/// A part of a course.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stage {
    /// A session.
    Session(Session),
    /// Something that happens while no session is open.
    Between(Event),
    /// So many sessions about something else, each with its own words and its own record.
    Fillers(u32),
    /// Every job of the first seat's tenant that is due by the clock runs, each in a session of its
    /// own at which nobody is present.
    Jobs,
}

/// A session: one context, from its opening to its end.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Session {
    /// Its name within the course; scripts name it.
    pub name: String,
    /// Whose it is, by the seat's name.
    pub seat: String,
    /// The task that it belongs to. Replies and memory may be used within their task.
    #[serde(default)]
    pub task: u32,
    /// Whether somebody is there to be asked.
    #[serde(default = "yes")]
    pub attended: bool,
    /// What happens in it, in order.
    pub moments: Vec<Moment>,
    /// What happens between a call's judgement and its dispatch.
    #[serde(default)]
    pub interrupts: Vec<Interrupt>,
    /// What is written at its end.
    #[serde(default)]
    pub closing: Closing,
}

impl Session {
    /// A session of the first task, with somebody there, at whose end nothing is written.
    pub fn new(name: impl Into<String>, seat: impl Into<String>, moments: Vec<Moment>) -> Self {
        Self {
            name: name.into(),
            seat: seat.into(),
            task: 0,
            attended: true,
            moments,
            interrupts: Vec::new(),
            closing: Closing::default(),
        }
    }

    /// What happens in it of the harness's own life: its moments in order, then what lies within calls.
    pub fn events(&self) -> impl Iterator<Item = &Event> {
        let moments = self.moments.iter().filter_map(|moment| match moment {
            Moment::Event(event) => Some(event),
            _ => None,
        });
        moments.chain(self.interrupts.iter().map(|interrupt| &interrupt.event))
    }
}

fn yes() -> bool {
    true
}

/// Something that happens in a session.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Moment {
    /// The tenant types this. Records that fit it are brought back, then the agent acts until it
    /// answers.
    User(String),
    /// The tenant types this and says that it is to be remembered: the harness stores a copy of the
    /// whole turn, then goes on as with [`Moment::User`].
    Remember(String),
    /// A delivery enters, by its name. The agent sees it with the next turn.
    Deliver(String),
    /// Records that fit these words are brought back without a turn.
    Retrieve(String),
    /// Something of the harness's own life.
    Event(Event),
}

/// An event between a call's judgement and its dispatch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Interrupt {
    /// The first call of this tool that is allowed, in this session.
    pub tool: String,
    /// What happens before it is dispatched.
    pub event: Event,
}

/// What is written at a session's end, in this order. The agent's words are taken where it has some.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Closing {
    /// Facts are extracted from what was said and read.
    pub extract: bool,
    /// A summary of the session is stored.
    pub summarise: bool,
    /// What went well is stored as a skill.
    pub reflect: bool,
}

/// An event of a harness's life.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Event {
    /// The session's context is compacted: a summary stands for what was said and read.
    Compact,
    /// The session's context is cleared; what is staged is written back first.
    Reset,
    /// The session and its store are saved under a name.
    Save(String),
    /// What was saved comes back: the context becomes this session's, and the stores are what they
    /// were. Between sessions, the next session of the same seat begins with it.
    Restore(String),
    /// The owner revokes content.
    Revoke(Content),
    /// The owner approves content that he was shown, byte for byte.
    Approve {
        /// The content.
        content: Content,
        /// Up to which authority.
        ceiling: Ceiling,
        /// The values in it that he approves; all of it where there are none.
        #[serde(default)]
        values: Vec<String>,
    },
    /// The owner takes his last approval or grant of this content back.
    Withdraw(Content),
    /// The owner approves calls in advance. The owner is the first seat's tenant.
    Allow(Allowance),
    /// The owner takes back what he approved in advance, by its name.
    Disallow(String),
    /// A copy of a record goes to another seat. Between tenants this is a grant, and the other must
    /// accept it.
    Share {
        /// The content, a record.
        content: Content,
        /// The seat that gets it.
        to: String,
        /// The most that it may count as there; evidence where none is named.
        #[serde(default)]
        ceiling: Option<Ceiling>,
        /// Whether the other side accepts.
        #[serde(default = "yes")]
        accepted: bool,
    },
    /// A record expires: it is gone from its store, and its slot is free.
    Expire(Content),
    /// Other content takes a free slot: whatever names the slot names this from now on.
    Recycle {
        /// The content whose slot it is.
        content: Content,
        /// Where the new content came from.
        channel: Channel,
        /// Its text.
        text: String,
    },
    /// So many seconds go by.
    Advance(u64),
}

/// Content that an event is about.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Content {
    /// A delivery, by its name.
    Delivery(String),
    /// A seed, by its id.
    Seed(String),
    /// What a tool read from a resource, by its key, such as a path: the page of that resource.
    Resource(String),
    /// A record that was stored in a session: the n-th write of that session, from 0, refused ones
    /// not counted.
    Record {
        /// The session's name.
        session: String,
        /// Which of its records, from 0.
        #[serde(default)]
        nth: u32,
    },
}

/// The most that approved content counts as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ceiling {
    /// Nothing more than what anybody wrote.
    Evidence,
    /// A teammate's instructions.
    Guidance,
    /// The owner's preference.
    Preference,
    /// The owner's own words.
    Policy,
}

impl Ceiling {
    /// The word in files.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Evidence => "evidence",
            Self::Guidance => "guidance",
            Self::Preference => "preference",
            Self::Policy => "policy",
        }
    }
}

/// The tools of memory that every agent of the paged harness is offered. None takes a label.
pub mod tools {
    /// `memory_store(text)`: stores a record of the agent's own words.
    pub const STORE: &str = "memory_store";
    /// `memory_search(query)`: brings records back.
    pub const SEARCH: &str = "memory_search";
    /// `schedule_job(after, instruction)`: a job for later, in seconds from now.
    pub const SCHEDULE: &str = "schedule_job";
    /// `message_agent(to, text)`: a message to another seat, which finds it when its next session
    /// opens.
    pub const MESSAGE: &str = "message_agent";

    /// All of them.
    pub const ALL: &[&str] = &[STORE, SEARCH, SCHEDULE, MESSAGE];
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_course_reads_as_it_is_written() {
        let content = Content::Record { session: "one".to_owned(), nth: 0 };
        let course = Course {
            seats: vec![Seat::new("a", 0, "own")],
            stages: vec![
                Stage::Session(Session {
                    closing: Closing { extract: true, ..Closing::default() },
                    ..Session::new("one", "a", vec![Moment::User("hello".to_owned())])
                }),
                Stage::Between(Event::Revoke(content)),
                Stage::Fillers(3),
                Stage::Jobs,
            ],
            ..Course::default()
        };
        let text = serde_json::to_string(&course).unwrap();
        assert_eq!(serde_json::from_str::<Course>(&text).unwrap(), course);
    }
}
