//! `none`: no defense.

use harness::defense::{Defense, Hook};

/// **What it does.** Nothing: every call is carried out.
/// **What it assumes.** Nothing.
/// **What it cannot stop.** Anything.
/// **Example.** `bench run --defense none` is the arm that others are compared with.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoDefense;

impl Defense for NoDefense {
    fn hooks(&self) -> &'static [Hook] {
        &[]
    }
}
