//! Runs that are killed, interrupted or shared: in the end they are what one unbroken run writes.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod common;

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use common::{bench, stderr};

/// The files whose rows are a function of the plan.
const EXACT: &[&str] = &["cells", "approvals", "faults", "scenarios", "events"];

/// A run of this many cells, all of which are in one folder.
fn command(out: &Path, epochs: u32, more: &[&str]) -> Command {
    let mut command = bench();
    command
        .args(["run", "--filter", "world = banking", "--limit", "20", "--trace", "-j", "1"])
        .args(["--defense", "none,mmu", "--owner", "gold", "--epochs", &epochs.to_string()])
        .args(["--save-every", "0.05", "--out"])
        .arg(out)
        .args(more);
    command
}

fn run(out: &Path, epochs: u32, more: &[&str]) -> Output {
    command(out, epochs, more).output().unwrap()
}

fn assert_same(one: &Path, other: &Path) {
    for name in EXACT {
        let read = |dir: &Path| fs::read(dir.join(format!("{name}.parquet"))).unwrap();
        assert!(read(one) == read(other), "{name}.parquet differs");
    }
    let summary = |dir: &Path| {
        let text = fs::read_to_string(dir.join("summary.json")).unwrap();
        let mut summary: serde_json::Value = serde_json::from_str(&text).unwrap();
        for group in summary["groups"].as_array_mut().unwrap() {
            group["latency"].take();
        }
        summary["groups"].clone()
    };
    assert_eq!(summary(one), summary(other));
}

/// Starts a long run and ends it by a signal once a part is put aside.
fn broken_off(out: &Path, epochs: u32, more: &[&str], signal: &str) {
    let mut child =
        command(out, epochs, more).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let name = out.file_name().unwrap().to_str().unwrap();
    let parts = out.with_file_name(format!(".{name}.parts"));
    let start = Instant::now();
    let before = count(&parts);
    while count(&parts) <= before {
        assert!(start.elapsed() < Duration::from_mins(5), "no part was put aside");
        assert!(child.try_wait().unwrap().is_none(), "the run was over too soon");
        sleep(Duration::from_millis(2));
    }
    let sent = Command::new("kill").args([signal, &child.id().to_string()]).status();
    assert!(sent.unwrap().success());
    let status = child.wait().unwrap();
    assert!(!status.success(), "the run came to its end");
}

fn count(parts: &Path) -> usize {
    let entries = fs::read_dir(parts).into_iter().flatten().flatten();
    entries.filter(|entry| entry.file_name().to_string_lossy().starts_with("part-")).count()
}

#[test]
fn a_killed_run_resumes_and_ends_as_an_unbroken_one() {
    if testkit::bundle().is_none() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let (broken, whole) = (dir.path().join("broken"), dir.path().join("whole"));
    let epochs = 40;
    broken_off(&broken, epochs, &[], "-KILL");
    assert!(!broken.exists(), "a run that is not whole has its name");

    let again = run(&broken, epochs, &[]);
    assert_eq!(again.status.code(), Some(3), "{}", stderr(&again));
    assert!(stderr(&again).contains("hint: go on with --resume"), "{}", stderr(&again));
    let other = run(&broken, epochs + 1, &["--resume"]);
    assert_eq!(other.status.code(), Some(3), "{}", stderr(&other));
    assert!(stderr(&other).contains("is of another run"), "{}", stderr(&other));

    broken_off(&broken, epochs, &["--resume"], "-KILL");
    let resumed = run(&broken, epochs, &["--resume"]);
    assert!(resumed.status.success(), "{}", stderr(&resumed));
    assert!(stderr(&resumed).contains("resuming: "), "{}", stderr(&resumed));
    assert!(run(&whole, epochs, &["--quiet"]).status.success());
    assert_same(&broken, &whole);

    let left: Vec<_> =
        fs::read_dir(dir.path()).unwrap().flatten().map(|it| it.file_name()).collect();
    let half: Vec<_> =
        left.iter().filter(|name| name.to_string_lossy().contains("parts")).collect();
    assert!(half.is_empty(), "{left:?}");
    let done = run(&broken, epochs, &["--resume"]);
    assert!(done.status.success() && stderr(&done).contains("nothing is left to do"));
}

#[test]
fn an_interrupted_run_keeps_its_folder_and_goes_on_from_there() {
    if testkit::bundle().is_none() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let (broken, whole) = (dir.path().join("broken"), dir.path().join("whole"));
    // As schedulers end what they started.
    broken_off(&broken, 40, &[], "-TERM");
    let cells = store::read(&broken).unwrap().cells.len();
    assert!(cells > 0 && cells < 1_600, "{cells}");
    let other = run(&broken, 41, &["--resume"]);
    assert_eq!(other.status.code(), Some(3), "{}", stderr(&other));
    assert!(stderr(&other).contains("is another run: its plan_id differs"), "{}", stderr(&other));
    assert!(run(&broken, 40, &["--resume", "--quiet"]).status.success());
    assert!(run(&whole, 40, &["--quiet"]).status.success());
    assert_same(&broken, &whole);
}

#[test]
fn parts_of_a_plan_merge_to_what_one_machine_writes() {
    if testkit::bundle().is_none() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name);
    assert!(run(&at("whole"), 3, &["--quiet"]).status.success());
    for by in ["hash", "slice"] {
        let name = |part: u32| format!("{by}-{part}");
        for part in 1..=3 {
            let partition = format!("{by}:{part}/3");
            let output = run(&at(&name(part)), 3, &["--quiet", "--partition", &partition]);
            assert!(output.status.success(), "{}", stderr(&output));
        }
        let merge = |parts: &[&str], out: &str| {
            let parts = parts.iter().map(|part| at(part));
            bench().arg("merge").args(parts).arg("-o").arg(at(out)).output().unwrap()
        };
        let (one, two, three) = (name(1), name(2), name(3));
        let merged = format!("{by}-merged");
        let output = merge(&[&three, &one, &two], &merged);
        assert!(output.status.success(), "{}", stderr(&output));
        assert_same(&at("whole"), &at(&merged));
        for (parts, code, expected) in [
            (
                vec![one.as_str(), three.as_str()],
                5,
                format!("1 of 3 parts are missing, the first is {by}:2/3"),
            ),
            (vec![&one, &two, &two], 3, format!("part {by}:2/3 is there more than once")),
            (vec![&one, "whole"], 3, "is no part of a plan".to_owned()),
        ] {
            let output = merge(&parts, "refused");
            assert_eq!(output.status.code(), Some(code), "{parts:?}: {}", stderr(&output));
            assert!(stderr(&output).contains(&expected), "{parts:?}: {}", stderr(&output));
            assert!(!at("refused").exists());
        }
    }
    assert!(run(&at("hash-other"), 2, &["--quiet", "--partition", "hash:2/3"]).status.success());
    let parts = ["hash-1", "hash-other", "hash-3"].map(at);
    let output = bench().arg("merge").args(&parts).arg("-o").arg(at("refused")).output().unwrap();
    assert_eq!(output.status.code(), Some(7), "{}", stderr(&output));
    assert!(stderr(&output).contains("part hash:2/3 is of another run"), "{}", stderr(&output));
    let gated =
        bench().arg("gate").arg(at("hash-1")).args(["--rule", "asr <= 1"]).output().unwrap();
    assert_eq!(gated.status.code(), Some(5), "a part is no run to be judged");
}

#[test]
fn a_plan_is_the_same_every_time_and_holds_a_run_to_it() {
    if testkit::bundle().is_none() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let options = ["--filter", "world = banking", "--limit", "10", "--defense", "none,mmu"];
    let plan = |name: &str| {
        let mut command = bench();
        let command = command.arg("plan").args(options).arg("-o").arg(dir.path().join(name));
        let output = command.output().unwrap();
        assert!(output.status.success(), "{}", stderr(&output));
        String::from_utf8(output.stdout).unwrap()
    };
    let (first, second) = (plan("a.json"), plan("b.json"));
    assert_eq!(first, second);
    assert!(first.ends_with("model calls 0, US dollars 0.00\n"), "{first}");
    let read = |name: &str| fs::read_to_string(dir.path().join(name)).unwrap();
    assert!(read("a.json") == read("b.json"));
    let said: serde_json::Value = serde_json::from_str(&read("a.json")).unwrap();
    let out = dir.path().join("run");
    let held = |more: &[&str]| {
        let mut command = bench();
        let command = command.args(["run", "--quiet", "--plan"]).arg(dir.path().join("a.json"));
        command.args(options).args(more).arg("--out").arg(&out).output().unwrap()
    };
    let other = held(&["--seed", "1"]);
    assert_eq!(other.status.code(), Some(3), "{}", stderr(&other));
    assert!(stderr(&other).contains("a.json` says plan "), "{}", stderr(&other));
    let same = held(&[]);
    assert!(same.status.success(), "{}", stderr(&same));
    let rows = store::read(&out).unwrap();
    let ids: Vec<&str> = rows.cells.iter().map(|cell| cell.cell_id.as_str()).collect();
    let planned = said["cells"].as_array().unwrap().iter();
    let planned: Vec<&str> = planned.map(|cell| cell["cell_id"].as_str().unwrap()).collect();
    assert_eq!(ids, planned);
}
