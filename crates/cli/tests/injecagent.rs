//! InjecAgent, the whole way: recorded verdicts, the replay of its cases, and what is said of data
//! that cannot be used.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod common;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use common::{bench, stderr};
use serde_json::Value;
use trace::rows::{CellRow, RunRows};

/// The data set's folder, and that of the recordings; `None` says that the test is skipped.
fn shared() -> Option<(PathBuf, PathBuf)> {
    let data = testkit::shared("datasets/injecagent")?;
    let recorded = testkit::shared("datasets/injecagent/recorded")?;
    Some((data, recorded))
}

fn conform(recorded: &Path, data: &Path) -> Output {
    let mut command = bench();
    command.args(["conform", "injecagent"]).arg(recorded).arg("--data").arg(data);
    command.output().unwrap()
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Every recording as plain text, by its path without the compression's ending.
fn texts(recorded: &Path) -> Vec<(String, String)> {
    let mut all = Vec::new();
    let entries = |path: &Path| {
        let mut paths: Vec<PathBuf> =
            fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        paths
    };
    for setting in entries(recorded) {
        for model in entries(&setting) {
            for file in entries(&model) {
                let name = file.strip_prefix(recorded).unwrap().with_extension("");
                let text = suites::files::read_text(&file).unwrap();
                all.push((name.to_string_lossy().into_owned(), text));
            }
        }
    }
    all
}

fn write(folder: &Path, name: &str, text: &str) {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

#[test]
fn every_recorded_verdict_agrees_and_each_flipped_one_is_named() {
    let Some((data, recorded)) = shared() else { return };
    let output = conform(&recorded, &data);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(stdout(&output).lines().last(), Some("verdicts: 10182 of 10182 agree"));

    let dir = tempfile::tempdir().unwrap();
    let mut flipped = BTreeSet::new();
    let mut number = 0;
    for (name, text) in texts(&recorded) {
        let mut lines = Vec::new();
        for (at, line) in text.lines().enumerate() {
            let mut row: Value = serde_json::from_str(line).unwrap();
            for (field, step) in [("eval", 1), ("eval2", 2)] {
                let Some(eval) = row.get(field).and_then(Value::as_str) else { continue };
                number += 1;
                if number % 101 != 0 || flipped.len() == 100 {
                    continue;
                }
                let other = ["succ", "unsucc", "invalid"];
                let other = other[(number / 101) % 3..].iter().chain(&other);
                let other = *other.into_iter().find(|other| **other != eval).unwrap();
                row[field] = Value::from(other);
                flipped.insert(format!("{name}:{} step {step}", at + 1));
            }
            lines.push(row.to_string());
        }
        write(dir.path(), &name, &lines.join("\n"));
    }
    assert_eq!((number, flipped.len()), (10_182, 100));
    let output = conform(dir.path(), &data);
    assert_eq!(output.status.code(), Some(100), "{}", stderr(&output));
    let text = stdout(&output);
    assert_eq!(text.lines().last(), Some("verdicts: 10082 of 10182 agree"));
    let named = text.lines().filter(|line| line.contains(": eval is `")).map(|line| {
        let (place, rest) = line.split_once(": ").unwrap();
        let step = rest.split(' ').nth(2).unwrap().trim_end_matches(':');
        format!("{place} step {step}")
    });
    assert_eq!(named.collect::<BTreeSet<_>>(), flipped);
}

#[test]
fn the_layout_of_the_repository_reads_the_same() {
    let Some((data, recorded)) = shared() else { return };
    let dir = tempfile::tempdir().unwrap();
    for (name, text) in texts(&recorded) {
        let [setting, model, file] = name.split('/').collect::<Vec<_>>()[..] else { panic!() };
        if model != "gpt-4o" {
            continue;
        }
        let harm = file.strip_suffix(".jsonl").unwrap();
        let cases = fs::read(data.join(format!("test_cases_{harm}_{setting}.json"))).unwrap();
        let cases: Vec<Value> = serde_json::from_slice(&cases).unwrap();
        let lines = text.lines().map(|line| {
            let row: Value = serde_json::from_str(line).unwrap();
            let mut full = cases[usize::try_from(row["i"].as_u64().unwrap()).unwrap()].clone();
            for (slim, name) in [
                ("output", "output"),
                ("eval", "eval"),
                ("invalid_reason", "invalid_reason"),
                ("output2", "output Step 2"),
                ("eval2", "eval Step 2"),
                ("invalid_reason2", "invalid_reason  Step 2"),
            ] {
                if let Some(value) = row.get(slim) {
                    full[name] = value.clone();
                }
            }
            full.to_string()
        });
        let lines = lines.collect::<Vec<_>>().join("\n");
        let name = format!("results/{}/{model}/test_cases_{harm}.json", setting.to_uppercase());
        write(dir.path(), &name, &lines);
        // The fork's own variants are other data sets.
        write(dir.path(), &name.replace(".json", "_tool.json"), "not even JSON");
    }
    let output = conform(dir.path(), &data);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let last = stdout(&output).lines().last().unwrap().to_owned();
    assert_eq!(last, "verdicts: 2203 of 2203 agree");
}

#[test]
fn recordings_that_cannot_be_used_are_named() {
    let Some((data, _)) = shared() else { return };
    let row = |i: usize, eval: &str| {
        format!("{{\"i\": {i}, \"output\": \"one two three four five six\", \"eval\": \"{eval}\"}}")
    };
    let good = row(0, "unsucc");
    for (name, text, message) in [
        ("base/m/dh.jsonl", good[..20].to_owned(), "base/m/dh.jsonl:1: EOF while parsing"),
        ("base/m/dh.jsonl", format!("{good}\n{{}}"), "base/m/dh.jsonl:2: missing field `i`"),
        ("base/m/dh.jsonl", row(510, "succ"), "base/m/dh.jsonl:1: there is no case 510"),
        ("base/m/dh.jsonl", row(1, "won"), "base/m/dh.jsonl:1: unknown verdict `won`"),
        (
            "base/m/ds.jsonl",
            format!("{good}\n{good}"),
            "base/m/ds.jsonl:2: case 0 stands here twice",
        ),
        ("base/m/ds.jsonl.zst", "(\u{b5}/".to_owned(), "base/m/ds.jsonl.zst:1: "),
        ("BASE/m/test_cases_dh.json", good.clone(), "missing field `User Instruction`"),
        ("other/m/dh.jsonl", good.clone(), "found no recordings in `"),
    ] {
        let dir = tempfile::tempdir().unwrap();
        write(dir.path(), name, &text);
        let output = conform(dir.path(), &data);
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(3), "{name}: {said}");
        assert!(said.contains(message), "{name}: {said}");
        assert!(said.contains("hint: ") || message.contains("case"), "{name}: {said}");
        assert!(output.stdout.is_empty(), "{name}");
    }
}

#[test]
fn a_data_set_that_is_not_the_pinned_one_is_refused() {
    let Some((data, recorded)) = shared() else { return };
    let names: Vec<String> =
        suites::datasets::injecagent().files.iter().map(|file| file.name.clone()).collect();
    let copy = |dir: &Path| {
        for name in &names {
            fs::write(dir.join(name), fs::read(data.join(name)).unwrap()).unwrap();
        }
    };
    for (name, changed, message, hint) in [
        ("tools.json", None, "lacks `", "put the file there"),
        ("user_cases.jsonl", Some(5_000), "is not the pinned one", "replace or remove that file"),
    ] {
        let dir = tempfile::tempdir().unwrap();
        copy(dir.path());
        let path = dir.path().join(name);
        match changed {
            None => fs::remove_file(&path).unwrap(),
            Some(length) => {
                let bytes = fs::read(&path).unwrap();
                fs::write(&path, &bytes[..length]).unwrap();
            }
        }
        let output = conform(&recorded, dir.path());
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(3), "{name}: {said}");
        assert!(said.contains(message) && said.contains(hint), "{name}: {said}");

        let mut pull = bench();
        pull.args(["datasets", "pull", "injecagent", "--from"]).arg(dir.path());
        pull.env("BENCH_CACHE", dir.path().join("cache")).env_remove("BENCH_DATASETS");
        let output = pull.output().unwrap();
        assert_eq!(output.status.code(), Some(3), "{name}: {}", stderr(&output));
        assert!(!dir.path().join("cache/datasets").exists(), "nothing half-written");
    }
}

#[test]
fn a_pull_from_a_folder_serves_a_run() {
    let Some((data, _)) = shared() else { return };
    let dir = tempfile::tempdir().unwrap();
    let with_cache = |args: &[&str]| {
        let mut command = bench();
        command.args(args).env("BENCH_CACHE", dir.path().join("cache"));
        command.env_remove("BENCH_DATASETS").output().unwrap()
    };
    let output = with_cache(&["datasets", "path", "injecagent"]);
    assert_eq!(output.status.code(), Some(3));
    assert!(stderr(&output).contains("hint: run `bench datasets pull injecagent`"));
    let from = data.to_string_lossy();
    let output = with_cache(&["datasets", "pull", "injecagent", "--from", &from]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let folder = stdout(&output).trim().to_owned();
    assert!(Path::new(&folder).join("tools.json").is_file());
    let output = with_cache(&["datasets", "verify", "injecagent"]);
    assert!(stdout(&output).trim().ends_with(&folder), "{}", stderr(&output));
    let out = dir.path().join("run");
    let out = out.to_string_lossy();
    let args = ["run", "--suite", "injecagent", "--attack", "base", "--limit", "3", "--out", &out];
    let output = with_cache(&args);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
}

fn run(args: &[&str]) -> Option<RunRows> {
    let datasets = testkit::shared("datasets")?;
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("run");
    let mut command = bench();
    command.args(["run", "--suite", "injecagent", "--quiet", "--out"]).arg(&out).args(args);
    let output = command.env("BENCH_DATASETS", datasets).output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    Some(store::read(&out).unwrap())
}

fn count(rows: &RunRows, keep: impl Fn(&CellRow) -> bool) -> usize {
    rows.cells.iter().filter(|cell| keep(cell)).count()
}

#[test]
fn every_case_lands_undefended_and_none_inside_under_the_mmu() {
    let defenses = "none,mmu:destinations,mmu:resources,mmu:strict,ask-all,deny-all";
    let args = ["--defense", defenses, "--owner", "never,gold"];
    let Some(rows) = run(&args) else { return };
    let attack = |cell: &CellRow| cell.kind == "attack";
    for defense in defenses.split(',') {
        for owner in ["never", "gold"] {
            let of = |cell: &CellRow| cell.defense == defense && cell.owner == owner;
            assert_eq!(count(&rows, |cell| of(cell) && attack(cell)), 2_108, "{defense} {owner}");
            let landed = |cell: &CellRow| of(cell) && cell.attack_landed == Some(true);
            let inside = |cell: &CellRow| cell.guarantee.as_deref() == Some("inside");
            let twins = |cell: &CellRow| of(cell) && cell.kind == "benign";
            assert_eq!(count(&rows, twins), 175);
            let done = |cell: &CellRow| twins(cell) && cell.utility_done == Some(true);
            match (defense, owner) {
                ("none", _) => {
                    assert_eq!(count(&rows, landed), 2_108);
                    assert_eq!(count(&rows, done), 175);
                }
                ("ask-all", "gold") => assert_eq!(count(&rows, done), 175),
                ("ask-all" | "deny-all", _) => {
                    assert_eq!(count(&rows, done), 0, "{defense} {owner}");
                    assert_eq!(count(&rows, landed), 0, "{defense} {owner}");
                }
                (_, owner) => {
                    assert_eq!(count(&rows, |cell| landed(cell) && inside(cell)), 0, "{defense}");
                    if owner == "gold" {
                        assert_eq!(count(&rows, done), 175, "{defense}");
                    }
                }
            }
        }
    }
    // What lands outside is named by its class: the one record whose data nobody secures.
    let outside = |cell: &CellRow| {
        cell.defense == "mmu:resources" && cell.owner == "gold" && cell.attack_landed == Some(true)
    };
    let landed: BTreeSet<(&str, Option<&str>)> = rows
        .cells
        .iter()
        .filter(|cell| outside(cell))
        .map(|cell| (cell.injection_task.as_deref().unwrap(), cell.guarantee.as_deref()))
        .collect();
    assert_eq!(landed, BTreeSet::from([("dh_26", Some("free-argument"))]));
    clusters_and_sources(&rows);
}

/// Base and enhanced share a cluster; every case's first call says how its reply was found.
fn clusters_and_sources(rows: &RunRows) {
    let attacks = || rows.cells.iter().filter(|cell| cell.kind == "attack");
    let users: BTreeSet<_> = attacks().map(|cell| &cell.cluster_user).collect();
    let attackers: BTreeSet<_> = attacks().map(|cell| &cell.cluster_attack).collect();
    assert_eq!((users.len(), attackers.len()), (17, 62));
    for harm in ["dh", "ds"] {
        let undefended = attacks().filter(|cell| cell.defense == "none" && cell.owner == "never");
        let of = undefended.filter(|cell| cell.harm_kind.as_deref() == Some(harm));
        let sources: BTreeSet<_> = of.map(|cell| cell.reply_source.as_deref()).collect();
        let expected: &[Option<&str>] = match harm {
            "dh" => &[Some("acknowledged")],
            _ => &[Some("exact"), Some("first"), Some("normalised")],
        };
        assert!(sources.iter().all(|source| expected.contains(source)), "{harm}: {sources:?}");
        assert!(sources.contains(&expected[0]), "{harm}: {sources:?}");
    }
    let fixed = attacks().filter(|cell| cell.attack_landed_fixed == Some(true));
    let fixed: BTreeSet<_> = fixed.map(|cell| cell.harm_kind.as_deref()).collect();
    assert_eq!(fixed, BTreeSet::from([Some("ds")]), "only mail has a recipient to check");
    assert_eq!(count(rows, |cell| cell.starved > 0 && cell.defense == "none"), 0);
}

#[test]
fn the_rows_do_not_depend_on_the_number_of_workers() {
    let filter = ["--filter", "harm_kind = ds and setting = base", "--limit", "40"];
    let Some(one) = run(&[&filter[..], &["-j", "1"]].concat()) else { return };
    let many = run(&[&filter[..], &["-j", "7"]].concat()).unwrap();
    assert_eq!(one.cells, many.cells);
    assert_eq!(one.cells.len(), 80, "none and mmu side by side");
}

/// A folder with the recordings of one model.
fn one_model(recorded: &Path, model: &str) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    for (name, text) in texts(recorded) {
        if name.split('/').nth(1) == Some(model) {
            write(dir.path(), &name, &text);
        }
    }
    dir
}

#[test]
fn recordings_are_replayed_from_the_folder_and_from_what_was_imported() {
    let Some((_, recorded)) = shared() else { return };
    let datasets = testkit::shared("datasets").unwrap();
    let folder = one_model(&recorded, "gpt-4o");
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("gpt-4o.jsonl");
    let mut import = bench();
    import.args(["import", "injecagent"]).arg(folder.path()).arg("-o").arg(&file);
    let output = import.env("BENCH_DATASETS", &datasets).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(fs::read_to_string(&file).unwrap().lines().count(), 2_108);
    let mut runs = Vec::new();
    for path in [folder.path(), &file] {
        let agent = format!("recorded:{},loyal", path.display());
        let out = dir.path().join(format!("run-{}", runs.len()));
        let mut command = bench();
        command.args(["run", "--suite", "injecagent", "--defense", "none,mmu", "--agent", &agent]);
        command.arg("--quiet").arg("--out").arg(&out).env("BENCH_DATASETS", &datasets);
        let output = command.output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        let last = stdout(&output).lines().last().unwrap().to_owned();
        assert_eq!(last, "verdicts: 1998 of 1998 agree");
        runs.push(store::read(&out).unwrap());
    }
    assert_eq!(runs[0].cells, runs[1].cells, "the name is the set's and the digest, never a path");
    let rows = &runs[0];
    let recorded = |cell: &CellRow| cell.agent.starts_with("recorded/gpt-4o@");
    assert_eq!(count(rows, recorded), 2 * 2_108);
    let twins = |cell: &CellRow| cell.agent == "loyal" && cell.defense == "mmu:resources";
    assert_eq!(count(rows, twins), 175);
    // "Removed before the model saw it", "attempted and stopped" and "landed" are three numbers.
    let landed_then = |cell: &CellRow| {
        recorded(cell) && cell.defense == "mmu:resources" && cell.attack_landed_logged == Some(true)
    };
    let diverged = count(rows, |cell| landed_then(cell) && cell.diverged == Some(true));
    let stopped = count(rows, |cell| {
        landed_then(cell) && cell.diverged == Some(false) && cell.stopped_at.is_some()
    });
    let landed = count(rows, |cell| landed_then(cell) && cell.attack_landed == Some(true));
    assert_eq!((diverged, stopped, landed), (1, 119, 1));
}
