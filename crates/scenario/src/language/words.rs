//! The words of the language: axes, labels, channels, and what they mean.

use trace::course::{Ceiling, PageKind};
use trace::tool::Channel;

use super::expand::Axes;

/// The axes that every chain may name, with their values. An axis without values takes a number.
pub const AXES: Axes<'static> = Axes(&[
    ("kind", &["attack", "authorised", "inert", "fresh-confirm"]),
    ("transform", TRANSFORMS),
    ("trigger", TRIGGERS),
    ("dormancy", &[]),
    ("revocation", REVOCATIONS),
    ("standing", STANDINGS),
]);

/// How stored content changes before it is used.
pub const TRANSFORMS: &[&str] = &[
    "verbatim",
    "paraphrase",
    "summary",
    "merge",
    "translate",
    "split",
    "share",
    "delimiter",
    "restore",
];

/// What brings stored content back.
pub const TRIGGERS: &[&str] = &[
    "goal-adjacent",
    "goal-distant",
    "time",
    "event",
    "user-state",
    "tool-call",
    "yes",
    "scheduler",
];

/// When the owner revokes it, or takes an approval in advance back.
pub const REVOCATIONS: &[&str] =
    &["none", "before-trigger", "after-derivation", "in-flight", "after-restore"];

/// How the attack's call stands to what the owner approved in advance.
pub const STANDINGS: &[&str] = &[
    "within",
    "other-source",
    "over-each",
    "over-total",
    "one-too-many",
    "expired",
    "withdrawn",
    "revoked",
];

/// What a scenario says that it covers, with the values.
pub const LABELS: &[(&str, &[&str])] = &[
    (
        "entry",
        &[
            "web-page",
            "mail",
            "tool-result",
            "shared-document",
            "repository-file",
            "issue",
            "calendar",
            "other-user",
            "peer-agent",
            "tool-description",
            "skill-file",
            "prefilled-link",
            "install-hook",
            "telemetry",
            "image-text",
        ],
    ),
    (
        "write_path",
        &[
            "memory-tool",
            "extraction",
            "compaction",
            "reflection",
            "memory-file",
            "checkpoint",
            "scheduled-job",
            "shared-store",
        ],
    ),
    (
        "content",
        &["command", "conditional", "preference", "slot", "policy", "precedent", "procedure"],
    ),
    (
        "harm",
        &[
            "payment-redirect",
            "exfiltration",
            "deletion",
            "biased-choice",
            "permission",
            "code-execution",
            "control-off",
            "message-as-user",
            "wrong-record",
            "propagation",
        ],
    ),
    ("principals", &["same-owner", "other-user", "other-tenant", "other-agent", "vendor"]),
];

/// The channels that content from outside may come in by.
pub const CHANNELS: &[(&str, Channel)] = &[
    ("tool", Channel::Tool),
    ("web", Channel::Web),
    ("file", Channel::File),
    ("mail", Channel::Mail),
    ("peer", Channel::Peer),
    ("pasted", Channel::Pasted),
    ("user", Channel::User),
    ("preference", Channel::Preference),
    ("instruction", Channel::Instruction),
    ("memory", Channel::Memory),
    ("model", Channel::Model),
];

/// Kinds of pages.
pub const PAGES: &[(&str, PageKind)] = &[
    ("bootstrap", PageKind::Bootstrap),
    ("constraint", PageKind::Constraint),
    ("plan", PageKind::Plan),
    ("preference", PageKind::Preference),
    ("evidence", PageKind::Evidence),
    ("conversation", PageKind::Conversation),
];

/// The most that approved content counts as.
pub const CEILINGS: &[(&str, Ceiling)] = &[
    ("evidence", Ceiling::Evidence),
    ("guidance", Ceiling::Guidance),
    ("preference", Ceiling::Preference),
    ("policy", Ceiling::Policy),
];
