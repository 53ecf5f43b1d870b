//! Children that do well, and every way of doing badly.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use harness::defense::{Defense as _, Entry, Page, Ruling, Verdict};
use serde_json::{Value, json};
use trace::call::ToolCall;
use trace::tool::Channel;

use super::{Command, Exec, SCHEMA, wire};

/// Answers the greeting, whatever comes after it.
const GREETED: &str =
    "read q; echo '{\"id\":1,\"protocol\":1,\"hooks\":[\"on_enter\",\"on_call\"]}'\n";

fn command(dir: &Path, script: &str) -> &'static Command {
    let path = dir.join("guard.sh");
    fs::write(&path, script).unwrap();
    let text = format!("sh {}", path.display());
    Command::parse(&text, Some(Duration::from_secs(1))).unwrap()
}

fn page(text: &str) -> Page<'_> {
    Page { number: 3, channel: Channel::Tool, text, typed_by: None, reply_to: None }
}

fn call() -> ToolCall {
    ToolCall { function: "send".to_owned(), args: serde_json::Map::new() }
}

/// The child's answers to a page and a call, and why it fell out.
fn asked(script: &str) -> (Entry, Ruling, Option<String>) {
    let dir = tempfile::tempdir().unwrap();
    let mut exec = Exec::start(command(dir.path(), script), &[]);
    let entry = exec.on_enter(page("a \"page\"\nof two lines"));
    let ruling = exec.on_call(&call(), None);
    (entry, ruling, exec.outage())
}

#[test]
fn a_child_rules_over_pages_and_calls() {
    let script = format!(
        "{GREETED}read q; case \"$q\" in *'\"channel\":\"tool\"'*) ;; *) exit 1;; esac\n\
         echo '{{\"id\":2,\"answer\":\"refuse\",\"reason\":\"Looks-odd_1\"}}'\n\
         read q; echo '{{\"id\":3,\"answer\":\"ask\",\"reason\":\"Why\"}}'; read q"
    );
    let (entry, ruling, outage) = asked(&script);
    assert_eq!(outage, None);
    let Entry::Refuse(fault) = entry else { panic!("{entry:?}") };
    assert_eq!((fault.reason.as_str(), fault.page), ("Looks-odd_1", Some(3)));
    assert_eq!((ruling.verdict, ruling.faults[0].reason.as_str()), (Verdict::Ask, "Why"));

    let script = format!(
        "{GREETED}read q; echo '{{\"id\":2,\"answer\":\"admit\"}}'\n\
         read q; echo '{{\"id\":3,\"answer\":\"allow\"}}'; read q"
    );
    assert_eq!(asked(&script), (Entry::Admit, Ruling::ALLOW, None));
}

#[test]
fn what_is_no_answer_refuses_and_is_an_outage() {
    for (script, why) in [
        ("exit 3".to_owned(), "it ended"),
        ("exec sleep 60".to_owned(), "no answer within 1000 ms"),
        ("read q; echo hello; read q".to_owned(), "a line that is no JSON, at column "),
        (
            "read q; echo '{\"id\":1,\"protocol\":2,\"hooks\":[]}'; read q".to_owned(),
            "it speaks protocol 2, expected 1",
        ),
        (
            "read q; echo '{\"id\":1,\"protocol\":1,\"hooks\":[\"on_reply\"]}'; read q".to_owned(),
            "a line of another form",
        ),
        ("read q; printf '\\377\\n'; read q".to_owned(), "a line that is no UTF-8"),
        (
            "read q; head -c 70000 /dev/zero | tr '\\0' x; read q".to_owned(),
            "a line of more than 65536 bytes",
        ),
        (format!("{GREETED}exit 0"), "it ended"),
        (format!("{GREETED}exec sleep 60"), "no answer within 1000 ms"),
        (
            format!("{GREETED}read q; echo '{{\"id\":2,\"answer\":\"maybe\"}}'; read q"),
            "an answer that is neither `admit` nor `refuse`",
        ),
        (
            format!("{GREETED}read q; echo '{{\"id\":2,\"answer\":\"allow\"}}'; read q"),
            "an answer that is neither `admit` nor `refuse`",
        ),
        (
            format!("{GREETED}read q; echo '{{\"id\":1,\"answer\":\"admit\"}}'; read q"),
            "an answer to 1, and 2 was asked",
        ),
        (
            format!(
                "{GREETED}read q; echo '{{\"id\":2,\"answer\":\"refuse\",\"reason\":\"pay me\"}}'; read q"
            ),
            "a reason that is no code",
        ),
        (
            format!("{GREETED}read q; echo '{{\"id\":2,\"answer\":\"admit\",\"x\":1}}'; read q"),
            "a line of another form",
        ),
    ] {
        let (entry, ruling, outage) = asked(&script);
        let outage = outage.unwrap_or_else(|| panic!("no outage: {script}"));
        assert!(outage.starts_with(why), "{script}: {outage}");
        assert!(matches!(entry, Entry::Refuse(_)), "{script}");
        assert_eq!(ruling.verdict, Verdict::Deny, "{script}");
    }
}

#[test]
fn a_child_that_does_not_read_is_a_hang_and_not_ours() {
    let dir = tempfile::tempdir().unwrap();
    let command = command(dir.path(), &format!("{GREETED}exec sleep 60"));
    let start = Instant::now();
    let mut exec = Exec::start(command, &[]);
    let large = "x".repeat(4 << 20);
    assert!(matches!(exec.on_enter(page(&large)), Entry::Refuse(_)));
    drop(exec);
    assert!(start.elapsed() < Duration::from_secs(30), "the child outlived its episode");
}

#[test]
fn a_child_gets_path_and_lang_alone() {
    let dir = tempfile::tempdir().unwrap();
    let seen = dir.path().join("seen");
    let script = format!("env > {}\n{GREETED}read q", seen.display());
    let exec = Exec::start(command(dir.path(), &script), &[]);
    assert_eq!(exec.outage(), None);
    let names: Vec<String> = fs::read_to_string(seen)
        .unwrap()
        .lines()
        .filter_map(|line| Some(line.split_once('=')?.0.to_owned()))
        // What a shell sets by itself.
        .filter(|name| !matches!(name.as_str(), "PWD" | "OLDPWD" | "SHLVL" | "_"))
        .collect();
    let mut names: Vec<&str> = names.iter().map(String::as_str).collect();
    names.sort_unstable();
    assert_eq!(names, ["LANG", "PATH"]);
}

#[test]
fn a_command_is_shown_by_its_file_and_digest_and_by_nothing_else() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("my guard.sh").display().to_string().replace(' ', "-");
    fs::write(&path, "exit 0").unwrap();
    let text = format!("sh {path} --key s3cret");
    let first = Command::parse(&text, None).unwrap().to_string();
    let digest = first.strip_prefix("exec:my-guard.sh@").unwrap();
    assert!(digest.len() == 12 && digest.chars().all(|c| c.is_ascii_hexdigit()), "{first}");
    assert_eq!(Command::parse(&text, None).unwrap().to_string(), first);
    let other = Command::parse(&format!("sh {path} --key other"), None).unwrap().to_string();
    assert_ne!(other, first, "another argument is another defense");
    fs::write(&path, "exit 1").unwrap();
    assert_ne!(Command::parse(&text, None).unwrap().to_string(), first, "and so is another script");
    assert!(Command::parse("sh", None).unwrap().to_string().starts_with("exec:sh@"));
}

#[test]
fn the_schema_names_what_is_sent() {
    let schema: Value = serde_json::from_str(SCHEMA).unwrap();
    let call = wire::calling(3, &call(), None);
    let entering = wire::entering(2, page("text"));
    for (name, sent) in [("hello", wire::greeting(&[])), ("on_enter", entering), ("on_call", call)]
    {
        let form = &schema["$defs"][name];
        assert_eq!(sent["hook"], form["properties"]["hook"]["const"]);
        let mut keys: Vec<&String> = sent.as_object().unwrap().keys().collect();
        keys.sort();
        let mut wanted: Vec<&str> =
            form["required"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
        wanted.sort_unstable();
        assert_eq!(keys, wanted, "{name}");
    }
    assert_eq!(schema["$defs"]["hello"]["properties"]["protocol"], json!({ "const": 1 }));
}
