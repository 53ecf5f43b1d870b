//! Every check answers for every input, and no answer carries an attacker's words.

mod common;

use std::collections::HashSet;

use clawmmu::{ArgumentRule, Authority, Call, Decision, Effect, Kind, Reason, Value};
use common::{Desk, argument, faults, list, number, object, one, reasons, rich, say, text};
use proptest::prelude::*;

/// How many random texts and arguments each kind is tried with.
const CASES: u32 = 1000;

#[test]
fn faults_name_no_payload() {
    const MARK: &str = "ZQXJ";
    let mut desk = Desk::new();
    desk.user("Write to someone");
    desk.tool("ZQXJ@x.com ZQXJ zqxj www.zqxj.com/ZQXJ");
    let payloads = [
        vec![argument("to", text("ZQXJ@x.com"))],
        vec![argument("to", list(&["ZQXJ@x.com", "ZQXJ"]))],
        vec![argument("ZQXJ", text("ZQXJ"))],
        vec![argument("to", object(&[("ZQXJ", text("ZQXJ"))]))],
        vec![argument("guests", object(&[("ZQXJ", text("ZQXJ")), ("who", text("ZQXJ"))]))],
        vec![argument("to", number("ZQXJ")), argument("to", text("ZQXJ"))],
    ];
    say!("faults-name-no-payload: {} calls", payloads.len() * 4);
    let mut texts = HashSet::new();
    for arguments in &payloads {
        for tool in ["tool", MARK] {
            for schema in [Some(rich()), None] {
                let call = Call { tool, arguments };
                let decision = desk.kernel.authorize(&mut desk.context, &call, schema.as_ref(), 0);
                assert!(!format!("{decision:?}").to_uppercase().contains(MARK), "{decision:?}");
                desk.kernel.refuse(&desk.context, &call);
                let Decision::Refused(again) =
                    desk.kernel.authorize(&mut desk.context, &call, schema.as_ref(), 0)
                else {
                    panic!("a refused call must be refused again");
                };
                let sent = desk.kernel.dispatch(&mut desk.context, &call, schema.as_ref(), 0);
                texts.insert(again.to_string());
                texts.insert(sent.unwrap_err().to_string());
            }
        }
    }
    assert!(texts.len() > 5);
    for fault in texts {
        assert!(!fault.to_uppercase().contains(MARK), "{fault}");
    }
}

#[test]
fn total_huge_and_deep_calls_are_asked_about() {
    let mut desk = Desk::new();
    desk.user("Write to a@b.co");
    let mut deep = text("a@b.co");
    for _ in 0..200 {
        deep = Value::List(vec![deep]);
    }
    let wide = Value::List(vec![text("a@b.co"); 100_000]);
    let long = "a".repeat(1 << 20);
    let schema = one(Effect::Write, ArgumentRule::secured(Authority::Policy, Kind::Address));
    say!("total: calls too deep, too wide, too long; {CASES} random cases a kind");
    for value in [deep, wide, text(&long)] {
        assert!(!reasons(&desk.authorize(&schema, &[argument("value", value)])).is_empty());
    }
    let names: Vec<String> = (0..100_000).map(|n| format!("x{n}")).collect();
    let many: Vec<_> = names.iter().map(|name| argument(name, text("a@b.co"))).collect();
    assert_eq!(reasons(&desk.authorize(&schema, &many)), [Reason::TooLarge]);
    let keys = Value::Object(names.iter().map(|n| (n.into(), Value::Null)).collect());
    let decision = desk.authorize(&rich(), &[argument("guests", keys)]);
    assert!(faults(&decision).iter().any(|fault| fault.reason == Reason::TooLarge));
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: CASES,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn total_random_texts_and_arguments_never_panic(
        pages in prop::collection::vec((any::<Vec<u8>>(), any::<bool>(), any::<String>()), 0..6),
        cut in any::<prop::sample::Index>(),
        random in any::<String>(),
        required in 0_usize..4,
    ) {
        let mut desk = Desk::new();
        let mut value = random;
        for (bytes, typed, more) in pages {
            let words = String::from_utf8_lossy(&bytes).into_owned() + &more;
            if typed { desk.user(&words) } else { desk.tool(&words) };
            let chars: Vec<char> = words.chars().collect();
            value.extend(&chars[..cut.index(chars.len() + 1)]);
        }
        for kind in [
            Kind::Identifier, Kind::Path, Kind::Secret, Kind::Name, Kind::Address, Kind::Account,
            Kind::Url, Kind::Number, Kind::Amount, Kind::Date, Kind::Time, Kind::Boolean,
            Kind::Enumeration,
        ] {
            let required = Authority::ALL[required];
            let as_text = desk.reasons_at(required, kind, text(&value));
            prop_assert_eq!(as_text, desk.reasons_at(required, kind, number(&value)));
        }
    }
}
