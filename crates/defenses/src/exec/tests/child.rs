//! The process itself, its command, and programs that speak protocol 1.

use std::fs;
use std::time::{Duration, Instant};

use harness::defense::{Defense as _, Entry, Hook, Ruling, Verdict};
use serde_json::json;

use super::{Command, Exec, Name, call, command, page, refuses, seen};

/// Answers the greeting in protocol 1, whatever comes after it.
const GREETED: &str =
    "read q; echo '{\"id\":1,\"protocol\":1,\"hooks\":[\"on_enter\",\"on_call\"]}'\n";

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
            "read q; echo '{\"id\":1,\"protocol\":3,\"hooks\":[]}'; read q".to_owned(),
            "it speaks protocol 3, expected 1 to 2",
        ),
        (
            "read q; echo '{\"id\":1,\"protocol\":1,\"hooks\":[\"on_open\"]}'; read q".to_owned(),
            "protocol 1 has no hook `on_open`",
        ),
        (
            "read q; echo '{\"id\":1,\"protocol\":1,\"hooks\":[\"on_reply\"]}'; read q".to_owned(),
            "it wants a hook that does not exist",
        ),
        ("read q; printf '\\377\\n'; read q".to_owned(), "a line that is no UTF-8"),
        (
            "read q; head -c 1100000 /dev/zero | tr '\\0' x; read q".to_owned(),
            "a line of more than 1048576 bytes",
        ),
        (format!("{GREETED}exit 0"), "it ended"),
        (format!("{GREETED}exec sleep 60"), "no answer within 1000 ms"),
        (
            format!("{GREETED}read q; echo '{{\"id\":2,\"answer\":\"maybe\"}}'; read q"),
            "an answer that is none of `admit`, `refuse`",
        ),
        (
            format!("{GREETED}read q; echo '{{\"id\":2,\"answer\":\"allow\"}}'; read q"),
            "an answer that is none of `admit`, `refuse`",
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

/// A program of the first version gets the lines of the first version, and is asked at its two hooks.
#[test]
fn a_program_that_speaks_protocol_1_is_asked_as_it_always_was() {
    let dir = tempfile::tempdir().unwrap();
    let seen_file = dir.path().join("seen");
    let note = format!("printf '%s\\n' \"$q\" >> {}", seen_file.display());
    let script = format!(
        "read -r q; {note}\necho '{{\"id\":1,\"protocol\":1,\"hooks\":[\"on_enter\",\"on_call\"]}}'\n\
         read -r q; {note}\necho '{{\"id\":2,\"answer\":\"admit\"}}'\n\
         read -r q; {note}\necho '{{\"id\":3,\"answer\":\"allow\",\"reason\":\"Fine\"}}'\nread -r q"
    );
    let mut exec = Exec::start(command(dir.path(), &script), &[]);
    assert_eq!(exec.hooks(), [Hook::Enter, Hook::Call]);
    assert_eq!(exec.on_enter(page("text")), Entry::Admit);
    assert_eq!(exec.on_call(&call(), None), Ruling::ALLOW);
    // A revocation that found nothing is what is answered for it, too.
    for name in Name::ALL.iter().filter(|name| name.since() > 1 && **name != Name::Revoke) {
        assert!(!refuses(&mut exec, *name), "{name:?} was not let through");
    }
    assert_eq!(exec.outage(), None);
    let arguments = json!({ "to": "Ann" });
    let expected = [
        json!({ "hook": "hello", "protocol": 2, "id": 1, "tools": [] }),
        json!({ "hook": "on_enter", "id": 2, "page": 3, "channel": "tool", "text": "text" }),
        json!({ "hook": "on_call", "id": 3, "tool": "send", "arguments": arguments, "effect": null }),
    ];
    assert_eq!(seen(dir.path()), expected);
}
