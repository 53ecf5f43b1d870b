//! What a harness with memory tells a defense, and what the defense answers.

use std::any::Any;
use std::collections::BTreeMap;
use std::sync::Arc;

use trace::allowance::Allowance;
use trace::course::Ceiling;
use trace::event::{Fault, Rights};
use trace::tool::Channel;

use crate::defense::Entry;

/// A context that is being built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Opening {
    /// The tenant for whom it is built.
    pub tenant: u32,
    /// The task.
    pub task: u32,
    /// The session, by its number in the episode.
    pub session: u32,
    /// Whether somebody is there to be asked.
    pub attended: bool,
    /// The time by the harness's clock, in seconds since the course began.
    pub now: u64,
}

/// The form in which a page or a record stands somewhere, from the fullest to the least.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Form {
    /// Nothing but its number and its kind: following it is a reload.
    Pointer,
    /// Its fields.
    Structured,
    /// Its beginning.
    Compressed,
    /// All of it.
    Full,
}

/// Who wrote what is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Writer {
    /// The agent's model: everything that its context ever held may be in it.
    Agent,
    /// The harness, by a fixed transform of the inputs.
    Harness,
}

/// Something that is stored.
#[derive(Clone, Copy, Debug)]
pub struct Write<'e> {
    /// The number of the new record, never given twice.
    pub record: u32,
    /// Who wrote it.
    pub by: Writer,
    /// The pages in the context that it was made from, where the harness made it.
    pub pages: &'e [u32],
    /// The records that it was made from, where the harness made it from records: one for a copy,
    /// several where they become one.
    pub of: &'e [u32],
    /// Whether it is what the tenant asked to be remembered: the whole turn that he typed.
    pub remembered: bool,
    /// Its form.
    pub form: Form,
    /// Its text.
    pub text: &'e str,
}

/// What becomes of a write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kept {
    /// It is stored.
    AsIs,
    /// It is stored, with less than it might have claimed.
    Relabelled(Vec<Fault>),
    /// It is not stored.
    Refused(Fault),
}

/// A record that is about to come back.
#[derive(Clone, Copy, Debug)]
pub struct Reload<'e> {
    /// The record.
    pub record: u32,
    /// The page that it will be in the context.
    pub page: u32,
    /// Its text, in the form in which it comes back.
    pub text: &'e str,
    /// The time.
    pub now: u64,
}

/// What becomes of a record that comes back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comeback {
    /// Whether it enters.
    pub entry: Entry,
    /// What was found on the way and does not keep it out.
    pub noted: Vec<Fault>,
}

/// A defense's own part of a checkpoint.
pub type Saved = Option<Box<dyn Any + Send + Sync>>;

/// Content that an owner speaks about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Subject {
    /// A page, in whatever context it stands or stood.
    Page(u32),
    /// A record.
    Record(u32),
}

/// Where the values of calls come from that an owner approves in advance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Origin {
    /// What came in by this channel.
    Channel(Channel),
    /// This content. Revoking it ends the approval.
    Content(Subject),
}

/// Something that an owner does of his own accord.
#[derive(Clone, Copy, Debug)]
pub enum OwnerAct<'e> {
    /// He approves content that he was shown.
    Approve {
        /// The content.
        subject: Subject,
        /// The text that he was shown, byte for byte.
        shown: &'e str,
        /// The values in it that he approves; all where there are none.
        values: &'e [String],
        /// The most that it counts as from now on.
        ceiling: Ceiling,
        /// The time.
        now: u64,
    },
    /// He takes his last approval or grant of this content back.
    Withdraw {
        /// The content.
        subject: Subject,
    },
    /// He approves calls in advance.
    Allow {
        /// The tenant whose calls they are.
        tenant: u32,
        /// What he approves.
        allowance: &'e Allowance,
        /// Its source.
        source: Origin,
        /// The last moment at which it holds; `None` for no end.
        until: Option<u64>,
        /// The time.
        now: u64,
    },
    /// He takes back what he approved in advance.
    Disallow {
        /// Its name.
        name: &'e str,
    },
    /// He lets another tenant have a record.
    Grant {
        /// The record.
        record: u32,
        /// The tenant who gets it.
        to: u32,
        /// The most that it counts as there.
        ceiling: Option<Ceiling>,
        /// Whether the other accepts.
        accepted: bool,
        /// The time.
        now: u64,
    },
}

/// What an owner's act came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Spoken {
    /// Whether it covers more than what he last said of the same content or tool.
    pub widens: bool,
    /// What was justified before, where the defense knows it.
    pub before: Option<Rights>,
    /// What is justified from now on, where the defense knows it.
    pub after: Option<Rights>,
}

/// What a revocation found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Revoked {
    /// The records that no longer come back as they were.
    pub records: Vec<u32>,
    /// Calls that had been carried out on what traces to the content.
    pub acts: u32,
    /// Approvals that it voided.
    pub approvals: u32,
}

/// What memory came to in an episode.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Memory {
    /// The texts of the records that the stores hold at the end, oldest first.
    pub texts: Vec<String>,
    /// The text of every record that there ever was, by its number.
    pub written: BTreeMap<u32, Arc<str>>,
    /// The pager's faults.
    pub faults: PagerFaults,
    /// Sessions, fillers among them.
    pub sessions: u32,
}

/// The six faults of a pager, after ClawVM: what a memory that keeps its promises never shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PagerFaults {
    /// A tool was asked again for what had been in view and was degraded or evicted.
    pub refetch: u32,
    /// A tool was asked again for what stood in view.
    pub duplicate_tool: u32,
    /// A turn began after a compaction or a reset without all that a session begins with.
    pub bootstrap: u32,
    /// A staged write was not written back at a boundary.
    pub flush_miss: u32,
    /// A query had records that fit, and none came back.
    pub silent_recall: u32,
    /// The budget could not be met without degrading a page below its minimum, which was refused.
    pub pinned: u32,
}
