//! The agents by name.

use std::fmt;

/// When a gullible agent does what a payload asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Order {
    /// Right after the message that first shows it, then the rest of the user's task.
    AtSeen,
    /// After the whole of the user's task.
    AfterUser,
    /// Right after the message that first shows it, and nothing after.
    OnlyInjection,
}

/// Who acts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Character {
    /// Does the user's task only.
    Loyal,
    /// Does the user's task, and whatever payload it sees.
    Gullible(Order),
    /// Stores what it sees in its own words, and does it in a later session.
    Launderer,
}

/// An agent that can be asked for.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// The name on the command line and in files.
    pub name: &'static str,
    /// What it does, in a line.
    pub about: &'static str,
    /// Who it is.
    pub character: Character,
}

/// The agents, in the order of the documentation. The first gullible one is the default.
pub const AGENTS: &[Entry] = &[
    Entry {
        name: "loyal",
        about: "does the user's task only: benign utility, approvals, benign controls",
        character: Character::Loyal,
    },
    Entry {
        name: "gullible",
        about: "does the user's task, and a payload right when it sees it (at-seen)",
        character: Character::Gullible(Order::AtSeen),
    },
    Entry {
        name: "gullible:after-user",
        about: "does the user's task first, then the payload it has seen",
        character: Character::Gullible(Order::AfterUser),
    },
    Entry {
        name: "gullible:only-injection",
        about: "drops the user's task once it sees a payload",
        character: Character::Gullible(Order::OnlyInjection),
    },
    Entry {
        name: "launderer",
        about: "stores a payload in its own words and acts on it in a later session; without a \
                harness with memory, as gullible",
        character: Character::Launderer,
    },
];

/// Other spellings of a name.
const ALIASES: &[(&str, &str)] = &[("gullible:at-seen", "gullible")];

impl Character {
    /// The agent of that name.
    pub fn parse(name: &str) -> Option<Self> {
        let name = ALIASES.iter().find(|(alias, _)| *alias == name).map_or(name, |(_, name)| name);
        AGENTS.iter().find(|entry| entry.name == name).map(|entry| entry.character)
    }

    /// When the agent does what a payload asks in the session in which it sees it; `None` where it
    /// never does.
    pub(crate) fn order(self) -> Option<Order> {
        match self {
            Self::Loyal => None,
            Self::Gullible(order) => Some(order),
            Self::Launderer => Some(Order::AtSeen),
        }
    }

    /// Whether the agent acts on payloads at all.
    pub fn heeds_payloads(self) -> bool {
        self.order().is_some()
    }
}

impl fmt::Display for Character {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let entry = AGENTS.iter().find(|entry| entry.character == *self);
        out.write_str(entry.map_or("unlisted", |entry| entry.name))
    }
}
