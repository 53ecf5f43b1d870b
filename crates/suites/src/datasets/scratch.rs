//! Temporary folders in the cache, gone when done with, and locks between processes.
//!
//! A temporary folder lies in `CACHE/tmp`, is named after its process, and holds a file that the
//! process keeps locked while it lives. The system takes the lock back however a process ends, so a
//! folder whose lock is free belongs to nobody and is removed by the next pull. Process ids alone
//! would not do: they are used again, and mean nothing across containers that share a cache.

use std::fs::{self, File, OpenOptions};
use std::path::{Path, PathBuf};
use std::process;

use tempfile::TempDir;

use super::error::PullError;

const PREFIX: &str = "pull-";
const OWNED: &str = "owned.lock";

/// A temporary folder in the cache, removed on drop.
#[derive(Debug)]
pub(super) struct Scratch {
    // Dropped in this order: an open file could not be removed everywhere.
    _owned: Lock,
    folder: TempDir,
}

impl Scratch {
    /// Makes a temporary folder in `cache`, and removes those that dead processes left.
    pub(super) fn new(cache: &Path) -> Result<Self, PullError> {
        let parent = cache.join("tmp");
        fs::create_dir_all(&parent).map_err(|source| PullError::write(&parent, source))?;
        // Held while a folder is there whose lock is not yet taken.
        let gate = lock(&parent.join("gate.lock"))?;
        if gate.held {
            remove_leftovers(&parent);
        }
        let folder = tempfile::Builder::new()
            .prefix(&format!("{PREFIX}{}-", process::id()))
            .tempdir_in(&parent)
            .map_err(|source| PullError::write(&parent, source))?;
        let owned = lock(&folder.path().join(OWNED))?;
        Ok(Self { _owned: owned, folder })
    }

    /// The folder.
    pub(super) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Makes a folder in it.
    pub(super) fn folder(&self, name: &str) -> Result<PathBuf, PullError> {
        let path = self.path().join(name);
        fs::create_dir_all(&path).map_err(|source| PullError::write(&path, source))?;
        Ok(path)
    }
}

/// A file that is kept locked until it is dropped.
#[derive(Debug)]
pub(super) struct Lock {
    _file: File,
    /// Whether it is locked: some file systems know no locks. Without them the folders of the dead
    /// stay, and two pulls do the same work; neither is wrong.
    held: bool,
}

/// Opens a file and waits until this process alone has it locked.
pub(super) fn lock(path: &Path) -> Result<Lock, PullError> {
    let file = OpenOptions::new()
        .create(true)
        .truncate(false)
        .write(true)
        .open(path)
        .map_err(|source| PullError::write(path, source))?;
    let held = file.lock().is_ok();
    Ok(Lock { _file: file, held })
}

/// Removes the folders in `parent` whose owner is dead. What cannot be removed stays.
fn remove_leftovers(parent: &Path) {
    let Ok(entries) = fs::read_dir(parent) else { return };
    for entry in entries.flatten() {
        if entry.file_name().to_string_lossy().starts_with(PREFIX) && is_dead(&entry.path()) {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

fn is_dead(folder: &Path) -> bool {
    // A folder without a lock lost its owner before it took one: the gate is ours.
    match OpenOptions::new().write(true).open(folder.join(OWNED)) {
        Ok(file) => file.try_lock().is_ok(),
        Err(error) => error.kind() == std::io::ErrorKind::NotFound,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_of_the_dead_are_removed_and_those_of_the_living_stay() {
        let cache = tempfile::tempdir().unwrap();
        let living = Scratch::new(cache.path()).unwrap();
        let tmp = cache.path().join("tmp");
        for (name, locked) in [("pull-1-dead", true), ("pull-1-early", false)] {
            fs::create_dir_all(tmp.join(name).join("venv")).unwrap();
            if locked {
                fs::write(tmp.join(name).join(OWNED), "").unwrap();
            }
        }
        fs::create_dir_all(tmp.join("someone-elses")).unwrap();

        let next = Scratch::new(cache.path()).unwrap();

        assert!(living.path().exists() && next.path().exists());
        assert!(!tmp.join("pull-1-dead").exists());
        assert!(!tmp.join("pull-1-early").exists());
        assert!(tmp.join("someone-elses").exists());
    }

    #[test]
    fn a_folder_is_removed_with_its_owner() {
        let cache = tempfile::tempdir().unwrap();
        let scratch = Scratch::new(cache.path()).unwrap();
        let path = scratch.folder("venv").unwrap();
        assert!(path.exists());
        drop(scratch);
        assert!(!path.parent().unwrap().exists());
    }
}
