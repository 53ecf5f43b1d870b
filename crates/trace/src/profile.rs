//! Profiles: how much of a capability schema is secured.

use serde::{Deserialize, Serialize};

use crate::tool::Role;

/// Which roles of arguments must trace to the owner's words.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
)]
#[serde(rename_all = "lowercase")]
pub enum Profile {
    /// Only destinations.
    Destinations,
    /// Destinations, and the records that are touched.
    #[default]
    Resources,
    /// Everything but words for people.
    Strict,
    /// Everything but words for people, by capability schemas that nobody has reviewed: a rule made
    /// them from names and types alone.
    Auto,
}

impl Profile {
    /// All profiles: the reviewed ones from the least to the most secured, then the one by rule.
    pub const ALL: &[Self] = &[Self::Destinations, Self::Resources, Self::Strict, Self::Auto];

    /// Whether arguments of this role are secured.
    pub fn covers(self, role: Role) -> bool {
        match role {
            Role::Free => false,
            Role::Destination => true,
            Role::Resource => self >= Self::Resources,
            Role::Value => self >= Self::Strict,
        }
    }

    /// The word in files and on the command line.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Destinations => "destinations",
            Self::Resources => "resources",
            Self::Strict => "strict",
            Self::Auto => "auto",
        }
    }

    /// The profile of that name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|profile| profile.as_str() == name)
    }
}
