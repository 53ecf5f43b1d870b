//! A run's folder: written beside its place and moved there whole, or not at all.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use report::folded::Folded;
use report::summary::Summary;
use runner::partition::Partition;
use serde_json::json;
use store::RunWriter;

use crate::exit;
use crate::failure::Failure;

/// The file that marks a folder as a run's.
const MANIFEST: &str = "manifest.json";

/// A run's folder that is not written yet.
pub(crate) struct RunDir {
    target: PathBuf,
    staging: PathBuf,
}

impl RunDir {
    /// Makes sure, before the run, that its folder can be written. With `replaces` it may hold an
    /// earlier part of the run, which stays until the whole is written.
    ///
    /// # Errors
    /// The folder holds something already, or cannot be made.
    pub(crate) fn prepare(target: &Path, replaces: bool) -> Result<Self, Failure> {
        let occupied = target.read_dir().is_ok_and(|mut entries| entries.next().is_some());
        if occupied && !replaces {
            let message = format!("output folder `{}` is not empty", target.display());
            return Err(Failure::new(exit::INVALID, message)
                .hint("give another folder with --out, or remove this one"));
        }
        let name = target.file_name().map(|name| name.to_string_lossy().into_owned());
        let Some(name) = name else {
            let message = format!("output folder `{}` has no name", target.display());
            return Err(Failure::new(exit::INVALID, message).hint("give a folder with --out"));
        };
        let staging = target.with_file_name(format!(".{name}.tmp-{}", std::process::id()));
        let dir = Self { target: target.to_path_buf(), staging };
        store::check_writable(&dir.staging).map_err(|error| {
            Failure::new(exit::INVALID, error).hint("choose a folder with --out")
        })?;
        Ok(dir)
    }

    /// The folder that the run will have.
    pub(crate) fn target(&self) -> &Path {
        &self.target
    }

    /// Where the run is written before it is moved there.
    pub(crate) fn staging(&self) -> &Path {
        &self.staging
    }

    /// What writes the run's Parquet files.
    ///
    /// # Errors
    /// They cannot be created.
    pub(crate) fn writer(&self) -> Result<RunWriter, Failure> {
        Ok(RunWriter::create(&self.staging)?)
    }

    /// Writes a further file of the run.
    ///
    /// # Errors
    /// It cannot be written.
    pub(crate) fn add(&self, name: &str, text: &str) -> Result<(), Failure> {
        self.put(name, text)
    }

    /// Writes what stands beside the Parquet files and moves all into place.
    ///
    /// # Errors
    /// Something cannot be written; nothing is left behind then.
    pub(crate) fn publish(
        self,
        cells: &Folded,
        summary: &Summary,
        manifest: &serde_json::Value,
    ) -> Result<PathBuf, Failure> {
        let pretty = serde_json::to_string_pretty(manifest).expect("a manifest is plain data");
        self.put("summary.json", &summary.to_json())?;
        self.put_lines("pairs.csv", cells.pairs().lines())?;
        if let Some(svg) = report::curve::svg(&report::curve::points(&cells.cells())) {
            self.put("curve.svg", &svg)?;
        }
        self.put(MANIFEST, &pretty)?;
        let aside = self.aside();
        if self.target.is_dir() {
            // An empty folder that somebody made beforehand, or an earlier part of the run.
            fs::rename(&self.target, &aside).map_err(|error| self.unwritten(&error))?;
        }
        fs::rename(&self.staging, &self.target).map_err(|error| {
            let _ = fs::rename(&aside, &self.target);
            self.unwritten(&error)
        })?;
        let _ = fs::remove_dir_all(&aside);
        Ok(self.target.clone())
    }

    /// Where an earlier part waits until the run has its place.
    fn aside(&self) -> PathBuf {
        let mut name = self.staging.clone().into_os_string();
        name.push("-old");
        name.into()
    }

    fn put(&self, name: &str, text: &str) -> Result<(), Failure> {
        let path = self.staging.join(name);
        fs::write(&path, format!("{}\n", text.trim_end())).map_err(|error| self.unwritten(&error))
    }

    /// Writes a file line by line; none where there are no lines.
    fn put_lines(&self, name: &str, lines: impl Iterator<Item = String>) -> Result<(), Failure> {
        let mut lines = lines.peekable();
        if lines.peek().is_none() {
            return Ok(());
        }
        let write = || -> io::Result<()> {
            let mut file = io::BufWriter::new(fs::File::create(self.staging.join(name))?);
            for line in lines {
                writeln!(file, "{line}")?;
            }
            file.flush()
        };
        write().map_err(|error| self.unwritten(&error))
    }

    fn unwritten(&self, error: &std::io::Error) -> Failure {
        let message = format!("failed to write the run to `{}`: {error}", self.target.display());
        Failure::new(exit::UNWRITTEN, message)
    }
}

impl Drop for RunDir {
    fn drop(&mut self) {
        // After a move there is nothing here; after a failure, nothing may stay.
        let _ = fs::remove_dir_all(&self.staging);
    }
}

/// Removes what a process that was killed while it wrote the run's folder left beside it.
pub(crate) fn remove_half_written(target: &Path) {
    let Some(name) = target.file_name().map(|name| name.to_string_lossy().into_owned()) else {
        return;
    };
    let start = format!(".{name}.tmp-");
    let beside = target.parent().filter(|parent| !parent.as_os_str().is_empty());
    let entries = fs::read_dir(beside.unwrap_or(Path::new("."))).into_iter().flatten().flatten();
    for entry in entries {
        let name = entry.file_name().to_string_lossy().into_owned();
        let process = name.strip_prefix(&start);
        if process.is_some_and(|process| process.chars().all(|c| c.is_ascii_digit())) {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

/// What `manifest.json` says of a run.
pub(crate) struct About<'a> {
    pub(crate) plan: &'a runner::plan::Plan,
    pub(crate) data: &'a Path,
    /// The numbers of the jobs that were to be done.
    pub(crate) jobs: &'a [usize],
    pub(crate) jobs_done: usize,
    pub(crate) cells_done: usize,
    /// Which part of the plan, where it is shared.
    pub(crate) partition: Option<Partition>,
    pub(crate) configuration: serde_json::Value,
    pub(crate) clock_ns: u64,
}

impl About<'_> {
    /// How many cells were to be done.
    pub(crate) fn cells_planned(&self) -> usize {
        self.jobs.iter().map(|job| self.plan.jobs[*job].cells.len()).sum()
    }

    /// The manifest.
    pub(crate) fn manifest(&self) -> serde_json::Value {
        let cells = self.cells_planned();
        json!({
            "schema_version": trace::version::RUN_SCHEMA,
            "tool": { "name": "bench", "version": trace::version::TOOL,
                      "commit": option_env!("BENCH_COMMIT") },
            "scorers": trace::version::SCORERS,
            "plan_id": self.plan.id.to_string(),
            // A part of a plan is not a run that can be judged: `bench merge` makes one of all parts.
            "complete": self.cells_done == cells && self.partition.is_none(),
            "cells": { "planned": cells, "done": self.cells_done },
            "jobs": { "planned": self.jobs.len(), "done": self.jobs_done },
            "partition": self.partition.map(|partition| partition.to_string()),
            "data": [{ "name": self.plan.suite.name(), "version": self.plan.suite.version(),
                       "sha256": self.plan.suite.data_digest(),
                       "file": self.data.file_name().map(|name| name.to_string_lossy()) }],
            "configuration": self.configuration,
            "clock_ns": self.clock_ns,
            "notes": self.plan.notes,
        })
    }
}
