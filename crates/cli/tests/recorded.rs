//! Recorded runs through the commands: imported, replayed without a defense to the logs' own verdicts,
//! and with one.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;
use testkit::{bundle, shared, upstream_script};

const SET: &str = "datasets/agentdojo-recorded";

fn bench(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bench"));
    command.args(arguments).output().expect("the command starts")
}

/// Runs an agent's recordings, guarded as `guards` says, into the folder `out`.
fn replay(suite: &str, agent: &str, guards: [&str; 2], out: &Path) -> Output {
    let [option, value] = guards;
    bench(&["run", "--suite", suite, "--agent", agent, option, value, "--out", text(out)])
}

fn text(path: &Path) -> &str {
    path.to_str().expect("paths of tests are text")
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn last_line(output: &Output) -> String {
    stdout(output).lines().last().unwrap_or_default().to_owned()
}

/// The recorded set as a file of trajectories in the folder, and its lines.
fn imported(folder: &Path) -> Option<(String, Vec<String>)> {
    let set = shared(SET)?;
    let file = folder.join("set.jsonl");
    let output = bench(&["import", "agentdojo", text(&set), "-o", text(&file)]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let written = fs::read_to_string(&file).expect("the import was written");
    let lines = written.lines().map(str::to_owned).collect();
    Some((text(&file).to_owned(), lines))
}

#[test]
fn every_recorded_run_ends_as_its_log_says_and_the_mmu_stops_what_had_landed() {
    let (Some(set), Some(_)) = (shared(SET), bundle()) else { return };
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("run");
    let agent = format!("recorded:{}", text(&set));
    let output = replay("agentdojo@v1.2", &agent, ["--defense", "none,mmu"], &out);
    assert_eq!(last_line(&output), "verdicts: 1995 of 1995 agree");
    assert_eq!(output.status.code(), Some(0));
    let cells = store::read(&out).unwrap().cells;
    assert_eq!(cells.len(), 2 * 1995);
    assert!(cells.iter().all(|cell| cell.agent.starts_with("recorded/agentdojo-recorded@")));
    assert_eq!(cells.iter().map(|cell| &cell.cell_id).collect::<BTreeSet<_>>().len(), cells.len());
    let landed = cells.iter().filter(|cell| cell.attack_landed_logged == Some(true));
    let (bare, defended): (Vec<_>, Vec<_>) = landed.partition(|cell| cell.defense == "none");
    assert_eq!((bare.len(), defended.len()), (35, 35));
    let pairs: BTreeSet<_> = bare.iter().map(|cell| &cell.scenario).collect();
    assert_eq!(pairs.len(), 29);
    // An attack by calls has calls of its own; one on the answer alone has none.
    for cell in &bare {
        let by_answer = cell.guarantee.as_deref() == Some("answer-only");
        assert_eq!(cell.attempted, Some(!by_answer), "{}", cell.scenario);
        assert_eq!(cell.diverged, Some(false), "{}", cell.scenario);
    }
    let inside = |cell: &&&trace::rows::CellRow| cell.guarantee.as_deref() == Some("inside");
    for cell in defended.iter().filter(inside) {
        assert_eq!(cell.attack_landed, Some(false), "{}", cell.scenario);
        let stopped = cell.stopped_at.as_deref() == Some("authorize");
        assert!(stopped || cell.diverged == Some(true), "{}", cell.scenario);
    }
    let stopped = defended.iter().filter(|cell| cell.diverged == Some(false));
    assert!(stopped.count() >= 20, "most replays reach the attack's own calls");
    let summary: Value =
        serde_json::from_str(&fs::read_to_string(out.join("summary.json")).unwrap()).unwrap();
    let groups = summary["groups"].as_array().unwrap();
    let agreement = groups.iter().filter(|group| group["defense"] == "none");
    let n = agreement.map(|group| {
        assert_eq!(group["upstream_agreement"]["k"], group["upstream_agreement"]["n"]);
        group["upstream_agreement"]["n"].as_u64().unwrap()
    });
    assert_eq!(n.sum::<u64>(), 1995);
}

#[test]
fn a_set_has_one_name_however_it_is_filed_and_a_second_log_is_the_next_epoch() {
    let folder = tempfile::tempdir().unwrap();
    let Some((file, lines)) = imported(folder.path()) else { return };
    let Some(_) = bundle() else { return };
    assert_eq!(lines.len(), 1995);
    let epoch = |line: &String| serde_json::from_str::<Value>(line).unwrap()["epoch"].as_u64();
    assert_eq!(lines.iter().filter(|line| epoch(line) == Some(1)).count(), 949);
    let set = shared(SET).unwrap();
    let plans = [file.as_str(), text(&set)].map(|path| {
        let agent = format!("recorded:{path}");
        let output = bench(&[
            "run",
            "--suite",
            "agentdojo@v1.2",
            "--agent",
            &agent,
            "--mmu",
            "off",
            "--dry-run",
        ]);
        last_line(&output)
    });
    assert!(plans[0].contains("1995 cells"), "{}", plans[0]);
    assert_eq!(plans[0], plans[1]);
}

#[test]
fn a_verdict_that_is_not_the_logs_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let Some((_, lines)) = imported(folder.path()) else { return };
    let Some(_) = bundle() else { return };
    let mut logs: Vec<Value> =
        lines[..40].iter().map(|line| serde_json::from_str(line).unwrap()).collect();
    for (log, verdict) in [(3, "utility"), (17, "security"), (31, "utility")] {
        let held = logs[log]["logged"][verdict].as_bool().unwrap();
        logs[log]["logged"][verdict] = (!held).into();
    }
    let file = folder.path().join("changed.jsonl.zst");
    let text_of: Vec<String> = logs.iter().map(Value::to_string).collect();
    fs::write(&file, suites::files::pack(text_of.join("\n").as_bytes()).unwrap()).unwrap();
    let agent = format!("recorded:{}", text(&file));
    let out = folder.path().join("run");
    let output = replay("agentdojo@v1.2", &agent, ["--mmu", "off"], &out);
    assert_eq!(output.status.code(), Some(100));
    assert_eq!(last_line(&output), "verdicts: 37 of 40 agree");
    let printed = stdout(&output);
    let named: Vec<&str> = printed.lines().filter(|line| line.contains("in the log")).collect();
    assert_eq!(named.len(), 3, "{named:?}");
    for (line, log) in named.iter().zip([3, 17, 31]) {
        let task = logs[log]["injection_task"].as_str().unwrap();
        assert!(line.contains(task), "{line}");
    }
}

#[test]
fn a_malformed_log_is_named_and_the_others_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let Some((_, lines)) = imported(folder.path()) else { return };
    let broken = folder.path().join("broken.jsonl");
    fs::write(&broken, format!("{}\n{}\n{}", lines[0], &lines[1][..99], lines[2])).unwrap();
    let kept = folder.path().join("kept.jsonl");
    let output = bench(&["import", "agentdojo", text(&broken), "-o", text(&kept)]);
    assert_eq!(output.status.code(), Some(3));
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(errors.contains("broken.jsonl:2: no JSON"), "{errors}");
    assert!(errors.contains("2 trajectories, 1 malformed"), "{errors}");
    assert_eq!(fs::read_to_string(&kept).unwrap().lines().count(), 2);
    let agent = format!("recorded:{}", text(&broken));
    let output = bench(&["run", "--suite", "agentdojo@v1.2", "--agent", &agent, "--dry-run"]);
    assert_eq!(output.status.code(), Some(3));
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(errors.contains("hint: `bench import agentdojo"), "{errors}");
}

#[test]
fn logs_by_upstreams_own_logger_replay_to_their_verdicts() {
    let folder = tempfile::tempdir().unwrap();
    let logs = folder.path().join("logs");
    let Some(_) = bundle() else { return };
    let arguments = ["--version", "v1.2.2", "-o", text(&logs)];
    let Some(said) = upstream_script("agentdojo_logs.py", &arguments) else { return };
    let agent = format!("recorded:{}", text(&logs));
    let out = folder.path().join("run");
    let output = replay("agentdojo@v1.2.2", &agent, ["--mmu", "off"], &out);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{said}{errors}");
    // 97 user tasks alone, 6 of each world with each of 35 injection tasks, and 4 injection tasks as
    // user tasks, which have no scenario.
    assert_eq!(last_line(&output), "verdicts: 307 of 307 agree");
    assert!(errors.contains("4 logs of `recorded/logs@"), "{errors}");
}

#[test]
fn golden_rows_are_judged_and_a_flipped_one_is_named() {
    let Some(_) = bundle() else { return };
    let folder = tempfile::tempdir().unwrap();
    let rows = folder.path().join("rows.jsonl");
    let row = |utility: bool| {
        serde_json::json!({
            "suite": "banking", "version": "v1.2.2", "user_task": "user_task_0",
            "injection_task": "injection_task_1", "injections": {}, "calls": [
                {"function": "get_balance", "args": {}}, {"function": "no_such", "args": {}}],
            "answer": "", "expect": {"outputs": null, "utility": utility, "security": false},
        })
    };
    fs::write(&rows, format!("{}\n\n{}\n", row(false), row(false))).unwrap();
    let output = bench(&["conform", "agentdojo", text(&rows)]);
    assert_eq!((output.status.code(), last_line(&output).as_str()), (Some(0), AGREE));
    fs::write(&rows, format!("{}\n\n{}\n", row(false), row(true))).unwrap();
    let output = bench(&["conform", "agentdojo", text(&rows)]);
    assert_eq!(output.status.code(), Some(100));
    assert_eq!(last_line(&output), "verdicts: 1 of 2 agree");
    assert!(stdout(&output).contains("row 3 (banking/user_task_0): expect.utility"));
    fs::write(&rows, format!("{}\n{{\"suite\": 3}}\n", row(false))).unwrap();
    let output = bench(&["conform", "agentdojo", text(&rows)]);
    assert_eq!(output.status.code(), Some(3));
    assert!(String::from_utf8_lossy(&output.stderr).contains("rows.jsonl:2: not a golden row"));
}

const AGREE: &str = "verdicts: 2 of 2 agree";

#[test]
fn schemas_name_the_fields_that_are_written() {
    for (name, required) in [("trajectory", 16), ("golden-row", 7)] {
        let output = bench(&["schema", name]);
        let schema: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(schema["type"], "object", "{name}");
        assert_eq!(schema["required"].as_array().unwrap().len(), required, "{name}: {schema}");
    }
    let folder = tempfile::tempdir().unwrap();
    let Some((_, lines)) = imported(folder.path()) else { return };
    let output = bench(&["schema", "trajectory"]);
    let schema: Value = serde_json::from_slice(&output.stdout).unwrap();
    let fields: BTreeSet<&String> = schema["properties"].as_object().unwrap().keys().collect();
    let line: Value = serde_json::from_str(&lines[0]).unwrap();
    assert_eq!(line.as_object().unwrap().keys().collect::<BTreeSet<_>>(), fields);
}
