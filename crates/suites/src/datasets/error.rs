//! What can be wrong with a data set, each said in one message, with a hint where one helps.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

use super::EXIT_DATA;

/// No folder could be found for the cache.
#[derive(Debug, Error)]
#[error("no place for the cache: neither `BENCH_CACHE` nor `XDG_CACHE_HOME` nor a home is set")]
pub struct NoCache;

/// A data set is in none of the places searched.
#[derive(Debug, Error)]
#[error("the data set `{name}` is not here; searched {}", paths(searched))]
pub struct Missing {
    /// The data set's name.
    pub name: String,
    /// The paths that were searched, in order.
    pub searched: Vec<PathBuf>,
}

/// A file is not the one that the manifest names.
#[derive(Debug, Error)]
#[error(
    "the {what} `{}` is not the pinned one: expected sha256 {expected} ({expected_bytes} bytes), \
     got {got} ({got_bytes} bytes)",
    path.display()
)]
pub struct WrongDigest {
    /// What the file was to be: `wheel`, `bundle` or `file`.
    pub what: &'static str,
    /// The file's path; its name alone if it was fetched or made by a pull and is gone.
    pub path: PathBuf,
    /// The SHA-256 that the manifest asks for.
    pub expected: String,
    /// The size that the manifest asks for, in bytes.
    pub expected_bytes: u64,
    /// The file's SHA-256.
    pub got: String,
    /// The file's size in bytes.
    pub got_bytes: u64,
}

/// A bundle could not be loaded.
#[derive(Debug, Error)]
pub enum LoadError {
    /// It is in none of the places searched.
    #[error(transparent)]
    Missing(#[from] Missing),
    /// It could not be read.
    #[error("failed to read `{}`: {source}", path.display())]
    Unreadable {
        /// The file's path.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// A file of the data set is not there.
    #[error("the data set `{name}` lacks `{}`", path.display())]
    NoFile {
        /// The file's path.
        path: PathBuf,
        /// The data set's name.
        name: String,
        /// Whether it lies in the read-only place, which a pull does not touch.
        provided: bool,
    },
    /// It is not the bundle that the manifest names.
    #[error("{wrong}")]
    Wrong {
        /// The file and both digests.
        wrong: Box<WrongDigest>,
        /// The data set's name.
        name: String,
        /// Whether it lies in the read-only place, which a pull does not touch.
        provided: bool,
    },
}

/// A data set could not be pulled. Nothing of it is left behind.
#[derive(Debug, Error)]
pub enum PullError {
    /// No Python interpreter runs.
    #[error("found no Python: tried {tried}")]
    NoPython {
        /// The programs that were tried.
        tried: String,
    },
    /// The interpreters that run are too old.
    #[error(
        "`{python}` is Python {found}, and the export needs {} or newer",
        super::python::OLDEST
    )]
    OldPython {
        /// The interpreter.
        python: String,
        /// Its version.
        found: String,
    },
    /// Python's `venv` module, or what it needs, is not installed.
    #[error("`{}` cannot make virtual environments{}", python.display(), indented(tail))]
    NoVenv {
        /// The interpreter.
        python: PathBuf,
        /// The last lines it wrote.
        tail: String,
    },
    /// `pip` failed.
    #[error("pip failed to {task}{}", indented(tail))]
    Pip {
        /// What it was to do, after "failed to".
        task: String,
        /// The last lines it wrote.
        tail: String,
    },
    /// The wheel given does not exist.
    #[error("found no wheel at `{}`", path.display())]
    NoWheel {
        /// The path searched.
        path: PathBuf,
    },
    /// A file of the data set is not where it was to be taken from.
    #[error("found no file at `{}`", path.display())]
    NoFile {
        /// The path searched.
        path: PathBuf,
    },
    /// `git` failed.
    #[error("git failed to {task}{}", indented(tail))]
    Git {
        /// What it was to do, after "failed to".
        task: String,
        /// The last lines it wrote.
        tail: String,
    },
    /// The wheel, the bundle or a file is not the pinned one.
    #[error(transparent)]
    WrongDigest(Box<WrongDigest>),
    /// Upstream's code could not be exported.
    #[error("the exporter failed{}", indented(tail))]
    Exporter {
        /// The last lines it wrote.
        tail: String,
    },
    /// The read-only place holds a bundle that is not the pinned one, or cannot be read.
    #[error(transparent)]
    Provided(LoadError),
    /// No space is left.
    #[error("no space left in `{}`", path.display())]
    Full {
        /// Where a step was writing.
        path: PathBuf,
    },
    /// Something in the cache could not be written.
    #[error("failed to write `{}`: {source}", path.display())]
    Write {
        /// What was written.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
}

impl NoCache {
    /// What to do about it.
    pub fn hint(&self) -> Option<String> {
        Some("set `BENCH_CACHE` to a folder that can be written".into())
    }

    /// The exit code of a command that ends so.
    pub fn exit_code(&self) -> u8 {
        EXIT_DATA
    }
}

impl Missing {
    /// What to do about it.
    pub fn hint(&self) -> Option<String> {
        Some(format!("run `bench datasets pull {}`", self.name))
    }

    /// The exit code of a command that ends so.
    pub fn exit_code(&self) -> u8 {
        EXIT_DATA
    }
}

impl LoadError {
    /// What to do about it.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Missing(missing) => missing.hint(),
            Self::Unreadable { .. } => None,
            Self::Wrong { provided: true, .. } => {
                Some("replace or remove that file, or unset `BENCH_DATASETS`".into())
            }
            Self::NoFile { provided: true, .. } => {
                Some("put the file there, or name another folder".into())
            }
            Self::Wrong { name, .. } | Self::NoFile { name, .. } => {
                Some(format!("run `bench datasets pull {name} --force` to fetch it again"))
            }
        }
    }

    /// The exit code of a command that ends so.
    pub fn exit_code(&self) -> u8 {
        EXIT_DATA
    }
}

impl PullError {
    /// What to do about it.
    pub fn hint(&self) -> Option<String> {
        let hint = match self {
            Self::NoPython { .. } | Self::OldPython { .. } => format!(
                "install Python {} or newer, or name one with `--python`",
                super::python::OLDEST
            ),
            Self::NoVenv { .. } => "install Python's `venv` and `ensurepip` modules (Debian and \
                                    Ubuntu: the package `python3-venv`), or name another Python \
                                    with `--python`"
                .into(),
            Self::Pip { .. } => format!(
                "check the network and pip's configuration, or fetch the wheels elsewhere and give \
                 their folder with `--from`; if pip found no matching version, name a Python from \
                 {} to {} with `--python`",
                super::python::OLDEST,
                super::python::NEWEST
            ),
            Self::NoWheel { .. } => "give a wheel, or the folder that holds it".into(),
            Self::NoFile { .. } => {
                "give the folder that holds all files, or the repository's".into()
            }
            Self::Git { .. } => "check the network and git's configuration, or clone the \
                                 repository elsewhere and give its folder with `--from`"
                .into(),
            Self::WrongDigest(wrong) => wrong.hint().into(),
            Self::Exporter { .. } => "try another Python with `--python`".into(),
            Self::Provided(error) => return error.hint(),
            Self::Full { .. } | Self::Write { .. } => {
                "set `BENCH_CACHE` to a folder that can be written and has 200 MB free".into()
            }
        };
        Some(hint)
    }

    /// The exit code of a command that ends so.
    pub fn exit_code(&self) -> u8 {
        EXIT_DATA
    }

    /// The error of writing to `path`.
    pub(super) fn write(path: impl Into<PathBuf>, source: io::Error) -> Self {
        let path = path.into();
        match source.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Self::Full { path },
            _ => Self::Write { path, source },
        }
    }
}

impl From<WrongDigest> for PullError {
    fn from(wrong: WrongDigest) -> Self {
        Self::WrongDigest(Box::new(wrong))
    }
}

impl WrongDigest {
    fn hint(&self) -> &'static str {
        match self.what {
            "wheel" if self.got_bytes < self.expected_bytes => {
                "it was cut short: download it again"
            }
            "file" if self.got_bytes < self.expected_bytes => "it is cut short: fetch it again",
            "file" => "it was changed: take upstream's commit that the manifest names",
            "wheel" => "it is another build or was changed: take it from the Python package index",
            _ => "try another Python with `--python`, and report the digest",
        }
    }
}

fn paths(paths: &[PathBuf]) -> String {
    paths.iter().map(|path| format!("`{}`", path.display())).collect::<Vec<_>>().join(", ")
}

/// The lines of `tail`, indented below a message; nothing if there are none.
fn indented(tail: &str) -> String {
    let mut text = String::new();
    for line in tail.lines() {
        text.push_str(if text.is_empty() { ":\n    " } else { "\n    " });
        text.push_str(line);
    }
    text
}
