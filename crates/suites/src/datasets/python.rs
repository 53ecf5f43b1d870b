//! Python: found, asked for its version, and run with its output kept for error messages.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::error::PullError;

/// The oldest Python that upstream's package and its exporter run on.
pub(super) const OLDEST: Version = Version { major: 3, minor: 10 };

/// The newest Python that the pinned packages were tried on. A newer one is taken if there is no other.
pub(super) const NEWEST: Version = Version { major: 3, minor: 13 };

/// The names that are tried, best first.
const NAMES: [&str; 7] =
    ["python3", "python", "python3.14", "python3.13", "python3.12", "python3.11", "python3.10"];

/// How many lines of a failed program's output an error shows.
const TAIL_LINES: usize = 8;

/// A version of Python, as far as it matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Version {
    major: u32,
    minor: u32,
}

impl fmt::Display for Version {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}.{}", self.major, self.minor)
    }
}

/// A Python interpreter that runs and is new enough.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Python {
    pub(super) program: PathBuf,
    pub(super) version: Version,
}

/// Where Python is looked for.
#[derive(Debug, Clone, Default)]
pub(super) struct Search {
    /// The one interpreter to take, if it was named.
    pub(super) named: Option<PathBuf>,
    /// The folders to search instead of those in `PATH`.
    pub(super) path: Option<OsString>,
}

impl Search {
    /// The first interpreter that runs and is neither too old nor untried, else one that is untried.
    pub(super) fn find(&self) -> Result<Python, PullError> {
        let tried: Vec<&OsStr> = match &self.named {
            Some(named) => vec![named.as_os_str()],
            None => NAMES.iter().map(OsStr::new).collect(),
        };
        let (mut old, mut untried) = (None, None);
        for python in tried.iter().filter_map(|program| self.ask(program)) {
            if python.version < OLDEST {
                old = old.or(Some(python));
            } else if python.version > NEWEST {
                untried = untried.or(Some(python));
            } else {
                return Ok(python);
            }
        }
        if let Some(python) = untried {
            return Ok(python);
        }
        Err(match old {
            Some(Python { program, version }) => PullError::OldPython {
                python: program.display().to_string(),
                found: version.to_string(),
            },
            None => PullError::NoPython {
                tried: tried
                    .iter()
                    .map(|program| format!("`{}`", program.display()))
                    .collect::<Vec<_>>()
                    .join(", "),
            },
        })
    }

    /// Asks a program which Python it is. `None` if it does not run or is none.
    fn ask(&self, program: &OsStr) -> Option<Python> {
        let question = "import sys; print('%d.%d %s' % (sys.version_info[:2] + (sys.executable,)))";
        let mut command = Command::new(program);
        command.args(["-c", question]).stdin(Stdio::null());
        command.env_remove("PYTHONHOME").env_remove("PYTHONPATH");
        if let Some(path) = &self.path {
            command.env("PATH", path);
        }
        let output = command.output().ok()?;
        let answer = String::from_utf8(output.stdout).ok()?;
        let (version, executable) = answer.trim_end().split_once(' ')?;
        let (major, minor) = version.split_once('.')?;
        Some(Python {
            program: executable.into(),
            version: Version { major: major.parse().ok()?, minor: minor.parse().ok()? },
        })
    }
}

/// The interpreter of the virtual environment in `venv`.
pub(super) fn interpreter(venv: &Path) -> PathBuf {
    if cfg!(windows) { venv.join("Scripts").join("python.exe") } else { venv.join("bin/python") }
}

/// How a program failed.
#[derive(Debug)]
pub(super) struct Failure {
    /// The last lines that it wrote.
    pub(super) tail: String,
    /// Whether it ran out of space.
    pub(super) full: bool,
}

impl Failure {
    /// The error of a program that was writing to `place`: out of space, or what `other` says.
    pub(super) fn into_error(
        self,
        place: &Path,
        other: impl FnOnce(String) -> PullError,
    ) -> PullError {
        if self.full { PullError::Full { path: place.to_owned() } } else { other(self.tail) }
    }
}

/// Runs a program of Python's to its end, apart from the caller's own Python settings.
pub(super) fn run<I: AsRef<OsStr>>(
    program: &Path,
    args: impl IntoIterator<Item = I>,
) -> Result<(), Failure> {
    let output = Command::new(program)
        .args(args)
        .env_remove("PYTHONHOME")
        .env_remove("PYTHONPATH")
        .env("PYTHONIOENCODING", "utf-8")
        .stdin(Stdio::null())
        .output()
        .map_err(|source| Failure {
            tail: format!("failed to start `{}`: {source}", program.display()),
            full: source.kind() == io::ErrorKind::StorageFull,
        })?;
    if output.status.success() {
        return Ok(());
    }
    let text = [output.stdout, output.stderr].map(|out| String::from_utf8_lossy(&out).into_owned());
    let full = text.iter().any(|text| text.contains("No space left on device"));
    let tail = tail(&text.join("\n"));
    Err(Failure { tail: if tail.is_empty() { output.status.to_string() } else { tail }, full })
}

/// The last lines that are not blank.
fn tail(text: &str) -> String {
    let lines: Vec<&str> =
        text.lines().map(str::trim_end).filter(|line| !line.is_empty()).collect();
    lines[lines.len().saturating_sub(TAIL_LINES)..].join("\n")
}
