//! Attacks on compartments, revocation, checkpoints and ids.

use clawmmu::{
    Authority, Call, Claim, Deriver, Form, Grant, Origination, Predicate, Scope, Source, Standing,
    Target, Write,
};

use crate::{
    calls::standing,
    lab::{Attack, EVIL, GOOD, Lab, NOTHING, OTHER, OWNER, USER, argument, attack, pay, payment},
};

pub(crate) fn default_deny() -> Vec<Attack> {
    vec![
        attack("another tenant types the payment", &["no-map"], |lab| {
            lab.kernel.map(&mut lab.context, Source::Typed(OTHER), EVIL).is_ok()
        }),
        attack("another tenant's words are granted as Policy", &["no-map"], |lab| {
            let page = lab.kernel.page();
            lab.granted(page, None);
            let arrival =
                clawmmu::Arrival { source: Source::Typed(OTHER), page: Some(page), scope: None };
            let mapped = lab.kernel.map(&mut lab.context, arrival, EVIL).expect("it is granted");
            lab.authority(mapped.entry) == Authority::Policy
        }),
        attack("another tenant's memory comes back here", NOTHING, |lab| {
            lab.enter(OTHER, Scope::of(1, 1));
            let note = lab.model_writes(EVIL);
            lab.reopen();
            lab.reload(&note, EVIL).is_ok()
        }),
        attack("a grant that was only offered", NOTHING, |lab| {
            let note = foreign(lab);
            let pages = vec![note.page];
            let grant = Grant { from: OTHER, to: OWNER, pages, ceiling: None, expires: None };
            let id = lab.kernel.offer(grant, 0);
            let held = lab.kernel.accept(id, OTHER, 0).is_err();
            lab.sure(held);
            lab.reload(&note, EVIL).is_ok()
        }),
        attack("a grant that has expired, with the clock set back", NOTHING, |lab| {
            let note = foreign(lab);
            lab.granted(note.page, Some(150));
            let held = lab.reload(&note, EVIL).is_ok();
            lab.sure(held);
            lab.now = 151;
            let late = lab.reload(&note, EVIL).is_ok();
            lab.now = 100;
            late || lab.reload(&note, EVIL).is_ok()
        }),
        attack("granted content in a checkpoint, after the grant expired", NOTHING, |lab| {
            let note = foreign(lab);
            lab.granted(note.page, Some(150));
            let entry = lab.reload(&note, EVIL).expect("it is granted").0;
            lab.rolled_back(|_| ());
            let held = lab.context.text(entry).is_some();
            lab.sure(held);
            lab.rolled_back(|lab| lab.now = 151);
            lab.context.text(entry).is_some()
        }),
        attack("a grant that was withdrawn by either side", NOTHING, |lab| {
            let note = foreign(lab);
            [OWNER, OTHER].into_iter().any(|by| {
                let id = lab.granted(note.page, None);
                let held = lab.kernel.withdraw(id, clawmmu::Tenant(3)).is_err();
                lab.sure(held);
                lab.kernel.withdraw(id, by).expect("it is his");
                lab.reload(&note, EVIL).is_ok()
            })
        }),
        attack("a grant of another page, or the other way", NOTHING, |lab| {
            let note = foreign(lab);
            let other = lab.kernel.page();
            lab.granted(other, None);
            let pages = vec![note.page];
            let grant = Grant { from: OWNER, to: OTHER, pages, ceiling: None, expires: None };
            let id = lab.kernel.offer(grant, 0);
            lab.kernel.accept(id, OTHER, 0).expect("it was offered");
            lab.reload(&note, EVIL).is_ok()
        }),
        attack("memory of another task", NOTHING, |lab| {
            let note = lab.model_writes(EVIL);
            lab.enter(OWNER, Scope::of(2, 1));
            lab.reload(&note, EVIL).is_ok()
        }),
        attack("a copy of two tasks' content, whose scope is empty", NOTHING, |lab| {
            let first = lab.user(GOOD);
            let first = lab.descriptor(first.entry);
            lab.enter(OWNER, Scope::of(2, 1));
            let second = lab.user(GOOD);
            let second = lab.descriptor(second.entry);
            let write = Write {
                by: Deriver::Harness,
                inputs: &[&first, &second],
                form: Form::Compressed,
                target: Target::New,
                claimed: Claim::default(),
            };
            let copy = lab.kernel.derive(&lab.context, &write, EVIL);
            let held = copy.faults.len() == 1;
            lab.sure(held);
            let pages = vec![copy.representation.page];
            let grant = Grant { from: OWNER, to: OWNER, pages, ceiling: None, expires: None };
            lab.kernel.offer(grant, 0);
            lab.reload(&copy.representation, EVIL).is_ok()
        }),
        attack("a file that another tenant's agent wrote", &["no-tool-storage"], |lab| {
            lab.enter(OTHER, Scope::of(1, 1));
            lab.file("write_file", &[argument("path", "shared"), argument("content", EVIL)]);
            lab.reopen();
            lab.read("shared", Source::File, EVIL).is_ok()
        }),
        attack("a pointer to another tenant's page", NOTHING, |lab| {
            let note = foreign(lab);
            let target = Target::Page(note.page);
            let write = Write {
                by: Deriver::Harness,
                inputs: &[],
                form: Form::Pointer,
                target,
                claimed: Claim::default(),
            };
            let pointer = lab.kernel.derive(&lab.context, &write, "").representation;
            lab.kernel.follow(&mut lab.context, &pointer, &note, EVIL, 0).is_ok()
        }),
    ]
}

/// A note of the other tenant's, with the owner's context open again.
fn foreign(lab: &mut Lab) -> clawmmu::Representation {
    lab.enter(OTHER, Scope::of(5, 5));
    let note = lab.model_writes(EVIL);
    lab.reopen();
    note
}

pub(crate) fn table_outside() -> Vec<Attack> {
    const TABLE: &[&str] = &["table-inside"];
    const TABLE_OR_ACTS: &[&str] = &["table-inside", "labels-as-text"];
    vec![
        attack("a checkpoint from before the revocation", TABLE, |lab| {
            let words = lab.user(GOOD);
            let copy = lab.transform(&[words.entry], GOOD);
            lab.rolled_back(|lab| lab.revoke(words.page));
            lab.kernel.is_current(&copy)
        }),
        attack("a checkpoint from before the revocation drives a call", TABLE_OR_ACTS, |lab| {
            let words = lab.user(GOOD);
            lab.rolled_back(|lab| lab.revoke(words.page));
            lab.sends(&[argument("to", GOOD)])
        }),
        attack("from before a one-shot approval was used", TABLE_OR_ACTS, |lab| {
            lab.web(EVIL);
            lab.approve(&[argument("to", EVIL)]);
            lab.rolled_back(|lab| {
                let held = lab.sends(&[argument("to", EVIL)]);
                lab.sure(held);
            });
            lab.sends(&[argument("to", EVIL)])
        }),
        attack("from before a one-shot approval was withdrawn", TABLE_OR_ACTS, |lab| {
            lab.web(EVIL);
            lab.approve(&[argument("to", EVIL)]);
            lab.rolled_back(|lab| {
                let arguments = [argument("to", EVIL)];
                let call = Call { tool: "pay", arguments: &arguments };
                let _ = lab.kernel.withdraw_call(&lab.context, &call);
            });
            lab.sends(&[argument("to", EVIL)])
        }),
        attack("from before content was withdrawn", TABLE_OR_ACTS, |lab| {
            let page = lab.web(EVIL);
            let id = lab.approve_content(page.entry, EVIL, None).expect("it was shown");
            lab.rolled_back(|lab| lab.kernel.withdraw(id, OWNER).expect("it is his"));
            lab.sends(&[argument("to", EVIL)])
        }),
        attack("from before a standing approval was withdrawn", TABLE_OR_ACTS, |lab| {
            lab.web(EVIL);
            let id = lab.in_advance(standing(Origination::Channel(Source::Web)));
            lab.rolled_back(|lab| lab.kernel.withdraw(id, OWNER).expect("it is his"));
            lab.sends(&pay(EVIL, "10"))
        }),
        attack("from before a standing approval was used up", TABLE_OR_ACTS, |lab| {
            lab.web("10 to evil@x.com");
            let source = Origination::Channel(Source::Web);
            lab.in_advance(Standing { uses: Some(1), ..standing(source) });
            lab.rolled_back(|lab| {
                let held = lab.sends(&pay(EVIL, "10"));
                lab.sure(held);
            });
            lab.sends(&pay(EVIL, "10"))
        }),
        attack("from before the total was spent", TABLE_OR_ACTS, |lab| {
            lab.web("100 to evil@x.com");
            lab.in_advance(standing(Origination::Channel(Source::Web)));
            lab.rolled_back(|lab| {
                for _ in 0..3 {
                    lab.sends(&pay(EVIL, "100"));
                }
            });
            lab.sends(&pay(EVIL, "100"))
        }),
        attack("from before a grant was withdrawn", TABLE, |lab| {
            let note = {
                lab.enter(OTHER, Scope::of(5, 5));
                let note = lab.model_writes(EVIL);
                lab.reopen();
                note
            };
            let id = lab.granted(note.page, None);
            lab.rolled_back(|lab| lab.kernel.withdraw(id, OTHER).expect("it is his"));
            lab.reload(&note, EVIL).is_ok()
        }),
        attack("granted content in it, after the grant was withdrawn", TABLE, |lab| {
            lab.enter(OTHER, Scope::of(5, 5));
            let note = lab.model_writes(EVIL);
            lab.reopen();
            let id = lab.granted(note.page, None);
            let entry = lab.reload(&note, EVIL).expect("it is granted").0;
            lab.rolled_back(|lab| lab.kernel.withdraw(id, OTHER).expect("it is his"));
            lab.context.text(entry).is_some()
        }),
        attack("from before a call was refused", TABLE_OR_ACTS, |lab| {
            lab.web(EVIL);
            let arguments = [argument("to", EVIL)];
            let call = Call { tool: "pay", arguments: &arguments };
            lab.rolled_back(|lab| lab.kernel.refuse(&lab.context, &call));
            let schema = payment(Authority::Policy);
            let decision = lab.kernel.authorize(&mut lab.context, &call, Some(&schema), 0);
            !matches!(decision, clawmmu::Decision::Refused(_))
        }),
    ]
}

pub(crate) fn ids_never_reused() -> Vec<Attack> {
    vec![
        attack("a page that a restore dropped", NOTHING, |lab| {
            let mut dropped = None;
            lab.rolled_back(|lab| dropped = Some(lab.web(EVIL).page));
            Some(lab.user(GOOD).page) == dropped
        }),
        attack("a stored page that a restore dropped", NOTHING, |lab| {
            let mut dropped = None;
            lab.rolled_back(|lab| dropped = Some(lab.model_writes(EVIL).page));
            (0..10).any(|_| Some(lab.model_writes(GOOD).page) == dropped)
        }),
        attack("an approval that a restore dropped", NOTHING, |lab| {
            let source = Origination::Channel(Source::Web);
            let mut dropped = None;
            lab.rolled_back(|lab| {
                let id = lab.in_advance(standing(source));
                lab.kernel.withdraw(id, OWNER).expect("it is his");
                dropped = Some(id);
            });
            Some(lab.in_advance(standing(source))) == dropped
        }),
        attack("any page twice", NOTHING, |lab| {
            let mut seen = std::collections::HashSet::new();
            (0..200).any(|turn| {
                let page = match turn % 4 {
                    0 => lab.add(USER, GOOD).page,
                    1 => lab.model_writes(EVIL).page,
                    2 => lab.kernel.page(),
                    _ => {
                        lab.rolled_back(|_| ());
                        lab.web(EVIL).page
                    }
                };
                !seen.insert(page)
            })
        }),
    ]
}

/// A predicate that allows anything the schema and the source allow.
pub(crate) fn any(name: &str) -> (std::sync::Arc<str>, Predicate) {
    (name.into(), Predicate::Any)
}
