//! Pulling a data set of files: from a repository, from a folder, and what is said when it is not the
//! pinned one. The data are made here, and so is their manifest: no network, nothing of upstream's.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::fs;
use std::path::Path;
use std::process::Command;

use suites::datasets::file_set::{FileSet, PinnedFile, Repository};
use suites::datasets::manifest::Citation;
use suites::datasets::{FilesOptions, Places, PullError, load_files, pull_files};

/// SHA-256 of `one` and `two`, followed by a line's end each (as `sha256sum` says).
const ONE: &str = "2c8b08da5ce60398e1f19af0e5dccc744df274b826abe585eaba68c525434806";
const TWO: &str = "27dd8ed44a83ff94d557f9fd0412ed5a8cbca69ea04922d88c01184a07300a5a";

fn set(repository: &Path, commit: &str) -> FileSet {
    let file = |name: &str, sha256: &str| PinnedFile {
        name: name.to_owned(),
        sha256: sha256.to_owned(),
        bytes: 4,
    };
    FileSet {
        name: "pair".to_owned(),
        version: "1".to_owned(),
        licence: "MIT".to_owned(),
        homepage: String::new(),
        source: Repository {
            repository: format!("file://{}", repository.display()),
            commit: commit.to_owned(),
            folder: "data".to_owned(),
        },
        files: vec![file("one.txt", ONE), file("two.txt", TWO)],
        citation: Citation {
            title: String::new(),
            authors: Vec::new(),
            venue: String::new(),
            year: 2000,
        },
    }
}

fn git(folder: &Path, args: &[&str]) -> String {
    let output = Command::new("git")
        .args(["-c", "user.name=test", "-c", "user.email=test@example.org", "-C"])
        .arg(folder)
        .args(args)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}

/// A repository with the pinned files, and a later commit in which one was changed.
fn repository(folder: &Path) -> String {
    fs::create_dir_all(folder.join("data")).unwrap();
    git(folder, &["init", "--quiet"]);
    git(folder, &["config", "uploadpack.allowAnySHA1InWant", "true"]);
    fs::write(folder.join("data/one.txt"), "one\n").unwrap();
    fs::write(folder.join("data/two.txt"), "two\n").unwrap();
    git(folder, &["add", "."]);
    git(folder, &["commit", "--quiet", "-m", "files"]);
    git(folder, &["rev-parse", "HEAD"])
}

fn places(folder: &Path) -> Places {
    Places { datasets: None, cache: folder.join("cache") }
}

fn pull(set: &FileSet, places: &Places, from: Option<&Path>) -> Result<bool, PullError> {
    let options = FilesOptions { from: from.map(Path::to_path_buf), force: false };
    pull_files(set, places, &options, &mut |_| {}).map(|pulled| pulled.fresh)
}

/// What lies in the cache's folder for temporary things, but its lock.
fn leftovers(places: &Places) -> Vec<String> {
    let entries = fs::read_dir(places.cache.join("tmp")).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned());
    names.filter(|name| name != "gate.lock").collect()
}

#[test]
fn a_repository_is_cloned_and_the_digests_decide() {
    let dir = tempfile::tempdir().unwrap();
    let upstream = dir.path().join("upstream");
    let first = repository(&upstream);
    let places = places(dir.path());
    // A commit of another name holds the same files.
    let other = set(&upstream, "0000000000000000000000000000000000000000");
    assert!(pull(&other, &places, None).unwrap());
    assert_eq!(load_files(&other, &places).unwrap().bytes("two.txt"), b"two\n");
    assert!(!pull(&other, &places, None).unwrap(), "it is here already");
    assert_eq!(leftovers(&places), [] as [&str; 0]);

    // The last commit holds others: the pinned one is fetched.
    fs::write(upstream.join("data/two.txt"), "2\n").unwrap();
    git(&upstream, &["commit", "--quiet", "-am", "changed"]);
    fs::remove_dir_all(&places.cache).unwrap();
    assert!(pull(&set(&upstream, &first), &places, None).unwrap());

    // Neither has them: the file is named, and nothing stays.
    fs::remove_dir_all(&places.cache).unwrap();
    let error = pull(&other, &places, None).unwrap_err();
    let text = error.to_string();
    assert!(text.contains("/two.txt` is not the pinned one: expected sha256 27dd8e"), "{text}");
    assert_eq!(error.hint().unwrap(), "it is cut short: fetch it again");
    assert!(!places.cache.join("datasets").exists());
    assert_eq!(leftovers(&places), [] as [&str; 0]);
}

#[test]
fn a_folder_serves_with_or_without_the_repository_around_it() {
    let dir = tempfile::tempdir().unwrap();
    let upstream = dir.path().join("upstream");
    repository(&upstream);
    let set = set(&dir.path().join("nowhere"), "");
    for from in [upstream.clone(), upstream.join("data")] {
        let places = Places { datasets: None, cache: dir.path().join("cache") };
        assert!(pull(&set, &places, Some(&from)).unwrap());
        fs::remove_dir_all(&places.cache).unwrap();
    }
    let places = places(dir.path());
    fs::remove_file(upstream.join("data/two.txt")).unwrap();
    let error = pull(&set, &places, Some(&upstream)).unwrap_err();
    assert!(error.to_string().ends_with("two.txt`"), "{error}");
    assert!(matches!(error, PullError::NoFile { .. }), "{error}");

    let error = pull(&set, &places, None).unwrap_err();
    assert!(error.to_string().starts_with("git failed to clone `file://"), "{error}");
    assert_eq!(error.exit_code(), 3);
}

#[test]
fn a_broken_file_in_the_cache_is_pulled_again_and_a_provided_one_is_not_touched() {
    let dir = tempfile::tempdir().unwrap();
    let upstream = dir.path().join("upstream");
    repository(&upstream);
    let set = set(&upstream, "");
    let places = places(dir.path());
    let options = FilesOptions::default();
    let pulled = pull_files(&set, &places, &options, &mut |_| {}).unwrap();
    fs::write(pulled.located.path.join("one.txt"), "on\n").unwrap();
    let error = load_files(&set, &places).unwrap_err();
    assert!(error.to_string().ends_with("(3 bytes)"), "{error}");
    assert!(error.hint().unwrap().contains("bench datasets pull pair --force"));
    assert!(pull(&set, &places, None).unwrap(), "broken, so pulled again");
    assert_eq!(load_files(&set, &places).unwrap().bytes("one.txt"), b"one\n");

    let provided = dir.path().join("provided");
    fs::create_dir_all(provided.join("pair")).unwrap();
    fs::write(provided.join("pair/one.txt"), "one\n").unwrap();
    let places = Places { datasets: Some(provided), ..places };
    let error = pull(&set, &places, None).unwrap_err();
    assert!(error.to_string().starts_with("the data set `pair` lacks `"), "{error}");
}
