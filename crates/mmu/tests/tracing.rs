//! Which values are found in which texts, kind by kind.

mod common;

use clawmmu::{Claim, Deriver, Form, Kind, Reason, Target, Write};
use common::{Desk, number, text};

/// Kind, the user's words, the value, and whether it traces.
const TABLE: &[(Kind, &str, &str, bool)] = &[
    // Identifiers, paths and secrets: raw, exact token.
    (Kind::Secret, "change it to new_password.", "new_password", true),
    (Kind::Secret, "change it to New_password.", "new_password", false),
    (Kind::Secret, "change it to 'p@ss w0rd!' now", "p@ss w0rd!", true),
    (Kind::Secret, "change it to 'p@ss  w0rd!' now", "p@ss w0rd!", false),
    (Kind::Identifier, "delete file 1234", "1234", true),
    (Kind::Identifier, "delete file 1234567", "1234", false),
    (Kind::Identifier, "delete file x-1234", "1234", false),
    (Kind::Identifier, "delete file \"1234\"", "1234", true),
    (Kind::Identifier, "{\"id\":\"1234\",\"n\":1}", "1234", true),
    (Kind::Identifier, "ids 1234,5678", "1234", false),
    (Kind::Identifier, "ids ab12,cd34", "cd34", true),
    (Kind::Identifier, "see ab12…", "ab12", true),
    (Kind::Identifier, "see “ab12”!", "ab12", true),
    (Kind::Identifier, "see ab12\u{200b}", "ab12", false),
    (Kind::Identifier, "see ab12?x=1", "ab12", false),
    (Kind::Identifier, "see O'Neil2", "Neil2", false),
    (Kind::Path, "read /home/a/notes.txt, please", "/home/a/notes.txt", true),
    (Kind::Path, "read /home/a/notes.txt, please", "notes.txt", false),
    (Kind::Path, "read /home/a/notes.txt.bak", "/home/a/notes.txt", false),
    (Kind::Path, "read (a/b.txt)", "a/b.txt", true),
    // Names.
    (Kind::Name, "write to Alice  Smith's account", "alice smith", true),
    (Kind::Name, "write to Alice\nSmith.", "Alice Smith", true),
    (Kind::Name, "write to Malice Smith", "Alice Smith", false),
    (Kind::Name, "write to Alice Smithson", "Alice Smith", false),
    (Kind::Name, "post it in #general, now", "general", true),
    (Kind::Name, "post it in x#general", "general", false),
    (Kind::Name, "book Hôtel Été tonight", "HÔTEL E\u{301}TE\u{301}", true),
    (Kind::Name, "go to STRASSE 12", "straße 12", true),
    (Kind::Name, "go to Straße 12", "STRASSE 12", true),
    (Kind::Name, "ask ﬁona about it", "Fiona", true),
    (Kind::Name, "ask Ａｌｉｃｅ about it", "alice", true),
    (Kind::Name, "ask Аlice about it", "Alice", false),
    // Addresses.
    (Kind::Address, "send it to a@b.co", "a@b.co", true),
    (Kind::Address, "send it to aa@b.com", "a@b.co", false),
    (Kind::Address, "send it to aa@b.co", "a@b.co", false),
    (Kind::Address, "send it to a@b.co.uk", "a@b.co", false),
    (Kind::Address, "send it to a@B.CO.", "a@b.co", true),
    (Kind::Address, "send it to A@b.co.", "a@b.co", false),
    (Kind::Address, "send it to <mailto:a@b.co>", "a@b.co", true),
    (Kind::Address, "send it to a@b.co", "MAILTO:a@B.co", true),
    (Kind::Address, "send it to a@b.co", "Bob <a@b.co>", true),
    (Kind::Address, "send it to a@b.co", "evil@x.com <a@b.co>", false),
    (Kind::Address, "send it to a@b.co and c@d.co", "a@b.co, c@d.co", false),
    (Kind::Address, "send it to alice", "alice", false),
    // Accounts.
    (Kind::Account, "pay GB29 NWBK 6016 1331 9268 19 today", "GB29NWBK60161331926819", true),
    (Kind::Account, "pay gb29nwbk60161331926819.", "GB29 NWBK 6016 1331 9268 19", true),
    (Kind::Account, "pay 12-34-56", "123456", true),
    (Kind::Account, "pay GB29 NWBK-6016", "GB29NWBK6016", false),
    (Kind::Account, "pay GB29  NWBK 6016", "GB29NWBK6016", false),
    (Kind::Account, "pay GB29 NWBK 6016 1331 9268 19", "GB29NWBK6016", false),
    (Kind::Account, "pay GB29 NWBK 6016 1331 9268 19", "NWBK601613319268", false),
    (Kind::Account, "pay 100 GB29NWBK60161331926819 today", "GB29NWBK60161331926819", true),
    (Kind::Account, "pay GB29NWBK60161331926819X", "GB29NWBK60161331926819", false),
    (Kind::Account, "pay SAVINGS-1", "SAVINGS-1", true),
    (Kind::Account, "pay SAVINGS-1", "SAVINGS1", false),
    // URLs.
    (Kind::Url, "open www.x.com/random", "www.x.com/random", true),
    (Kind::Url, "open www.x.com/random", "http://www.x.com/random", true),
    (Kind::Url, "open https://WWW.x.com:443/random.", "http://www.X.com/random", true),
    (Kind::Url, "open http://www.x.com:8080/random", "http://www.x.com/random", false),
    (Kind::Url, "open http://www.x.com:8080/random", "www.x.com:8080/random", true),
    (Kind::Url, "open www.x.com", "www.x.com/?q=secret", false),
    (Kind::Url, "open www.x.com/random", "www.x.com/Random", false),
    (Kind::Url, "open www.x.com/a/random", "www.x.com/random", false),
    (Kind::Url, "open www.x.com/random?q=1", "www.x.com/random", false),
    (Kind::Url, "open www.x.com/random", "www.x.com", true),
    (Kind::Url, "open www.x.com/", "https://www.x.com", true),
    (Kind::Url, "open www.x.com.evil.com", "www.x.com", false),
    (Kind::Url, "open evil-www.x.com", "www.x.com", false),
    (Kind::Url, "write to me@x.com", "x.com", false),
    (Kind::Url, "open www.x.com/random", "http://www.x.com@evil.com/random", false),
    (Kind::Url, "open www.x.com/random", "http:\\\\www.x.com/random", false),
    (Kind::Url, "open javascript:alert(1)", "javascript:alert(1)", false),
    (Kind::Url, "either and/or both of www.x.com", "www.x.com/or", false),
    (Kind::Url, "the page /random on www.x.com", "www.x.com/random", true),
    // Numbers and amounts.
    (Kind::Amount, "pay 1,050.00 now", "1050", true),
    (Kind::Amount, "pay $1,050", "1050.00", true),
    (Kind::Amount, "pay 1050€.", "1050.0", true),
    (Kind::Amount, "pay 1050.", "1050", true),
    (Kind::Amount, "pay 10500", "1050", false),
    (Kind::Amount, "pay 1.050.00", "1050", false),
    (Kind::Amount, "pay 1050.5", "1050", false),
    (Kind::Amount, "pay 1050", "-1050", false),
    (Kind::Amount, "pay -1050", "-1050", true),
    (Kind::Amount, "pay -1050", "1050", false),
    (Kind::Amount, "pay on 2024-05-15", "2024", false),
    (Kind::Amount, "pay x1050", "1050", false),
    (Kind::Amount, "pay 100000", "1e5", true),
    (Kind::Amount, "pay $1,050", "$1050", true),
    (Kind::Amount, "pay 1,050", "$1050", false),
    (Kind::Amount, "pay 1,050 EUR", "1050 EUR", true),
    (Kind::Amount, "pay 1,050 EUR", "USD 1050", false),
    (Kind::Amount, "pay € 1,050", "1050 €", true),
    (Kind::Amount, "pay 000", "-", false),
    (Kind::Amount, "pay $000", "$", false),
    (Kind::Number, "pay 000", "e5", false),
    (Kind::Number, "pay 100", "1e-2147483648", false),
    (Kind::Number, "about 150% more", "150", true),
    (Kind::Number, "{\"amount\":1050,\"x\":1}", "1050", true),
    (Kind::Number, "the year 007", "7.0", true),
    // Dates and times.
    (Kind::Date, "on 2024-05-15.", "2024-05-15", true),
    (Kind::Date, "at 2024-05-15T10:00", "2024-05-15", true),
    (Kind::Date, "on 2024-05-151", "2024-05-15", false),
    (Kind::Date, "on 12024-05-15", "2024-05-15", false),
    (Kind::Time, "at 2024-05-15T10:00", "2024-05-15 10:00:00", true),
    (Kind::Time, "on 2024-05-15 at 10:00", "2024-05-15 10:00", true),
    (Kind::Time, "on 2024-05-15 at 10:00", "2024-05-16 10:00", false),
    (Kind::Time, "on 2024-05-15 at 10:00", "2024-05-15 11:00", false),
    (Kind::Time, "at 9:30", "09:30", true),
    (Kind::Time, "at 10:00 pm", "10:00", false),
    (Kind::Time, "at 10:00 Pmax", "10:00", true),
    (Kind::Date, "come next Friday", "next Friday", true),
];

#[test]
fn values_are_found_on_token_boundaries_in_their_canonical_form() {
    let mut wrong = Vec::new();
    for (kind, words, value, expected) in TABLE {
        let mut desk = Desk::new();
        desk.user(words);
        if desk.traces(*kind, value) != *expected {
            wrong.push(format!("{kind:?}: `{value}` in `{words}` should be {expected}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn short_values_trace_to_the_current_turn_only() {
    for (kind, value) in [
        (Kind::Identifier, text("13")),
        (Kind::Number, number("13")),
        (Kind::Amount, text("13.00")),
        (Kind::Name, text("Al")),
        (Kind::Name, text(" A ")),
    ] {
        let words = "the value 13 and Al, and  A .";
        let mut desk = Desk::new();
        desk.tool(words);
        assert!(!desk.reasons(kind, value.clone()).is_empty(), "{kind:?} in a tool's reply");
        let turn = desk.user(words);
        assert!(desk.reasons(kind, value.clone()).is_empty(), "{kind:?} in this turn");
        desk.evict(turn.entry);
        assert!(desk.reasons(kind, value.clone()).is_empty(), "{kind:?} in this turn, evicted");
        desk.user("thanks");
        assert!(!desk.reasons(kind, value.clone()).is_empty(), "{kind:?} in an earlier turn");
    }
}

#[test]
fn short_values_are_whole_tokens() {
    for words in ["at 13:00", "the 13th", "v13", "13.5", "a13", "1-13"] {
        let mut desk = Desk::new();
        desk.user(words);
        assert!(!desk.traces(Kind::Identifier, "13"), "{words}");
        assert!(!desk.reasons(Kind::Number, number("13")).is_empty(), "{words}");
    }
}

#[test]
fn a_flood_of_a_word_can_only_cause_an_ask() {
    let mut desk = Desk::new();
    let flood = "alice ".repeat(10_000);
    desk.tool(&flood);
    assert_eq!(desk.reasons(Kind::Name, text("alice")), [Reason::LowAuthority]);
    desk.user("write to alice");
    assert!(desk.traces(Kind::Name, "alice"));
}

#[test]
fn a_flood_cannot_hide_a_revoked_page() {
    let mut desk = Desk::new();
    desk.user("write to alice");
    desk.tool(&"alice ".repeat(10_000));
    let late = desk.tool("alice");
    assert!(desk.traces(Kind::Name, "alice"));
    desk.kernel.revoke(late.page).unwrap();
    assert_eq!(desk.reasons(Kind::Name, text("alice")), [Reason::Revoked]);
}

/// What was found out about a flooded context is asked anew for what came in, left or was revoked
/// since.
#[test]
fn a_flood_cannot_hide_a_page_that_was_dead_as_it_came_in() {
    let mut desk = Desk::new();
    desk.user("write to alice");
    desk.tool(&"alice ".repeat(10_000));
    let note = desk.tool("alice");
    let inputs = [desk.context.descriptor(note.entry).unwrap().clone()];
    let inputs: Vec<_> = inputs.iter().collect();
    let (form, target, claimed) = (Form::Full, Target::New, Claim::default());
    let write = Write { by: Deriver::Harness, inputs: &inputs, form, target, claimed };
    let copy = desk.kernel.derive(&desk.context, &write, "alice").representation;
    desk.evict(note.entry);
    desk.kernel.revoke(note.page).unwrap();
    for _ in 0..2 {
        assert!(desk.traces(Kind::Name, "alice"));
        let back = desk.kernel.reload(&mut desk.context, &copy, "alice", 0).unwrap();
        assert!(back.fault.is_some());
        desk.context.index(back.mapped.entry);
        for _ in 0..2 {
            assert_eq!(desk.reasons(Kind::Name, text("alice")), [Reason::Revoked]);
        }
        desk.tool("something else");
        assert_eq!(desk.reasons(Kind::Name, text("alice")), [Reason::Revoked]);
        desk.evict(back.mapped.entry);
    }
    assert!(desk.traces(Kind::Name, "alice"));
    let live = desk.tool("alice");
    assert!(desk.traces(Kind::Name, "alice"));
    desk.kernel.revoke(live.page).unwrap();
    assert_eq!(desk.reasons(Kind::Name, text("alice")), [Reason::Revoked]);
}

#[test]
fn evicting_most_of_a_context_keeps_what_is_left_traceable() {
    let mut desk = Desk::new();
    desk.user("write to first@b.co");
    let many: Vec<_> =
        (0..300).map(|n| desk.tool(&format!("mail{n}@b.co {}", "word ".repeat(100)))).collect();
    for mapped in &many[..299] {
        desk.evict(mapped.entry);
    }
    assert!(desk.traces(Kind::Address, "first@b.co"));
    let left = desk.reasons(Kind::Address, text("mail299@b.co"));
    assert_eq!(left, [Reason::LowAuthority]);
    assert_eq!(desk.reasons(Kind::Address, text("mail5@b.co")), [Reason::Fabricated]);
}

#[test]
fn evicted_user_turns_still_hold_and_evicted_replies_do_not() {
    let mut desk = Desk::new();
    let turn = desk.user("write to a@b.co");
    let reply = desk.tool("or to c@d.co");
    desk.evict(turn.entry);
    desk.evict(reply.entry);
    assert!(desk.traces(Kind::Address, "a@b.co"));
    assert_eq!(desk.reasons(Kind::Address, text("c@d.co")), [Reason::Fabricated]);
}

#[test]
fn a_text_that_was_not_indexed_holds_nothing() {
    let mut desk = Desk::new();
    let words = clawmmu::Source::Typed(common::OWNER);
    let mapped = desk.kernel.map(&mut desk.context, words, "write to a@b.co").unwrap();
    assert_eq!(desk.reasons(Kind::Address, text("a@b.co")), [Reason::Fabricated]);
    desk.context.index(mapped.entry);
    assert!(desk.traces(Kind::Address, "a@b.co"));
}
