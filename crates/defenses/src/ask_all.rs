//! `ask-all`: the owner is asked about every call.

use harness::defense::{Defense, Hook, Ruling, Verdict};
use trace::call::ToolCall;
use trace::event::{Crossing, Fault};
use trace::tool::ToolSpec;

/// **What it does.** Asks the owner about every call, reading included.
/// **What it assumes.** An owner who never tires.
/// **What it cannot stop.** What the owner grants.
/// **Example.** `bench run --defense ask-all --owner gold` is the ceiling of what asking can buy.
#[derive(Clone, Copy, Debug, Default)]
pub struct AskAll;

/// A fault of a defense that looks at no argument.
pub(crate) fn blanket(name: &str) -> Fault {
    Fault {
        crossing: Crossing::Authorize,
        name: name.to_owned(),
        reason: "EveryCall".to_owned(),
        page: None,
        channel: None,
        argument: None,
    }
}

impl Defense for AskAll {
    fn hooks(&self) -> &'static [Hook] {
        &[Hook::Call]
    }

    fn on_call(&mut self, _: &ToolCall, _: Option<&ToolSpec>) -> Ruling {
        Ruling::new(Verdict::Ask, vec![blanket("ApprovalRequired")])
    }
}
