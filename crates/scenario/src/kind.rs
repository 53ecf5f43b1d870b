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
}

impl Kind {
    /// All kinds, in the order of tables.
    pub const ALL: &[Self] = &[Self::Attack, Self::Benign, Self::BenignControl];

    /// The word in files and filters.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Attack => "attack",
            Self::Benign => "benign",
            Self::BenignControl => "benign-control",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.as_str())
    }
}
