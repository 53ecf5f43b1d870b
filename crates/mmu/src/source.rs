//! Where content came in, as the harness stamped it.

use crate::{Authority, PageId, Producer, Scope, Tenant};

/// The channel through which content entered. The *harness* stamps it; never the content, never
/// the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Source {
    /// Words that this tenant typed. Pasted or prefilled text is [`Self::Pasted`].
    Typed(Tenant),
    /// A preference that this tenant set himself.
    OwnPreference(Tenant),
    /// A teammate's instruction file whose exact bytes this tenant has approved.
    ApprovedInstruction(Tenant),
    /// A tool's reply, description or error.
    Tool,
    /// A web page or a search result.
    Web,
    /// A file or an attachment.
    File,
    /// A mail or a chat message.
    Mail,
    /// Another agent's message.
    Peer,
    /// Text that the user pasted, or that a link prefilled.
    Pasted,
    /// The agent's own model.
    Model,
}

impl Source {
    /// The base authority of what comes in here.
    #[inline]
    pub fn authority(self) -> Authority {
        match self {
            Self::Typed(_) => Authority::Policy,
            Self::OwnPreference(_) => Authority::Preference,
            Self::ApprovedInstruction(_) => Authority::Guidance,
            Self::Tool
            | Self::Web
            | Self::File
            | Self::Mail
            | Self::Peer
            | Self::Pasted
            | Self::Model => Authority::Evidence,
        }
    }

    /// The tenant that stands behind the channel; a channel without one acts for the context's.
    #[inline]
    pub fn tenant(self) -> Option<Tenant> {
        match self {
            Self::Typed(tenant)
            | Self::OwnPreference(tenant)
            | Self::ApprovedInstruction(tenant) => Some(tenant),
            _ => None,
        }
    }

    #[inline]
    pub(crate) fn producer(self) -> Producer {
        match self {
            Self::Typed(_) | Self::OwnPreference(_) | Self::Pasted => Producer::Person,
            Self::ApprovedInstruction(_) | Self::Peer => Producer::Peer,
            Self::Tool | Self::Web | Self::File | Self::Mail => Producer::Tool,
            Self::Model => Producer::Model,
        }
    }
}

/// Content at the door: its channel and, where the harness knows more, its page and its scope.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arrival {
    /// The channel.
    pub source: Source,
    /// The page, where this is a resource that has one already: the same file, URL, mail or record
    /// is the same page. `None` gives it a new one.
    pub page: Option<PageId>,
    /// Where it may be used. `None`: this task and all sessions; for preferences, everywhere.
    pub scope: Option<Scope>,
}

impl From<Source> for Arrival {
    fn from(source: Source) -> Self {
        Self { source, page: None, scope: None }
    }
}
