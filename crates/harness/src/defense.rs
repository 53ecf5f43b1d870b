//! The trait [`Defense`]: what guards a harness.

use std::fmt::Write as _;

use trace::call::ToolCall;
use trace::event::Fault;
use trace::tool::{Channel, ToolSpec};

/// A page as the harness hands it to a defense.
#[derive(Clone, Copy, Debug)]
pub struct Page<'e> {
    /// Its number in the episode, from 0.
    pub number: u32,
    /// Where its content came from, stamped by the harness.
    pub channel: Channel,
    /// Its text.
    pub text: &'e str,
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
}

impl Ruling {
    /// The call goes ahead and nothing is noted.
    pub const ALLOW: Self = Self { verdict: Verdict::Allow, faults: Vec::new() };
}

/// A point at which a defense is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Hook {
    /// A page is about to enter the context (`map`).
    Enter,
    /// A page has entered, and the defense reads its text (`index`).
    Index,
    /// A call is judged (`authorize`).
    Call,
    /// The owner has answered, and an approved call is about to be carried out (`approval`).
    Approval,
}

impl Hook {
    /// All hooks, in the order of an episode.
    pub const ALL: &[Self] = &[Self::Enter, Self::Index, Self::Call, Self::Approval];

    /// The word in files: the crossing's name where the hook stands at one.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Enter => "map",
            Self::Index => "index",
            Self::Call => "authorize",
            Self::Approval => "approval",
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
