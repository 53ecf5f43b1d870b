//! What a scripted agent is given to do: calls and an answer, as data.

use serde::{Deserialize, Serialize};

use crate::call::ToolCall;
use crate::tool::Channel;

/// Why a value of a step needs not stand in anything that the agent saw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Exemption {
    /// Made from what was seen, or the agent's own words: a sum, a summary, a subject line.
    Computed,
    /// Taken from the live environment without reading it first, as upstream's own script does.
    Unseen,
}

impl Exemption {
    /// The word in files.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Computed => "computed",
            Self::Unseen => "unseen",
        }
    }

    /// The exemption of that name.
    pub fn parse(name: &str) -> Option<Self> {
        [Self::Computed, Self::Unseen].into_iter().find(|one| one.as_str() == name)
    }
}

/// One call of a script.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// The call.
    pub call: ToolCall,
    /// The arguments whose values need no source, by name.
    pub exempt: Vec<(String, Exemption)>,
}

/// A task's calls in order, and what is said at the end.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Script {
    /// The calls.
    pub steps: Vec<Step>,
    /// The text that belongs to the final answer.
    pub answer: String,
}

/// What an agent does in one session of a [`course`](crate::course).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Part {
    /// The session, by its name. A job's sessions are named `job`.
    pub session: String,
    /// What it does of its own accord, from the session's first turn on: the user's task.
    pub user: Script,
    /// What it is led to by what it sees. Each happens once in a session.
    pub reactions: Vec<Reaction>,
}

/// What an agent does once it sees something.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reaction {
    /// What must stand in its view: one of the texts of each sight.
    pub sees: Vec<Sight>,
    /// Whether this is the attack's own, and not a part of the user's task.
    pub attack: bool,
    /// The calls, memory tools among them. Every value must stand in its view, or be exempt.
    pub script: Script,
    /// What it writes where the harness asks for a text, as the sight suggested.
    pub notes: Vec<Note>,
}

/// A text that must stand in a message, whole.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sight {
    /// One of these.
    pub texts: Vec<String>,
    /// In a message of this channel; of any but the harness's own where it is `None`.
    pub channel: Option<Channel>,
}

/// A text that an agent writes when the harness asks for one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// When.
    pub occasion: Occasion,
    /// The text.
    pub text: String,
}

/// When a harness asks an agent for a text to be stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Occasion {
    /// Facts are extracted from a session.
    Extract,
    /// A context is compacted, or a session summed up.
    Summarise,
    /// What went well becomes a skill.
    Reflect,
}

impl Occasion {
    /// The word in files.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Extract => "extract",
            Self::Summarise => "summarise",
            Self::Reflect => "reflect",
        }
    }
}
