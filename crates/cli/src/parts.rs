//! What is done of a run, put aside while it goes on, so that a killed one can be resumed.
//!
//! Parts lie beside the run's folder, in `.NAME.parts`. Each is a folder `part-START-END` with the
//! rows of the jobs from START up to END of those that the run has to do, written under another name
//! and renamed when it is whole. They follow each other without a gap. `parts.json` says which run
//! they are of.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde_json::Value;
use store::RunReader;
use trace::rows::RunRows;

use crate::exit;
use crate::failure::Failure;
use crate::whole_file::write_whole;

/// The file that says which run the parts are of.
const IDENTITY: &str = "parts.json";

/// The parts of a run.
pub(crate) struct Parts {
    dir: PathBuf,
    identity: Value,
    /// Whole parts in order: their folders, and the number of jobs behind the last of each.
    whole: Vec<(PathBuf, usize)>,
    /// Whether they stay when this goes out of scope.
    keep: bool,
}

impl Parts {
    /// The parts of the run into `target`: none, or with `resume` those that are there. `identity` is
    /// what decides the rows; `first` is an interrupted run's folder with its number of jobs, which
    /// is then the first part.
    ///
    /// # Errors
    /// There are parts, and they are of another run or not to be resumed.
    pub(crate) fn open(
        target: &Path,
        identity: Value,
        resume: bool,
        first: Option<(PathBuf, usize)>,
    ) -> Result<Self, Failure> {
        let dir = folder(target);
        // Parts that are there already outlive every refusal.
        let keep = dir.exists();
        let mut parts = Self { dir, identity, whole: first.into_iter().collect(), keep };
        if !keep {
            return Ok(parts);
        }
        let shown = parts.dir.display();
        if !resume {
            let message = format!("`{shown}` holds what a killed run had done");
            return Err(Failure::new(exit::INVALID, message)
                .hint("go on with --resume, or remove that folder to begin anew"));
        }
        let found = fs::read_to_string(parts.dir.join(IDENTITY)).ok();
        let found: Option<Value> = found.and_then(|text| serde_json::from_str(&text).ok());
        if found.as_ref() != Some(&parts.identity) {
            let message = format!("`{shown}` is of another run");
            return Err(Failure::new(exit::INVALID, message)
                .hint("resume with the options of that run, or remove the folder"));
        }
        parts.find().map_err(|error| parts.unreadable(&error))?;
        Ok(parts)
    }

    /// Finds the whole parts, and removes what a killed process left half-written.
    fn find(&mut self) -> io::Result<()> {
        let mut found = Vec::new();
        for entry in fs::read_dir(&self.dir)? {
            let path = entry?.path();
            match range(&path) {
                Some(range) => found.push((range, path)),
                None if path.is_dir() => fs::remove_dir_all(&path)?,
                None => {}
            }
        }
        found.sort();
        for ((start, end), path) in found {
            if start == self.jobs_done() {
                self.whole.push((path, end));
            }
        }
        Ok(())
    }

    /// How many jobs are in whole parts.
    pub(crate) fn jobs_done(&self) -> usize {
        self.whole.last().map_or(0, |(_, end)| *end)
    }

    /// How many whole parts there are.
    pub(crate) fn len(&self) -> usize {
        self.whole.len()
    }

    /// Where they lie.
    pub(crate) fn dir(&self) -> &Path {
        &self.dir
    }

    /// Puts the rows of the next jobs aside.
    ///
    /// # Errors
    /// They cannot be written.
    pub(crate) fn put(&mut self, rows: &RunRows, jobs: usize) -> Result<(), Failure> {
        let (start, end) = (self.jobs_done(), self.jobs_done() + jobs);
        let name = format!("part-{start:010}-{end:010}");
        let hidden = self.dir.join(format!(".{name}.tmp-{}", std::process::id()));
        fs::create_dir_all(&self.dir).map_err(|error| self.unwritten(&error))?;
        if !self.dir.join(IDENTITY).exists() {
            write_whole(&self.dir.join(IDENTITY), &self.identity.to_string())?;
        }
        store::write(&hidden, rows)?;
        let path = self.dir.join(name);
        fs::rename(&hidden, &path).map_err(|error| self.unwritten(&error))?;
        self.whole.push((path, end));
        self.keep = true;
        Ok(())
    }

    /// Reads the parts, one after the other, an interrupted run's folder in several pieces.
    ///
    /// # Errors
    /// A part cannot be read; or `take` fails.
    pub(crate) fn each(
        &self,
        mut take: impl FnMut(RunRows) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        for (path, _) in &self.whole {
            let unreadable = |error| {
                Failure::new(exit::INVALID, error).hint("remove that part to run its cells again")
            };
            let mut reader = RunReader::open(path).map_err(unreadable)?;
            while let Some(rows) = reader.next_rows().map_err(unreadable)? {
                take(rows)?;
            }
        }
        Ok(())
    }

    /// Removes them: the run is written.
    pub(crate) fn remove(mut self) {
        self.keep = false;
    }

    fn unreadable(&self, error: &io::Error) -> Failure {
        Failure::new(exit::INVALID, format!("failed to read `{}`: {error}", self.dir.display()))
    }

    fn unwritten(&self, error: &io::Error) -> Failure {
        Failure::new(exit::UNWRITTEN, format!("failed to write `{}`: {error}", self.dir.display()))
            .hint("what is done stays there: go on with --resume")
    }
}

impl Drop for Parts {
    fn drop(&mut self) {
        if !self.keep {
            let _ = fs::remove_dir_all(&self.dir);
        }
    }
}

/// Where the parts of a run lie.
fn folder(target: &Path) -> PathBuf {
    let name = target.file_name().unwrap_or_default().to_string_lossy().into_owned();
    target.with_file_name(format!(".{name}.parts"))
}

/// The jobs of a part, by its folder's name.
fn range(path: &Path) -> Option<(usize, usize)> {
    let name = path.file_name()?.to_str()?.strip_prefix("part-")?;
    let (start, end) = name.split_once('-')?;
    Some((start.parse().ok()?, end.parse().ok()?))
}
