//! Runs that were written before, as other commands read them.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

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
    /// Which part of its plan it is, where it is one.
    pub(crate) partition: Option<String>,
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
        fingerprint: serde_json::json!([
            manifest["schema_version"],
            manifest["scorers"],
            data.collect::<Vec<_>>()
        ]),
        complete: manifest["complete"] == true,
        partition: manifest["partition"].as_str().map(str::to_owned),
        manifest,
    })
}

/// Where baselines with a name lie, in this order.
const BASELINES: &[&str] = &["results/baselines", "results"];

/// Reads a baseline: a run's folder, or the name of one.
///
/// # Errors
/// There is none, or it cannot be read.
pub(crate) fn read_baseline(named: &Path) -> Result<ReadRun, Failure> {
    let mut places: Vec<PathBuf> = vec![named.to_path_buf()];
    places.extend(BASELINES.iter().map(|folder| Path::new(folder).join(named)));
    let Some(dir) = places.iter().find(|place| place.join("manifest.json").is_file()) else {
        let shown = named.display();
        let message = format!("no baseline `{shown}`: neither a run's folder nor a known name");
        return Err(Failure::new(exit::NOT_COMPARABLE, message).hint(known_baselines()));
    };
    read(dir).map_err(|failure| failure.with_code(exit::NOT_COMPARABLE))
}

/// The names that there are, as a hint.
fn known_baselines() -> String {
    let mut names = Vec::new();
    for entry in fs::read_dir(BASELINES[0]).into_iter().flatten().flatten() {
        if entry.path().join("manifest.json").is_file() {
            names.push(format!("`{}`", entry.file_name().to_string_lossy()));
        }
    }
    names.sort();
    if names.is_empty() {
        return format!("make one with `bench run --out {}/NAME`", BASELINES[0]);
    }
    format!("`{}` has {}", BASELINES[0], names.join(", "))
}

/// Refuses two runs that were not made from the same data, scenarios and judges. The defense may
/// differ, and scenarios that one run alone has are no obstacle.
///
/// # Errors
/// Their fingerprints differ.
pub(crate) fn check_comparable(one: &ReadRun, other: &ReadRun) -> Result<(), Failure> {
    let refused = |what: String| {
        Failure::new(exit::NOT_COMPARABLE, format!("the runs are not comparable: {what}"))
            .hint("run both with the same data sets and the same version of this tool")
    };
    if one.fingerprint != other.fingerprint {
        return Err(refused(format!("data {} and {}", one.fingerprint, other.fingerprint)));
    }
    let digests = scenario_digests(other);
    for (scenario, digest) in scenario_digests(one) {
        let theirs = digests.get(&scenario);
        if theirs.is_some_and(|theirs| *theirs != digest) {
            let (suite, id, kind, _) = scenario;
            return Err(refused(format!("{suite} {id} ({kind}) is another scenario in each")));
        }
    }
    Ok(())
}

/// A scenario by suite, id, kind and attack.
type ScenarioKey<'r> = (&'r str, &'r str, &'r str, Option<&'r str>);

/// What decides each scenario of a run.
fn scenario_digests(run: &ReadRun) -> BTreeMap<ScenarioKey<'_>, &str> {
    let rows = run.rows.scenarios.iter();
    let digests = rows.map(|row| {
        let key = (&*row.suite, &*row.scenario, &*row.kind, row.attack.as_deref());
        (key, &*row.digest)
    });
    digests.collect()
}
