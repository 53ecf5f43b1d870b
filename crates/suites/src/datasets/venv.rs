//! Upstream's package in a virtual environment that stays, for tests that ask upstream's Python.
//!
//! Such an environment cannot be moved, so it is made where it stays, under a lock between
//! processes, and a marker is written last: without the marker it is made anew.

use std::fs;
use std::path::{Path, PathBuf};

use super::Progress;
use super::digest::sha256;
use super::error::PullError;
use super::install::{self, Installation, Recipe};
use super::places::Places;
use super::pull::absolute;
use super::python::{self, Search};
use super::scratch::{self, Scratch};

/// The file that is written last.
const MARKER: &str = "complete";

/// The interpreter of a virtual environment with the package `agentdojo`, made if it is not in the
/// cache.
///
/// # Errors
///
/// The same as those of a pull; what was made is removed.
pub fn upstream_venv(places: &Places, progress: Progress<'_>) -> Result<PathBuf, PullError> {
    upstream_venv_of(install::agentdojo(), &Search::default(), places, progress)
}

pub(super) fn upstream_venv_of(
    recipe: Recipe<'_>,
    search: &Search,
    places: &Places,
    progress: Progress<'_>,
) -> Result<PathBuf, PullError> {
    let places = absolute(places)?;
    let digest = sha256(recipe.requirements.as_bytes());
    let parent = places.cache.join("venvs");
    fs::create_dir_all(&parent).map_err(|source| PullError::write(&parent, source))?;
    let name = format!("{}-{}", recipe.manifest.name, &digest[..12]);
    let venv = parent.join(&name);
    let _lock = scratch::lock(&parent.join(format!("{name}.lock")))?;
    if is_complete(&venv, &digest) {
        progress(&format!("using the virtual environment `{}`", venv.display()));
        return Ok(python::interpreter(&venv));
    }
    remove(&venv)?;
    let made = make(recipe, search, &places, &venv, &digest, progress);
    if made.is_err() {
        // The error at hand says more than one about cleaning up; without a marker it is no harm.
        let _ = remove(&venv);
    }
    made
}

fn make(
    recipe: Recipe<'_>,
    search: &Search,
    places: &Places,
    venv: &Path,
    digest: &str,
    progress: Progress<'_>,
) -> Result<PathBuf, PullError> {
    progress("looking for Python");
    let python = search.find()?;
    progress(&format!("using Python {} (`{}`)", python.version, python.program.display()));
    let scratch = Scratch::new(&places.cache)?;
    let interpreter = Installation { recipe, python: &python, from: None, scratch: &scratch }
        .run(venv, progress)?;
    let marker = venv.join(MARKER);
    fs::write(&marker, digest).map_err(|source| PullError::write(marker, source))?;
    Ok(interpreter)
}

/// Whether the environment was made to the end, and its Python still runs.
fn is_complete(venv: &Path, digest: &str) -> bool {
    fs::read_to_string(venv.join(MARKER)).is_ok_and(|text| text == digest)
        && python::run(&python::interpreter(venv), ["-c", ""]).is_ok()
}

fn remove(venv: &Path) -> Result<(), PullError> {
    match fs::remove_dir_all(venv) {
        Err(source) if source.kind() != std::io::ErrorKind::NotFound => {
            Err(PullError::write(venv, source))
        }
        _ => Ok(()),
    }
}
