#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]
#![deny(missing_docs, clippy::disallowed_methods)]
#![allow(clippy::doc_markdown, reason = "the paper's name stands in the README")]

mod ablation;
mod amount;
mod approval;
mod audit;
mod authority;
mod authorize;
mod calculate;
mod call;
mod catalogue;
mod checkpoint;
mod content;
mod context;
mod derive;
mod descriptor;
mod effects;
mod fault;
mod few;
mod grant;
mod judge;
mod kernel;
mod map;
mod method;
mod origins;
mod reload;
mod representation;
mod schema;
mod scope;
mod source;
mod standing;
mod storage;
mod table;
mod texts;
mod trace;

pub use ablation::Ablations;
pub use amount::Amount;
pub use audit::{Act, ApprovalId, AuditRecord, Event, MAX_AUDIT, MAX_NAME, Outcome, Rights};
pub use authority::Authority;
pub use authorize::{Decision, Evidence, Permit};
pub use call::{Call, Value};
pub use catalogue::MAX_REPRESENTATIONS;
pub use checkpoint::{Checkpoint, Restored};
pub use content::ContentApproval;
pub use context::{Context, EntryId, MAX_TEXT};
pub use derive::Derived;
pub use descriptor::{Descriptor, Label, Owner, Producer, Tenant};
pub use effects::{Executed, Flight, MAX_EFFECTS, MAX_FLIGHTS};
pub use fault::{Crossing, Fault, FaultKind, LeafFault, Part, Place, Reason};
pub use few::Few;
pub use grant::Grant;
pub use judge::{MAX_DEPTH, MAX_LEAVES};
pub use kernel::{Config, Kernel, Revocation, Tie};
pub use map::Mapped;
pub use method::Method;
pub use origins::{Counter, KernelId, MAX_ORIGINS, Origin, Origins, PageId};
pub use reload::Reloaded;
pub use representation::{Claim, Content, Deriver, Digest, Form, Representation, Target, Write};
pub use schema::{ArgumentRule, Effect, Kind, SafeValue, Schema};
pub use scope::{Extent, Scope};
pub use source::{Arrival, Source};
pub use standing::{Limit, Origination, Predicate, Standing};
pub use storage::{Access, MAX_RESOURCES, ResourceRule};
pub use table::MAX_PENDING;
pub use trace::{MAX_POLICY_POSTINGS, MAX_POSTINGS, MAX_VALUE};
