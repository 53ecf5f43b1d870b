//! Defenses, one file each.
//!
//! A defense sees pages with their channels, and calls with their tools: what a real deployment
//! would have too. It never sees a scenario, so it cannot know which text is the attack.

pub mod ask_all;
pub mod deny_all;
pub mod exec;
pub mod mmu;
pub mod none;
pub mod roster;
