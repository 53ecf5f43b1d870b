//! The suite of a bare run, folders of scenario files, and `bench check`.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod common;

use std::fs;
use std::path::Path;

use common::{bench, run, stderr};

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenarios/sleeper");

#[test]
fn a_bare_run_needs_no_network_and_no_data_set() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("run");
    let output = bench()
        .env_remove("BENCH_SUITE")
        .env_remove("BENCH_DATASETS")
        .env("BENCH_CACHE", dir.path().join("cache"))
        .args(["run", "--offline", "--limit", "60", "--out"])
        .arg(&out)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(!dir.path().join("cache").exists(), "nothing was fetched");
    let rows = store::read(&out).unwrap();
    assert_eq!(rows.cells.len(), 120, "off and on, in one run");
    let landed = |defense: &str| {
        let cells = rows.cells.iter().filter(|cell| cell.defense == defense);
        cells.filter(|cell| cell.attack_landed == Some(true)).count()
    };
    assert!(landed("none") > 20);
    assert_eq!(landed("mmu:resources"), 0);
    assert!(rows.cells.iter().all(|cell| cell.harness == "paged" && cell.suite == "sleeper"));
}

#[test]
fn the_embedded_suite_and_its_folder_have_the_same_cells() {
    let listed = |suite: &str| {
        let output = run(&["list", "scenarios", "--suite", suite]);
        assert!(output.status.success(), "{}", stderr(&output));
        String::from_utf8(output.stdout).unwrap()
    };
    let embedded = listed("sleeper");
    assert_eq!(embedded.lines().count(), 768);
    assert_eq!(listed(FOLDER), embedded);
}

#[test]
fn check_names_a_mistake_with_its_place_and_a_hint() {
    let clean = run(&["check", FOLDER]);
    assert_eq!(clean.status.code(), Some(0), "{}", stderr(&clean));
    let said = String::from_utf8(clean.stdout).unwrap();
    assert_eq!(said, "20 files, 16 scenarios, 768 cases: no mistakes\n");

    let dir = tempfile::tempdir().unwrap();
    fs::create_dir(dir.path().join("worlds")).unwrap();
    let copy = |name: &str| fs::copy(Path::new(FOLDER).join(name), dir.path().join(name)).unwrap();
    copy("worlds/banking.yaml");
    copy("forged-invoice.yaml");
    let file = dir.path().join("forged-invoice.yaml");
    let text = fs::read_to_string(&file).unwrap();
    let spoilt = text.replace(
        "  landed: post.payments.exists(p, p.payee",
        "  landed: false && post.payments.exists(p, p.paye",
    );
    assert_ne!(spoilt, text);
    let line = text.lines().position(|line| line.starts_with("  landed: ")).unwrap() + 1;
    fs::write(&file, spoilt).unwrap();
    let file = file.to_str().unwrap();
    let output = run(&["check", file]);
    assert_eq!(output.status.code(), Some(3));
    let said = String::from_utf8(output.stdout).unwrap();
    let expected = format!(
        "{file}:{line}:46: there is no `paye` in it\n  hint: did you mean `payee`?\n1 mistake\n"
    );
    assert_eq!(said, expected);

    let output = run(&["run", "--suite", dir.path().to_str().unwrap(), "--out", "nowhere"]);
    assert_eq!(output.status.code(), Some(3));
    assert!(stderr(&output).contains("hint: `bench check`"), "{}", stderr(&output));
}
