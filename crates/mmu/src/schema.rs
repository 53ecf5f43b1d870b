//! Capability schemas: what each argument of a tool must trace to.

use std::sync::Arc;

use crate::{Authority, Value, trace::Decimal};

/// What a tool does to the world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Effect {
    /// It only reads.
    Read,
    /// It changes the user's own things.
    Write,
    /// It reaches somebody else.
    External,
    /// It cannot be undone.
    Irreversible,
}

/// How a value is compared with texts: which differences do not matter.
///
/// A value is found only as a token of its own, and one without any letter or digit nowhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// An id: raw, exact token.
    Identifier,
    /// A path: raw, exact token.
    Path,
    /// A secret: raw, exact token.
    Secret,
    /// A name: NFKC, case-folded, white space collapsed.
    Name,
    /// One mail address: host case, `mailto:` and a display name do not matter.
    Address,
    /// An account number: separators and case do not matter.
    Account,
    /// A URL or a bare host: scheme, host case and default port do not matter; host and path with
    /// query are traced apart.
    Url,
    /// A number: its decimal value.
    Number,
    /// An amount: its decimal value; a currency in it is traced apart.
    Amount,
    /// A date, with or without a time of day.
    Date,
    /// A time of day, with or without a date.
    Time,
    /// A truth value: never traced.
    Boolean,
    /// One of few words: never traced.
    Enumeration,
}

/// A value that the schema itself vouches for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SafeValue {
    /// A null inside a list or an object.
    Null,
    /// A truth value.
    Bool(bool),
    /// A number, by its decimal value.
    Number(String),
    /// A text, byte for byte.
    Text(String),
}

impl SafeValue {
    pub(crate) fn allows(&self, value: &Value<'_>) -> bool {
        match (self, value) {
            (Self::Null, Value::Null) => true,
            (Self::Bool(safe), Value::Bool(sent)) => safe == sent,
            (Self::Text(safe), Value::Text(sent) | Value::Cited { text: sent, .. }) => safe == sent,
            (Self::Number(safe), Value::Number(sent)) => {
                safe == sent
                    || Decimal::sent(safe).is_some_and(|safe| Decimal::sent(sent) == Some(safe))
            }
            _ => false,
        }
    }
}

/// What an argument, or a key of an object, needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ArgumentRule {
    /// Anything goes, whatever it holds. For free text: bodies, subjects, titles.
    Free,
    /// Every leaf of the value must be schema-safe or trace to enough authority.
    Secured {
        /// The least authority that supports a value.
        required: Authority,
        /// How the value is compared.
        kind: Kind,
        /// Whether leaving the argument out, or null in its place, is safe.
        absent_safe: bool,
        /// Values that need no support.
        safe_values: Vec<SafeValue>,
    },
    /// An object, or a list of objects, with a rule for each key.
    Fields {
        /// The keys. One that is not here is a fault.
        fields: Vec<(Arc<str>, ArgumentRule)>,
        /// Whether leaving the argument out, or null in its place, is safe.
        absent_safe: bool,
    },
}

impl ArgumentRule {
    /// A secured argument whose absence is not safe and that has no safe values.
    pub fn secured(required: Authority, kind: Kind) -> Self {
        Self::Secured { required, kind, absent_safe: false, safe_values: Vec::new() }
    }

    /// A secured argument that may be left out.
    pub fn optional(required: Authority, kind: Kind) -> Self {
        Self::Secured { required, kind, absent_safe: true, safe_values: Vec::new() }
    }

    pub(crate) fn absence_is_safe(&self) -> bool {
        match self {
            Self::Free => true,
            Self::Secured { absent_safe, .. } | Self::Fields { absent_safe, .. } => *absent_safe,
        }
    }
}

/// The capability schema of one tool. An argument without an entry is a fault: default deny.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schema {
    /// The tool's name. A call of another name does not fit this schema.
    pub tool: Arc<str>,
    /// What the tool does.
    pub effect: Effect,
    /// The arguments and their rules.
    pub arguments: Vec<(Arc<str>, ArgumentRule)>,
}
