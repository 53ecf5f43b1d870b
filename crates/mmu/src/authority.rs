//! How much a piece of content may justify.

/// The level of trust of a representation, from text that may be read and never acted on up to
/// the words of the tenant.
///
/// Levels are totally ordered, and the meet of two levels is the lesser.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Authority {
    /// Outputs of tools, web pages, mails, files, peers and everything that a model writes.
    Evidence,
    /// A teammate's instruction file whose exact bytes the owner has approved.
    Guidance,
    /// A preference that the owner set himself.
    Preference,
    /// The typed words of the tenant whose context it is.
    Policy,
}

impl Authority {
    /// Every level, from the least to the greatest.
    pub const ALL: [Self; 4] = [Self::Evidence, Self::Guidance, Self::Preference, Self::Policy];

    /// The lesser of two levels.
    #[must_use]
    pub fn meet(self, other: Self) -> Self {
        self.min(other)
    }

    /// The level's fixed name, as faults and logs print it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Evidence => "evidence",
            Self::Guidance => "guidance",
            Self::Preference => "preference",
            Self::Policy => "policy",
        }
    }

    /// The level's name as the audit log prints it.
    pub(crate) fn title(self) -> &'static str {
        match self {
            Self::Evidence => "Evidence",
            Self::Guidance => "Guidance",
            Self::Preference => "Preference",
            Self::Policy => "Policy",
        }
    }
}
