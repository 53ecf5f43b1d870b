//! The harness: episodes, pages and contexts, and what plugs into them.
//!
//! Two loops run an episode: [`episode`], with one session and no memory, and [`paged`], with several
//! sessions, typed pages under a budget, records that outlive their session, and checkpoints.
//!
//! An [`episode`] runs an [`agent::Agent`] against a world, with a [`defense::Defense`] at each
//! crossing and an [`owner::Owner`] who answers approval requests. The harness stamps each page's
//! channel; the defense alone turns that into labels. The harness sees a prompt and a world, never a
//! scenario, and holds no code of any defense.

pub mod agent;
pub mod defense;
pub mod episode;
pub mod memory;
pub mod owner;
pub mod paged;
pub mod timing;
