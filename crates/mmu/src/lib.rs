#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]
#![deny(missing_docs, clippy::disallowed_methods)]
#![allow(clippy::doc_markdown, reason = "the paper's name stands in the README")]

mod approval;
mod authority;
mod authorize;
mod call;
mod context;
mod descriptor;
mod effects;
mod fault;
mod judge;
mod kernel;
mod map;
mod origins;
mod schema;
mod scope;
mod source;
mod table;
mod trace;

pub use authority::Authority;
pub use authorize::{Decision, Evidence, Permit};
pub use call::{Call, Value};
pub use context::{Context, EntryId, MAX_TEXT};
pub use descriptor::{Descriptor, Label, Owner, Producer, Tenant};
pub use effects::{Executed, MAX_EFFECTS};
pub use fault::{Crossing, Fault, FaultKind, LeafFault, Part, Place, Reason};
pub use judge::{MAX_DEPTH, MAX_LEAVES};
pub use kernel::{Config, Kernel, Revocation, Tie};
pub use map::Mapped;
pub use origins::{Counter, KernelId, MAX_ORIGINS, Origin, Origins, PageId};
pub use schema::{ArgumentRule, Effect, Kind, SafeValue, Schema};
pub use scope::{Extent, Scope};
pub use source::{Arrival, Source};
pub use table::MAX_PENDING;
pub use trace::{MAX_POLICY_POSTINGS, MAX_POSTINGS, MAX_VALUE};
