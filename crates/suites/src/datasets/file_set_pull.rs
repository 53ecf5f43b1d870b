//! Pulling a data set of plain files: cloned or copied to a temporary folder, checked file by file,
//! then moved into place by one rename.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::Progress;
use super::bundle::Located;
use super::error::{LoadError, PullError};
use super::file_set::{FileSet, folder_of, load_files, locate_files, read_files};
use super::places::Places;
use super::pull::{Pulled, absolute};
use super::scratch::Scratch;

/// How to pull a data set of files.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FilesOptions {
    /// A folder that holds the files, or another address of the repository as `git clone` takes it.
    pub from: Option<PathBuf>,
    /// Pull again even if the files are here and intact.
    pub force: bool,
}

/// Pulls a data set of files into the cache, unless it is here and intact.
///
/// # Errors
/// [`PullError`] says what was in the way; nothing half written stays in the cache.
pub fn pull_files(
    set: &FileSet,
    places: &Places,
    options: &FilesOptions,
    progress: Progress<'_>,
) -> Result<Pulled, PullError> {
    let places = &absolute(places)?;
    if !options.force
        && let Some(located) = present(set, places)?
    {
        progress(&format!("{} is here and intact", set.folder()));
        return Ok(Pulled { located, fresh: false });
    }
    let scratch = Scratch::new(&places.cache)?;
    let folder = scratch.folder("files")?;
    match options.from.as_deref() {
        Some(from) if from.is_dir() && !is_repository(from) => {
            copy(set, &folder_of(set, from), &folder, progress)?;
        }
        Some(from) => clone(set, from.as_os_str(), &scratch, &folder, progress)?,
        None => {
            let address = set.source.repository.clone();
            clone(set, OsStr::new(&address), &scratch, &folder, progress)?;
        }
    }
    progress("moving the files into place");
    publish(set, &scratch, &folder, places)?;
    let located = Located { path: set.home(places), digest: set.digest() };
    Ok(Pulled { located, fresh: true })
}

/// The files, if they are here and intact. A broken set in the cache is pulled again; one in the
/// read-only place would still be found first, so it is an error.
fn present(set: &FileSet, places: &Places) -> Result<Option<Located>, PullError> {
    let Ok(located) = locate_files(set, places) else { return Ok(None) };
    match load_files(set, places) {
        Ok(_) => Ok(Some(located)),
        Err(_) if located.path == set.home(places) => Ok(None),
        Err(error) => Err(PullError::Provided(error)),
    }
}

/// Whether a folder is a bare repository, which holds no files to copy.
fn is_repository(folder: &Path) -> bool {
    folder.join("HEAD").is_file() && folder.join("objects").is_dir()
}

/// Copies the files that the manifest names, and checks the copies.
fn copy(set: &FileSet, from: &Path, to: &Path, progress: Progress<'_>) -> Result<(), PullError> {
    progress(&format!("checking and copying the files in `{}`", from.display()));
    let files = read_files(set, from, true).map_err(wrong_source)?;
    for (name, bytes) in files.iter() {
        let path = to.join(name);
        fs::write(&path, bytes).map_err(|source| PullError::write(path, source))?;
    }
    Ok(())
}

/// What is wrong with files that were to be taken.
fn wrong_source(error: LoadError) -> PullError {
    match error {
        LoadError::Wrong { wrong, .. } => PullError::WrongDigest(wrong),
        LoadError::NoFile { path, .. } => PullError::NoFile { path },
        other => PullError::Provided(other),
    }
}

/// Clones the repository's last commit, and fetches the pinned one where the files are others.
fn clone(
    set: &FileSet,
    address: &OsStr,
    scratch: &Scratch,
    to: &Path,
    progress: Progress<'_>,
) -> Result<(), PullError> {
    let clone = scratch.path().join("clone");
    let shown = address.to_string_lossy().into_owned();
    progress(&format!("cloning `{shown}` with git"));
    // Line ends must stay as they are: the digests are over bytes.
    let exact = ["-c", "core.autocrlf=false", "clone", "--quiet", "--depth", "1", "--"];
    let args = exact.iter().map(OsStr::new).chain([address, clone.as_os_str()]);
    git(&format!("clone `{shown}`"), args)?;
    let found = clone.join(&set.source.folder);
    progress("checking the files' digests");
    let Err(first) = copy(set, &found, to, &mut |_| {}) else { return Ok(()) };
    progress("the last commit holds other files: fetching the pinned one");
    let at = [OsStr::new("-C"), clone.as_os_str()];
    let fetch = ["fetch", "--quiet", "--depth", "1", "origin", &set.source.commit];
    let checkout = ["checkout", "--quiet", "FETCH_HEAD"];
    let fetched = git("fetch", at.into_iter().chain(fetch.iter().map(OsStr::new)))
        .and_then(|()| git("check out", at.into_iter().chain(checkout.iter().map(OsStr::new))));
    // A repository without that commit is judged by the files that it has.
    if fetched.is_err() {
        return Err(shown_in(first, &shown));
    }
    copy(set, &found, to, &mut |_| {}).map_err(|error| shown_in(error, &shown))
}

/// The same error with the repository's name in place of a temporary folder that is gone when the
/// message is read.
fn shown_in(error: PullError, address: &str) -> PullError {
    let renamed = |path: &Path| {
        let name = path.file_name().unwrap_or_default();
        Path::new(address).join(name)
    };
    match error {
        PullError::WrongDigest(mut wrong) => {
            wrong.path = renamed(&wrong.path);
            PullError::WrongDigest(wrong)
        }
        PullError::NoFile { path } => PullError::NoFile { path: renamed(&path) },
        other => other,
    }
}

fn git<'a>(task: &str, args: impl Iterator<Item = &'a OsStr>) -> Result<(), PullError> {
    let output = Command::new("git")
        .args(args)
        .env("GIT_TERMINAL_PROMPT", "0")
        .env_remove("GIT_DIR")
        .env_remove("GIT_WORK_TREE")
        .stdin(Stdio::null())
        .output();
    let failed = |tail: String| PullError::Git { task: task.to_owned(), tail };
    let output = output.map_err(|error| failed(format!("git does not start: {error}")))?;
    if output.status.success() {
        return Ok(());
    }
    Err(failed(String::from_utf8_lossy(&output.stderr).trim_end().to_owned()))
}

/// Moves the checked folder into place; what lies there makes room.
fn publish(
    set: &FileSet,
    scratch: &Scratch,
    folder: &Path,
    places: &Places,
) -> Result<(), PullError> {
    let home = set.home(places);
    let parent = home.parent().expect("a home lies in the cache");
    fs::create_dir_all(parent).map_err(|source| PullError::write(parent, source))?;
    let aside = scratch.folder("aside")?;
    for attempt in 0.. {
        let Err(error) = fs::rename(folder, &home) else { break };
        // Somebody else was faster with the same files: theirs stay.
        if read_files(set, &home, false).is_ok() {
            break;
        }
        let moved = fs::rename(&home, aside.join(attempt.to_string()));
        match moved {
            Ok(()) => {}
            Err(gone) if gone.kind() == std::io::ErrorKind::NotFound && attempt < 8 => {}
            Err(_) => return Err(PullError::write(home, error)),
        }
    }
    Ok(())
}
