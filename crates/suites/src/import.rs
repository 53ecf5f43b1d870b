//! Recorded runs of other tools, read into trajectories: what the suites' importers share.
//!
//! A path is a log, a file of logs (one JSON object a line), a file of trajectories that was imported
//! before, or a folder of these, walked in the order of its names. What cannot be read is named with
//! its file and line, and counted; nothing is dropped in silence.

use std::collections::BTreeSet;
use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde_json::Value;
use trace::trajectory::{Provenance, Trajectory, number_epochs};

use crate::datasets::sha256;
use crate::files::{self, FileError};

/// What a file holds, by its name.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Holds {
    /// `.json`, perhaps with `.zst`: one log.
    OneLog,
    /// `.jsonl`, perhaps with `.zst`: a log a line.
    Lines,
}

impl Holds {
    fn of(name: &str) -> Option<Self> {
        let mut name = name.to_ascii_lowercase();
        if let Some(unpacked) = name.strip_suffix(".zst") {
            name.truncate(unpacked.len());
        }
        match name.rsplit_once('.') {
            Some((_, "json")) => Some(Self::OneLog),
            Some((_, "jsonl")) => Some(Self::Lines),
            _ => None,
        }
    }
}

/// What an import came to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Imported {
    /// The trajectories, in order.
    pub trajectories: Vec<Trajectory>,
    /// Logs that cannot be read.
    pub malformed: Vec<Malformed>,
    /// Logs of other suites, each with its suite.
    pub foreign: Vec<(Site, String)>,
    /// Files that are no logs by their names.
    pub passed_over: Vec<String>,
}

/// Where a log stands.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Site {
    /// The file: its path below the folder that is imported, or its name.
    pub file: String,
    /// The line, from 1; `None` where the file is one log.
    pub line: Option<u64>,
}

impl fmt::Display for Site {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(out, "{}:{line}", self.file),
            None => out.write_str(&self.file),
        }
    }
}

/// A log that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Malformed {
    /// Where it stands.
    pub site: Site,
    /// What is wrong with it.
    pub why: String,
}

/// A path that cannot be imported at all.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// The path, or a folder below it, cannot be read.
    #[error("failed to read `{}`: {source}", path.display())]
    Read {
        /// The path.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// There is no file with the name of a log.
    #[error("`{}` holds no log: no file ends in .json, .jsonl or these with .zst", .0.display())]
    Nothing(PathBuf),
}

/// A log that was understood.
#[derive(Clone, Debug, PartialEq)]
pub enum Log {
    /// A recorded episode. Its set and epoch are given by the import.
    Recorded(Box<Trajectory>),
    /// It is of another suite, of this name.
    Foreign(String),
    /// A line that is no log by its form, such as a file's own summary.
    NoLog,
}

/// What reads one log: from its JSON, and a provenance that lacks only the form and the origin.
pub type Reader<'r> = &'r dyn Fn(&Value, Provenance) -> Result<Log, String>;

/// Reads whatever lies at the path; `read` understands the logs of the suite. Lines that are
/// trajectories already are taken as they are.
///
/// # Errors
/// The path or a folder below it cannot be read, or holds no file with the name of a log.
pub fn import(path: &Path, read: Reader<'_>) -> Result<Imported, ImportError> {
    let mut imported = Imported::default();
    let sources = sources(path, &mut imported.passed_over)?;
    if sources.is_empty() {
        return Err(ImportError::Nothing(path.to_path_buf()));
    }
    for source in &sources {
        imported.read_file(source, read);
    }
    let name = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
    imported.name_sets(&files::stem(&name));
    number_epochs(&mut imported.trajectories);
    Ok(imported)
}

/// Reads trajectories that were imported before; any other log is malformed.
///
/// # Errors
/// As [`import`].
pub fn trajectories(path: &Path) -> Result<Imported, ImportError> {
    import(path, &|_, _| Err("no trajectory: neither `format` nor `steps`".to_owned()))
}

/// A file that may hold logs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// Where it lies.
    pub path: PathBuf,
    /// Its path below the folder that is imported, with `/` between folders, or its name.
    pub name: String,
}

/// The files at a path that may hold logs, in the order of their names; the others' names go to
/// `passed_over`. A link to a folder is not followed, save the path itself.
///
/// # Errors
/// The path or a folder below it cannot be read.
pub fn sources(path: &Path, passed_over: &mut Vec<String>) -> Result<Vec<Source>, ImportError> {
    let failed = |path: &Path| {
        let path = path.to_path_buf();
        move |source| ImportError::Read { path, source }
    };
    if !fs::metadata(path).map_err(failed(path))?.is_dir() {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
        return Ok(vec![Source { path: path.to_path_buf(), name: name.unwrap_or_default() }]);
    }
    let mut found = Vec::new();
    let mut folders = vec![(path.to_path_buf(), String::new())];
    while let Some((folder, prefix)) = folders.pop() {
        for entry in fs::read_dir(&folder).map_err(failed(&folder))? {
            let entry = entry.map_err(failed(&folder))?;
            let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
            if entry.file_type().map_err(failed(&entry.path()))?.is_dir() {
                folders.push((entry.path(), format!("{name}/")));
            } else if Holds::of(&name).is_some() {
                found.push(Source { path: entry.path(), name });
            } else {
                passed_over.push(name);
            }
        }
    }
    found.sort_by(|one, other| one.name.cmp(&other.name));
    passed_over.sort();
    Ok(found)
}

impl Imported {
    fn read_file(&mut self, source: &Source, reader: Reader<'_>) {
        let whole = Site { file: source.name.clone(), line: None };
        let text = match files::read_text(&source.path) {
            Ok(text) => text,
            Err(FileError::Read { source, .. }) => {
                return self.malformed(whole, format!("cannot be read: {source}"));
            }
            Err(error) => return self.malformed(whole, error.to_string()),
        };
        if Holds::of(&source.name) == Some(Holds::OneLog) {
            return self.read_log(&text, whole, reader);
        }
        let mut empty = true;
        for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            empty = false;
            let line_number = u64::try_from(at + 1).ok();
            self.read_log(line, Site { line: line_number, ..whole.clone() }, reader);
        }
        if empty {
            self.malformed(whole, "is empty".to_owned());
        }
    }

    fn read_log(&mut self, text: &str, site: Site, reader: Reader<'_>) {
        let value: Value = match serde_json::from_str(text) {
            Ok(value) => value,
            Err(error) => return self.malformed(site, format!("no JSON: {error}")),
        };
        if value.get("steps").is_some() && value.get("format").is_some() {
            match Trajectory::parse(text) {
                Ok(trajectory) => self.trajectories.push(trajectory),
                Err(error) => self.malformed(site, error.to_string()),
            }
            return;
        }
        let provenance = Provenance {
            form: String::new(),
            file: site.file.clone(),
            line: site.line,
            origin: None,
            sha256: sha256(text.as_bytes()),
        };
        match reader(&value, provenance) {
            Ok(Log::Recorded(trajectory)) => self.trajectories.push(*trajectory),
            Ok(Log::Foreign(name)) => self.foreign.push((site, name)),
            Ok(Log::NoLog) => {}
            Err(why) => self.malformed(site, why),
        }
    }

    fn malformed(&mut self, site: Site, why: String) {
        self.malformed.push(Malformed { site, why });
    }

    /// Gives those without a set one of the name; logs of several models are as many sets.
    fn name_sets(&mut self, name: &str) {
        let new = || self.trajectories.iter().filter(|one| one.set.is_empty());
        let models: BTreeSet<String> = new().map(|one| one.model.clone()).collect();
        for trajectory in self.trajectories.iter_mut().filter(|one| one.set.is_empty()) {
            trajectory.set = match models.len() {
                1 => name.to_owned(),
                _ => format!("{name}/{}", trajectory.model),
            };
        }
    }
}
