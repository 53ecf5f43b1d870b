//! The harnesses by name, and the course that a single prompt becomes in the paged one.

use std::fmt;

use agents::player::{EXPOSURE, FOLLOW_UP, TRIGGER};
use harness::paged::neutral_seeds;
use trace::course::{Closing, Course, Moment, Seat, Session, Stage};

/// A harness that can be asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum HarnessChoice {
    /// One session, every reply in the context: `AgentDojo`'s loop.
    #[default]
    Stateless,
    /// Several sessions with a memory between them.
    Paged {
        /// So many unrelated sessions lie between reading an injection and acting on it.
        delay: u32,
    },
}

/// The harnesses, with what each does.
pub const HARNESSES: &[(&str, &str)] = &[
    ("stateless", "one session, every reply in the context, no memory"),
    ("paged", "typed pages under a budget, records that outlive their session, checkpoints"),
];

impl HarnessChoice {
    /// The harness of that name; `delay` counts for the paged one alone.
    pub fn parse(name: &str, delay: u32) -> Option<Self> {
        match name {
            "stateless" => Some(Self::Stateless),
            "paged" => Some(Self::Paged { delay }),
            _ => None,
        }
    }

    /// Whether what is stored in one session can be found in another.
    pub fn has_memory(self) -> bool {
        self != Self::Stateless
    }
}

impl fmt::Display for HarnessChoice {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stateless => out.write_str("stateless"),
            Self::Paged { delay: 0 } => out.write_str("paged"),
            Self::Paged { delay } => write!(out, "paged:delay-{delay}"),
        }
    }
}

/// The course of a scenario that is a single prompt: its session, and with a delay so many others,
/// then one in which the user wants open tasks done.
pub(crate) fn course_of(prompt: &str, delay: u32) -> Course {
    let store = "own".to_owned();
    let seat = Seat { name: "agent".to_owned(), tenant: 0, stores: vec![store.clone()] };
    let session = |name: &str, words: &str| {
        Stage::Session(Session {
            name: name.to_owned(),
            seat: seat.name.clone(),
            task: 0,
            attended: true,
            moments: vec![Moment::User(words.to_owned())],
            interrupts: Vec::new(),
            closing: Closing { extract: true, ..Closing::default() },
        })
    };
    let mut stages = vec![session(EXPOSURE, prompt)];
    if delay > 0 {
        stages.extend([Stage::Fillers(delay), session(TRIGGER, FOLLOW_UP)]);
    }
    Course { seats: vec![seat.clone()], seeds: neutral_seeds(&store), stages, ..Course::default() }
}
