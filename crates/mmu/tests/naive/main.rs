//! The kernel's tracing against a naive one, on generated texts and values of every kind.

#[path = "../common/mod.rs"]
mod common;
mod forms;
mod fuzz;
mod tracer;

use clawmmu::{Authority, Kind, Reason, Source, Tie};
use common::{Desk, OWNER, say, text};
use proptest::prelude::*;

const KINDS: [Kind; 13] = [
    Kind::Identifier,
    Kind::Path,
    Kind::Secret,
    Kind::Name,
    Kind::Address,
    Kind::Account,
    Kind::Url,
    Kind::Number,
    Kind::Amount,
    Kind::Date,
    Kind::Time,
    Kind::Boolean,
    Kind::Enumeration,
];

/// Pieces that texts and values are put together from, so that they meet and nearly meet.
const PIECES: &[&str] = &[
    "alice",
    "Alice",
    "ALICE",
    "Smith",
    "Straße",
    "STRASSE",
    "ﬁ",
    "fi",
    "É",
    "e\u{301}",
    "Ａ",
    "a",
    "a@b.co",
    "A@b.co",
    "a@B.CO",
    "aa@b.com",
    "mailto:",
    "<a@b.co>",
    "Bob <a@b.co>",
    "x.com",
    "www.x.com",
    "http://",
    "https://",
    "HTTP://",
    "/random",
    "/a",
    "?q=1",
    ":80",
    ":443",
    ":8080",
    "GB29",
    "NWBK",
    "6016",
    "1331",
    "GB29NWBK6016",
    "gb29-nwbk-6016",
    "12",
    "34",
    "1234",
    "56",
    "1,050",
    "1050",
    "1050.00",
    "1,050.0",
    "-5",
    "+5",
    "0.5",
    "007",
    "1e3",
    "100",
    "000",
    "$",
    "€",
    "EUR",
    "USD",
    "%",
    "2024-05-15",
    "2024-05-1",
    "10:00",
    "10:00:00",
    "9:30",
    "09:30",
    "T",
    "pm",
    "am",
    " ",
    " ",
    " ",
    "  ",
    "\n",
    "\t",
    "\u{a0}",
    "\u{200b}",
    ".",
    ",",
    ";",
    ":",
    "!",
    "?",
    "'",
    "’",
    "'s",
    "’s",
    "\"",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "<",
    ">",
    "-",
    "_",
    "/",
    "#",
    "@",
    "*",
    "`",
    "|",
    "\\",
    "=",
    "&",
    "…",
    "–",
    "‑",
    "、",
    "\"id\":",
    "....",
    "文",
    "x",
];

fn pieces(most: usize) -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(PIECES), 0..most).prop_map(|pieces| pieces.concat())
}

#[derive(Debug, Clone)]
struct Page {
    source: Source,
    text: String,
    revoked: bool,
    evicted: bool,
}

/// Well-formed values of a kind, many of them spellings of one another.
fn spellings(kind: Kind) -> &'static [&'static str] {
    match kind {
        Kind::Identifier | Kind::Path | Kind::Secret | Kind::Boolean | Kind::Enumeration => {
            &["id-1234", "1234", "13", "/home/a.txt", "new_pass", "p@ss w!", "true", "x", "é1"]
        }
        Kind::Name => &["Alice Smith", "alice  smith", "ALICE\nSMITH", "Straße", "STRASSE", "Al"],
        Kind::Address => {
            &["a@b.co", "a@B.co", "mailto:a@b.co", "Bob <a@b.co>", "<a@b.co>", "A@b.co", "a@b.com"]
        }
        Kind::Account => {
            &["GB29 NWBK 6016", "gb29nwbk6016", "GB29-NWBK-6016", "12-34-56", "123456", "12 3456"]
        }
        Kind::Url => &[
            "www.x.com",
            "http://www.x.com",
            "https://WWW.X.com:443/a?q=1",
            "www.x.com/a?q=1",
            "http://www.x.com:443/a?q=1",
            "www.x.com/a",
            "me@www.x.com/a",
        ],
        Kind::Number | Kind::Amount => &[
            "1,050.00",
            "1050",
            "-1050",
            "$1050",
            "1050 €",
            "1,050 EUR",
            "13",
            "$13",
            "1e3",
            "1000",
        ],
        Kind::Date | Kind::Time => &[
            "2024-05-15",
            "2024-05-15T10:00",
            "2024-05-15 10:00:00",
            "10:00",
            "9:30",
            "09:30:00",
            "10:00 pm",
        ],
    }
}

fn value(kind: Kind) -> impl Strategy<Value = String> {
    let spelling = prop::sample::select(spellings(kind)).prop_map(str::to_owned);
    prop_oneof![2 => spelling, 1 => pieces(5)]
}

fn page(kind: Kind, sought: String) -> impl Strategy<Value = Page> {
    let source = prop::sample::select(vec![
        Source::Typed(OWNER),
        Source::OwnPreference(OWNER),
        Source::ApprovedInstruction(OWNER),
        Source::Tool,
    ]);
    let inner = prop_oneof![Just(sought), value(kind)];
    let joint = || prop::sample::select(vec!["", " ", " ", "(", "\"", ".", ", ", "'", ":"]);
    let around = (pieces(5), joint(), inner, joint(), pieces(5))
        .prop_map(|(a, left, inner, right, b)| format!("{a}{left}{inner}{right}{b}"));
    let text = prop_oneof![1 => pieces(12), 3 => around];
    (source, text, prop::bool::weighted(0.1), prop::bool::weighted(0.1))
        .prop_map(|(source, text, revoked, evicted)| Page { source, text, revoked, evicted })
}

fn case() -> impl Strategy<Value = (Kind, String, Vec<Page>, Authority, Tie)> {
    let required = prop::sample::select(Authority::ALL.to_vec());
    let tie = prop::sample::select(vec![Tie::Exists, Tie::ForAll]);
    (prop::sample::select(KINDS.to_vec()), required, tie)
        .prop_flat_map(|(kind, required, tie)| (Just(kind), value(kind), Just(required), Just(tie)))
        .prop_flat_map(|(kind, value, required, tie)| {
            let pages = prop::collection::vec(page(kind, value.clone()), 0..5);
            (Just(kind), Just(value), pages, Just(required), Just(tie))
        })
}

/// The reasons in the order of the value's parts, from loops over everything.
fn expected(kind: Kind, value: &str, pages: &[Page], required: Authority, tie: Tie) -> Vec<Reason> {
    let Some(wanted) = tracer::wanted(kind, value) else { return vec![Reason::Untraceable] };
    let current = pages.iter().rposition(|page| page.source == Source::Typed(OWNER));
    let mut reasons = Vec::new();
    for (wanted, short) in wanted {
        let holders: Vec<&Page> = (0..)
            .zip(pages)
            .filter(|(index, _)| !short || current == Some(*index))
            .map(|(_, page)| page)
            .filter(|page| !page.evicted || page.source == Source::Typed(OWNER))
            .filter(|page| tracer::holds(&page.text, &wanted))
            .collect();
        let enough = |page: &&Page| page.source.authority() >= required;
        let lifted = match tie {
            Tie::Exists => holders.iter().any(enough),
            Tie::ForAll => !holders.is_empty() && holders.iter().all(enough),
        };
        if holders.iter().any(|page| page.revoked) {
            reasons.push(Reason::Revoked);
        } else if !lifted {
            let none = holders.is_empty();
            reasons.push(if none { Reason::Fabricated } else { Reason::LowAuthority });
        }
    }
    reasons
}

proptest! {
    #![proptest_config(ProptestConfig { cases: CASES, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_index_answers_what_a_naive_scan_answers(
        (kind, value, pages, required, tie) in case()
    ) {
        let mut desk = Desk::with(clawmmu::Config { tie, ..clawmmu::Config::default() });
        let mapped: Vec<_> = pages.iter().map(|page| desk.add(page.source, &page.text)).collect();
        for (page, mapped) in pages.iter().zip(&mapped) {
            if page.revoked {
                desk.kernel.revoke(mapped.page).unwrap();
            }
            if page.evicted {
                desk.evict(mapped.entry);
            }
        }
        let found = desk.reasons_at(required, kind, text(&value));
        prop_assert_eq!(found, expected(kind, &value, &pages, required, tie));
    }
}

/// How many cases the two tracers are compared on.
const CASES: u32 = 1500;

/// The generator must reach what it is there for.
#[test]
fn generated_cases_reach_every_reason_for_every_traced_kind() {
    use proptest::{strategy::ValueTree, test_runner::TestRunner};
    say!("{CASES} generated cases of all kinds for the index and a naive scan");
    let mut runner = TestRunner::deterministic();
    let mut reached = std::collections::HashSet::new();
    for _ in 0..4000 {
        let (kind, value, pages, required, tie) = case().new_tree(&mut runner).unwrap().current();
        let reasons = expected(kind, &value, &pages, required, tie);
        if reasons.is_empty() {
            reached.insert((format!("{kind:?}"), None));
        }
        reached.extend(reasons.into_iter().map(|reason| (format!("{kind:?}"), Some(reason))));
    }
    for kind in &KINDS[..11] {
        for reason in
            [None, Some(Reason::Revoked), Some(Reason::LowAuthority), Some(Reason::Fabricated)]
        {
            assert!(reached.contains(&(format!("{kind:?}"), reason)), "{kind:?} {reason:?}");
        }
    }
}
