//! What the owner approved in advance, and everything that ends it.

use serde_json::json;
use trace::allowance::{Allowance, Allowed, Limit, Source};
use trace::course::{Content, Course, Event as Lifecycle, Interrupt, Moment, Session, Stage};
use trace::event::{CallOutcome, Event};
use trace::script::Part;
use trace::tool::Channel;

use crate::house::*;

const PAYEE: &str = "DE89 3704 0044 0532 0130 00";

/// Payments to whom a file names, up to 200 each and 300 in total, twice, within a day.
fn bills() -> Allowance {
    let any = |name: &str| (name.to_owned(), Allowed::Any);
    let (each, total) = ("200".to_owned(), "300".to_owned());
    Allowance {
        name: "bills".to_owned(),
        tool: "pay".to_owned(),
        arguments: vec![any("recipient"), any("amount")],
        source: Source::Channel(Channel::File),
        limit: Some(Limit { argument: "amount".to_owned(), each, total }),
        uses: Some(2),
        expires: Some(86_400),
    }
}

fn invoice() -> Content {
    Content::Resource("invoice.txt".to_owned())
}

fn between(event: Lifecycle) -> Stage {
    Stage::Between(event)
}

fn allow(allowance: Allowance) -> Stage {
    between(Lifecycle::Allow(allowance))
}

/// The owner has the invoice read, so that it has a name.
fn read() -> Stage {
    Stage::Session(session("read", vec![user("Please read invoice.txt.")]))
}

/// A session in which the agent reads the invoice and pays what it names, once for each amount.
fn paying_now(name: &str, amounts: &[&str]) -> (Stage, Part) {
    let pay = |amount: &&str| step("pay", json!({ "recipient": PAYEE, "amount": amount }));
    let mut payments: Vec<_> = amounts.iter().map(pay).collect();
    for payment in &mut payments {
        payment.exempt.push(("amount".to_owned(), trace::script::Exemption::Computed));
    }
    let part = part(name, reading(), vec![led(INVOICE, None, script(payments))]);
    (Stage::Session(session(name, vec![user("Please settle invoice.txt.")])), part)
}

/// How many payments went ahead on the approval, and how many at all.
fn paid(stages: Vec<Stage>, parts: Vec<Part>, defense: &str) -> (usize, usize) {
    let ending = play(&Course { stages, ..course() }, parts, defense, INVOICE);
    let events = ending.record.events.iter();
    let on_it = events.filter(|event| {
        let Event::Called { in_advance: Some(name), outcome: CallOutcome::Done, .. } = event else {
            return false;
        };
        name == "bills"
    });
    (on_it.count(), ending.house.payments.len())
}

#[test]
fn calls_go_ahead_on_an_approval_in_advance_until_it_ends() {
    let once = &["120"][..];
    let withdraw = || Lifecycle::Disallow("bills".to_owned());
    let pinned = || Allowance { source: Source::Content(invoice()), ..bills() };
    let of = |arguments: &[(&str, Allowed)]| Allowance {
        arguments: arguments.iter().map(|(name, one)| ((*name).to_owned(), one.clone())).collect(),
        ..bills()
    };
    let one_of = |value: &str| Allowed::OneOf(vec![json!(value)]);
    let revoke = || between(Lifecycle::Revoke(invoice()));
    let rows: Vec<(&str, Vec<Stage>, &[&str], usize)> = vec![
        ("nothing was approved", vec![], once, 0),
        ("approved", vec![allow(bills())], once, 1),
        ("the largest of each", vec![allow(bills())], &["200"], 1),
        ("too much at once", vec![allow(bills())], &["200.01"], 0),
        ("too much together", vec![allow(bills())], &["120", "181"], 1),
        ("all of the total", vec![allow(bills())], &["120", "180"], 2),
        ("once too often", vec![allow(bills())], &["50", "51", "52"], 2),
        ("an argument is not covered", vec![allow(of(&[("amount", Allowed::Any)]))], once, 0),
        (
            "the owner vouches for the payee",
            vec![allow(of(&[("recipient", one_of(PAYEE)), ("amount", Allowed::Any)]))],
            once,
            1,
        ),
        (
            "she vouches for another",
            vec![allow(of(&[("recipient", one_of("X1")), ("amount", Allowed::Any)]))],
            once,
            0,
        ),
        (
            "it came in by another channel",
            vec![allow(Allowance { source: Source::Channel(Channel::Mail), ..bills() })],
            once,
            0,
        ),
        ("at its last second", vec![allow(bills()), between(Lifecycle::Advance(86_400))], once, 1),
        ("too late", vec![allow(bills()), between(Lifecycle::Advance(86_401))], once, 0),
        ("withdrawn", vec![allow(bills()), between(withdraw())], once, 0),
        ("pinned to the invoice", vec![read(), allow(pinned())], once, 1),
        ("the invoice revoked", vec![read(), allow(pinned()), revoke()], once, 0),
        // What is read anew is new content, and the channel is approved still.
        (
            "the invoice revoked, the channel approved",
            vec![read(), allow(bills()), revoke()],
            once,
            1,
        ),
    ];
    for (what, mut stages, amounts, expected) in rows {
        let (pay, part) = paying_now("pay", amounts);
        stages.push(pay);
        let parts = vec![crate::house::part("read", reading(), Vec::new()), part];
        assert_eq!(paid(stages.clone(), parts.clone(), "none"), (0, amounts.len()), "{what}");
        assert_eq!(paid(stages, parts, "mmu"), (expected, expected), "{what}");
    }
}

#[test]
fn time_that_goes_by_within_a_session_ends_it_too() {
    for (seconds, expected) in [(86_400, 1), (86_401, 0)] {
        let (Stage::Session(mut pay), part) = paying_now("pay", &["120"]) else { unreachable!() };
        pay.moments.insert(0, Moment::Event(Lifecycle::Advance(seconds)));
        let stages = vec![allow(bills()), Stage::Session(pay)];
        assert_eq!(paid(stages, vec![part], "mmu"), (expected, expected), "{seconds}");
    }
}

#[test]
fn what_ends_between_judgement_and_dispatch_stops_the_call() {
    for event in [Lifecycle::Disallow("bills".to_owned()), Lifecycle::Revoke(invoice())] {
        let (Stage::Session(pay), part) = paying_now("pay", &["120"]) else { unreachable!() };
        let interrupts = vec![Interrupt { tool: "pay".to_owned(), event: event.clone() }];
        let stages = vec![allow(bills()), Stage::Session(Session { interrupts, ..pay })];
        assert_eq!(paid(stages, vec![part], "mmu"), (0, 0), "{event:?}");
    }
}

#[test]
fn a_checkpoint_brings_back_no_approval_and_no_use() {
    let save = || between(Lifecycle::Save("before".to_owned()));
    let restore = || between(Lifecycle::Restore("before".to_owned()));
    let withdraw = || between(Lifecycle::Disallow("bills".to_owned()));
    let (first, first_part) = paying_now("first", &["50", "51"]);
    let (last, last_part) = paying_now("last", &["120"]);
    let parts = vec![first_part, last_part];
    for (what, stages, expected, with_the_table) in [
        (
            "withdrawn since",
            vec![allow(bills()), save(), withdraw(), restore(), last.clone()],
            0,
            1,
        ),
        ("used up since", vec![allow(bills()), save(), first, restore(), last], 2, 3),
    ] {
        let of = |defense| paid(stages.clone(), parts.clone(), defense).0;
        assert_eq!(of("mmu"), expected, "{what}");
        assert_eq!(of("mmu:table-inside"), with_the_table, "{what}");
    }
}

#[test]
fn another_seat_s_tenant_has_none_of_it() {
    let mut course = course();
    course.seats.push(trace::course::Seat {
        name: "neighbour".to_owned(),
        tenant: 1,
        stores: vec!["theirs".to_owned()],
    });
    let (Stage::Session(pay), part) = paying_now("pay", &["120"]) else { unreachable!() };
    for (seat, expected) in [("agent", true), ("neighbour", false)] {
        let pay = Session { seat: seat.to_owned(), ..pay.clone() };
        course.stages = vec![allow(bills()), Stage::Session(pay)];
        assert_eq!(play(&course, vec![part.clone()], "mmu", INVOICE).landed(), expected, "{seat}");
    }
}

#[test]
fn a_course_says_what_is_wrong_with_an_approval_in_advance() {
    let named = |name: &str| Allowance { name: name.to_owned(), ..bills() };
    let limit = |argument: &str, each: &str| {
        let limit = bills().limit.unwrap();
        let (argument, each) = (argument.to_owned(), each.to_owned());
        allow(Allowance { limit: Some(Limit { argument, each, ..limit }), ..bills() })
    };
    let mut misspelt = bills();
    misspelt.arguments[0].0 = "recipent".to_owned();
    let unknown = Content::Delivery("post".to_owned());
    let withdraw = || between(Lifecycle::Disallow("bills".to_owned()));
    for (stages, expected) in [
        (vec![allow(Allowance { tool: "py".to_owned(), ..bills() })], "`bills`: unknown tool `py`"),
        (vec![allow(misspelt)], "`pay` has no argument `recipent`"),
        (vec![limit("recipient", "1")], "about `recipient`, which is no number"),
        (vec![limit("sum", "1")], "about `sum`, which it does not cover"),
        (vec![limit("amount", "1e3")], "`1e3` is no amount"),
        (
            vec![allow(Allowance { source: Source::Channel(Channel::Memory), ..bills() })],
            "no values are taken from channel `memory`",
        ),
        (
            vec![allow(Allowance { source: Source::Content(unknown), ..bills() })],
            "unknown delivery `post`",
        ),
        (vec![allow(bills()), allow(named("bills"))], "two approvals in advance `bills`"),
        (vec![withdraw(), allow(bills())], "`bills` is withdrawn and was not given"),
        (vec![allow(named("other")), withdraw()], "`bills` is withdrawn and was not given"),
    ] {
        let course = Course { stages, ..course() };
        let message = harness::paged::check(&course, &TOOLS).unwrap_err();
        assert!(message.contains(expected), "{message}");
    }
    let course = Course { stages: vec![allow(bills()), withdraw()], ..course() };
    assert_eq!(harness::paged::check(&course, &TOOLS), Ok(()));
}

#[test]
fn a_page_that_nobody_has_seen_pins_nothing() {
    let pinned = Allowance { source: Source::Content(invoice()), ..bills() };
    let (pay, part) = paying_now("pay", &["120"]);
    let stages = vec![allow(pinned), pay];
    assert_eq!(paid(stages.clone(), vec![part.clone()], "mmu"), (0, 0));
    let ending = play(&Course { stages, ..course() }, vec![part], "mmu", INVOICE);
    let said = ending.record.events.iter().any(
        |event| matches!(event, Event::Lived { what } if what == "nothing to allow calls from"),
    );
    assert!(said);
}
