//! Bundles on disk: found, read, and checked against their digest each time.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use super::digest::Expected;
use super::error::{LoadError, Missing};
use super::manifest::{self, Manifest};
use super::places::Places;

/// Where a bundle lies, and which one it must be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Located {
    /// The bundle's path.
    pub path: PathBuf,
    /// The SHA-256 that the manifest asks for, in 64 hexadecimal digits.
    pub digest: String,
}

/// A data set and how it stands here.
#[derive(Debug)]
pub struct Listed {
    /// The data set.
    pub manifest: &'static Manifest,
    /// Its state in the places searched.
    pub state: State,
}

/// How a data set stands in the places searched.
#[derive(Debug)]
pub enum State {
    /// It was not pulled yet.
    Missing(Missing),
    /// It lies here and has the manifest's digest.
    Intact(Located),
    /// Something lies here that is not the data set, or cannot be read.
    Broken(LoadError),
}

/// Finds the bundle of `agentdojo`, without reading it.
///
/// # Errors
///
/// [`Missing`] with every path that was searched.
pub fn locate(places: &Places) -> Result<Located, Missing> {
    locate_of(manifest::agentdojo(), places)
}

/// Reads the bundle of `agentdojo` and checks its digest.
///
/// # Errors
///
/// [`LoadError`] if the bundle is missing, cannot be read, or is not the pinned one.
pub fn load_bytes(places: &Places) -> Result<Vec<u8>, LoadError> {
    let found = locate(places)?;
    read(manifest::agentdojo(), places, &found.path)
}

/// Finds the bundle of `agentdojo` and checks its digest.
///
/// # Errors
///
/// The same as those of [`load_bytes`].
pub fn verify(places: &Places) -> Result<Located, LoadError> {
    verify_of(manifest::agentdojo(), places)
}

/// Every data set that `bench datasets` knows, and how it stands here.
pub fn list(places: &Places) -> Vec<Listed> {
    let manifest = manifest::agentdojo();
    vec![Listed { manifest, state: state_of(manifest, places) }]
}

pub(super) fn state_of(manifest: &Manifest, places: &Places) -> State {
    match verify_of(manifest, places) {
        Ok(located) => State::Intact(located),
        Err(LoadError::Missing(missing)) => State::Missing(missing),
        Err(broken) => State::Broken(broken),
    }
}

pub(super) fn locate_of(manifest: &Manifest, places: &Places) -> Result<Located, Missing> {
    let searched: Vec<PathBuf> =
        places.provided(manifest).into_iter().chain([places.cached(manifest)]).collect();
    match searched.iter().find(|path| path.exists()) {
        Some(path) => Ok(located(manifest, path)),
        None => Err(Missing { name: manifest.name.clone(), searched }),
    }
}

pub(super) fn verify_of(manifest: &Manifest, places: &Places) -> Result<Located, LoadError> {
    let found = locate_of(manifest, places)?;
    read(manifest, places, &found.path)?;
    Ok(found)
}

pub(super) fn located(manifest: &Manifest, path: &Path) -> Located {
    Located { path: path.to_owned(), digest: manifest.bundle.sha256.clone() }
}

/// What the bundle must be.
pub(super) fn expected(manifest: &Manifest) -> Expected<'_> {
    Expected { what: "bundle", sha256: &manifest.bundle.sha256, bytes: manifest.bundle.bytes }
}

/// Reads the bundle at `path`, one of `places`, and checks its digest.
pub(super) fn read(
    manifest: &Manifest,
    places: &Places,
    path: &Path,
) -> Result<Vec<u8>, LoadError> {
    let content = fs::read(path).map_err(|source| match source.kind() {
        ErrorKind::NotFound => {
            LoadError::Missing(Missing { name: manifest.name.clone(), searched: vec![path.into()] })
        }
        _ => LoadError::Unreadable { path: path.to_owned(), source },
    })?;
    expected(manifest).check(path, &content).map_err(|wrong| LoadError::Wrong {
        wrong: wrong.into(),
        name: manifest.name.clone(),
        provided: places.provided(manifest).as_deref() == Some(path),
    })?;
    Ok(content)
}
