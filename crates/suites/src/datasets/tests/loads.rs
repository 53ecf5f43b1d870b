//! Finding and reading bundles.

use std::fs;

use super::fake::{Fake, WELL};
use crate::datasets::bundle::{State, locate_of, read, state_of, verify_of};
use crate::datasets::error::{LoadError, PullError};
use crate::datasets::pull::Options;

#[test]
fn a_missing_bundle_names_every_path_searched() {
    let mut fake = Fake::new(WELL);
    fake.places.datasets = Some(fake.path("provided"));
    let missing = locate_of(&fake.manifest, &fake.places).unwrap_err();
    let provided = fake.path("provided/agentdojo-0.1.35/bundle.json");
    assert_eq!(missing.searched, [provided, fake.cached()]);
    assert_eq!(missing.hint().unwrap(), "run `bench datasets pull agentdojo`");
    assert_eq!(missing.exit_code(), 3);
    assert!(matches!(state_of(&fake.manifest, &fake.places), State::Missing(_)));
}

#[test]
fn the_read_only_place_is_searched_first() {
    let mut fake = Fake::new(WELL);
    fake.pull(&Options::default()).unwrap();
    fake.places.datasets = Some(fake.path("provided"));
    assert_eq!(locate_of(&fake.manifest, &fake.places).unwrap().path, fake.cached());

    let provided = fake.write("provided/agentdojo-0.1.35/bundle.json", "bundle");
    let located = verify_of(&fake.manifest, &fake.places).unwrap();
    assert_eq!(located.path, provided);
    assert_eq!(located.digest, fake.manifest.bundle.sha256);
    assert_eq!(fake.pull(&Options::default()).unwrap().located.path, provided);
    assert!(matches!(state_of(&fake.manifest, &fake.places), State::Intact(_)));
}

#[test]
fn a_changed_bundle_is_never_loaded() {
    let fake = Fake::new(WELL);
    let path = fake.pull(&Options::default()).unwrap().located.path;
    assert_eq!(read(&fake.manifest, &fake.places, &path).unwrap(), b"bundle");

    fs::write(&path, "bundlf").unwrap();
    let error = read(&fake.manifest, &fake.places, &path).unwrap_err();
    let message = error.to_string();
    for part in [path.to_str().unwrap(), &fake.manifest.bundle.sha256, "(6 bytes), got "] {
        assert!(message.contains(part), "{message}");
    }
    assert_eq!(
        error.hint().unwrap(),
        "run `bench datasets pull agentdojo --force` to fetch it again"
    );
    assert_eq!(error.exit_code(), 3);
    assert!(matches!(state_of(&fake.manifest, &fake.places), State::Broken(_)));
}

#[test]
fn a_folder_in_the_bundles_place_cannot_be_read() {
    let fake = Fake::new(WELL);
    fs::create_dir_all(fake.cached()).unwrap();
    let error = verify_of(&fake.manifest, &fake.places).unwrap_err();
    assert!(matches!(error, LoadError::Unreadable { .. }), "{error}");
    assert!(fake.pull(&Options::default()).unwrap().fresh);
    verify_of(&fake.manifest, &fake.places).unwrap();
}

#[test]
fn a_changed_bundle_in_the_read_only_place_stops_a_pull_and_is_not_touched() {
    let mut fake = Fake::new(WELL);
    fake.places.datasets = Some(fake.path("provided"));
    let provided = fake.write("provided/agentdojo-0.1.35/bundle.json", "bun");
    let error = fake.pull(&Options::default()).unwrap_err();
    assert!(matches!(error, PullError::Provided(_)), "{error}");
    assert!(error.hint().unwrap().contains("unset `BENCH_DATASETS`"));
    assert_eq!(fs::read(&provided).unwrap(), b"bun");

    let forced = fake.pull(&Options { force: true, ..Options::default() }).unwrap();
    assert_eq!(forced.located.path, fake.cached());
    assert_eq!(fs::read(provided).unwrap(), b"bun");
}
