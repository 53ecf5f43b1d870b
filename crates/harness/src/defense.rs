//! The trait [`Defense`]: what guards a harness.

use std::fmt::Write as _;

use trace::call::ToolCall;
use trace::event::Fault;
use trace::tool::{Channel, ToolSpec};

use crate::memory::{
    Comeback, Kept, Opening, OwnerAct, Reload, Revoked, Saved, Spoken, Subject, Write,
};

/// A page as the harness hands it to a defense.
#[derive(Clone, Copy, Debug)]
pub struct Page<'e> {
    /// Its number in the episode, from 0.
    pub number: u32,
    /// Where its content came from, stamped by the harness.
    pub channel: Channel,
    /// Its text.
    pub text: &'e str,
    /// Who typed it, where that is not the tenant of the context.
    pub typed_by: Option<u32>,
    /// The call that it answers, where it is a tool's reply in a harness with memory.
    pub reply_to: Option<&'e ToolCall>,
}

/// Whether a page may enter the context.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entry {
    /// It enters as it is.
    Admit,
    /// It stays out; the agent sees the fault's words in its place.
    Refuse(Fault),
}

/// What becomes of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It goes ahead.
    Allow,
    /// The owner is asked.
    Ask,
    /// It is refused, and nobody is asked.
    Deny,
}

/// A defense's answer to a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ruling {
    /// What becomes of the call.
    pub verdict: Verdict,
    /// Why; also noted where the call goes ahead all the same.
    pub faults: Vec<Fault>,
    /// The approval given in advance that lets the call go ahead, by its name, where it is one.
    pub in_advance: Option<String>,
}

impl Ruling {
    /// The call goes ahead and nothing is noted.
    pub const ALLOW: Self = Self { verdict: Verdict::Allow, faults: Vec::new(), in_advance: None };

    /// This becomes of the call, and why.
    pub fn new(verdict: Verdict, faults: Vec<Fault>) -> Self {
        Self { verdict, faults, in_advance: None }
    }
}

/// A point at which a defense is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Hook {
    /// A context is built (`open`).
    Open,
    /// A page is about to enter the context (`map`).
    Enter,
    /// A page has entered, and the defense reads its text (`index`).
    Index,
    /// Something is stored (`derive`).
    Derive,
    /// Records are about to be ranked for retrieval (`retrieve`).
    Retrieve,
    /// A record comes back from storage (`reload`).
    Reload,
    /// A page leaves the context, or a shorter form takes its place (`evict`).
    Evict,
    /// The context is saved, or comes back (`checkpoint`).
    Checkpoint,
    /// A call is judged (`authorize`).
    Call,
    /// The owner has answered, or has spoken of his own accord (`approval`).
    Approval,
    /// A call that may go ahead is about to be carried out (`dispatch`).
    Dispatch,
    /// The owner revokes content (`revoke`).
    Revoke,
}

impl Hook {
    /// All hooks, in the order of an episode.
    pub const ALL: &[Self] = &[
        Self::Open,
        Self::Enter,
        Self::Index,
        Self::Derive,
        Self::Retrieve,
        Self::Reload,
        Self::Evict,
        Self::Checkpoint,
        Self::Call,
        Self::Approval,
        Self::Dispatch,
        Self::Revoke,
    ];

    /// The word in files: the crossing's name where the hook stands at one.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Enter => "map",
            Self::Index => "index",
            Self::Derive => "derive",
            Self::Retrieve => "retrieve",
            Self::Reload => "reload",
            Self::Evict => "evict",
            Self::Checkpoint => "checkpoint",
            Self::Call => "authorize",
            Self::Approval => "approval",
            Self::Dispatch => "dispatch",
            Self::Revoke => "revoke",
        }
    }
}

/// What guards a harness. Every hook defaults to *let through*; the harness calls, and times, only
/// those that a defense names in [`hooks`](Self::hooks).
pub trait Defense: Send {
    /// The hooks that this defense uses.
    fn hooks(&self) -> &'static [Hook];

    /// A page is about to enter the context.
    fn on_enter(&mut self, page: Page<'_>) -> Entry {
        let _ = page;
        Entry::Admit
    }

    /// A page has entered the context.
    fn on_index(&mut self, page: Page<'_>) {
        let _ = page;
    }

    /// The agent asks for a call. `tool` is `None` for a tool that does not exist.
    fn on_call(&mut self, call: &ToolCall, tool: Option<&ToolSpec>) -> Ruling {
        let _ = (call, tool);
        Ruling::ALLOW
    }

    /// The owner has answered a request about this call. Where it was granted, this is the last word
    /// before the world carries it out.
    ///
    /// # Errors
    /// The fault that stops the call although it was granted.
    fn on_approval(
        &mut self,
        call: &ToolCall,
        tool: Option<&ToolSpec>,
        granted: bool,
    ) -> Result<(), Fault> {
        let _ = (call, tool, granted);
        Ok(())
    }

    /// A context is built, and takes the place of the one before. A harness without memory builds one
    /// for an episode and does not say so.
    fn on_open(&mut self, opening: &Opening) {
        let _ = opening;
    }

    /// Something is stored.
    fn on_derive(&mut self, write: &Write<'_>) -> Kept {
        let _ = write;
        Kept::AsIs
    }

    /// The records that fit a query, before they are ranked: those that are taken off the list do not
    /// come back.
    fn on_retrieve(&mut self, candidates: &mut Vec<u32>) {
        let _ = candidates;
    }

    /// A record is about to come back into the context, as a page.
    fn on_reload(&mut self, reload: &Reload<'_>) -> Comeback {
        let _ = reload;
        Comeback { entry: Entry::Admit, noted: Vec::new() }
    }

    /// A page left the context.
    fn on_evict(&mut self, page: u32) {
        let _ = page;
    }

    /// The context is saved: what the defense wants in the checkpoint. Whatever else it knows stays
    /// out of it.
    fn on_save(&mut self) -> Saved {
        None
    }

    /// A saved context comes back in the place of the present one, with what [`on_save`](Self::on_save)
    /// answered then. The answer is what did not come back as it was.
    fn on_restore(&mut self, saved: &Saved) -> Vec<Fault> {
        let _ = saved;
        Vec::new()
    }

    /// An allowed call is about to be carried out: the last word. A harness without memory does not
    /// ask, since nothing can happen there between the judgement and this.
    ///
    /// # Errors
    /// The fault that stops the call.
    fn on_dispatch(&mut self, call: &ToolCall, tool: Option<&ToolSpec>) -> Result<(), Fault> {
        let _ = (call, tool);
        Ok(())
    }

    /// Time has gone by on the course's clock. Nothing crosses here, so every defense is told, and it is
    /// not timed.
    fn on_clock(&mut self, now: u64) {
        let _ = now;
    }

    /// The owner approves content or calls in advance, takes that back, or lets another tenant have
    /// content.
    ///
    /// # Errors
    /// The fault that says why it has no effect.
    fn on_owner(&mut self, act: &OwnerAct<'_>) -> Result<Spoken, Fault> {
        let _ = act;
        Ok(Spoken::default())
    }

    /// The owner revokes content: everything that he means, the latest first.
    fn on_revoke(&mut self, subjects: &[Subject]) -> Revoked {
        let _ = subjects;
        Revoked::default()
    }

    /// Why the defense can no longer answer, if so: the cell has no verdict then. Whatever such a
    /// defense is asked until this is noticed, it refuses.
    fn outage(&self) -> Option<String> {
        None
    }
}

/// The words that an agent reads in place of a refused call's reply or a refused page. They hold
/// fixed codes, page numbers and schema names, and nothing that anybody else wrote.
pub fn fault_text(faults: &[Fault], asked: bool) -> String {
    let mut text = String::from("Refused");
    if asked {
        text.push_str(" by the owner");
    }
    for (at, fault) in faults.iter().enumerate() {
        text.push_str(if at == 0 { ": " } else { "; " });
        text.push_str(&fault.name);
        text.push_str(" (");
        text.push_str(&fault.reason);
        if let Some(argument) = &fault.argument {
            text.push_str(" at ");
            text.push_str(argument);
        }
        if let Some(page) = fault.page {
            let _ = write!(text, ", page {page}");
        }
        text.push(')');
    }
    text.push('.');
    text
}
