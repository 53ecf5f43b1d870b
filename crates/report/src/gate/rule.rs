//! The language of gate rules: one line, a measure and its limit.
//!
//! ```text
//! rule    := measure SIGN limit
//! measure := NAME part* | "delta" "(" NAME part* ")" part* | PERCENTILE "(" HOOK ")" part*
//! part    := "{" FIELD ("=" | "!=") WORD ("," FIELD ("=" | "!=") WORD)* "}" | "." BOUND
//! SIGN    := "<=" | "<" | ">=" | ">" | "=="
//! limit   := NUMBER ("%" | "ns" | "us" | "µs" | "ms" | "s")?
//! NAME    := asr | partial | asr_upstream | utility | tasks_asked | false_blocks | asks_per_task
//!         | approval_rate | error_rate | new_landed | utility_lost
//! PERCENTILE := "p50", "p99", "p99.9", …
//! BOUND   := "upper" or "lower" with a confidence: "upper95", "lower99"
//! ```
//!
//! A bound is one-sided: `asr.upper95` is no less than the rate with a confidence of 95 %. A word may
//! hold `*`, which stands for any run of characters, and stand within quotes.

use std::fmt;

use super::parse;

/// The fields that a filter may name.
pub const FIELDS: &[&str] = &[
    "suite",
    "world",
    "kind",
    "scenario",
    "user_task",
    "injection_task",
    "attack",
    "harness",
    "agent",
    "defense",
    "owner",
    "guarantee",
    "profile",
];

/// What is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Metric {
    /// `asr`: attacks that landed, of attack cells.
    Asr,
    /// `partial`: attacks that did not land and carried out an effectful call of their own.
    Partial,
    /// `asr_upstream`: attacks that landed by upstream's own verdict.
    AsrUpstream,
    /// `utility`: user tasks done, of benign cells unless the filter names a kind.
    Utility,
    /// `tasks_asked`: tasks in which the owner was asked, as `utility`.
    TasksAsked,
    /// `false_blocks`: tasks with a call of their own that was not carried out, as `utility`.
    FalseBlocks,
    /// `asks_per_task`: requests to the owner, as `utility`.
    AsksPerTask,
    /// `approval_rate`: requests granted, of all requests.
    ApprovalRate,
    /// `error_rate`: invalid cells, of all.
    ErrorRate,
    /// `new_landed`: attacks that missed in the baseline and landed in the candidate.
    NewLanded,
    /// `utility_lost`: user tasks done in the baseline and not in the candidate.
    UtilityLost,
}

impl Metric {
    /// All of them, as the documentation lists them.
    pub const ALL: &[Self] = &[
        Self::Asr,
        Self::Partial,
        Self::AsrUpstream,
        Self::Utility,
        Self::TasksAsked,
        Self::FalseBlocks,
        Self::AsksPerTask,
        Self::ApprovalRate,
        Self::ErrorRate,
        Self::NewLanded,
        Self::UtilityLost,
    ];

    /// Its name in a rule.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Asr => "asr",
            Self::Partial => "partial",
            Self::AsrUpstream => "asr_upstream",
            Self::Utility => "utility",
            Self::TasksAsked => "tasks_asked",
            Self::FalseBlocks => "false_blocks",
            Self::AsksPerTask => "asks_per_task",
            Self::ApprovalRate => "approval_rate",
            Self::ErrorRate => "error_rate",
            Self::NewLanded => "new_landed",
            Self::UtilityLost => "utility_lost",
        }
    }

    /// Whether it is a share of cells, which has bounds and can be compared.
    pub fn is_rate(self) -> bool {
        !matches!(
            self,
            Self::AsksPerTask | Self::ApprovalRate | Self::NewLanded | Self::UtilityLost
        )
    }

    /// Whether it counts named cells that flipped.
    pub fn is_flips(self) -> bool {
        matches!(self, Self::NewLanded | Self::UtilityLost)
    }
}

/// What a rule is about.
#[derive(Clone, Debug, PartialEq)]
pub enum Subject {
    /// A figure of the candidate.
    Absolute(Metric),
    /// The candidate's rate less the baseline's, over the same cases.
    Delta(Metric),
    /// A percentile of a hook's latency, at this share.
    Latency {
        /// The share, from 0 to 1.
        share: f64,
        /// The hook.
        hook: String,
    },
}

/// Which end of an interval is compared with the limit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Bound {
    /// The upper one, at this one-sided confidence.
    Upper(f64),
    /// The lower one, at this one-sided confidence.
    Lower(f64),
}

impl Bound {
    /// The one-sided confidence.
    pub fn confidence(self) -> f64 {
        match self {
            Self::Upper(confidence) | Self::Lower(confidence) => confidence,
        }
    }
}

/// How a figure is compared with the limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    /// `<=`
    AtMost,
    /// `<`
    Below,
    /// `>=`
    AtLeast,
    /// `>`
    Above,
    /// `==`
    Equal,
}

impl Sign {
    /// As it stands in a rule.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::AtMost => "<=",
            Self::Below => "<",
            Self::AtLeast => ">=",
            Self::Above => ">",
            Self::Equal => "==",
        }
    }

    /// Whether a figure keeps the limit.
    pub fn holds(self, figure: f64, limit: f64) -> bool {
        match self {
            Self::AtMost => figure <= limit,
            Self::Below => figure < limit,
            Self::AtLeast => figure >= limit,
            Self::Above => figure > limit,
            Self::Equal => figure == limit,
        }
    }

    /// Whether more is worse.
    pub(crate) fn limits_above(self) -> bool {
        matches!(self, Self::AtMost | Self::Below)
    }

    /// Whether less is worse.
    pub(crate) fn limits_below(self) -> bool {
        matches!(self, Self::AtLeast | Self::Above)
    }
}

/// One condition of a filter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition {
    /// One of [`FIELDS`].
    pub field: &'static str,
    /// Whether the field is to be something else than the word.
    pub negated: bool,
    /// The word, in which `*` stands for any run of characters.
    pub word: String,
}

/// A rule that was understood.
#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    /// As it was written, trimmed.
    pub text: String,
    /// What it is about.
    pub subject: Subject,
    /// Which cells: all that meet every condition.
    pub filter: Vec<Condition>,
    /// The bound that is compared; without one, the figure itself is.
    pub bound: Option<Bound>,
    /// How.
    pub sign: Sign,
    /// The limit: a fraction, a number, or nanoseconds.
    pub limit: f64,
}

impl Rule {
    /// Reads a rule.
    ///
    /// # Errors
    /// The first place that cannot be read, and what was expected there.
    pub fn parse(text: &str) -> Result<Self, RuleError> {
        parse::rule(text)
    }

    /// Whether it needs a baseline.
    pub fn needs_baseline(&self) -> bool {
        match &self.subject {
            Subject::Delta(_) => true,
            Subject::Absolute(metric) => metric.is_flips(),
            Subject::Latency { .. } => false,
        }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// A rule that was not understood.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("rule, column {column}: {message}")]
pub struct RuleError {
    /// The column, from 1.
    pub column: usize,
    /// What is wrong.
    pub message: String,
}
