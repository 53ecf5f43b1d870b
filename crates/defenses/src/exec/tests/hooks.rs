//! What a program is asked at each hook, and what its answers come to.

use harness::defense::{Defense as _, Entry, Hook, Page};
use harness::memory::{Kept, OwnerAct, Revoked, Subject};
use serde_json::json;
use trace::course::Ceiling;
use trace::event::Fault;
use trace::tool::Channel;

use super::super::hooks::behind;
use super::{
    Exec, GOOD, Name, RELOAD, answering, approval, call, command, page, refuses, seen, write,
};

fn reason(fault: &Fault) -> (&str, &str) {
    (fault.name.as_str(), fault.reason.as_str())
}

#[test]
fn a_program_is_asked_at_every_hook() {
    let dir = tempfile::tempdir().unwrap();
    let answers: Vec<&str> = GOOD.iter().map(|(_, answer)| *answer).collect();
    let mut exec = answering(dir.path(), &answers);
    for name in Name::ALL {
        assert!(!refuses(&mut exec, *name), "{name:?}: {:?}", exec.outage());
    }
    assert_eq!(exec.outage(), None);
    let (tool, arguments, effect) = ("send", json!({ "to": "Ann" }), json!(null));
    let expected = [
        json!({
            "hook": "on_open", "id": 2, "tenant": 1, "task": 2, "session": 4, "attended": false,
            "now": 60,
        }),
        json!({
            "hook": "on_enter", "id": 3, "page": 3, "channel": "tool", "text": "a \"page\"\nin two",
            "typed_by": null, "reply_to": null,
        }),
        json!({
            "hook": "on_derive", "id": 4, "record": 5, "by": "agent", "pages": [3, 4], "of": [2],
            "remembered": false, "form": "full", "text": "a note",
        }),
        json!({ "hook": "on_retrieve", "id": 5, "candidates": [3, 4, 5] }),
        json!({
            "hook": "on_reload", "id": 6, "record": 5, "page": 8, "text": "a note", "now": 61,
        }),
        json!({ "hook": "on_evict", "id": 7, "page": 3 }),
        json!({ "hook": "on_save", "id": 8 }),
        json!({ "hook": "on_restore", "id": 9, "state": { "held": [1, "two", null] } }),
        json!({
            "hook": "on_call", "id": 10, "tool": tool, "arguments": arguments, "effect": effect,
        }),
        json!({
            "hook": "on_approval", "id": 11, "tool": tool, "arguments": arguments, "effect": effect,
            "granted": true,
        }),
        json!({
            "hook": "on_owner", "id": 12, "act": "approve", "subject": { "record": 5 },
            "shown": "a note", "values": ["Ann"], "ceiling": "policy", "now": 62,
        }),
        json!({
            "hook": "on_dispatch", "id": 13, "tool": tool, "arguments": arguments, "effect": effect,
        }),
        json!({ "hook": "on_revoke", "id": 14, "subjects": [{ "page": 3 }, { "record": 5 }] }),
        json!({ "hook": "on_clock", "id": 15, "now": 63 }),
    ];
    assert_eq!(seen(dir.path()), expected);
}

#[test]
fn what_a_page_answers_and_the_other_acts_of_an_owner_are_told() {
    let dir = tempfile::tempdir().unwrap();
    let mut exec = answering(
        dir.path(),
        &[r#""answer":"refuse""#, r#""answer":"done""#, r#""answer":"refused","reason":"No""#],
    );
    let asked = call();
    let reply = Page { typed_by: Some(2), reply_to: Some(&asked), ..page("text") };
    let Entry::Refuse(fault) = exec.on_enter(reply) else { panic!("it entered") };
    assert_eq!(reason(&fault), ("PageRefused", "Unspecified"));
    assert_eq!((fault.page, fault.channel), (Some(3), Some(Channel::Tool)));
    let (ceiling, accepted) = (Some(Ceiling::Guidance), true);
    let grant = OwnerAct::Grant { record: 5, to: 1, ceiling, accepted, now: 7 };
    assert!(!exec.on_owner(&grant).unwrap().widens);
    let withdrawal = OwnerAct::Withdraw { subject: Subject::Page(3) };
    assert_eq!(reason(&exec.on_owner(&withdrawal).unwrap_err()), ("ActRefused", "No"));
    let seen = seen(dir.path());
    assert_eq!(seen[0]["typed_by"], 2);
    assert_eq!(seen[0]["reply_to"], json!({ "tool": "send", "arguments": { "to": "Ann" } }));
    let subject = json!({ "record": 5 });
    assert_eq!(
        seen[1],
        json!({
            "hook": "on_owner", "id": 3, "act": "grant", "subject": subject, "to": 1,
            "ceiling": "guidance", "accepted": true, "now": 7,
        })
    );
    assert_eq!(
        seen[2],
        json!({ "hook": "on_owner", "id": 4, "act": "withdraw", "subject": { "page": 3 } })
    );
}

#[test]
fn what_crosses_to_and_from_storage_is_kept_relabelled_or_refused() {
    let dir = tempfile::tempdir().unwrap();
    let mut exec = answering(
        dir.path(),
        &[
            r#""answer":"keep""#,
            r#""answer":"relabel","reason":"FromWeb""#,
            r#""answer":"refuse","reason":"Scanner-1""#,
            r#""answer":"admit""#,
            r#""answer":"admit","reason":"Revoked""#,
            r#""answer":"refuse","reason":"Quarantine""#,
            r#""answer":"keep","records":[9,4]"#,
            r#""answer":"keep","records":[]"#,
            r#""answer":"done","reasons":["Revoked","Old"]"#,
        ],
    );
    assert_eq!(exec.on_derive(&write("x")), Kept::AsIs);
    let Kept::Relabelled(faults) = exec.on_derive(&write("x")) else { panic!("not relabelled") };
    assert_eq!(reason(&faults[0]), ("WriteRelabelled", "FromWeb"));
    let Kept::Refused(fault) = exec.on_derive(&write("x")) else { panic!("not refused") };
    assert_eq!(reason(&fault), ("WriteRefused", "Scanner-1"));

    let back = exec.on_reload(&RELOAD);
    assert_eq!((back.entry, back.noted.len()), (Entry::Admit, 0));
    let back = exec.on_reload(&RELOAD);
    assert_eq!(back.entry, Entry::Admit);
    assert_eq!(reason(&back.noted[0]), ("RecordRelabelled", "Revoked"));
    let Entry::Refuse(fault) = exec.on_reload(&RELOAD).entry else { panic!("it came back") };
    assert_eq!((reason(&fault), fault.page), (("RecordRefused", "Quarantine"), Some(8)));

    let mut candidates = vec![4, 2, 9, 7];
    exec.on_retrieve(&mut candidates);
    assert_eq!(candidates, [4, 9], "the harness's order stays");
    exec.on_retrieve(&mut candidates);
    assert!(candidates.is_empty());
    let noted = exec.on_restore(&None);
    let noted: Vec<_> = noted.iter().map(reason).collect();
    assert_eq!(noted, [("ContextRelabelled", "Revoked"), ("ContextRelabelled", "Old")]);
    assert_eq!(exec.outage(), None);
    assert!(seen(dir.path())[8]["state"].is_null(), "nothing had been saved");
}

#[test]
fn calls_are_stopped_and_owners_heard() {
    let dir = tempfile::tempdir().unwrap();
    let mut exec = answering(
        dir.path(),
        &[
            r#""answer":"stop","reason":"Late""#,
            r#""answer":"stop""#,
            r#""answer":"done","widens":true"#,
            r#""answer":"keep""#,
            r#""answer":"done","records":[5,0],"acts":1,"approvals":2"#,
            r#""answer":"done""#,
        ],
    );
    let stopped = exec.on_approval(&call(), None, true).unwrap_err();
    assert_eq!(reason(&stopped), ("CallStopped", "Late"));
    let stopped = exec.on_dispatch(&call(), None).unwrap_err();
    assert_eq!(reason(&stopped), ("CallStopped", "Unspecified"));
    assert!(exec.on_owner(&approval(&[])).unwrap().widens);
    exec.on_derive(&write("x"));
    let found = exec.on_revoke(&[Subject::Page(3)]);
    assert_eq!(found, Revoked { records: vec![5, 0], acts: 1, approvals: 2 });
    assert_eq!(exec.on_revoke(&[Subject::Page(3)]), Revoked::default());
    assert_eq!(exec.outage(), None);
}

/// What is saved is kept as it is, up to its limit, and comes back as it was.
#[test]
fn a_state_goes_through_a_checkpoint() {
    let dir = tempfile::tempdir().unwrap();
    let state = json!({ "pages": { "3": [1, 2.5, "ä\n"] }, "none": null });
    let answer = format!(r#""answer":"done","state":{state}"#);
    let long = "x".repeat(super::super::answers::STATE_MAX - 2);
    let longest = format!(r#""answer":"done","state":"{long}""#);
    let answers = [&answer, r#""answer":"done""#, &longest, r#""answer":"done""#];
    let mut exec = answering(dir.path(), &answers);
    for _ in 0..2 {
        let saved = exec.on_save();
        assert_eq!(exec.on_restore(&saved), []);
    }
    assert_eq!(exec.outage(), None);
    let seen = seen(dir.path());
    assert_eq!((&seen[1]["state"], &seen[3]["state"]), (&state, &json!(long)));
}

/// The harness has one hook for saving and restoring, and one for all that owners say; a program
/// names them one by one.
#[test]
fn a_program_is_asked_only_where_it_wants_to_be() {
    let dir = tempfile::tempdir().unwrap();
    let script = r#"read -r q; echo '{"id":1,"protocol":2,"hooks":["on_save","on_owner"]}'
        read -r q; case "$q" in *on_owner*) ;; *) exit 1;; esac
        echo '{"id":2,"answer":"done"}'; read -r q"#;
    let mut exec = Exec::start(command(dir.path(), script), &[]);
    assert_eq!(exec.hooks(), [Hook::Checkpoint, Hook::Approval]);
    assert_eq!(exec.on_restore(&None), []);
    assert_eq!(exec.on_approval(&call(), None, true), Ok(()));
    assert!(!exec.on_owner(&approval(&[])).unwrap().widens);
    assert_eq!(exec.outage(), None);
    let same = behind(&[Name::Owner, Name::Approval, Name::Restore]);
    assert!(std::ptr::eq(same, exec.hooks()), "each set is made once");
}
