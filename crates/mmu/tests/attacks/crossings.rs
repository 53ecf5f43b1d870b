//! Attacks on compartments, revocation, checkpoints and ids.

use clawmmu::{
    Authority, Call, Claim, Counter, Deriver, Form, Grant, MAX_ORIGINS, Origin, Origination,
    Origins, Predicate, Scope, Source, Standing, Target, Write,
};

use crate::{
    calls::standing,
    lab::{
        ACTS, Attack, EVIL, GOOD, Lab, NOTHING, OTHER, OWNER, USER, argument, attack, pay, payment,
    },
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
            {
                let held = lab.kernel.accept(id, OTHER, 0).is_err();
                lab.sure(held)
            }
            lab.reload(&note, EVIL).is_ok()
        }),
        attack("a grant that has expired, with the clock set back", NOTHING, |lab| {
            let note = foreign(lab);
            lab.granted(note.page, Some(150));
            {
                let held = lab.reload(&note, EVIL).is_ok();
                lab.sure(held)
            }
            lab.now = 151;
            let late = lab.reload(&note, EVIL).is_ok();
            lab.now = 100;
            late || lab.reload(&note, EVIL).is_ok()
        }),
        attack("a grant that was withdrawn by either side", NOTHING, |lab| {
            let note = foreign(lab);
            [OWNER, OTHER].into_iter().any(|by| {
                let id = lab.granted(note.page, None);
                {
                    let held = lab.kernel.withdraw(id, clawmmu::Tenant(3)).is_err();
                    lab.sure(held)
                }
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
            {
                let held = copy.faults.len() == 1;
                lab.sure(held)
            }
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

const RELOAD: &[&str] = &["no-reload"];
const STORAGE: &[&str] = &["no-tool-storage"];
const RECHECK: &[&str] = &["no-recheck", "labels-as-text"];

pub(crate) fn revoked_stays_revoked() -> Vec<Attack> {
    vec![
        attack("the page itself, in view", RECHECK, |lab| {
            let words = lab.user(GOOD);
            {
                let held = lab.sends(&[argument("to", GOOD)]);
                lab.sure(held)
            }
            lab.revoke(words.page);
            lab.sends(&[argument("to", GOOD)])
        }),
        attack("a copy of it, in view", RECHECK, |lab| {
            let words = lab.user(GOOD);
            let copy = lab.transform(&[words.entry], GOOD);
            lab.reopen();
            lab.reload(&copy, GOOD).expect("it is the owner's");
            lab.revoke(words.page);
            lab.sends(&[argument("to", GOOD)])
        }),
        attack("the model's message that repeats it", RECHECK, |lab| {
            let page = lab.web(EVIL);
            lab.add(Source::Model, GOOD);
            lab.user(GOOD);
            lab.revoke(page.page);
            lab.sends(&[argument("to", GOOD)])
        }),
        attack("content that the owner had approved", ACTS, |lab| {
            let page = lab.web(EVIL);
            lab.approve_content(page.entry, EVIL, None).expect("it was shown");
            {
                let held = lab.sends(&[argument("to", EVIL)]);
                lab.sure(held)
            }
            lab.revoke(page.page);
            {
                let held = lab.approve_content(page.entry, EVIL, None).is_err();
                lab.sure(held)
            }
            lab.sends(&[argument("to", EVIL)])
        }),
        attack("a remembered turn comes back", RELOAD, |lab| {
            let words = lab.user(GOOD);
            let copy = lab.kernel.remember(&lab.context, words.entry, 0).expect("he typed it");
            lab.revoke(words.page);
            lab.reopen();
            !lab.reload(&copy, GOOD).expect("it is the owner's").1
        }),
        attack("a copy of a copy of a copy", RELOAD, |lab| {
            let page = lab.user(GOOD);
            let mut entry = page.entry;
            let mut copy = lab.transform(&[entry], GOOD);
            for _ in 0..3 {
                entry = lab.reload(&copy, GOOD).expect("it is the owner's").0;
                copy = lab.transform(&[entry], GOOD);
            }
            lab.revoke(page.page);
            !lab.reload(&copy, GOOD).expect("it is the owner's").1
        }),
        attack("what came back revoked is stored and comes back again", RELOAD, |lab| {
            let words = lab.user(GOOD);
            let copy = lab.transform(&[words.entry], GOOD);
            lab.revoke(words.page);
            let back = lab.reload(&copy, GOOD).expect("it is the owner's").0;
            let again = lab.transform(&[back], GOOD);
            !lab.reload(&again, GOOD).expect("it is the owner's").1
        }),
        attack("it drives a call after it came back", ACTS, |lab| {
            let words = lab.user(GOOD);
            let copy = lab.transform(&[words.entry], GOOD);
            lab.revoke(words.page);
            lab.reopen();
            lab.reload(&copy, GOOD).expect("it is the owner's");
            lab.sends_at(Authority::Evidence, &[argument("to", GOOD)])
        }),
        attack("a recorded counter above the current", RELOAD, |lab| {
            let words = lab.user(GOOD);
            let mut copy = lab.transform(&[words.entry], GOOD);
            let origin = Origin { page: words.page, recorded: Counter(5) };
            copy.descriptor.origins = Origins::Listed(vec![origin]);
            !lab.reload(&copy, GOOD).expect("it is the owner's").1
        }),
        attack("an origin drowned in thousands", RELOAD, |lab| {
            let page = lab.web(EVIL);
            for _ in 0..=MAX_ORIGINS {
                lab.kernel.map(&mut lab.context, Source::Tool, "").expect("it may enter");
            }
            let note = lab.model_writes(EVIL);
            lab.reopen();
            {
                let held = !lab.reload(&note, EVIL).expect("it is the owner's").1;
                lab.sure(held)
            }
            lab.revoke(page.page);
            !lab.reload(&note, EVIL).expect("it is the owner's").1
        }),
        attack("behind a pointer", RELOAD, |lab| {
            let words = lab.user(GOOD);
            let input = lab.descriptor(words.entry);
            let full = lab.transform(&[words.entry], GOOD);
            let write = Write {
                by: Deriver::Harness,
                inputs: &[&input],
                form: Form::Pointer,
                target: Target::Page(full.page),
                claimed: Claim::default(),
            };
            let pointer = lab.kernel.derive(&lab.context, &write, "").representation;
            lab.revoke(words.page);
            let back = lab.kernel.follow(&mut lab.context, &pointer, &full, GOOD, 0);
            back.expect("it is the owner's").fault.is_none()
        }),
        attack("a checkpoint taken after the revocation", ACTS, |lab| {
            let words = lab.user(GOOD);
            lab.revoke(words.page);
            lab.rolled_back(|_| ());
            lab.sends(&[argument("to", GOOD)])
        }),
        attack("a file written from it", STORAGE, |lab| {
            let page = lab.web(EVIL);
            lab.file("write_file", &[argument("path", "bill"), argument("content", EVIL)]);
            lab.revoke(page.page);
            lab.reopen();
            let read = lab.read("bill", Source::File, EVIL).expect("it is the owner's");
            lab.kernel.is_live(&lab.descriptor(read.entry))
        }),
        attack("a file written from it, by a context that was restored since", STORAGE, |lab| {
            let mut page = None;
            lab.rolled_back(|lab| {
                page = Some(lab.web(EVIL).page);
                lab.file("write_file", &[argument("path", "bill"), argument("content", EVIL)]);
            });
            lab.revoke(page.expect("it was read"));
            let read = lab.read("bill", Source::File, EVIL).expect("it is the owner's");
            lab.kernel.is_live(&lab.descriptor(read.entry))
        }),
        attack("a rename of a file written from it", STORAGE, |lab| {
            let page = lab.web(EVIL);
            lab.file("write_file", &[argument("path", "bill"), argument("content", EVIL)]);
            lab.reopen();
            lab.file("copy_file", &[argument("from", "bill"), argument("to", "bill2")]);
            lab.revoke(page.page);
            let read = lab.read("bill2", Source::File, EVIL).expect("it is the owner's");
            lab.kernel.is_live(&lab.descriptor(read.entry))
        }),
        attack(
            "a copy of a file that was revoked after it was read",
            &["no-tool-storage"],
            |lab| {
                let file = lab.read("bill", Source::File, EVIL).expect("it is the owner's");
                lab.reopen();
                lab.file("copy_file", &[argument("from", "bill"), argument("to", "bill2")]);
                lab.revoke(file.page);
                let read = lab.read("bill2", Source::File, EVIL).expect("it is the owner's");
                lab.kernel.is_live(&lab.descriptor(read.entry))
            },
        ),
        attack("a calculator's result from it", RECHECK, |lab| {
            let words = lab.user("write to good@b.co about 1000");
            let sum = lab.kernel.calculated(&mut lab.context, &["1000"], "2000");
            lab.context.index(sum.expect("it is new").entry);
            {
                let held = lab.sends(&pay(GOOD, "2000"));
                lab.sure(held)
            }
            lab.revoke(words.page);
            lab.user(GOOD);
            lab.sends(&pay(GOOD, "2000"))
        }),
    ]
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
                lab.sure(held)
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
                lab.sure(held)
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
