//! Runs that were written before, as other commands read them.

use std::fs;
use std::path::Path;

use serde_json::Value;
use trace::rows::RunRows;

use crate::exit;
use crate::failure::Failure;

/// A run's rows and what its manifest says of it.
pub(crate) struct ReadRun {
    pub(crate) rows: RunRows,
    /// Data sets with their digests, and the versions that must agree for runs to be compared.
    pub(crate) fingerprint: Value,
    /// The manifest as it was read.
    pub(crate) manifest: Value,
    /// Whether every cell of its plan is there.
    pub(crate) complete: bool,
}

/// Reads a run's folder.
///
/// # Errors
/// The folder is no run's, or cannot be read.
pub(crate) fn read(dir: &Path) -> Result<ReadRun, Failure> {
    let invalid = |message: String| {
        Failure::new(exit::INVALID, message).hint("give the folder that `bench run --out` wrote")
    };
    let path = dir.join("manifest.json");
    let text = fs::read_to_string(&path)
        .map_err(|error| invalid(format!("failed to read `{}`: {error}", path.display())))?;
    let manifest: Value = serde_json::from_str(&text)
        .map_err(|error| invalid(format!("`{}` is no manifest: {error}", path.display())))?;
    let rows = store::read(dir).map_err(|error| Failure::new(exit::INVALID, error))?;
    let data = manifest["data"].as_array().into_iter().flatten();
    let data = data.map(|one| serde_json::json!([one["name"], one["version"], one["sha256"]]));
    Ok(ReadRun {
        rows,
        fingerprint: serde_json::json!([manifest["schema_version"], data.collect::<Vec<_>>()]),
        complete: manifest["complete"] == true,
        manifest,
    })
}

/// Refuses two runs that were not made from the same data.
///
/// # Errors
/// Their fingerprints differ.
pub(crate) fn check_comparable(one: &ReadRun, other: &ReadRun) -> Result<(), Failure> {
    if one.fingerprint == other.fingerprint {
        return Ok(());
    }
    let message =
        format!("the runs are not comparable: data {} and {}", one.fingerprint, other.fingerprint);
    Err(Failure::new(exit::NOT_COMPARABLE, message).hint("run both with the same data sets"))
}
