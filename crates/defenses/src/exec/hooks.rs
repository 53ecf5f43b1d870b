//! The hooks of the protocol by their names on the wire, and the harness's hooks behind them.

use std::sync::{Mutex, PoisonError};

use harness::defense::Hook;

/// A hook that a program may ask to be asked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Name {
    Open,
    Enter,
    Derive,
    Retrieve,
    Reload,
    Evict,
    Save,
    Restore,
    Call,
    Approval,
    Owner,
    Dispatch,
    Revoke,
    Clock,
}

impl Name {
    /// All of them, in the order of the documentation.
    pub(super) const ALL: &[Self] = &[
        Self::Open,
        Self::Enter,
        Self::Derive,
        Self::Retrieve,
        Self::Reload,
        Self::Evict,
        Self::Save,
        Self::Restore,
        Self::Call,
        Self::Approval,
        Self::Owner,
        Self::Dispatch,
        Self::Revoke,
        Self::Clock,
    ];

    /// The hook of that name.
    pub(super) fn parse(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|name| name.as_str() == word)
    }

    /// The word on the wire.
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Open => "on_open",
            Self::Enter => "on_enter",
            Self::Derive => "on_derive",
            Self::Retrieve => "on_retrieve",
            Self::Reload => "on_reload",
            Self::Evict => "on_evict",
            Self::Save => "on_save",
            Self::Restore => "on_restore",
            Self::Call => "on_call",
            Self::Approval => "on_approval",
            Self::Owner => "on_owner",
            Self::Dispatch => "on_dispatch",
            Self::Revoke => "on_revoke",
            Self::Clock => "on_clock",
        }
    }

    /// The first version of the protocol that has it.
    pub(super) fn since(self) -> u32 {
        match self {
            Self::Enter | Self::Call => 1,
            _ => 2,
        }
    }

    /// The harness's hook at which it is asked. The clock is none: every defense is told of it.
    fn hook(self) -> Option<Hook> {
        Some(match self {
            Self::Open => Hook::Open,
            Self::Enter => Hook::Enter,
            Self::Derive => Hook::Derive,
            Self::Retrieve => Hook::Retrieve,
            Self::Reload => Hook::Reload,
            Self::Evict => Hook::Evict,
            Self::Save | Self::Restore => Hook::Checkpoint,
            Self::Call => Hook::Call,
            Self::Approval | Self::Owner => Hook::Approval,
            Self::Dispatch => Hook::Dispatch,
            Self::Revoke => Hook::Revoke,
            Self::Clock => return None,
        })
    }
}

/// The harness's hooks behind those of a program. Each set is made once and kept: a run has as many
/// as its programs ask for, and an episode must not add to them.
pub(super) fn behind(names: &[Name]) -> &'static [Hook] {
    static KNOWN: Mutex<Vec<&'static [Hook]>> = Mutex::new(Vec::new());
    let wanted = |hook: &Hook| names.iter().any(|name| name.hook() == Some(*hook));
    let hooks: Vec<Hook> = Hook::ALL.iter().copied().filter(wanted).collect();
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(same) = known.iter().find(|known| **known == hooks.as_slice()) {
        return same;
    }
    let hooks: &'static [Hook] = Vec::leak(hooks);
    known.push(hooks);
    hooks
}
