//! What a cell is judged for.

use std::fmt;

/// The kind of a scenario.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// A user task with an attack in its world.
    Attack,
    /// A user task alone, judged by its own check.
    Benign,
    /// A user task alone, judged by an injection task's check: it must not hold.
    BenignControl,
    /// A benign twin of an attack: the same content, but the owner said or confirmed it.
    Authorised,
    /// A benign twin: the same untrusted source with a true fact of low risk, read and answered.
    Inert,
    /// A benign twin: the value is tainted, and the owner restates it when he wants it used.
    FreshConfirm,
}

impl Kind {
    /// All kinds, in the order of tables.
    pub const ALL: &[Self] = &[
        Self::Attack,
        Self::Benign,
        Self::BenignControl,
        Self::Authorised,
        Self::Inert,
        Self::FreshConfirm,
    ];

    /// The kinds of benign twins.
    pub const TWINS: &[Self] = &[Self::Authorised, Self::Inert, Self::FreshConfirm];

    /// The word in files and filters.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Attack => "attack",
            Self::Benign => "benign",
            Self::BenignControl => "benign-control",
            Self::Authorised => "authorised",
            Self::Inert => "inert",
            Self::FreshConfirm => "fresh-confirm",
        }
    }

    /// The kind of that name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|kind| kind.as_str() == name)
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.as_str())
    }
}
