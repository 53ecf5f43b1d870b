//! Failures name path and cause, and leave no trace.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod common;

use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::process::Command;

use common::{names, run};
use store::{RunWriter, StoreError, check_writable, read, write};
use trace::rows::{RunRows, ScenarioRow};

#[test]
fn a_folder_below_a_file_is_refused_by_name_before_and_after_the_run() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("file");
    fs::write(&file, "text").unwrap();
    let below = file.join("run");
    for error in [check_writable(&below), write(&below, &run(&["a"]))] {
        let text = error.unwrap_err().to_string();
        assert!(text.starts_with("failed to create the folder"), "{text}");
        assert!(text.contains(&format!("`{}`", below.display())), "{text}");
    }
    assert_eq!(fs::read_to_string(&file).unwrap(), "text");
}

#[test]
fn a_writable_folder_is_created_and_left_empty() {
    let dir = tempfile::tempdir().unwrap();
    let new = dir.path().join("results/run");
    check_writable(&new).unwrap();
    assert!(names(&new).is_empty());
}

#[test]
fn a_failed_write_leaves_the_earlier_run_as_it_was() {
    let seed = |rows: &mut RunRows| rows.cells[0].seed = u64::MAX;
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), &run(&["old"])).unwrap();
    let before = names(dir.path());
    let mut rows = run(&["new"]);
    seed(&mut rows);
    let text = write(dir.path(), &rows).unwrap_err().to_string();
    assert!(text.contains("cells.parquet") && text.contains("`seed`"), "{text}");
    assert_eq!(names(dir.path()), before);
    assert_eq!(read(dir.path()).unwrap(), run(&["old"]));
}

#[test]
fn files_that_were_renamed_are_taken_back_when_a_later_one_cannot_be() {
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), &run(&["old"])).unwrap();
    let cells = fs::read(dir.path().join("cells.parquet")).unwrap();
    let latency = dir.path().join("latency.parquet");
    fs::remove_file(&latency).unwrap();
    fs::remove_file(dir.path().join("faults.parquet")).unwrap();
    fs::create_dir(&latency).unwrap();
    let before = names(dir.path());
    let text = write(dir.path(), &run(&["new"])).unwrap_err().to_string();
    assert!(text.contains("latency.parquet"), "{text}");
    assert_eq!(names(dir.path()), before);
    assert_eq!(fs::read(dir.path().join("cells.parquet")).unwrap(), cells);
}

#[test]
fn a_writer_that_is_dropped_removes_what_it_wrote() {
    let dir = tempfile::tempdir().unwrap();
    let mut writer = RunWriter::create(dir.path()).unwrap();
    writer.push(&run(&["a"])).unwrap();
    assert!(!names(dir.path()).is_empty());
    drop(writer);
    assert!(names(dir.path()).is_empty());
}

#[test]
fn a_missing_damaged_or_foreign_file_is_named() {
    type Damage = fn(&Path);
    let cases: &[(&str, Damage)] = &[
        ("failed to open", |path| fs::remove_file(path).unwrap()),
        ("failed to read", |path| fs::write(path, "no parquet").unwrap()),
        ("failed to read", |path| {
            let bytes = fs::read(path).unwrap();
            fs::write(path, &bytes[..bytes.len() / 2]).unwrap();
        }),
        ("column `cell_id`: it is not in the file", |path| {
            fs::copy(path.with_file_name("scenarios.parquet"), path).unwrap();
        }),
    ];
    for (expected, damage) in cases {
        let dir = tempfile::tempdir().unwrap();
        write(dir.path(), &run(&["a"])).unwrap();
        let path = dir.path().join("cells.parquet");
        damage(&path);
        let text = read(dir.path()).unwrap_err().to_string();
        assert!(text.contains(expected), "{text}");
        assert!(text.contains(&path.display().to_string()), "{text}");
    }
}

#[test]
fn another_version_of_the_format_is_refused_with_a_hint() {
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), &run(&["a"])).unwrap();
    let path = dir.path().join("cells.parquet");
    let mut bytes = fs::read(&path).unwrap();
    // The version is a text behind its key in the footer: one byte of type and length between.
    let key = b"bench.run_schema";
    let found: Vec<_> = bytes.windows(key.len()).enumerate().filter(|(_, w)| w == key).collect();
    let [(at, _)] = found[..] else { panic!("the key stands once") };
    let digit = at + key.len() + 2;
    assert_eq!(bytes[digit], b'1');
    bytes[digit] = b'9';
    fs::write(&path, bytes).unwrap();
    let error = read(dir.path()).unwrap_err();
    assert!(matches!(&error, StoreError::Version { found, .. } if found == "9"), "{error}");
    assert!(error.to_string().contains("hint:"), "{error}");
}

/// A small file system in memory, unmounted at the end.
struct Disk(tempfile::TempDir);

impl Disk {
    fn mount(size: &str) -> Option<Self> {
        let dir = tempfile::tempdir().unwrap();
        let options = format!("size={size}");
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", &options, "tmpfs"]).arg(dir.path());
        mount.output().is_ok_and(|output| output.status.success()).then_some(Self(dir))
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(self.0.path()).status();
    }
}

#[test]
fn a_full_disk_is_named_and_the_earlier_run_stays() {
    let Some(disk) = Disk::mount("256k") else {
        // Past the harness, which keeps what passing tests print.
        let _ = writeln!(io::stderr(), "SKIPPED: a full disk takes the right to mount one");
        return;
    };
    let dir = disk.0.path();
    write(dir, &run(&["old"])).unwrap();
    let before = names(dir);
    // Digests, so that the rows do not compress into the little space.
    let digest = |at: u64| trace::ids::CellId::of(&[&at.to_string()]).to_string();
    let scenario = |at| ScenarioRow { digest: digest(at).repeat(2), ..ScenarioRow::default() };
    let scenarios = (0..20_000).map(scenario).collect();
    let error = write(dir, &RunRows { scenarios, ..run(&["new"]) }).unwrap_err();
    let text = error.to_string();
    assert!(text.contains("scenarios.parquet") && text.contains("No space left"), "{text}");
    assert_eq!(names(dir), before);
    assert_eq!(read(dir).unwrap(), run(&["old"]));
    fs::write(dir.join("rest"), vec![0; 1 << 20]).unwrap_err();
    let text = check_writable(dir).unwrap_err().to_string();
    assert!(text.contains(&dir.display().to_string()) && text.contains("No space left"), "{text}");
}
