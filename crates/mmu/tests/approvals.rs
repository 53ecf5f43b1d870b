//! An approval allows that call and no other, once, and falls with its sources.

mod common;

use clawmmu::{
    ArgumentRule, Authority, Call, Config, Decision, Effect, FaultKind, Kind, Reason, Schema,
    Scope, Tenant, Value,
};
use common::{Argument, Desk, OWNER, argument, list, number, reasons, say, schema, text};

const PAYEE: &str = "GB29NWBK60161331926819";

fn payment() -> Schema {
    schema(
        Effect::Irreversible,
        &[
            ("recipient", ArgumentRule::secured(Authority::Policy, Kind::Account)),
            ("amount", ArgumentRule::secured(Authority::Policy, Kind::Amount)),
            ("subject", ArgumentRule::Free),
        ],
    )
}

fn pay<'a>(recipient: &'a str, amount: &'a str, subject: &'a str) -> Vec<Argument<'a>> {
    vec![
        argument("recipient", text(recipient)),
        argument("amount", number(amount)),
        argument("subject", text(subject)),
    ]
}

/// A desk whose owner approved a payment of 100 to [`PAYEE`], and the page of the bill.
fn approved(config: Config) -> (Desk, clawmmu::PageId) {
    let mut desk = Desk::with(config);
    desk.user("Pay the bill");
    let bill = desk.tool("Bill: 100 to GB29NWBK60161331926819").page;
    let arguments = pay(PAYEE, "100", "bill");
    assert!(!reasons(&desk.authorize(&payment(), &arguments)).is_empty());
    let call = Call { tool: "tool", arguments: &arguments };
    desk.kernel.approve(&desk.context, &call, 100).expect("it was asked about");
    (desk, bill)
}

fn dispatch(desk: &mut Desk, arguments: &[Argument<'_>], now: u64) -> Result<(), clawmmu::Fault> {
    let call = Call { tool: "tool", arguments };
    desk.kernel.dispatch(&mut desk.context, &call, Some(&payment()), now)
}

#[test]
fn approval_fits_that_call_once() {
    let (mut desk, _) = approved(Config::default());
    let arguments = pay(PAYEE, "100", "bill");
    assert!(
        matches!(desk.authorize(&payment(), &arguments), Decision::Ask(_)),
        "the clock of this decision runs before the approval"
    );
    let call = Call { tool: "tool", arguments: &arguments };
    let decision = desk.kernel.authorize(&mut desk.context, &call, Some(&payment()), 101);
    assert!(matches!(decision, Decision::Allow(permit) if permit.approved));
    dispatch(&mut desk, &arguments, 101).unwrap();
    let fault = dispatch(&mut desk, &arguments, 102).unwrap_err();
    assert_eq!(fault.kind, FaultKind::ConfusedDeputy);
    assert!(desk.kernel.executed().all(|executed| executed.approved));
    assert_eq!(desk.kernel.executed().count(), 1);
}

#[test]
fn approval_fits_no_other_call() {
    let mut reordered = pay(PAYEE, "100", "bill");
    reordered.reverse();
    let mut as_text = pay(PAYEE, "100", "bill");
    as_text[1] = argument("amount", text("100"));
    let mut as_list = pay(PAYEE, "100", "bill");
    as_list[0] = argument("recipient", list(&[PAYEE]));
    let mut more = pay(PAYEE, "100", "bill");
    more.push(argument("note", Value::Null));
    let near = [
        pay(PAYEE, "1000", "bill"),
        pay(PAYEE, "100.0", "bill"),
        pay(PAYEE, "100", "bills"),
        pay("GB29 NWBK60161331926819", "100", "bill"),
        pay("US133000000121212121212", "100", "bill"),
        reordered,
        as_text,
        as_list,
        more,
    ];
    say!("approval-fits: {} near misses", near.len());
    for other in near {
        let (mut desk, _) = approved(Config::default());
        assert!(dispatch(&mut desk, &other, 101).is_err(), "{other:?}");
        let call = Call { tool: "tool2", arguments: &pay(PAYEE, "100", "bill") };
        assert!(desk.kernel.dispatch(&mut desk.context, &call, Some(&payment()), 101).is_err());
        // The approved call itself is still good.
        dispatch(&mut desk, &pay(PAYEE, "100", "bill"), 101).unwrap();
    }
}

#[test]
fn approval_fits_no_other_tenant_and_no_other_task() {
    for (tenant, scope, fits) in [
        (Tenant(2), Scope::of(1, 1), false),
        (OWNER, Scope::of(2, 1), false),
        (OWNER, Scope::of(1, 2), true),
    ] {
        let (mut desk, _) = approved(Config::default());
        desk.context = desk.kernel.open(tenant, scope);
        let sent = dispatch(&mut desk, &pay(PAYEE, "100", "bill"), 101);
        assert_eq!(sent.is_ok(), fits, "{tenant:?}");
    }
}

#[test]
fn approval_fits_its_time() {
    let config = Config { approval_lifetime: 10, ..Config::default() };
    for (now, fits) in [(99, false), (100, true), (110, true), (111, false)] {
        let (mut desk, _) = approved(config);
        let sent = dispatch(&mut desk, &pay(PAYEE, "100", "bill"), now);
        assert_eq!(sent.is_ok(), fits, "{now}");
        if let Err(fault) = sent {
            assert_eq!(fault.reason, Reason::ApprovalVoid);
            assert_eq!(fault.kind, FaultKind::ConfusedDeputy);
        }
    }
}

#[test]
fn approval_falls_with_its_source() {
    let (mut desk, bill) = approved(Config::default());
    let report = desk.kernel.revoke(bill).unwrap();
    assert_eq!((report.approvals_voided, report.asks_voided), (1, 0));
    let fault = dispatch(&mut desk, &pay(PAYEE, "100", "bill"), 101).unwrap_err();
    assert_eq!(fault.kind, FaultKind::UseAfterRevoke);
    assert_eq!(fault.page, Some(bill));
}

#[test]
fn approval_falls_with_a_page_that_came_to_hold_the_value_later() {
    let (mut desk, _) = approved(Config::default());
    let late = desk.tool("100 to GB29NWBK60161331926819").page;
    desk.kernel.revoke(late).unwrap();
    let fault = dispatch(&mut desk, &pay(PAYEE, "100", "bill"), 101).unwrap_err();
    assert_eq!((fault.kind, fault.reason), (FaultKind::UseAfterRevoke, Reason::ApprovalVoid));
}

#[test]
fn an_ask_is_taken_back_by_a_revocation() {
    let mut desk = Desk::new();
    let bill = desk.tool("Bill: 100 to GB29NWBK60161331926819").page;
    let arguments = pay(PAYEE, "100", "bill");
    desk.authorize(&payment(), &arguments);
    let report = desk.kernel.revoke(bill).unwrap();
    assert_eq!((report.approvals_voided, report.asks_voided), (0, 1));
    let call = Call { tool: "tool", arguments: &arguments };
    let fault = desk.kernel.approve(&desk.context, &call, 0).unwrap_err();
    assert_eq!(fault.reason, Reason::NotApproved);
    // Asked again, the owner may approve in full knowledge.
    assert!(reasons(&desk.authorize(&payment(), &arguments)).contains(&Reason::Revoked));
    desk.kernel.approve(&desk.context, &call, 0).unwrap();
    dispatch(&mut desk, &arguments, 0).unwrap();
}

#[test]
fn nothing_can_be_approved_that_was_not_asked() {
    let mut desk = Desk::new();
    desk.user("Pay 100 to GB29NWBK60161331926819");
    for arguments in [pay(PAYEE, "100", "bill"), pay("US133000000121212121212", "1", "x")] {
        let call = Call { tool: "tool", arguments: &arguments };
        assert!(desk.kernel.approve(&desk.context, &call, 0).is_err());
    }
}

#[test]
fn a_refused_call_is_refused_again_without_asking_in_every_session_of_the_task() {
    let (mut desk, _) = approved(Config::default());
    let arguments = pay(PAYEE, "100", "bill");
    let call = Call { tool: "tool", arguments: &arguments };
    desk.kernel.refuse(&desk.context, &call);
    let mut later = desk.kernel.open(OWNER, Scope::of(1, 2));
    for context in [&mut desk.context, &mut later] {
        let decision = desk.kernel.authorize(context, &call, Some(&payment()), 101);
        assert_eq!(reasons(&decision), [Reason::RefusedBefore]);
        assert!(desk.kernel.approve(context, &call, 101).is_err());
        assert!(desk.kernel.dispatch(context, &call, Some(&payment()), 101).is_err());
    }
    // Another call, and the same one in another task, are asked about.
    assert!(matches!(desk.authorize(&payment(), &pay(PAYEE, "101", "bill")), Decision::Ask(_)));
    desk.context = desk.kernel.open(OWNER, Scope::of(2, 1));
    assert!(matches!(desk.authorize(&payment(), &arguments), Decision::Ask(_)));
}

#[test]
fn a_call_that_traces_by_now_uses_its_approval_up() {
    let (mut desk, _) = approved(Config::default());
    desk.user("Pay 100 to GB29NWBK60161331926819");
    let arguments = pay(PAYEE, "100", "bill");
    dispatch(&mut desk, &arguments, 101).unwrap();
    assert!(desk.kernel.executed().all(|executed| !executed.approved));
    desk.context = desk.kernel.open(OWNER, Scope::of(1, 3));
    assert!(dispatch(&mut desk, &arguments, 102).is_err());
}

#[test]
fn the_asks_that_wait_are_bounded() {
    let mut desk = Desk::new();
    let amounts: Vec<String> = (0..clawmmu::MAX_PENDING + 10).map(|n| n.to_string()).collect();
    for amount in &amounts {
        desk.authorize(&payment(), &pay(PAYEE, amount, ""));
    }
    let approve = |desk: &mut Desk, amount: &str| {
        let arguments = pay(PAYEE, amount, "");
        let call = Call { tool: "tool", arguments: &arguments };
        desk.kernel.approve(&desk.context, &call, 0)
    };
    assert!(approve(&mut desk, &amounts[0]).is_err());
    assert!(approve(&mut desk, amounts.last().unwrap()).is_ok());
}
