//! A run's folder: written beside its place and moved there whole, or not at all.

use std::fs;
use std::path::{Path, PathBuf};

use report::summary::Summary;
use serde_json::json;
use trace::rows::RunRows;

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
    /// Makes sure, before the run, that its folder can be written.
    ///
    /// # Errors
    /// The folder holds something already, or cannot be made.
    pub(crate) fn prepare(target: &Path) -> Result<Self, Failure> {
        let occupied = target.read_dir().is_ok_and(|mut entries| entries.next().is_some());
        if occupied {
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

    /// Writes everything and moves it into place.
    ///
    /// # Errors
    /// Something cannot be written; nothing is left behind then.
    pub(crate) fn write(
        self,
        rows: &RunRows,
        summary: &Summary,
        manifest: &serde_json::Value,
    ) -> Result<PathBuf, Failure> {
        store::write(&self.staging, rows)?;
        let pretty = serde_json::to_string_pretty(manifest).expect("a manifest is plain data");
        self.put("summary.json", &summary.to_json())?;
        if let Some(pairs) = report::pairs::csv(&rows.cells) {
            self.put("pairs.csv", &pairs)?;
        }
        if let Some(svg) = report::curve::svg(&report::curve::points(&rows.cells)) {
            self.put("curve.svg", &svg)?;
        }
        self.put(MANIFEST, &pretty)?;
        if self.target.is_dir() {
            // An empty folder that somebody made beforehand.
            fs::remove_dir(&self.target).map_err(|error| self.unwritten(&error))?;
        }
        fs::rename(&self.staging, &self.target).map_err(|error| self.unwritten(&error))?;
        Ok(self.target.clone())
    }

    fn put(&self, name: &str, text: &str) -> Result<(), Failure> {
        let path = self.staging.join(name);
        fs::write(&path, format!("{}\n", text.trim_end())).map_err(|error| self.unwritten(&error))
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

/// What `manifest.json` says of a run.
pub(crate) struct About<'a> {
    pub(crate) plan: &'a runner::plan::Plan,
    pub(crate) data: &'a Path,
    pub(crate) cells_done: usize,
    pub(crate) configuration: serde_json::Value,
    pub(crate) clock_ns: u64,
}

impl About<'_> {
    /// The manifest.
    pub(crate) fn manifest(&self) -> serde_json::Value {
        let cells = self.plan.cells();
        json!({
            "schema_version": trace::version::RUN_SCHEMA,
            "tool": { "name": "bench", "version": trace::version::TOOL,
                      "commit": option_env!("BENCH_COMMIT") },
            "plan_id": self.plan.id.to_string(),
            "complete": self.cells_done == cells,
            "cells": { "planned": cells, "done": self.cells_done },
            "data": [{ "name": self.plan.suite.name(), "version": self.plan.suite.version(),
                       "sha256": self.plan.suite.data_digest(),
                       "path": self.data.display().to_string() }],
            "configuration": self.configuration,
            "clock_ns": self.clock_ns,
            "notes": self.plan.notes,
        })
    }
}
