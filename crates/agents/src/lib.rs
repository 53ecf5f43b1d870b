//! Agents that need no model: scripted ones, and recorded ones.
//!
//! What they measure is the layer, not a model: unprotected they succeed by construction, and
//! reports say so. An agent gets its script as data, sees only what a model would see, and uses a
//! value only if it stood in something it saw.

pub mod player;
pub mod recorded;
pub mod roster;
pub mod scripted;
pub mod sight;
