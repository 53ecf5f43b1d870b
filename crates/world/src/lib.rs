//! Worlds that tools act on.
//!
//! A world is a typed environment ([`banking::Banking`], [`slack::Slack`]) with the tools that read
//! and change it. Worlds are synchronous and deterministic: they do no I/O after loading, take time
//! from a clock and ids from a counter of their own, and never see a model or a label.
//!
//! Three things to read first: [`World`], [`tool::Tool`] and [`template::Template`].
#![warn(clippy::disallowed_methods)]

pub mod arguments;
pub mod banking;
pub mod capability;
pub mod environment;
pub mod live;
pub mod python;
pub mod slack;
pub mod template;
pub mod tool;
pub mod yaml;

pub use live::{Inspect, World};
