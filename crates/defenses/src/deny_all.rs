//! `deny-all`: every call is refused.

use harness::defense::{Defense, Hook, Ruling, Verdict};
use trace::call::ToolCall;
use trace::tool::ToolSpec;

use crate::ask_all::blanket;

/// **What it does.** Refuses every call and asks nobody.
/// **What it assumes.** Nothing.
/// **What it cannot stop.** Attacks on the answer alone.
/// **Example.** `bench run --defense deny-all` is the floor: no attack by tool lands, and no task is
/// done.
#[derive(Clone, Copy, Debug, Default)]
pub struct DenyAll;

impl Defense for DenyAll {
    fn hooks(&self) -> &'static [Hook] {
        &[Hook::Call]
    }

    fn on_call(&mut self, _: &ToolCall, _: Option<&ToolSpec>) -> Ruling {
        Ruling::new(Verdict::Deny, vec![blanket("CallRefused")])
    }
}
