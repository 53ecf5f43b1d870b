//! What can go wrong with a run's files.

use std::io;
use std::path::{Path, PathBuf};

/// A failure to write or read a run's files; it names the path and the cause.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The system refused an operation on a file or folder.
    #[error("failed to {action} `{path}`: {cause}", path = path.display())]
    Io {
        /// What was tried, such as `create`.
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// The system's answer.
        #[source]
        cause: io::Error,
    },
    /// A Parquet file could not be written.
    #[error("failed to write `{path}`: {reason}", path = path.display())]
    Encode {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// A Parquet file could not be read.
    #[error("failed to read `{path}`: {reason}", path = path.display())]
    Decode {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// A file has another version's format.
    #[error(
        "failed to read `{path}`: it has format version `{found}`, and this version reads {expected}\n\
         hint: read it with the version of bench that wrote it",
        path = path.display()
    )]
    Version {
        /// The file.
        path: PathBuf,
        /// The version in the file.
        found: String,
        /// The version that can be read ([`trace::version::RUN_SCHEMA`]).
        expected: u32,
    },
    /// The bytes of a row of `latency.parquet` are no histogram, or two of them cannot be merged.
    #[error("failed to read the histogram of `{defense}`, hook `{hook}`: {reason}")]
    Histogram {
        /// The row's defense.
        defense: String,
        /// The row's hook.
        hook: String,
        /// Why.
        reason: String,
    },
}

impl StoreError {
    /// Names the action and the path of a failed system call.
    pub(crate) fn io(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_path_buf();
        move |cause| Self::Io { action, path, cause }
    }
}
