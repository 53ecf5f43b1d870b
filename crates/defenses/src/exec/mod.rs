//! `exec:COMMAND`: a defense of one's own, as a child process that speaks JSON lines.
//!
//! `docs/exec-defense.md` describes the protocol for who writes such a child.

mod child;
mod command;
#[cfg(test)]
mod tests;
mod wire;

use harness::defense::{Defense, Entry, Hook, Page, Ruling, Verdict};
use trace::call::ToolCall;
use trace::event::{Crossing, Fault};
use trace::tool::ToolSpec;

use child::Child;
pub use command::{BadCommand, Command};
pub use wire::{PROTOCOL, SCHEMA};

/// **What it does.** Asks a child process, one for each episode, whether a page may enter and what
/// becomes of a call.
/// **What it assumes.** The child is the user's own program: it runs with the user's rights, but with
/// no variable of the environment except `PATH` and `LANG`.
/// **What it cannot stop.** Whatever the child lets through. A child that is slow, dies or answers
/// something else makes the cell invalid: it is never a pass.
/// **Example.** `bench run --defense 'exec:python3 docs/keyword_guard.py'`.
pub struct Exec {
    /// The child; or why there is none any more.
    child: Result<Child, String>,
    hooks: &'static [Hook],
}

impl Exec {
    /// Starts the child and greets it. One that cannot be started, or does not answer, shows in
    /// [`Defense::outage`].
    pub fn start(command: &Command, tools: &[ToolSpec]) -> Self {
        let greeted = Child::spawn(command).and_then(|mut child| {
            let hooks = wire::hello(&child.ask(&wire::greeting(tools))?)?;
            Ok((child, hooks))
        });
        match greeted {
            Ok((child, hooks)) => Self { child: Ok(child), hooks },
            // Both hooks, so that nothing passes until the outage is noticed.
            Err(why) => Self { child: Err(why), hooks: &[Hook::Enter, Hook::Call] },
        }
    }

    /// Sends a question and reads its answer; from the first failure on there is no child.
    fn ask<T>(
        &mut self,
        question: &serde_json::Value,
        read: fn(&str, u64) -> Result<T, String>,
    ) -> Option<T> {
        let child = self.child.as_mut().ok()?;
        let answer = child.ask(question).and_then(|line| read(&line, child.asked()));
        match answer {
            Ok(answer) => Some(answer),
            Err(why) => {
                self.child = Err(why);
                None
            }
        }
    }

    fn next_id(&self) -> u64 {
        self.child.as_ref().map_or(0, |child| child.asked() + 1)
    }
}

fn fault(crossing: Crossing, name: &str, reason: String) -> Fault {
    Fault { crossing, name: name.to_owned(), reason, page: None, channel: None, argument: None }
}

/// What stands in place of an answer that never came.
fn no_answer(crossing: Crossing) -> Fault {
    fault(crossing, "DefenseOutage", "NoAnswer".to_owned())
}

impl Defense for Exec {
    fn hooks(&self) -> &'static [Hook] {
        self.hooks
    }

    fn on_enter(&mut self, page: Page<'_>) -> Entry {
        let question = wire::entering(self.next_id(), page);
        let about = |fault| Fault { page: Some(page.number), channel: Some(page.channel), ..fault };
        match self.ask(&question, wire::entry) {
            Some(None) => Entry::Admit,
            Some(Some(reason)) => Entry::Refuse(about(fault(Crossing::Map, "PageRefused", reason))),
            None => Entry::Refuse(about(no_answer(Crossing::Map))),
        }
    }

    fn on_call(&mut self, call: &ToolCall, tool: Option<&ToolSpec>) -> Ruling {
        let question = wire::calling(self.next_id(), call, tool);
        let Some((verdict, reason)) = self.ask(&question, wire::ruling) else {
            return Ruling::new(Verdict::Deny, vec![no_answer(Crossing::Authorize)]);
        };
        let name = match verdict {
            Verdict::Allow => return Ruling::ALLOW,
            Verdict::Ask => "ApprovalRequired",
            Verdict::Deny => "CallRefused",
        };
        Ruling::new(verdict, vec![fault(Crossing::Authorize, name, reason)])
    }

    fn outage(&self) -> Option<String> {
        self.child.as_ref().err().cloned()
    }
}
