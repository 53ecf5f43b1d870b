//! The audit log: one record for each fault and for each act of an owner.

use std::{
    collections::{HashMap, VecDeque},
    fmt,
    sync::Arc,
};

use crate::{Authority, Crossing, Extent, Fault, Kernel, PageId, Reason, Scope, Tenant};

/// The most records that are kept; the oldest go first.
pub const MAX_AUDIT: usize = 16_384;
/// The longest name of a page, in characters; of longer ones, the start.
pub const MAX_NAME: usize = 80;

/// The name of an approval, a standing approval or a grant. Never given twice, also not after a
/// restore.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ApprovalId(pub u64);

impl fmt::Display for ApprovalId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// What became of something that a crossing objected to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// It did not pass.
    Refused,
    /// The owner is asked.
    Asked,
    /// It passed with the label that the kernel computed.
    Relabelled,
    /// It passed, because the kernel only observes.
    Observed,
}

impl Outcome {
    fn word(self) -> &'static str {
        match self {
            Self::Refused => "refused",
            Self::Asked => "asked",
            Self::Relabelled => "relabelled",
            Self::Observed => "observed",
        }
    }
}

/// How much an approval, or a page, justifies, and where.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Rights {
    /// The authority.
    pub authority: Authority,
    /// The scope.
    pub scope: Scope,
}

/// What kind of act an owner did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Act {
    /// He approved one call.
    Call,
    /// He refused one call.
    Refusal,
    /// He approved content.
    Content,
    /// He approved calls in advance.
    Standing,
    /// He offered pages to another tenant.
    Offer,
    /// He accepted such an offer.
    Accept,
    /// He had his words remembered.
    Remember,
    /// He took an approval or a grant back.
    Withdrawal,
}

impl Act {
    fn word(self) -> &'static str {
        match self {
            Self::Call => "approved a call",
            Self::Refusal => "refused a call",
            Self::Content => "approved content",
            Self::Standing => "approved in advance",
            Self::Offer => "offered a grant",
            Self::Accept => "accepted a grant",
            Self::Remember => "had his words remembered",
            Self::Withdrawal => "withdrew",
        }
    }
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// A crossing objected.
    Fault {
        /// The fault.
        fault: Fault,
        /// What became of it.
        outcome: Outcome,
        /// The effective authority of the page that decided, where one did.
        authority: Option<Authority>,
        /// The name that the embedder gave the page.
        name: Option<Arc<str>>,
    },
    /// An owner acted through the approval channel.
    Act {
        /// What he did.
        act: Act,
        /// The approval or grant, where it has a name.
        id: Option<ApprovalId>,
        /// The tool it concerns.
        tool: Option<Arc<str>>,
        /// The page it concerns.
        page: Option<PageId>,
        /// What was justified before, by the content itself or by the last approval for the same
        /// tool or page.
        before: Option<Rights>,
        /// What is justified from now on.
        after: Option<Rights>,
        /// Whether it covers more than the last for the same tool or page.
        widens: bool,
    },
    /// A page was revoked.
    Revoked {
        /// The page.
        page: PageId,
    },
}

/// One record, printed as one line that a person reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditRecord {
    /// Its number, counted from 0.
    pub sequence: u64,
    /// When, in the embedder's own units: the latest time that the kernel was told.
    pub at: u64,
    /// The tenant whose context it was, or who acted.
    pub tenant: Option<Tenant>,
    /// What happened.
    pub event: Event,
}

impl fmt::Display for AuditRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.event {
            Event::Fault { fault, outcome, authority, name } => {
                faulted(f, fault, *outcome, *authority, name.as_deref())
            }
            Event::Revoked { page } => write!(f, "page {} was revoked", page.number),
            Event::Act { act, id, tool, page, before, after, widens } => {
                match self.tenant {
                    Some(tenant) => write!(f, "tenant {} {}", tenant.0, act.word())?,
                    None => f.write_str(act.word())?,
                }
                if let Some(tool) = tool {
                    write!(f, " of {tool}")?;
                }
                if let Some(page) = page {
                    write!(f, " on page {}", page.number)?;
                }
                if let Some(id) = id {
                    write!(f, " (number {id})")?;
                }
                if let Some(after) = after {
                    f.write_str(": ")?;
                    if let Some(before) = before {
                        write!(f, "{before} before, ")?;
                    }
                    write!(f, "{after} after")?;
                }
                f.write_str(if *widens { "; widens" } else { "" })
            }
        }
    }
}

fn faulted(
    f: &mut fmt::Formatter<'_>,
    fault: &Fault,
    outcome: Outcome,
    authority: Option<Authority>,
    name: Option<&str>,
) -> fmt::Result {
    match fault.page {
        Some(page) => write!(f, "page {}", page.number)?,
        None => f.write_str("a value of no page")?,
    }
    match (fault.crossing, &fault.tool) {
        (Crossing::Authorize, Some(tool)) => write!(f, " tried to drive {tool}")?,
        (Crossing::Authorize, None) => f.write_str(" tried to drive an unknown tool")?,
        (Crossing::Map, _) => f.write_str(" tried to enter")?,
        (Crossing::Derive, _) => f.write_str(" tried to store more than it may")?,
        (Crossing::Reload, _) => f.write_str(" tried to come back")?,
    }
    write!(f, ": {}", outcome.word())?;
    match (authority, name, fault.reason) {
        (Some(authority), Some(name), reason) => {
            write!(f, ", {} from {name}", authority.title())?;
            if reason == Reason::LowAuthority { Ok(()) } else { write!(f, ", {}", reason.code()) }
        }
        (Some(authority), None, reason) => {
            write!(f, ", {}, {}", authority.title(), reason.code())
        }
        (None, Some(name), reason) => write!(f, ", {} from {name}", reason.code()),
        (None, None, reason) => write!(f, ", {}", reason.code()),
    }
}

impl fmt::Display for Rights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} in {}", self.authority.title(), self.scope)
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        extent(f, &self.tasks, "task")?;
        f.write_str(", ")?;
        extent(f, &self.sessions, "session")
    }
}

fn extent(f: &mut fmt::Formatter<'_>, extent: &Extent, word: &str) -> fmt::Result {
    match extent {
        Extent::All => write!(f, "all {word}s"),
        Extent::Set(ids) if ids.len() == 1 => write!(f, "{word} {}", ids[0]),
        Extent::Set(ids) => write!(f, "{} {word}s", ids.len()),
    }
}

#[derive(Default)]
pub(crate) struct AuditLog {
    kept: VecDeque<AuditRecord>,
    names: HashMap<PageId, Arc<str>>,
    next: u64,
}

impl AuditLog {
    pub(crate) fn push(&mut self, at: u64, tenant: Option<Tenant>, event: Event) {
        if self.kept.len() == MAX_AUDIT {
            self.kept.pop_front();
        }
        self.kept.push_back(AuditRecord { sequence: self.next, at, tenant, event });
        self.next += 1;
    }
}

impl Kernel {
    /// Gives a page a name for the audit log: one of the embedder's own words, such as a file's
    /// name. It never stands in a fault. Control characters are replaced.
    pub fn name(&mut self, page: PageId, name: &str) {
        let plain = |c: char| if c.is_control() { '\u{fffd}' } else { c };
        let name: String = name.chars().take(MAX_NAME).map(plain).collect();
        self.audit.names.insert(page, name.into());
    }

    /// The records, oldest first, as far as they are kept.
    pub fn audit(&self) -> impl DoubleEndedIterator<Item = &AuditRecord> {
        self.audit.kept.iter()
    }

    pub(crate) fn record_fault(
        &mut self,
        tenant: Tenant,
        fault: &Fault,
        outcome: Outcome,
        authority: Option<Authority>,
    ) {
        let name = fault.page.and_then(|page| self.audit.names.get(&page)).cloned();
        let event = Event::Fault { fault: fault.clone(), outcome, authority, name };
        let at = self.latest();
        self.audit.push(at, Some(tenant), event);
    }
}
