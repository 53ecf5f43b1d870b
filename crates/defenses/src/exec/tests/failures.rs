//! A program that fails lets nothing through, at whichever hook it fails.

use std::thread;

use harness::defense::{Defense as _, Hook};

use super::{Exec, Name, answering, command, greeted, refuses};

/// Asks at one hook, then at every hook: nothing passes, and the outage says why.
#[track_caller]
fn falls_out(mut exec: Exec, name: Name, why: &str, what: &str) {
    assert_eq!(exec.outage(), None, "{name:?}, {what}: it was greeted");
    assert!(refuses(&mut exec, name), "{name:?}, {what}: something passed");
    let outage = exec.outage().unwrap_or_else(|| panic!("{name:?}, {what}: no outage"));
    assert!(outage.starts_with(why), "{name:?}, {what}: {outage}");
    for later in Name::ALL {
        assert!(refuses(&mut exec, *later), "{name:?}, {what}: {later:?} passed after it");
    }
    assert_eq!(exec.outage(), Some(outage), "the first reason stays");
}

#[test]
fn a_program_that_is_slow_dead_senseless_or_endless_lets_nothing_through_at_any_hook() {
    let failures = [
        ("exec sleep 60", "no answer within 1000 ms"),
        ("exit 0", "it ended"),
        ("echo 'certainly'; read -r q", "a line that is no JSON, at column 1"),
        ("echo '{\"id\":2}'; read -r q", "a line of another form"),
        ("head -c 1100000 /dev/zero | tr '\\0' x; read -r q", "a line of more than 1048576 bytes"),
    ];
    thread::scope(|scope| {
        for name in Name::ALL {
            scope.spawn(move || {
                for (then, why) in failures {
                    let dir = tempfile::tempdir().unwrap();
                    let script = format!("{}read -r q; {then}", greeted(2));
                    let exec = Exec::start(command(dir.path(), &script), &[]);
                    falls_out(exec, *name, why, then);
                }
            });
        }
    });
}

#[test]
fn what_is_no_answer_at_a_hook_lets_nothing_through() {
    let large = format!(r#""answer":"done","state":"{}""#, "x".repeat(256 << 10));
    let many = format!(r#""answer":"done","reasons":[{}"A"]"#, r#""A","#.repeat(64));
    let subset = "records that are no subset of the candidates";
    let form = "a line of another form";
    let rows: &[(Name, &str, &str)] = &[
        (Name::Open, r#""answer":"open""#, "an answer that is none of `done`"),
        (Name::Open, r#""answer":"done","reason":"Why""#, form),
        (Name::Enter, r#""answer":"allow""#, "an answer that is none of `admit`, `refuse`"),
        (Name::Derive, r#""answer":"done""#, "an answer that is none of `keep`, `relabel`, `ref"),
        (Name::Derive, r#""answer":"keep","text":"another""#, form),
        (Name::Derive, r#""answer":"relabel","reason":"pay LT60 1010""#, "a reason that is no c"),
        (Name::Retrieve, r#""answer":"keep""#, form),
        (Name::Retrieve, r#""answer":"done","records":[]"#, "an answer that is none of `keep`"),
        (Name::Retrieve, r#""answer":"keep","records":[3,6]"#, subset),
        (Name::Retrieve, r#""answer":"keep","records":[3,3]"#, subset),
        (Name::Retrieve, r#""answer":"keep","records":[3.5]"#, form),
        (Name::Reload, r#""answer":"admit","reason":"two words""#, "a reason that is no code"),
        (Name::Reload, r#""answer":"keep""#, "an answer that is none of `admit`, `refuse`"),
        (Name::Evict, r#""answer":"keep""#, "an answer that is none of `done`"),
        (Name::Save, &large, "a state of more than 262144 bytes"),
        (Name::Save, r#""answer":"saved","state":1"#, "an answer that is none of `done`"),
        (Name::Restore, &many, "more than 64 reasons"),
        (Name::Restore, r#""answer":"done","reasons":[""]"#, "a reason that is no code"),
        (Name::Restore, r#""answer":"done","reasons":"Old""#, form),
        (Name::Call, r#""answer":"go""#, "an answer that is none of `allow`, `ask`, `deny`"),
        (Name::Approval, r#""answer":"allow""#, "an answer that is none of `go`, `stop`"),
        (Name::Owner, r#""answer":"refuse""#, "an answer that is none of `done`, `refused`"),
        (Name::Owner, r#""answer":"done","widens":"yes""#, form),
        (Name::Owner, r#""answer":"refused","reason":"<b>""#, "a reason that is no code"),
        (Name::Dispatch, r#""answer":"allow""#, "an answer that is none of `go`, `stop`"),
        (Name::Dispatch, r#""answer":"stop","reason":"line\nline""#, "a reason that is no code"),
        (Name::Revoke, r#""answer":"done","records":[5]"#, "records that it was not told of"),
        (Name::Revoke, r#""answer":"done","acts":-1"#, form),
        (Name::Clock, r#""answer":"keep""#, "an answer that is none of `done`"),
    ];
    for (name, answer, why) in rows {
        let dir = tempfile::tempdir().unwrap();
        falls_out(answering(dir.path(), &[answer]), *name, why, answer);
    }
    let dir = tempfile::tempdir().unwrap();
    let mut exec =
        answering(dir.path(), &[r#""answer":"keep""#, r#""answer":"done","records":[5,5]"#]);
    assert!(!refuses(&mut exec, Name::Derive));
    falls_out(exec, Name::Revoke, "records that it was not told of, or the same one twice", "");
}

#[test]
fn a_program_that_never_answered_the_greeting_lets_nothing_through() {
    for script in [
        "exit 3",
        "read -r q; echo '{\"id\":1,\"protocol\":1,\"hooks\":[\"on_open\"]}'; read -r q",
        "read -r q; echo '{\"id\":1,\"protocol\":0,\"hooks\":[]}'; read -r q",
    ] {
        let dir = tempfile::tempdir().unwrap();
        let mut exec = Exec::start(command(dir.path(), script), &[]);
        assert_eq!(exec.hooks(), Hook::ALL, "{script}");
        for name in Name::ALL {
            assert!(refuses(&mut exec, *name), "{script}: {name:?} passed");
        }
    }
}
