//! What a scripted agent is given to do: calls and an answer, as data.

use crate::call::ToolCall;

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
