//! Each form of log, and what is wrong with those that are not.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use trace::trajectory::Trajectory;

use super::import;
use crate::import::Imported;

/// A native log; `content` makes the content of a message from its text.
fn native(content: &dyn Fn(&str) -> Value) -> Value {
    let call = json!({"function": "get_iban", "args": {}, "id": "1", "placeholder_args": null});
    json!({
        "suite_name": "banking", "pipeline_name": "m", "user_task_id": "user_task_0",
        "injection_task_id": null, "attack_type": "none", "injections": {},
        "messages": [
            {"role": "system", "content": content("s")},
            {"role": "user", "content": content("u")},
            {"role": "assistant", "content": null, "tool_calls": [call]},
            {"role": "tool", "content": content("DE1"), "tool_call_id": "1", "tool_call": call,
             "error": null},
            {"role": "assistant", "content": content("done"), "tool_calls": null},
        ],
        "error": null, "benchmark_version": "v1.2.2", "utility": false, "security": true,
    })
}

fn old() -> Value {
    let mut log = native(&|text| json!(text));
    log.as_object_mut().unwrap().remove("benchmark_version");
    log
}

fn new() -> Value {
    native(&|text| json!([{"type": "text", "content": text}]))
}

fn conversations() -> Value {
    let mut log = old();
    let messages = log.as_object_mut().unwrap().remove("messages").unwrap();
    log["conversations"] = messages;
    log["source"] = json!("runs/a.json");
    log
}

fn explorer() -> Value {
    let call = json!({"type": "function", "id": "1",
                      "function": {"name": "get_iban", "arguments": "{}"}});
    let mut messages = old()["messages"].clone();
    messages[2]["tool_calls"] = json!([call]);
    json!({
        "index": 3, "messages": messages, "annotations": [],
        "metadata": {"suite_name": "banking", "model": "gemini-1-5-x", "success": true,
                     "user_task_id": "user_task_0", "injection_task_id": "injection_task_3",
                     "attack_type": "important_instructions", "security": false, "name": "n"},
    })
}

/// What one file with this text comes to.
fn imported(name: &str, text: &str) -> Imported {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    fs::write(&path, text).unwrap();
    import(&path).unwrap()
}

fn only(name: &str, log: &Value) -> Trajectory {
    let mut imported = imported(name, &log.to_string());
    assert_eq!(imported.malformed, []);
    assert_eq!(imported.trajectories.len(), 1);
    imported.trajectories.remove(0)
}

#[test]
fn every_form_reads_as_the_same_course() {
    let logs = [old(), new(), conversations(), explorer()];
    let read = logs.map(|log| only("a.jsonl", &log));
    for one in &read {
        assert_eq!(one.steps, read[0].steps, "{}", one.provenance.form);
        assert_eq!(one.answer.as_deref(), Some("done"));
        assert_eq!(one.set, "a");
    }
    let call = &read[0].steps[0].calls[0];
    assert_eq!(call.reply.as_ref().unwrap().text, "DE1");
    let forms = read.each_ref().map(|one| one.provenance.form.as_str());
    assert_eq!(forms, ["native", "native", "conversations", "explorer"]);
    let versions = read.each_ref().map(|one| one.version.as_deref());
    assert_eq!(versions, [None, Some("v1.2.2"), None, None]);
    let [old, _, conversations, explorer] = read;
    assert_eq!((old.attack, old.injections), (None, Some([].into())), "no attack: no injections");
    assert_eq!(conversations.provenance.origin.as_deref(), Some("runs/a.json"));
    assert_eq!((explorer.injections, explorer.model.as_str()), (None, "gemini-1.5-x"));
    assert_eq!((explorer.logged.utility, explorer.logged.security), (Some(true), Some(false)));
}

#[test]
fn an_attacked_log_keeps_its_injections() {
    let mut log = new();
    log["attack_type"] = json!("direct");
    log["injection_task_id"] = json!("injection_task_0");
    log["injections"] = json!({"v": "text"});
    let read = only("a.json", &log);
    assert_eq!(read.injections, Some([("v".to_owned(), "text".to_owned())].into()));
    assert_eq!((read.attack.as_deref(), read.provenance.line), (Some("direct"), None));
}

#[test]
fn a_folder_is_walked_in_the_order_of_names() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    write("b/two.json", &new().to_string());
    write("a.jsonl", &format!("{}\n\n{}\n", explorer(), old()));
    write("notes.md", "not a log");
    let imported = import(folder.path()).unwrap();
    let sites = imported
        .trajectories
        .iter()
        .map(|one| (one.provenance.file.as_str(), one.provenance.line, one.epoch));
    assert_eq!(
        sites.collect::<Vec<_>>(),
        [("a.jsonl", Some(1), 0), ("a.jsonl", Some(3), 0), ("b/two.json", None, 0)]
    );
    let sets = imported.trajectories.iter().map(|one| one.set.rsplit_once('/').unwrap().1);
    assert_eq!(sets.collect::<Vec<_>>(), ["gemini-1.5-x", "m", "m"], "a set is of one model");
    assert_eq!(imported.passed_over, ["notes.md"]);
}

#[test]
fn trajectories_that_were_imported_read_as_they_are() {
    let first = imported("a.jsonl", &format!("{}\n{}\n", old(), old()));
    assert_eq!(first.trajectories.iter().map(|one| one.epoch).collect::<Vec<_>>(), [0, 1]);
    let lines: Vec<String> = first.trajectories.iter().map(Trajectory::to_line).collect();
    let again = imported("b.jsonl", &lines.join("\n"));
    assert_eq!(again.trajectories, first.trajectories);
}

#[test]
fn what_is_no_log_is_named_with_file_and_line() {
    let changed = |change: &dyn Fn(&mut Value)| {
        let mut log = new();
        change(&mut log);
        log.to_string()
    };
    let bad = [
        ("{", "no JSON: EOF"),
        ("[1]", "a JSON object was expected"),
        ("{\"a\": 1}", "neither `messages` nor `conversations`"),
        (&changed(&|log| log["messages"] = json!([])), "aborted before its first"),
        (&changed(&|log| log["messages"] = json!(3)), "is not a list"),
        (&changed(&|log| log["user_task_id"] = json!(3)), "expected a string"),
        (&changed(&|log| log["messages"][2]["role"] = json!("me")), "message 2: unknown role `me`"),
        (
            &changed(&|log| log["messages"][2]["tool_calls"] = json!([])),
            "message 3: a tool answers",
        ),
        (
            &changed(&|log| log["messages"][3]["content"] = json!(7)),
            "message 3: `content` is neither",
        ),
        (
            &changed(&|log| log["messages"][3]["tool_call"]["args"] = json!("[")),
            "message 3: the arguments of `get_iban` are no object",
        ),
        (&format!("{{\"format\": 9, \"steps\": [], \"set\": {}}}", json!("s")), "has form 9"),
    ];
    for (line, expected) in bad {
        let text = format!("{}\n{line}\n{}\n", new(), old());
        let imported = imported("a.jsonl", &text);
        assert_eq!(imported.trajectories.len(), 2, "the others are read: {line}");
        let [only] = imported.malformed.as_slice() else { panic!("{line}") };
        assert_eq!(only.site.to_string(), "a.jsonl:2");
        assert!(only.why.contains(expected), "{} / {expected}", only.why);
    }
}

#[test]
fn summaries_other_suites_and_empty_files_are_not_the_same() {
    let mut github = old();
    github["suite_name"] = json!("github");
    let text = format!("{}\n{github}\n{}\n", json!({"metadata": {}}), explorer());
    let read = imported("a.jsonl", &text);
    assert_eq!((read.trajectories.len(), read.malformed.len()), (1, 0));
    assert_eq!(read.foreign[0].0.to_string(), "a.jsonl:2");
    assert_eq!(read.foreign[0].1, "github");
    let late = format!("{}\n{}\n", explorer(), json!({"metadata": {}}));
    assert_eq!(imported("a.jsonl", &late).malformed.len(), 1, "a summary stands first only");
    assert_eq!(imported("a.jsonl", "\n").malformed[0].why, "is empty");
    assert!(import(Path::new("/nowhere/at/all")).is_err());
    assert!(import(tempfile::tempdir().unwrap().path()).is_err(), "a folder without logs");
}

#[test]
fn replies_go_to_their_calls() {
    let call = |id: &str, function: &str| json!({"function": function, "args": {}, "id": id});
    let reply = |id: Value, function: &str, text: &str| {
        json!({"role": "tool", "content": text, "tool_call_id": id, "error": null,
               "tool_call": {"function": function, "args": {"n": text}, "id": id}})
    };
    let mut log = old();
    log["messages"] = json!([
        {"role": "user", "content": "u"},
        {"role": "assistant", "content": "x",
         "tool_calls": [call("1", "a"), call("2", "a"), call("3", "b"), call("4", "c")]},
        reply(json!("2"), "a", "second"),
        reply(json!(null), "b", "third"),
        reply(json!("1"), "a", "first"),
    ]);
    let read = only("a.json", &log);
    let replies = read.steps[0].calls.iter();
    let replies = replies.map(|call| call.reply.as_ref().map(|reply| reply.text.as_str()));
    assert_eq!(replies.collect::<Vec<_>>(), [Some("first"), Some("second"), Some("third"), None]);
    assert_eq!(read.steps[0].calls[0].args["n"], "first", "what was carried out");
    assert_eq!(read.answer, None, "the log does not end on the model's words");
}
