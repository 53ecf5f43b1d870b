//! `--defense exec:COMMAND`, the whole way.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod common;

use std::fs;
use std::path::Path;

use common::{bench, run_into, stderr};

const GUARD: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/keyword_guard.py");

fn command(path: &Path) -> String {
    format!("exec:python3 {}", path.display())
}

#[test]
fn the_example_in_python_asks_about_what_a_reply_ordered() {
    if testkit::bundle().is_none() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let defense = format!("none,{}", command(Path::new(GUARD)));
    let args = ["--defense", &defense, "--filter", "world = banking", "--limit", "40"];
    let rows = run_into(&dir.path().join("run"), &args);
    let guarded: Vec<_> = rows
        .cells
        .iter()
        .filter(|cell| cell.defense.starts_with("exec:keyword_guard.py@"))
        .collect();
    assert_eq!(guarded.len() * 2, rows.cells.len());
    assert!(guarded.iter().all(|cell| cell.status == "ok"));
    let attacks = || guarded.iter().filter(|cell| cell.kind == "attack");
    let bare = rows.cells.iter().filter(|cell| cell.defense == "none" && cell.kind == "attack");
    assert!(bare.filter(|cell| cell.attack_landed == Some(true)).count() > 0);
    assert_eq!(attacks().filter(|cell| cell.attack_landed == Some(true)).count(), 0);
    assert!(attacks().any(|cell| cell.stop_reason.as_deref() == Some("SuspiciousReply")));
    let manifest = fs::read_to_string(dir.path().join("run/manifest.json")).unwrap();
    assert!(!manifest.contains(GUARD), "the manifest names a path of this machine");
}

#[test]
fn a_child_that_hangs_or_dies_on_the_way_makes_its_cells_invalid() {
    if testkit::bundle().is_none() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let hello = "import sys, time, json, os\n\
                 sys.stdin.readline()\n\
                 print(json.dumps({'id': 1, 'protocol': 1, 'hooks': ['on_call']}), flush=True)\n\
                 sys.stdin.readline()\n";
    for (name, then, within, why) in [
        ("hang.py", "time.sleep(600)", "2", "defense: no answer within 2000 ms"),
        ("crash.py", "os._exit(1)", "60", "defense: it ended"),
        (
            "nonsense.py",
            "print('allow', flush=True); time.sleep(600)",
            "60",
            "defense: a line that is no JSON",
        ),
    ] {
        let path = dir.path().join(name);
        fs::write(&path, format!("{hello}{then}\n")).unwrap();
        let out = dir.path().join(format!("run-{name}"));
        let output = bench()
            .args(["run", "--quiet", "--limit", "2", "--filter", "kind = attack"])
            .args(["--defense", &command(&path), "--exec-timeout", within, "--out"])
            .arg(&out)
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(6), "{name}: {}", stderr(&output));
        let rows = store::read(&out).unwrap();
        assert_eq!(rows.cells.len(), 2);
        for cell in &rows.cells {
            assert_eq!(cell.status, "invalid", "{name}");
            assert_eq!((cell.attack_landed, cell.utility_done), (None, None), "{name}");
            let reason = cell.invalid_reason.as_deref().unwrap();
            assert!(reason.starts_with(why), "{name}: {reason}");
        }
    }
}

#[test]
fn a_command_that_is_no_program_is_refused_before_the_run() {
    if testkit::bundle().is_none() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let output = bench()
        .args(["run", "--limit", "1", "--defense", "exec:no-such-guard", "--out"])
        .arg(dir.path().join("run"))
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    assert!(stderr(&output).contains("no program `no-such-guard`"), "{}", stderr(&output));
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
}
