//! Bad input is named, with its exit code and a hint, and nothing half-written stays.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod common;

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, ChildStderr, Command, Stdio};

use common::{bench, places, run, stderr};

#[test]
fn a_reader_that_goes_away_ends_the_output_without_a_word() {
    for args in [&["list", "agents"][..], &["list", "scenarios", "--suite", "sleeper"]] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let output = bench().args(args).stdout(writer).stderr(Stdio::piped()).output().unwrap();
        assert_eq!(output.status.code(), Some(141), "{args:?}");
        assert_eq!(stderr(&output), "", "{args:?}");
    }
}

#[test]
fn a_wrong_name_is_named_with_its_exit_code() {
    if testkit::bundle().is_none() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("run");
    let out = out.to_str().unwrap();
    for (args, code, expected) in [
        (&["--suite", "agentdoju"][..], 3, "error: unknown suite `agentdoju`\nhint: "),
        (&["--suite", "agentdojo@v9"], 3, "error: unknown version `v9`"),
        (&["--attack", "rudeness"], 3, "error: unknown attack `rudeness`\nhint: "),
        (&["--agent", "gulible"], 3, "error: unknown agent `gulible`\nhint: "),
        (&["--owner", "sometimes"], 3, "error: unknown owner `sometimes`\nhint: "),
        (&["--defense", "mmu:stric"], 3, "error: defense `mmu` has no option `stric`\nhint: "),
        (&["--filter", "wrld = banking"], 3, "error: filter, column 1: unknown field `wrld`"),
        (&["--filter", "world = mars"], 4, "error: nothing is selected"),
        (&["--filter", "kind = attack", "--agent", "loyal"], 4, "error: nothing is selected"),
        (&["--epochs", "0"], 2, "error: invalid value '0' for '--epochs <N>'"),
        (&["--seed", "9223372036854775808"], 2, "error: invalid value '9223372036854775808'"),
        (&["--mmu", "maybe"], 2, "error: invalid value 'maybe' for '--mmu <on|off>'"),
        (&["--mmu", "on", "--defense", "none"], 2, "error: the argument '--mmu <on|off>' cannot"),
        (&["--max-error-rate", "2"], 2, "error: invalid value '2' for '--max-error-rate"),
    ] {
        let output = run(&[&["run", "--out", out], args].concat());
        assert_eq!(output.status.code(), Some(code), "{args:?}: {}", stderr(&output));
        assert!(stderr(&output).starts_with(expected), "{args:?}: {}", stderr(&output));
        assert!(output.stdout.is_empty(), "{args:?}");
    }
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0, "nothing was written");
}

#[test]
fn an_output_folder_that_cannot_be_is_refused_before_the_run() {
    if testkit::bundle().is_none() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("file");
    fs::write(&file, "mine").unwrap();
    let below = file.join("run");
    let output = run(&["run", "--limit", "1", "--out", below.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    assert!(stderr(&output).contains("file"), "{}", stderr(&output));
    assert_eq!(fs::read_to_string(&file).unwrap(), "mine");

    let full = dir.path().join("full");
    fs::create_dir(&full).unwrap();
    fs::write(full.join("note.txt"), "mine").unwrap();
    let output = run(&["run", "--limit", "1", "--out", full.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    assert!(stderr(&output).contains("is not empty"), "{}", stderr(&output));
    assert_eq!(fs::read_dir(&full).unwrap().count(), 1);
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 2, "no staging folder is left");
}

#[test]
fn a_corrupted_or_missing_bundle_is_refused() {
    let Some(bundle) = testkit::bundle() else { return };
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("agentdojo-0.1.35");
    fs::create_dir(&folder).unwrap();
    let mut broken = bundle;
    let middle = broken.len() / 2;
    broken[middle] ^= 1;
    fs::write(folder.join("bundle.json"), broken).unwrap();
    let out = dir.path().join("run");
    let corrupted = bench()
        .env("BENCH_DATASETS", dir.path())
        .args(["run", "--limit", "1", "--out"])
        .arg(&out)
        .output()
        .unwrap();
    assert_eq!(corrupted.status.code(), Some(3), "{}", stderr(&corrupted));
    let said = stderr(&corrupted);
    assert!(said.contains("bundle.json") && said.contains("hint: "), "{said}");

    let missing = bench()
        .env_remove("BENCH_DATASETS")
        .env("BENCH_CACHE", dir.path().join("cache"))
        .args(["run", "--limit", "1", "--offline", "--out"])
        .arg(&out)
        .output()
        .unwrap();
    assert_eq!(missing.status.code(), Some(3), "{}", stderr(&missing));
    assert!(stderr(&missing).contains("bench datasets pull agentdojo"), "{}", stderr(&missing));
    assert!(!out.exists());
}

/// A small file system of its own, taken down when the test ends.
struct Tmpfs<'a>(&'a Path);

impl<'a> Tmpfs<'a> {
    fn mount(at: &'a Path, size: &str) -> Option<Self> {
        let options = format!("size={size}");
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", &options, "tmpfs"]).arg(at).stderr(Stdio::null());
        let mounted = mount.status();
        mounted.is_ok_and(|status| status.success()).then_some(Self(at))
    }
}

impl Drop for Tmpfs<'_> {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(self.0).status();
    }
}

#[test]
fn a_full_disk_leaves_nothing_half_written() {
    if testkit::bundle().is_none() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let Some(disk) = Tmpfs::mount(dir.path(), "24k") else {
        testkit::skip("a small file system cannot be mounted here");
        return;
    };
    let output = run(&["run", "--out", disk.0.join("run").to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(8), "{}", stderr(&output));
    assert!(stderr(&output).contains("error: failed to write"), "{}", stderr(&output));
    assert_eq!(fs::read_dir(disk.0).unwrap().count(), 0, "something is left");
}

/// A run that takes long enough to be interrupted, and what it says.
fn long_run(out: &Path) -> (Child, BufReader<ChildStderr>) {
    let mut child = bench()
        .args(["run", "--epochs", "1000", "--limit", "40", "-j", "1", "--defense", "mmu", "--out"])
        .arg(out)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut said = BufReader::new(child.stderr.take().unwrap());
    // A line of progress says that cells are done, and that interrupts are heeded.
    wait_for(&mut said, " cells, ");
    (child, said)
}

/// Reads until a line holds the words.
fn wait_for(said: &mut BufReader<ChildStderr>, words: &str) {
    let mut all = String::new();
    loop {
        let mut line = String::new();
        assert!(said.read_line(&mut line).unwrap() > 0, "`{words}` was never said: {all}");
        if line.contains(words) {
            return;
        }
        all.push_str(&line);
    }
}

fn interrupt(child: &Child) {
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(sent.unwrap().success());
}

#[test]
fn one_interrupt_keeps_what_is_done() {
    if testkit::bundle().is_none() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("run");
    let (mut child, said) = long_run(&out);
    interrupt(&child);
    let rest: String = said.lines().map_while(Result::ok).collect();
    assert_eq!(child.wait().unwrap().code(), Some(5), "{rest}");
    let rows = store::read(&out).unwrap();
    assert!(!rows.cells.is_empty() && rows.cells.len() < 40_000, "{}", rows.cells.len());
    let manifest = fs::read_to_string(out.join("manifest.json")).unwrap();
    let manifest: serde_json::Value = serde_json::from_str(&manifest).unwrap();
    assert_eq!(manifest["complete"], false);
    assert_eq!(manifest["cells"]["done"], rows.cells.len());
}

#[test]
fn two_interrupts_stop_at_once_and_write_nothing() {
    if testkit::bundle().is_none() {
        return;
    }
    // The run may be quicker than the second signal, and ends with 5 then: try a few times.
    for _ in 0..5 {
        let dir = tempfile::tempdir().unwrap();
        let (mut child, mut said) = long_run(&dir.path().join("run"));
        interrupt(&child);
        wait_for(&mut said, "interrupted: ");
        interrupt(&child);
        let code = child.wait().unwrap().code();
        if code == Some(130) {
            assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0, "something is left");
            return;
        }
        assert_eq!(code, Some(5));
    }
    panic!("no run was still at work when the second interrupt came");
}

#[test]
fn the_places_of_data_sets_are_printed() {
    if testkit::bundle().is_none() {
        return;
    }
    let output = run(&["datasets", "path", "agentdojo"]);
    let printed = String::from_utf8(output.stdout).unwrap();
    let located = suites::datasets::locate(&places()).unwrap();
    assert_eq!(Path::new(printed.trim()), located.path);
    let output = run(&["datasets", "verify", "agentdojo"]);
    assert!(output.status.success(), "{}", stderr(&output));
}
