//! What can be wrong with `InjecAgent`'s data and recordings, each said in one message.

use std::io;
use std::path::PathBuf;

use crate::files::FileError;

/// Data that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum DataError {
    /// A record does not have the expected form.
    #[error("{file}:{line}: {message}")]
    Record {
        /// The file.
        file: String,
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        message: String,
    },
    /// A file cannot be read.
    #[error("failed to read `{}`: {source}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// A file of recordings cannot be read or unpacked.
    #[error(transparent)]
    File(FileError),
    /// What was read does not fit together.
    #[error("{file}: {message}")]
    Content {
        /// The file.
        file: String,
        /// What is wrong.
        message: String,
    },
    /// A folder holds no recording.
    #[error("found no recordings in `{}`", path.display())]
    NoRecordings {
        /// The folder.
        path: PathBuf,
    },
}

impl DataError {
    /// What to do about it.
    pub fn hint(&self) -> Option<String> {
        Some(match self {
            Self::Record { message, .. } if message.starts_with("EOF") => {
                "the line is cut short: fetch the file again".to_owned()
            }
            Self::Record { .. } => {
                "recordings are JSON lines with `i`, `output` and `eval`, or the case's own fields \
                 with `output` and `eval`"
                    .to_owned()
            }
            Self::File(_) => "the file may be cut short: fetch it again".to_owned(),
            Self::Unreadable { .. } => "check the path and its permissions".to_owned(),
            Self::Content { .. } => return None,
            Self::NoRecordings { .. } => "expected `{base,enhanced}/MODEL/{dh,ds}.jsonl.zst`, or \
                 `{BASE,ENHANCED}/MODEL/test_cases_*.json`"
                .to_owned(),
        })
    }
}
