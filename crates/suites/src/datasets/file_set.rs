//! Data sets that are plain files of upstream's: pinned one by one, found, read and checked.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use indexmap::IndexMap;
use serde::Deserialize;

use super::bundle::{Located, State};
use super::digest::{Expected, sha256};
use super::error::{LoadError, Missing};
use super::manifest::Citation;
use super::places::Places;

/// The manifest of a data set of plain files, as it stands in `datasets/NAME.toml`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FileSet {
    /// The name that commands take.
    pub name: String,
    /// Upstream's version.
    pub version: String,
    /// Upstream's licence, as an SPDX expression.
    pub licence: String,
    /// Where upstream lives.
    pub homepage: String,
    /// What is fetched.
    pub source: Repository,
    /// The files, in the order in which they are listed.
    pub files: Vec<PinnedFile>,
    /// Whom to cite.
    pub citation: Citation,
}

/// A git repository that holds a data set.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Repository {
    /// Its address, as `git clone` takes it.
    pub repository: String,
    /// The commit that was pinned.
    pub commit: String,
    /// The folder in it that holds the files.
    pub folder: String,
}

/// A file that must come out as it was pinned.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PinnedFile {
    /// Its name.
    pub name: String,
    /// Its SHA-256, in 64 hexadecimal digits.
    pub sha256: String,
    /// Its size in bytes.
    pub bytes: u64,
}

impl FileSet {
    /// `NAME-VERSION`, as folders are called that hold the data set.
    pub fn folder(&self) -> String {
        format!("{}-{}", self.name, self.version)
    }

    /// One digest for all files: the SHA-256 of their digests and names, as `sha256sum` lists them.
    pub fn digest(&self) -> String {
        let lines = self.files.iter().map(|file| format!("{}  {}\n", file.sha256, file.name));
        sha256(lines.collect::<String>().as_bytes())
    }

    /// The folder in the cache that the files are pulled to.
    pub(super) fn home(&self, places: &Places) -> PathBuf {
        let name = format!("{}-{}", self.folder(), &self.digest()[..12]);
        places.cache.join("datasets").join(name)
    }

    /// The folders in which the files are looked for, in order; those of the read-only place first.
    fn searched(&self, places: &Places) -> Vec<PathBuf> {
        let provided = places.datasets.iter();
        let provided = provided.flat_map(|one| [one.join(self.folder()), one.join(&self.name)]);
        provided.chain([self.home(places)]).collect()
    }
}

static INJECAGENT: LazyLock<FileSet> = LazyLock::new(|| {
    toml::from_str(include_str!("../../../../datasets/injecagent.toml"))
        .expect("the embedded manifest is parsed by a test")
});

/// The manifest of `injecagent`.
pub fn injecagent() -> &'static FileSet {
    &INJECAGENT
}

/// The bytes of a data set's files: each is the pinned one.
#[derive(Debug)]
pub struct Files(IndexMap<String, Vec<u8>>);

impl Files {
    /// The bytes of a file.
    ///
    /// # Panics
    /// The manifest names no such file.
    pub fn bytes(&self, name: &str) -> &[u8] {
        self.0.get(name).map(Vec::as_slice).expect("the manifest lists the files that are read")
    }

    /// The files by name, in the manifest's order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &[u8])> {
        self.0.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice()))
    }
}

/// Finds the folder that holds a data set's files, without reading them.
///
/// # Errors
/// [`Missing`] with every path that was searched.
pub fn locate_files(set: &FileSet, places: &Places) -> Result<Located, Missing> {
    let searched = set.searched(places);
    match searched.iter().find(|path| path.is_dir()) {
        Some(path) => Ok(Located { path: path.clone(), digest: set.digest() }),
        None => Err(Missing { name: set.name.clone(), searched }),
    }
}

/// Finds a data set's files, reads them, and checks each digest.
///
/// # Errors
/// The files are nowhere, or one of them is missing, unreadable, or not the pinned one.
pub fn load_files(set: &FileSet, places: &Places) -> Result<Files, LoadError> {
    let located = locate_files(set, places)?;
    let provided = located.path != set.home(places);
    read_files(set, &located.path, provided)
}

/// Reads a data set's files from a folder, or from the repository's folder below it.
///
/// # Errors
/// One of the files is missing, unreadable, or not the pinned one.
pub fn load_folder(set: &FileSet, folder: &Path) -> Result<Files, LoadError> {
    read_files(set, &folder_of(set, folder), true)
}

/// The folder that holds the files: the one given, or a repository's own within it.
pub(super) fn folder_of(set: &FileSet, folder: &Path) -> PathBuf {
    let first = set.files.first().map_or("", |file| file.name.as_str());
    let below = folder.join(&set.source.folder);
    if !folder.join(first).exists() && below.join(first).exists() {
        return below;
    }
    folder.to_owned()
}

pub(super) fn read_files(set: &FileSet, folder: &Path, provided: bool) -> Result<Files, LoadError> {
    let mut files = IndexMap::new();
    for file in &set.files {
        let path = folder.join(&file.name);
        let content = fs::read(&path).map_err(|source| match source.kind() {
            ErrorKind::NotFound => {
                LoadError::NoFile { path: path.clone(), name: set.name.clone(), provided }
            }
            _ => LoadError::Unreadable { path: path.clone(), source },
        })?;
        let expected = Expected { what: "file", sha256: &file.sha256, bytes: file.bytes };
        expected.check(&path, &content).map_err(|wrong| LoadError::Wrong {
            wrong: wrong.into(),
            name: set.name.clone(),
            provided,
        })?;
        files.insert(file.name.clone(), content);
    }
    Ok(Files(files))
}

/// How a data set of files stands in the places searched.
pub fn state_of_files(set: &FileSet, places: &Places) -> State {
    match load_files(set, places) {
        Ok(_) => match locate_files(set, places) {
            Ok(located) => State::Intact(located),
            Err(missing) => State::Missing(missing),
        },
        Err(LoadError::Missing(missing)) => State::Missing(missing),
        Err(broken) => State::Broken(broken),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_embedded_manifest_is_complete() {
        let set = injecagent();
        assert_eq!(set.folder(), "injecagent-f19c9f2");
        assert_eq!(set.files.len(), 9);
        assert!(set.source.commit.starts_with(&set.version));
        for file in &set.files {
            assert!(file.sha256.len() == 64 && file.bytes > 0, "{}", file.name);
        }
    }
}
