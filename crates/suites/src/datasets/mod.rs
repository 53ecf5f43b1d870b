//! Data sets: what a run reads, where it lies, and how it comes there.
//!
//! The repository holds a manifest a data set (`datasets/*.toml`) and no sentence of upstream's.
//! [`pull::pull`] fetches upstream's pinned package through `pip`, lets **upstream's own code** write
//! one JSON bundle, and puts the bundle into the cache only if its digest is the pinned one.
//! [`bundle::load_bytes`] reads it back and checks the digest again: a run never starts from other
//! data than the manifest names. Python is needed for the pull alone.
//!
//! What is in the way is said once and plainly: every error here has a `hint` and the exit code
//! [`EXIT_DATA`].

pub mod bundle;
mod digest;
mod error;
pub mod file_set;
mod file_set_pull;
mod install;
pub mod manifest;
mod places;
pub mod pull;
mod python;
mod scratch;
#[cfg(test)]
mod tests;
pub mod venv;

pub use bundle::{Listed, Located, State, list, load_bytes, locate, verify};
pub(crate) use digest::sha256;
pub use error::{LoadError, Missing, NoCache, PullError, WrongDigest};
pub use file_set::{
    FileSet, Files, injecagent, load_files, load_folder, locate_files, state_of_files,
};
pub use file_set_pull::{FilesOptions, pull_files};
pub use manifest::Manifest;
pub use places::Places;
pub use pull::{Options, Pulled, pull};
pub use venv::upstream_venv;

/// The exit code for data that is missing, wrong, or could not be fetched.
pub const EXIT_DATA: u8 = 3;

/// Takes one plain line about the step that begins now.
pub type Progress<'a> = &'a mut dyn FnMut(&str);
