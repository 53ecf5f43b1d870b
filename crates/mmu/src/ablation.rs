//! What each check is worth: switches that skip one step each, for comparison only.

/// The steps that are skipped. Each stands for something that people really do; the default skips
/// none. An embedder that wants protection leaves it alone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Ablations {
    /// Content is labelled by message role: whatever comes in the user's role is the user's.
    pub no_map: bool,
    /// What a model writes is stored as the tenant's Preference.
    pub no_derive: bool,
    /// A stored label is trusted: counters are not compared when content comes back.
    pub no_reload: bool,
    /// Whether content is live is read when it enters, and not again.
    pub no_recheck: bool,
    /// Counters, approvals and grants are part of a checkpoint, and roll back with it.
    pub table_inside: bool,
    /// A model's writes inherit from what its context holds at present, not from what it ever held.
    pub no_accumulate: bool,
    /// Who wrote a resource behind a tool is forgotten.
    pub no_tool_storage: bool,
    /// Labels are printed and not checked: every call goes out.
    pub labels_as_text: bool,
}

impl Ablations {
    /// Nothing is skipped.
    pub const NONE: Self = Self {
        no_map: false,
        no_derive: false,
        no_reload: false,
        no_recheck: false,
        table_inside: false,
        no_accumulate: false,
        no_tool_storage: false,
        labels_as_text: false,
    };

    /// Each step skipped alone, with the name of its arm.
    pub const ALONE: [(&'static str, Self); 8] = [
        ("no-map", Self { no_map: true, ..Self::NONE }),
        ("no-derive", Self { no_derive: true, ..Self::NONE }),
        ("no-reload", Self { no_reload: true, ..Self::NONE }),
        ("no-recheck", Self { no_recheck: true, ..Self::NONE }),
        ("table-inside", Self { table_inside: true, ..Self::NONE }),
        ("no-accumulate", Self { no_accumulate: true, ..Self::NONE }),
        ("no-tool-storage", Self { no_tool_storage: true, ..Self::NONE }),
        ("labels-as-text", Self { labels_as_text: true, ..Self::NONE }),
    ];
}
