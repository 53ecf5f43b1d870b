//! Pulling a data set: fetched, exported and checked in a temporary folder, then moved into place.
//!
//! The bundle's folder appears in the cache by one rename, so nobody ever sees half of it. A pull
//! that fails removes all it made; one that is killed leaves a temporary folder, which is never
//! taken for a bundle and which the next pull removes.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use super::Progress;
use super::bundle::{self, Located};
use super::error::{LoadError, PullError};
use super::install::{self, Installation, Recipe};
use super::places::Places;
use super::python::{self, Search};
use super::scratch::Scratch;

/// How to pull.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Options {
    /// Upstream's wheel, or a folder that holds it, instead of the package index. Wheels of the
    /// other packages in that folder are used, too.
    pub from: Option<PathBuf>,
    /// The Python to use, instead of the first one in `PATH` that is new enough.
    pub python: Option<PathBuf>,
    /// Pull again even if the bundle is here and intact.
    pub force: bool,
}

/// What a pull came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pulled {
    /// Where the bundle lies.
    pub located: Located,
    /// Whether it was exported now; `false` if it was here already.
    pub fresh: bool,
}

/// Pulls `agentdojo` into the cache, unless it is here and intact.
///
/// Each step is announced to `progress` when it begins. `pip` is used as it is configured: no index
/// is named.
///
/// # Errors
///
/// [`PullError`] says what was in the way; nothing half written stays in the cache.
pub fn pull(
    places: &Places,
    options: &Options,
    progress: Progress<'_>,
) -> Result<Pulled, PullError> {
    let search = Search { named: options.python.clone(), path: None };
    pull_of(install::agentdojo(), &search, places, options, progress)
}

pub(super) fn pull_of(
    recipe: Recipe<'_>,
    search: &Search,
    places: &Places,
    options: &Options,
    progress: Progress<'_>,
) -> Result<Pulled, PullError> {
    let places = &absolute(places)?;
    let manifest = recipe.manifest;
    if !options.force
        && let Some(located) = present(recipe, places)?
    {
        progress(&format!("{} is here and intact", manifest.folder()));
        return Ok(Pulled { located, fresh: false });
    }
    progress("looking for Python");
    let python = search.find()?;
    progress(&format!("using Python {} (`{}`)", python.version, python.program.display()));
    let scratch = Scratch::new(&places.cache)?;
    let from = options.from.as_deref();
    let interpreter = Installation { recipe, python: &python, from, scratch: &scratch }
        .run(&scratch.path().join("venv"), progress)?;
    let folder = export(recipe, &scratch, &interpreter, progress)?;
    progress("moving the bundle into place");
    publish(recipe, &scratch, &folder, places)?;
    let located = bundle::located(manifest, &places.cached(manifest));
    Ok(Pulled { located, fresh: true })
}

/// The same places, apart from the folder that the process stands in.
pub(super) fn absolute(places: &Places) -> Result<Places, PullError> {
    let absolute = |path: &PathBuf| {
        std::path::absolute(path).map_err(|source| PullError::write(path.clone(), source))
    };
    Ok(Places {
        datasets: places.datasets.as_ref().map(absolute).transpose()?,
        cache: absolute(&places.cache)?,
    })
}

/// The bundle, if it is here and intact. One in the cache that is not is pulled again; one in the
/// read-only place would still be found first, so it is an error.
fn present(recipe: Recipe<'_>, places: &Places) -> Result<Option<Located>, PullError> {
    match bundle::verify_of(recipe.manifest, places) {
        Ok(located) => Ok(Some(located)),
        Err(error) => {
            let path = match &error {
                LoadError::Missing(_) => return Ok(None),
                LoadError::Unreadable { path, .. } | LoadError::NoFile { path, .. } => path,
                LoadError::Wrong { wrong, .. } => &wrong.path,
            };
            if *path == places.cached(recipe.manifest) {
                return Ok(None);
            }
            Err(PullError::Provided(error))
        }
    }
}

/// Runs the exporter, checks the bundle's digest, and returns the folder that holds the bundle.
fn export(
    recipe: Recipe<'_>,
    scratch: &Scratch,
    interpreter: &Path,
    progress: Progress<'_>,
) -> Result<PathBuf, PullError> {
    progress("exporting with upstream's own code");
    let scripts = scratch.folder("scripts")?;
    for (name, text) in recipe.scripts {
        let path = scripts.join(name);
        fs::write(&path, text).map_err(|source| PullError::write(path, source))?;
    }
    let folder = scratch.folder("bundle")?;
    let path = folder.join("bundle.json");
    // Neither the caller's `PYTHON*` variables nor packages of the user's own reach the export.
    let flags = ["-E", "-s", "-X", "utf8"].map(Into::into);
    let exporter = scripts.join(recipe.scripts[0].0).into_os_string();
    let args = flags.into_iter().chain([exporter, "-o".into(), path.clone().into()]);
    python::run(interpreter, args).map_err(|failure| {
        failure.into_error(scratch.path(), |tail| PullError::Exporter { tail })
    })?;
    progress("checking the bundle's digest");
    let content = fs::read(&path).map_err(|source| PullError::Exporter {
        tail: format!("it ended well, but its file cannot be read: {source}"),
    })?;
    // The temporary folder is gone when a message about it is read.
    bundle::expected(recipe.manifest).check(Path::new("bundle.json"), &content)?;
    File::open(&path)
        .and_then(|file| file.sync_all())
        .map_err(|source| PullError::write(path, source))?;
    Ok(folder)
}

/// Moves the checked `folder` into place. If somebody else was faster with the same bundle, theirs
/// stays; anything else that lies there makes room.
pub(super) fn publish(
    recipe: Recipe<'_>,
    scratch: &Scratch,
    folder: &Path,
    places: &Places,
) -> Result<(), PullError> {
    let home = places.home(recipe.manifest);
    let cached = places.cached(recipe.manifest);
    let parent = home.parent().expect("a home lies in the cache");
    fs::create_dir_all(parent).map_err(|source| PullError::write(parent, source))?;
    let aside = scratch.folder("aside")?;
    for attempt in 0.. {
        let Err(error) = fs::rename(folder, &home) else { break };
        if bundle::read(recipe.manifest, places, &cached).is_ok() {
            break;
        }
        // Somebody may move it away first, and somebody may put another one there: try again.
        let moved = fs::rename(&home, aside.join(attempt.to_string()));
        match moved {
            Ok(()) => {}
            Err(gone) if gone.kind() == io::ErrorKind::NotFound && attempt < 8 => {}
            Err(_) => return Err(PullError::write(home, error)),
        }
    }
    Ok(())
}
