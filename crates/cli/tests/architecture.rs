//! The arrows between crates, as `ARCHITECTURE.md` draws them.

use std::collections::{BTreeMap, BTreeSet};

use cargo_metadata::{DependencyKind, MetadataCommand, Package};

/// What each crate may import, of ours.
const ARROWS: &[(&str, &[&str])] = &[
    ("agents", &["harness", "trace"]),
    (
        "bench",
        &["agents", "defenses", "harness", "report", "runner", "store", "suites", "trace", "world"],
    ),
    ("clawmmu", &[]),
    ("defenses", &["clawmmu", "harness", "trace"]),
    ("harness", &["trace", "world"]),
    ("report", &["store", "trace"]),
    ("runner", &["agents", "defenses", "harness", "scenario", "suites", "trace", "world"]),
    ("scenario", &["trace", "world"]),
    ("store", &["trace"]),
    ("suites", &["scenario", "trace", "world"]),
    ("testkit", &["suites"]),
    ("trace", &[]),
    ("world", &["trace"]),
    ("xtask", &["agents", "scenario", "suites", "testkit", "trace", "world"]),
];

/// Libraries of others that only these crates may import.
const CONFINED: &[(&str, &[&str])] = &[
    ("plotters", &["report"]),
    ("resvg", &["report"]),
    ("maud", &["report"]),
    ("polars", &["store"]),
    ("clap", &["bench"]),
    ("indicatif", &["bench"]),
    ("serde_yaml", &["world"]),
    ("saphyr-parser", &["scenario"]),
    ("cel", &["scenario"]),
    ("tokio", &["bench", "runner"]),
];

fn packages() -> Vec<Package> {
    let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/../../Cargo.toml");
    let metadata = MetadataCommand::new().manifest_path(manifest).no_deps().exec();
    metadata.expect("cargo describes the workspace").packages
}

fn imports(package: &Package) -> BTreeSet<String> {
    let normal = package.dependencies.iter().filter(|one| one.kind == DependencyKind::Normal);
    normal.map(|one| one.name.clone()).collect()
}

#[test]
fn the_arrows_are_those_of_the_table() {
    let packages = packages();
    let ours: BTreeSet<String> = packages.iter().map(|one| one.name.to_string()).collect();
    let expected: BTreeMap<&str, BTreeSet<&str>> =
        ARROWS.iter().map(|(name, may)| (*name, may.iter().copied().collect())).collect();
    let listed: BTreeSet<String> = expected.keys().map(|name| (*name).to_owned()).collect();
    assert_eq!(ours, listed, "a crate is not in the table, or the table names one that is gone");
    for package in &packages {
        let got = imports(package);
        let got: BTreeSet<&str> =
            got.iter().map(String::as_str).filter(|name| ours.contains(*name)).collect();
        assert_eq!(got, expected[package.name.as_str()], "{}", package.name);
    }
}

#[test]
fn some_libraries_stay_in_one_place() {
    for package in packages() {
        for name in imports(&package) {
            let may = CONFINED.iter().find(|(library, _)| *library == name);
            if let Some((_, may)) = may {
                assert!(may.contains(&package.name.as_str()), "{} imports {name}", package.name);
            }
        }
    }
}

#[test]
fn the_kernel_imports_nothing_that_reads_a_clock_or_a_file() {
    let packages = packages();
    let kernel = packages.iter().find(|one| one.name.as_str() == "clawmmu").expect("it is there");
    let small = ["blake3", "caseless", "thiserror", "unicode-normalization"];
    for name in imports(kernel) {
        assert!(small.contains(&name.as_str()), "clawmmu imports {name}");
    }
}
