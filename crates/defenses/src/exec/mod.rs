//! `exec:COMMAND`: a defense of one's own, as a child process that speaks JSON lines.
//!
//! `docs/exec-defense.md` describes the protocol for who writes such a child.

mod answers;
mod child;
mod command;
mod hello;
mod hooks;
mod memory;
mod questions;
#[cfg(test)]
mod tests;

use harness::defense::{Defense, Entry, Hook, Page, Ruling, Verdict};
use harness::memory::{
    Comeback, Kept, Opening, OwnerAct, Reload, Revoked, Saved, Spoken, Subject, Write,
};
use serde_json::Value;
use trace::call::ToolCall;
use trace::event::{Crossing, Fault};
use trace::tool::ToolSpec;

use answers::{Admission, Step, word};
use child::Child;
pub use command::{BadCommand, Command};
use hello::Greeted;
pub use hello::PROTOCOL;
use hooks::Name;

/// The JSON Schema of the lines, both ways.
pub const SCHEMA: &str = include_str!("schema.json");

/// **What it does.** Asks a child process, one for each episode, at every hook that it names:
/// whether a page may enter, what becomes of a write, a record that comes back, a call, an owner's
/// act.
/// **What it assumes.** The child is the user's own program: it runs with the user's rights, but
/// with no variable of the environment except `PATH` and `LANG`.
/// **What it cannot stop.** Whatever the child lets through. A child that is slow, dies or answers
/// something else makes the cell invalid: it is never a pass.
/// **Example.** `bench run --defense 'exec:python3 docs/provenance_guard.py'`.
pub struct Exec {
    /// The child; or why there is none any more.
    child: Result<Child, String>,
    greeted: Greeted,
    hooks: &'static [Hook],
    /// The numbers of records that the child was told of are below this.
    records: u32,
}

impl Exec {
    /// Starts the child and greets it. One that cannot be started, or does not answer, shows in
    /// [`Defense::outage`].
    pub fn start(command: &Command, tools: &[ToolSpec]) -> Self {
        let greeted = Child::spawn(command).and_then(|mut child| {
            let greeted = hello::hello(&child.ask(&hello::greeting(tools))?)?;
            Ok((child, greeted))
        });
        match greeted {
            Ok((child, greeted)) => {
                let hooks = hooks::behind(&greeted.asked);
                Self { child: Ok(child), greeted, hooks, records: 0 }
            }
            // Every hook, so that nothing passes until the outage is noticed.
            Err(why) => {
                let greeted = Greeted::default();
                Self { child: Err(why), greeted, hooks: Hook::ALL, records: 0 }
            }
        }
    }

    /// Asks a question and reads its answer; where the child does not want to be asked, it is
    /// `unasked`. `None` from the first failure on: there is no child then.
    fn ask<T>(
        &mut self,
        name: Name,
        fields: Value,
        unasked: T,
        read: impl FnOnce(&str, u64) -> Result<T, String>,
    ) -> Option<T> {
        let child = self.child.as_mut().ok()?;
        if !self.greeted.asked.contains(&name) {
            return Some(unasked);
        }
        let id = child.asked() + 1;
        let question = questions::line(name, id, fields);
        match child.ask(&question).and_then(|line| read(&line, id)) {
            Ok(answer) => Some(answer),
            Err(why) => {
                self.child = Err(why);
                None
            }
        }
    }

    /// Whether a call that may go ahead does.
    fn step(&mut self, name: Name, fields: Value) -> Result<(), Fault> {
        match self.ask(name, fields, (Step::Go, None), word) {
            Some((Step::Go, _)) => Ok(()),
            Some((Step::Stop, reason)) => Err(fault(Crossing::Authorize, "CallStopped", reason)),
            None => Err(no_answer(Crossing::Authorize)),
        }
    }
}

fn fault(crossing: Crossing, name: &str, reason: Option<String>) -> Fault {
    let (name, reason) = (name.to_owned(), reason.unwrap_or_else(|| "Unspecified".to_owned()));
    Fault { crossing, name, reason, page: None, channel: None, argument: None }
}

/// What stands in place of an answer that never came.
fn no_answer(crossing: Crossing) -> Fault {
    fault(crossing, "DefenseOutage", Some("NoAnswer".to_owned()))
}

impl Defense for Exec {
    fn hooks(&self) -> &'static [Hook] {
        self.hooks
    }

    fn on_enter(&mut self, page: Page<'_>) -> Entry {
        let fields = questions::entering(page, self.greeted.protocol);
        let refused = match self.ask(Name::Enter, fields, (Admission::Admit, None), word) {
            Some((Admission::Admit, _)) => return Entry::Admit,
            Some((Admission::Refuse, reason)) => fault(Crossing::Map, "PageRefused", reason),
            None => no_answer(Crossing::Map),
        };
        Entry::Refuse(Fault { page: Some(page.number), channel: Some(page.channel), ..refused })
    }

    fn on_call(&mut self, call: &ToolCall, tool: Option<&ToolSpec>) -> Ruling {
        let fields = questions::calling(call, tool);
        let Some((verdict, reason)) = self.ask(Name::Call, fields, (Verdict::Allow, None), word)
        else {
            return Ruling::new(Verdict::Deny, vec![no_answer(Crossing::Authorize)]);
        };
        let name = match verdict {
            Verdict::Allow => return Ruling::ALLOW,
            Verdict::Ask => "ApprovalRequired",
            Verdict::Deny => "CallRefused",
        };
        Ruling::new(verdict, vec![fault(Crossing::Authorize, name, reason)])
    }

    fn on_approval(
        &mut self,
        call: &ToolCall,
        tool: Option<&ToolSpec>,
        granted: bool,
    ) -> Result<(), Fault> {
        self.step(Name::Approval, questions::answered(call, tool, granted))
    }

    fn on_open(&mut self, opening: &Opening) {
        self.open(opening);
    }

    fn on_derive(&mut self, write: &Write<'_>) -> Kept {
        self.derive(write)
    }

    fn on_retrieve(&mut self, candidates: &mut Vec<u32>) {
        self.retrieve(candidates);
    }

    fn on_reload(&mut self, reload: &Reload<'_>) -> Comeback {
        self.reload(reload)
    }

    fn on_evict(&mut self, page: u32) {
        self.evict(page);
    }

    fn on_save(&mut self) -> Saved {
        self.save()
    }

    fn on_restore(&mut self, saved: &Saved) -> Vec<Fault> {
        self.restore(saved)
    }

    fn on_dispatch(&mut self, call: &ToolCall, tool: Option<&ToolSpec>) -> Result<(), Fault> {
        self.step(Name::Dispatch, questions::calling(call, tool))
    }

    fn on_clock(&mut self, now: u64) {
        self.clock(now);
    }

    fn on_owner(&mut self, act: &OwnerAct<'_>) -> Result<Spoken, Fault> {
        self.owner_acts(act)
    }

    fn on_revoke(&mut self, subjects: &[Subject]) -> Revoked {
        self.revoke(subjects)
    }

    fn outage(&self) -> Option<String> {
        self.child.as_ref().err().cloned()
    }
}
