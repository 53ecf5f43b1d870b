//! Programs that do well, and every way of doing badly. The programs are shell scripts.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod child;
mod failures;
mod hooks;
mod schema;

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::time::Duration;

use harness::defense::{Defense as _, Entry, Page, Verdict};
use harness::memory::{Form, Kept, Opening, OwnerAct, Reload, Revoked, Subject, Write, Writer};
use serde_json::{Value, json};
use trace::call::ToolCall;
use trace::course::Ceiling;
use trace::tool::Channel;

use super::hooks::Name;
use super::{Command, Exec};

/// A good answer at each hook, without its number.
const GOOD: &[(Name, &str)] = &[
    (Name::Open, r#""answer":"done""#),
    (Name::Enter, r#""answer":"admit""#),
    (Name::Derive, r#""answer":"keep""#),
    (Name::Retrieve, r#""answer":"keep","records":[5,3]"#),
    (Name::Reload, r#""answer":"admit""#),
    (Name::Evict, r#""answer":"done""#),
    (Name::Save, r#""answer":"done","state":{"held":[1,"two",null]}"#),
    (Name::Restore, r#""answer":"done""#),
    (Name::Call, r#""answer":"allow""#),
    (Name::Approval, r#""answer":"go""#),
    (Name::Owner, r#""answer":"done","widens":true"#),
    (Name::Dispatch, r#""answer":"go""#),
    (Name::Revoke, r#""answer":"done","records":[5],"acts":2,"approvals":1"#),
    (Name::Clock, r#""answer":"done""#),
];

const OPENING: Opening = Opening { tenant: 1, task: 2, session: 4, attended: false, now: 60 };

const RELOAD: Reload<'_> = Reload { record: 5, page: 8, text: "a note", now: 61 };

fn command(dir: &Path, script: &str) -> &'static Command {
    let path = dir.join("guard.sh");
    fs::write(&path, script).unwrap();
    let text = format!("sh {}", path.display());
    Command::parse(&text, Some(Duration::from_secs(1))).unwrap()
}

/// The beginning of a script: it answers the greeting and wants all hooks of this version.
fn greeted(protocol: u32) -> String {
    let hooks = Name::ALL.iter().filter(|name| name.since() <= protocol);
    let hooks: Vec<&str> = hooks.map(|name| name.as_str()).collect();
    let hello = json!({ "id": 1, "protocol": protocol, "hooks": hooks });
    format!("read -r q; echo '{hello}'\n")
}

/// A program that gives these answers in turn, and writes down in `seen` what it was asked.
fn answering(dir: &Path, answers: &[&str]) -> Exec {
    let seen = dir.join("seen");
    let mut script = greeted(2);
    for (id, answer) in (2..).zip(answers) {
        let _ = writeln!(script, "read -r q; printf '%s\\n' \"$q\" >> {}", seen.display());
        let _ = writeln!(script, "printf '%s\\n' '{{\"id\":{id},{answer}}}'");
    }
    script.push_str("read -r q");
    Exec::start(command(dir, &script), &[])
}

/// What a program wrote down.
fn seen(dir: &Path) -> Vec<Value> {
    let text = fs::read_to_string(dir.join("seen")).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn page(text: &str) -> Page<'_> {
    Page { number: 3, channel: Channel::Tool, text, typed_by: None, reply_to: None }
}

fn call() -> ToolCall {
    let Value::Object(args) = json!({ "to": "Ann" }) else { unreachable!("an object literal") };
    ToolCall { function: "send".to_owned(), args }
}

fn write(text: &str) -> Write<'_> {
    let (by, form) = (Writer::Agent, Form::Full);
    Write { record: 5, by, pages: &[3, 4], of: &[2], remembered: false, form, text }
}

fn approval(values: &[String]) -> OwnerAct<'_> {
    let (subject, ceiling) = (Subject::Record(5), Ceiling::Policy);
    OwnerAct::Approve { subject, shown: "a note", values, ceiling, now: 62 }
}

/// Comes to a hook, with the same question each time, and says whether the defense let nothing
/// through. Where a hook can refuse nothing, whether it has fallen out.
fn refuses(exec: &mut Exec, name: Name) -> bool {
    match name {
        Name::Open => {
            exec.on_open(&OPENING);
            exec.outage().is_some()
        }
        Name::Enter => matches!(exec.on_enter(page("a \"page\"\nin two")), Entry::Refuse(_)),
        Name::Derive => matches!(exec.on_derive(&write("a note")), Kept::Refused(_)),
        Name::Retrieve => {
            let mut candidates = vec![3, 4, 5];
            exec.on_retrieve(&mut candidates);
            candidates.is_empty()
        }
        Name::Reload => matches!(exec.on_reload(&RELOAD).entry, Entry::Refuse(_)),
        Name::Evict => {
            exec.on_evict(3);
            exec.outage().is_some()
        }
        Name::Save => exec.on_save().is_none(),
        Name::Restore => {
            !exec.on_restore(&Some(Box::new(json!({ "held": [1, "two", null] })))).is_empty()
        }
        Name::Call => exec.on_call(&call(), None).verdict == Verdict::Deny,
        Name::Approval => exec.on_approval(&call(), None, true).is_err(),
        Name::Owner => exec.on_owner(&approval(&["Ann".to_owned()])).is_err(),
        Name::Dispatch => exec.on_dispatch(&call(), None).is_err(),
        Name::Revoke => {
            let subjects = [Subject::Page(3), Subject::Record(5)];
            exec.on_revoke(&subjects) == Revoked::default()
        }
        Name::Clock => {
            exec.on_clock(63);
            exec.outage().is_some()
        }
    }
}
