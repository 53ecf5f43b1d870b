//! What happens in an episode, in order.

use serde::{Deserialize, Serialize};

use crate::call::ToolCall;
use crate::tool::{Channel, Effect};

/// Where information crosses a boundary that a defense guards (`mmu.md` §2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Crossing {
    /// Content enters a context.
    Map,
    /// Content leaves for storage.
    Derive,
    /// Content comes back from storage.
    Reload,
    /// Content leaves as an action.
    Authorize,
}

impl Crossing {
    /// All crossings, in the order of an episode.
    pub const ALL: &[Self] = &[Self::Map, Self::Derive, Self::Reload, Self::Authorize];

    /// The word in files.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Map => "map",
            Self::Derive => "derive",
            Self::Reload => "reload",
            Self::Authorize => "authorize",
        }
    }
}

/// A defense's fault, in words that name no payload: fixed codes, page numbers, argument paths.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    /// The crossing.
    pub crossing: Crossing,
    /// The fault's name, such as `ConfusedDeputy`.
    pub name: String,
    /// The reason's code, such as `LowAuthority`.
    pub reason: String,
    /// The page, by its number in the episode.
    pub page: Option<u32>,
    /// The page's channel.
    pub channel: Option<Channel>,
    /// The argument's path, for calls.
    pub argument: Option<String>,
}

/// How a tool call ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum CallOutcome {
    /// The world carried it out and answered.
    Done,
    /// The world was asked and answered with an error.
    Failed {
        /// The error's text.
        error: String,
    },
    /// A defense refused it, or the owner did; the world never saw it.
    Refused {
        /// Why.
        faults: Vec<Fault>,
        /// Whether the owner was asked.
        asked: bool,
    },
}

/// An approval request and its answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Approval {
    /// The arguments that made the defense ask, each with its fault.
    pub faults: Vec<Fault>,
    /// Whether the owner granted it.
    pub granted: bool,
    /// Whether the same call had been asked for before in this episode.
    pub repeated: bool,
}

/// How much an owner's act justifies, and where, in a defense's own words.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rights {
    /// The authority.
    pub authority: String,
    /// The scope.
    pub scope: String,
}

/// What an owner's act is about, and what came of it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Terms {
    /// Whether a defense was told of it: only then is it known whether it widens.
    pub mediated: bool,
    /// The name of an approval in advance.
    pub name: Option<String>,
    /// Its tool.
    pub tool: Option<String>,
    /// The channel of the content, or of the source of an approval in advance.
    pub channel: Option<Channel>,
    /// How often it may be used.
    pub uses: Option<u32>,
    /// The last moment at which it holds, in seconds since the course began.
    pub expires: Option<u64>,
    /// What was justified before.
    pub before: Option<Rights>,
    /// What is justified from now on.
    pub after: Option<Rights>,
}

/// An event of an episode.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum Event {
    /// A page entered the context.
    Entered {
        /// Its number, from 0.
        page: u32,
        /// Its channel.
        channel: Channel,
        /// Its text, as the agent sees it.
        text: String,
    },
    /// A page was kept out.
    KeptOut {
        /// Its number, from 0.
        page: u32,
        /// Its channel.
        channel: Channel,
        /// Why.
        fault: Fault,
    },
    /// The agent asked for a call, and this came of it.
    Called {
        /// The agent's turn, from 0.
        turn: u32,
        /// The call as requested, string lists already converted as upstream converts them.
        call: ToolCall,
        /// The tool's effect; `None` for a tool that does not exist.
        effect: Option<Effect>,
        /// Whether a defense judged it.
        mediated: bool,
        /// The approval request, where there was one.
        approval: Option<Approval>,
        /// The approval in advance on which it was let through, by its name, where it was one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        in_advance: Option<String>,
        /// Faults that were noted and not enforced (`observe`).
        noted: Vec<Fault>,
        /// How it ended.
        outcome: CallOutcome,
    },
    /// The agent's final answer.
    Answered {
        /// Its text.
        text: String,
    },
    /// The rounds were used up before the agent was done.
    RoundsExhausted,
    /// A session opened.
    Opened {
        /// Its number in the episode, from 0.
        session: u32,
        /// Its name in the course.
        name: String,
        /// Whose it is.
        seat: String,
    },
    /// Something was to be stored.
    Stored {
        /// The record; `None` where nothing was stored.
        record: Option<u32>,
        /// On which path: a memory tool's name, an occasion, or what the harness did.
        path: String,
        /// Whether the agent wrote it.
        asked: bool,
        /// The records that it was made from: one for a copy, several where they became one.
        of: Vec<u32>,
        /// What was found on the way.
        faults: Vec<Fault>,
    },
    /// A record came back into a context, as a page.
    Reloaded {
        /// The record.
        record: u32,
        /// The page.
        page: u32,
        /// What was found on the way, and did not keep it out.
        noted: Vec<Fault>,
    },
    /// A record was kept out of a context.
    NotReloaded {
        /// The record.
        record: u32,
        /// Why.
        fault: Fault,
    },
    /// A context was saved, with these pages in view.
    Saved {
        /// The pages.
        pages: Vec<u32>,
    },
    /// A saved context came back, with these pages in view.
    Restored {
        /// The pages.
        pages: Vec<u32>,
        /// What did not come back as it was.
        faults: Vec<Fault>,
    },
    /// The owner revoked content.
    Revoked {
        /// The records that no longer come back as they were.
        records: Vec<u32>,
        /// Calls that had been carried out on it before.
        acts: u32,
        /// Approvals that it voided.
        approvals: u32,
    },
    /// The owner approved content or calls in advance, took that back, or granted content.
    OwnerActed {
        /// What he did: `approve`, `allow`, `withdraw`, `grant`.
        act: String,
        /// Whether it covers more than what he last said of the same content or tool.
        widens: bool,
        /// Why it had no effect, where it had none.
        fault: Option<Fault>,
        /// What it is about, and what came of it.
        #[serde(default)]
        terms: Terms,
    },
    /// Something else of the harness's life: `compact`, `reset`, `expire`, `recycle`, `advance`.
    Lived {
        /// What.
        what: String,
    },
}
