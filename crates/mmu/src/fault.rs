//! Faults: what a crossing answers instead of letting something through.
//!
//! A fault's text holds fixed codes, page ids, schema names and positions, and no byte of untrusted
//! content: it may be shown to a model, or logged, without carrying an attacker's words further.

use std::{fmt, sync::Arc};

use crate::PageId;

/// The four points at which content or an action is checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Crossing {
    /// New content enters a context.
    Map,
    /// Content leaves for storage.
    Derive,
    /// Stored content comes back.
    Reload,
    /// Content leaves as an action.
    Authorize,
}

impl Crossing {
    /// The crossing's fixed name.
    pub fn code(self) -> &'static str {
        match self {
            Self::Map => "map",
            Self::Derive => "derive",
            Self::Reload => "reload",
            Self::Authorize => "authorize",
        }
    }
}

/// The four kinds of fault of `ClawMMU`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FaultKind {
    /// Content of another tenant, or out of scope, would have entered.
    AddressSpaceViolation,
    /// A write claimed more than its inputs allow.
    TypeConfusion,
    /// Content that was revoked would have been used.
    UseAfterRevoke,
    /// A call would have acted on a value that nobody with enough authority supplied.
    ConfusedDeputy,
}

impl FaultKind {
    /// The fault's fixed name.
    pub fn code(self) -> &'static str {
        match self {
            Self::AddressSpaceViolation => "address-space-violation",
            Self::TypeConfusion => "type-confusion",
            Self::UseAfterRevoke => "use-after-revoke",
            Self::ConfusedDeputy => "confused-deputy",
        }
    }
}

/// Why a crossing did not let something through.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reason {
    /// The content belongs to another tenant.
    OtherTenant,
    /// The content's scope does not cover the context's.
    OutOfScope,
    /// The context or the page belongs to another kernel, or was never given out.
    UnknownPage,
    /// A page that holds the value was revoked.
    Revoked,
    /// The value is held by live pages, none of them with enough authority.
    LowAuthority,
    /// Values of this kind, or of this form, are never traced, and this one is not schema-safe.
    Untraceable,
    /// No page holds the value: the model made it up.
    Fabricated,
    /// The method of tracing wants a page for each value, and none is cited for this one.
    Uncited,
    /// The schema has no entry for this argument, key or form.
    Unlisted,
    /// An argument or a key is given more than once.
    Repeated,
    /// An argument is left out, and its absence is not safe.
    AbsenceUnsafe,
    /// An external or irreversible tool was called with no value that traces to anybody.
    Trigger,
    /// The tool has no schema.
    UnknownTool,
    /// The call has more values, or deeper ones, than the kernel looks at.
    TooLarge,
    /// The owner refused this very call before.
    RefusedBefore,
    /// The owner was not asked, or has not approved this very call.
    NotApproved,
    /// The approval is used up, expired, or a source of the call was revoked since.
    ApprovalVoid,
    /// The inputs share no task or session: the copy can be used nowhere.
    EmptyScope,
    /// A write claimed more than its inputs allow.
    ClaimExceeds,
    /// A model's write aimed at a representation above Evidence.
    WriteUp,
    /// The bytes are not those that the descriptor, or the approval, is bound to.
    OtherBytes,
    /// Only words that the tenant typed can be remembered.
    NotTyped,
    /// No such approval or grant, or not one of this tenant's.
    UnknownApproval,
}

impl Reason {
    /// The reason's fixed code.
    pub fn code(self) -> &'static str {
        match self {
            Self::OtherTenant => "other-tenant",
            Self::OutOfScope => "out-of-scope",
            Self::UnknownPage => "unknown-page",
            Self::Revoked => "revoked",
            Self::LowAuthority => "low-authority",
            Self::Untraceable => "untraceable",
            Self::Fabricated => "fabricated",
            Self::Uncited => "uncited",
            Self::Unlisted => "unlisted",
            Self::Repeated => "repeated",
            Self::AbsenceUnsafe => "absence-unsafe",
            Self::Trigger => "trigger",
            Self::UnknownTool => "unknown-tool",
            Self::TooLarge => "too-large",
            Self::RefusedBefore => "refused-before",
            Self::NotApproved => "not-approved",
            Self::ApprovalVoid => "approval-void",
            Self::EmptyScope => "empty-scope",
            Self::ClaimExceeds => "claim-exceeds",
            Self::WriteUp => "write-up",
            Self::OtherBytes => "other-bytes",
            Self::NotTyped => "not-typed",
            Self::UnknownApproval => "unknown-approval",
        }
    }
}

/// The part of a value that is traced on its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Part {
    /// The whole value.
    Whole,
    /// The host of a URL.
    Host,
    /// The path and query of a URL.
    Path,
    /// The date of a point in time.
    Date,
    /// The time of day of a point in time.
    Time,
    /// The currency of an amount.
    Currency,
}

/// Where in a call a value stands, named by the schema and by positions only.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The argument's name in the schema; `None` where the schema does not know it.
    pub argument: Option<Arc<str>>,
    /// The innermost object key on the way that the schema names.
    pub field: Option<Arc<str>>,
    /// The argument's position in the call, from 0; for a left-out argument, in the schema.
    pub position: usize,
    /// The value's position among the argument's leaves, from 0.
    pub leaf: usize,
    /// The part of the value.
    pub part: Part,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.argument {
            Some(name) => write!(f, "argument `{name}`")?,
            None => write!(f, "argument {}", self.position)?,
        }
        if let Some(field) = &self.field {
            write!(f, " field `{field}`")?;
        }
        write!(f, " value {}", self.leaf)?;
        match self.part {
            Part::Whole => Ok(()),
            Part::Host => f.write_str(" host"),
            Part::Path => f.write_str(" path"),
            Part::Date => f.write_str(" date"),
            Part::Time => f.write_str(" time"),
            Part::Currency => f.write_str(" currency"),
        }
    }
}

/// What is wrong with one value of a call, or with the call as a whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeafFault {
    /// The value's place; `None` where the whole call is meant.
    pub place: Option<Place>,
    /// What is wrong.
    pub reason: Reason,
    /// A page that holds the value: the revoked one, or one with too little authority.
    pub from: Option<PageId>,
}

/// What a crossing reports when it does not let something through.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct Fault {
    /// Which of the four faults.
    pub kind: FaultKind,
    /// Where it was raised.
    pub crossing: Crossing,
    /// Why.
    pub reason: Reason,
    /// The page that decided, where one did.
    pub page: Option<PageId>,
    /// The tool's name in its schema; `None` for a tool without one.
    pub tool: Option<Arc<str>>,
    /// The value that decided, where one did.
    pub place: Option<Place>,
}

impl Fault {
    /// A fault that concerns no call.
    pub(crate) fn of(
        kind: FaultKind,
        crossing: Crossing,
        reason: Reason,
        page: Option<PageId>,
    ) -> Self {
        Self { kind, crossing, reason, page, tool: None, place: None }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at {}: {}", self.kind.code(), self.crossing.code(), self.reason.code())?;
        if let Some(tool) = &self.tool {
            write!(f, ", tool `{tool}`")?;
        }
        if let Some(place) = &self.place {
            write!(f, ", {place}")?;
        }
        if let Some(page) = self.page {
            write!(f, ", page {page}")?;
        }
        Ok(())
    }
}
