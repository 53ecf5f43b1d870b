//! The harnesses by name, and the course that a single prompt becomes in the paged one.

use std::fmt;

use agents::player::{EXPOSURE, FOLLOW_UP, TRIGGER};
use harness::paged::neutral_seeds;
use scenario::scenario::Scenario;
use suites::suite::Suite;
use trace::course::{Closing, Course, Moment, Seat, Session, Stage};

/// A harness that can be asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum HarnessChoice {
    /// One session, every reply in the context: `AgentDojo`'s loop.
    #[default]
    Stateless,
    /// Several sessions with a memory between them.
    Paged(Paged),
}

/// How the harness with memory is set up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Paged {
    /// So many unrelated sessions lie between reading an injection and acting on it.
    pub delay: u32,
    /// Records that say nearly the same become one.
    pub consolidate: bool,
}

/// The harnesses, with what each does.
pub const HARNESSES: &[(&str, &str)] = &[
    ("stateless", "one session, every reply in the context, no memory"),
    ("paged", "typed pages under a budget, records that outlive their session, checkpoints"),
    ("paged:consolidate", "the same, and records that say nearly the same become one"),
];

impl HarnessChoice {
    /// The harness of that name; `delay` counts for the paged one alone.
    pub fn parse(name: &str, delay: u32) -> Option<Self> {
        match name {
            "stateless" => Some(Self::Stateless),
            "paged" => Some(Self::Paged(Paged { delay, consolidate: false })),
            "paged:consolidate" => Some(Self::Paged(Paged { delay, consolidate: true })),
            _ => None,
        }
    }

    /// Whether what is stored in one session can be found in another.
    pub fn has_memory(self) -> bool {
        self != Self::Stateless
    }

    /// How its memory is set up; as it is unless said otherwise where it has none.
    fn memory(self) -> Paged {
        match self {
            Self::Stateless => Paged::default(),
            Self::Paged(paged) => paged,
        }
    }

    /// The harness in which a scenario runs where this one is asked for. A scenario with a course of
    /// its own has its own delays; a suite that is about memory has at least one.
    #[must_use]
    pub fn of_scenario(self, suite: &dyn Suite, scenario: &Scenario) -> Self {
        let memory = self.memory();
        if suite.course(scenario).is_some() {
            Self::Paged(Paged { delay: 0, ..memory })
        } else if suite.recalls_later() {
            Self::Paged(Paged { delay: memory.delay.max(1), ..memory })
        } else {
            self
        }
    }
}

impl fmt::Display for HarnessChoice {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self::Paged(Paged { delay, consolidate }) = self else {
            return out.write_str("stateless");
        };
        out.write_str("paged")?;
        match (delay, consolidate) {
            (0, false) => Ok(()),
            (0, true) => out.write_str(":consolidate"),
            (delay, false) => write!(out, ":delay-{delay}"),
            (delay, true) => write!(out, ":delay-{delay}+consolidate"),
        }
    }
}

/// The course of a scenario that is a single prompt: its session, and with a delay so many others,
/// then one in which the user wants open tasks done.
pub(crate) fn course_of(prompt: &str, delay: u32) -> Course {
    let (name, store) = ("agent", "own");
    let session = |title: &str, words: &str| {
        Stage::Session(Session {
            closing: Closing { extract: true, ..Closing::default() },
            ..Session::new(title, name, vec![Moment::User(words.to_owned())])
        })
    };
    let mut stages = vec![session(EXPOSURE, prompt)];
    if delay > 0 {
        stages.extend([Stage::Fillers(delay), session(TRIGGER, FOLLOW_UP)]);
    }
    let seats = vec![Seat::new(name, 0, store)];
    Course { seats, seeds: neutral_seeds(store), stages, ..Course::default() }
}
