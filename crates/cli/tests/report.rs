//! `bench report` and `bench show` on real runs, and what must never reach a file.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod common;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use common::{bench, run, run_into, stderr};

/// Secrets, each under the name of a variable; one name says nothing.
const CANARIES: &[(&str, &str)] = &[
    ("OPENAI_API_KEY", "sk-canary0open0ai0key0123456789"),
    ("AWS_SECRET_ACCESS_KEY", "canary/secret+access=key"),
    ("MY_SERVICE_TOKEN", "canary-service-token"),
    ("HTTP_AUTHORIZATION", "Bearer canary0bearer0header0value"),
    ("DATABASE_PASSWORD", "canary \"quoted\" <password> & more"),
    ("SOMETHING_PLAIN", "canary-plain-value"),
];

fn with_canaries() -> Command {
    let mut command = bench();
    command.envs(CANARIES.iter().copied());
    command
}

fn files(dir: &Path) -> Vec<PathBuf> {
    let mut out = Vec::new();
    for entry in fs::read_dir(dir).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() { out.extend(files(&path)) } else { out.push(path) }
    }
    out.sort();
    out
}

#[test]
fn no_secret_reaches_a_file_or_the_screen() {
    if testkit::bundle().is_none() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let (out, page, charts) =
        (dir.path().join("run"), dir.path().join("page/report.html"), dir.path().join("charts"));
    // Secrets in arguments: by value, and by form alone.
    let filter = "user_task = user_task_0 and world = banking \
                  and scenario != canary-service-token and scenario != sk-canary1argument1key1abcdef";
    let mut printed = Vec::new();
    let mut keep = |command: &mut Command| {
        let output = command.output().unwrap();
        assert!(output.status.success(), "{}", stderr(&output));
        printed.extend(output.stdout);
        printed.extend(output.stderr);
    };
    keep(
        with_canaries()
            .args(["run", "--suite", "agentdojo", "--trace", "--filter", filter, "--out"])
            .arg(&out),
    );
    keep(with_canaries().arg("report").arg(&out).arg("-o").arg(&page).arg("--charts").arg(&charts));
    let rows = store::read(&out).unwrap();
    for format in ["text", "json"] {
        let cell = &rows.cells[0].cell_id;
        keep(with_canaries().args(["show", cell, "--full", "--format", format, "--run"]).arg(&out));
    }
    let mut places: Vec<(String, Vec<u8>)> = vec![("the screen".into(), printed)];
    // Parquet is compressed: its rows are searched, not its bytes.
    places.push(("the rows".into(), format!("{rows:?}").into_bytes()));
    for path in files(dir.path()) {
        places.push((path.display().to_string(), fs::read(&path).unwrap()));
    }
    assert!(places.len() > 20, "a run, a page and charts were written");
    for (place, bytes) in &places {
        let text = String::from_utf8_lossy(bytes);
        if let Some(at) = text.find("canary") {
            let start = text[..at].char_indices().rev().nth(40).map_or(0, |(at, _)| at);
            panic!(
                "a secret is in {place}: …{}…",
                text[start..].chars().take(120).collect::<String>()
            );
        }
    }
    let manifest = fs::read_to_string(out.join("manifest.json")).unwrap();
    assert_eq!(manifest.matches("[redacted]").count(), 2, "{manifest}");
    let home = std::env::var("HOME").unwrap_or_default();
    assert!(
        home.len() < 2 || !manifest.contains(&format!("{home}/")),
        "a path of this machine: {manifest}"
    );
}

#[test]
fn the_same_run_gives_the_same_page_and_charts() {
    if testkit::bundle().is_none() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("run");
    run_into(&out, &["--filter", "user_task = user_task_3 and world = banking", "--trace"]);
    let made = |name: &str| -> BTreeMap<String, Vec<u8>> {
        let to = dir.path().join(name);
        let output = bench()
            .env("SOURCE_DATE_EPOCH", "1796040000")
            .args(["report", "--quiet"])
            .arg(&out)
            .arg("-o")
            .arg(to.join("report.html"))
            .arg("--charts")
            .arg(&to)
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", stderr(&output));
        assert!(output.stdout.is_empty() && output.stderr.is_empty());
        let name = |path: &PathBuf| path.file_name().unwrap().to_string_lossy().into_owned();
        files(&to).iter().map(|path| (name(path), fs::read(path).unwrap())).collect()
    };
    let (first, second) = (made("first"), made("second"));
    assert_eq!(first, second);
    let page = String::from_utf8_lossy(&first["report.html"]);
    assert!(page.contains("Made on 2026-11-30"), "the date is SOURCE_DATE_EPOCH's");
    for name in ["trade-off.svg", "trade-off.png", "trade-off.csv", "stops.png", "differences.svg"]
    {
        assert!(first.contains_key(name), "{name} is missing: {:?}", first.keys());
    }
    assert!(first.keys().any(|name| name.ends_with("-authorize.hgrm")), "{:?}", first.keys());
}

#[test]
fn a_cell_is_shown_by_id_or_name_and_ambiguous_names_are_listed() {
    if testkit::bundle().is_none() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("run");
    let filter = "user_task = user_task_0 and world = banking";
    let rows = run_into(&out, &["--filter", filter, "--defense", "none,mmu:strict", "--trace"]);
    let at = out.to_str().unwrap();
    let name = "banking/user_task_0/injection_task_1";
    for (args, code, words) in [
        (&["show", name, "--run", at][..], 3, "fits 2 cells"),
        (&["show", name, "--run", at, "--defense", "mmu:strict"], 0, ""),
        (&["show", name, "--run", at, "--defense", "none", "--kind", "benign-control"], 0, ""),
        (&["show", "nowhere/user_task_0", "--run", at], 4, "hint:"),
        (&["show", name, "--run", "nowhere"], 3, "hint:"),
        (&["report", "nowhere"], 3, "hint:"),
        (&["report", at, "-o", "/proc/none/report.html"], 8, "error:"),
        (&["report", at, "--margin", "2"], 2, "expected 0 to 1"),
    ] {
        let output = run(args);
        assert_eq!(output.status.code(), Some(code), "{args:?}: {}", stderr(&output));
        assert!(stderr(&output).contains(words), "{args:?}: {}", stderr(&output));
        assert_eq!(code == 0, !output.stdout.is_empty(), "{args:?}");
    }
    let attack = |cell: &&trace::rows::CellRow| {
        cell.kind == "attack" && cell.scenario == name && cell.defense == "mmu:strict"
    };
    let cell = rows.cells.iter().find(attack).unwrap();
    let shown = run(&["show", &cell.cell_id[..12], "--run", at]);
    let shown = String::from_utf8(shown.stdout).unwrap();
    assert!(shown.contains(&cell.cell_id) && shown.contains("page 0 · user"), "{shown}");
    assert!(shown.contains("the owner was asked and refused"), "{shown}");
    assert!(shown.contains("→ refused, the world never saw it"), "{shown}");
}

#[test]
fn the_comparison_in_the_readme_is_what_the_command_prints() {
    if testkit::bundle().is_none() {
        return;
    }
    let readme =
        fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../README.md")).unwrap();
    let (_, after) =
        readme.split_once("bench compare results/run --by defense\n```\n\n```text\n").unwrap();
    let block = after.split_once("```").unwrap().0.trim_end();
    assert!(block.lines().count() > 20, "{block}");
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("run");
    run_into(&out, &["--filter", "world = banking", "--defense", "mmu,mmu:strict"]);
    let output = run(&["compare", out.to_str().unwrap(), "--by", "defense"]);
    let printed = String::from_utf8(output.stdout).unwrap();
    // What follows are names, and latencies, which no two runs share.
    assert_eq!(printed.split_once("\n\nUtility lost").unwrap().0, block);
}
