//! Worlds that tools act on.
//!
//! A world is a typed environment ([`banking::Banking`], [`slack::Slack`]) with the tools that read
//! and change it. Worlds are synchronous and deterministic: they do no I/O after loading, take time
//! from a clock and ids from a counter of their own, and never see a model or a label.
//!
//! Three things to read first: [`World`], [`tool::Tool`] and [`template::Template`].
#![warn(clippy::disallowed_methods)]

pub mod arguments;
pub mod automatic;
pub mod banking;
pub mod calendar;
mod calendar_tools;
pub mod capability;
pub mod clock;
pub mod declared;
pub mod drive;
mod drive_tools;
pub mod environment;
pub mod injecagent;
pub mod live;
pub mod mail;
mod mail_tools;
pub mod office;
pub mod python;
pub mod shared;
pub mod slack;
pub mod template;
pub mod tool;
pub mod travel;
pub mod workspace;
pub mod yaml;

pub use live::{Inspect, World};
