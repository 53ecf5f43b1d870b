//! Mutated logs and bundles: whatever stands in them, the readers answer, and never panic.
//!
//! `PROPTEST_CASES` chooses how many mutations are tried.

use std::fs;

use proptest::prelude::*;
use proptest::sample::Index;
use serde_json::{Value, json};
use suites::agentdojo::{AgentDojo, VERSION, import};

/// Logs of each form, a line each.
fn logs() -> Vec<String> {
    let call = json!({"function": "get_iban", "args": {"a": [1, "x"]}, "id": "1"});
    let asked = json!({"type": "function", "id": "1",
                       "function": {"name": "get_iban", "arguments": "{}"}});
    let messages = |calls: Value| {
        json!([
            {"role": "user", "content": [{"type": "text", "content": "u"}]},
            {"role": "assistant", "content": null, "tool_calls": calls},
            {"role": "tool", "content": "DE1", "tool_call_id": "1", "tool_call": call, "error": null},
            {"role": "assistant", "content": "done", "tool_calls": null},
        ])
    };
    let native = json!({
        "suite_name": "banking", "pipeline_name": "m", "user_task_id": "user_task_0",
        "injection_task_id": "injection_task_1", "attack_type": "direct",
        "injections": {"v": "text"}, "messages": messages(json!([call])), "error": null,
        "benchmark_version": "v1.2.2", "utility": false, "security": true,
    });
    let mut conversations = native.clone();
    conversations["conversations"] = conversations["messages"].take();
    let explorer = json!({
        "index": 1, "messages": messages(json!([asked])),
        "metadata": {"suite_name": "slack", "model": "m", "user_task_id": "user_task_0",
                     "injection_task_id": null, "attack_type": null, "success": true,
                     "security": true, "name": "n"},
    });
    [native, conversations, explorer].iter().map(Value::to_string).collect()
}

/// What a value of a log or a bundle is replaced by.
fn replacement() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        ".{0,12}".prop_map(Value::from),
        Just(json!([])),
        Just(json!({})),
        Just(json!([{"role": "tool", "content": {}}])),
        Just(json!({"$host": "{x"})),
    ]
}

/// Every place in a value, as JSON pointers.
fn places(value: &Value) -> Vec<String> {
    let mut found = Vec::new();
    let mut left = vec![(String::new(), value)];
    while let Some((path, value)) = left.pop() {
        match value {
            Value::Array(items) => {
                left.extend(
                    items.iter().enumerate().map(|(at, item)| (format!("{path}/{at}"), item)),
                );
            }
            Value::Object(fields) => left.extend(fields.iter().map(|(key, field)| {
                (format!("{path}/{}", key.replace('~', "~0").replace('/', "~1")), field)
            })),
            _ => {}
        }
        found.push(path);
    }
    found
}

/// Puts other values at places that the indices choose.
fn replace(value: &mut Value, changes: Vec<(Index, Value)>) {
    for (index, new) in changes {
        let places = places(value);
        let place = index.get(&places);
        *value.pointer_mut(place).expect("the place is there") = new;
    }
}

/// Imports one file with these bytes; every line that is not blank is accounted for.
fn check_import(name: &str, bytes: &[u8]) {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let path = folder.path().join(name);
    fs::write(&path, bytes).expect("the file is written");
    let imported = import::import(&path).expect("the file is there");
    let known = imported.trajectories.len() + imported.malformed.len() + imported.foreign.len();
    let text = String::from_utf8_lossy(bytes);
    let lines = text.lines().filter(|line| !line.trim().is_empty()).count();
    // A file of another encoding, or without a line, is one malformed log; only the first line may be
    // a summary, which is no log.
    let one = name == "a.json" || lines == 0 || std::str::from_utf8(bytes).is_err();
    let (least, most) = if one { (1, 1) } else { (lines - 1, lines) };
    assert!((least..=most).contains(&known), "{known} of {lines} lines");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn logs_with_other_bytes(
        edits in prop::collection::vec((any::<Index>(), any::<u8>(), 0_u8..3), 1..8),
        name in prop::sample::select(vec!["a.json", "a.jsonl"]),
    ) {
        let mut bytes = logs().join("\n").into_bytes();
        for (index, byte, kind) in edits {
            let at = index.index(bytes.len());
            match kind {
                0 => bytes[at] = byte,
                1 => bytes.insert(at, byte),
                _ => bytes.truncate(at.max(1)),
            }
        }
        check_import(name, &bytes);
    }

    #[test]
    fn logs_with_other_values(
        log in 0_usize..3,
        changes in prop::collection::vec((any::<Index>(), replacement()), 1..4),
    ) {
        let mut value: Value = serde_json::from_str(&logs()[log]).expect("it is JSON");
        replace(&mut value, changes);
        check_import("a.jsonl", value.to_string().as_bytes());
    }

    #[test]
    fn compressed_files_with_other_bytes(at in any::<Index>(), byte in any::<u8>()) {
        let mut packed = suites::files::pack(logs().join("\n").as_bytes()).expect("it is packed");
        let place = at.index(packed.len());
        packed[place] = byte;
        let folder = tempfile::tempdir().expect("a folder for the test");
        let path = folder.path().join("a.jsonl.zst");
        fs::write(&path, packed).expect("the file is written");
        import::import(&path).expect("the file is there");
    }
}

/// Mutations of a bundle that are tried, since each loads four worlds.
const BUNDLES: u32 = 24;

#[test]
fn bundles_with_other_values_are_refused_or_used() {
    let Some(bytes) = testkit::bundle() else { return };
    let bundle: Value = serde_json::from_slice(&bytes).expect("the bundle is JSON");
    let cases = std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok());
    let config = ProptestConfig {
        cases: cases.unwrap_or(BUNDLES),
        failure_persistence: None,
        ..ProptestConfig::default()
    };
    let changes = prop::collection::vec((any::<Index>(), replacement()), 1..3);
    let mut runner = proptest::test_runner::TestRunner::new(config);
    let outcome = runner.run(&changes, |changes| {
        let mut mutated = bundle.clone();
        replace(&mut mutated, changes);
        if let Ok(suite) = AgentDojo::load(mutated.to_string().as_bytes(), VERSION) {
            // What cannot be told is an error of its own.
            let _ = suite.scenarios();
        }
        Ok(())
    });
    outcome.expect("no mutated bundle makes the loader panic");
}
