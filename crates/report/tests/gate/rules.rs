//! The language.

use proptest::prelude::*;
use report::gate::Rule;
use report::gate::rule::{Bound, Condition, Metric, Sign, Subject};

fn parsed(text: &str) -> Rule {
    Rule::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

#[test]
fn every_form_reads_as_it_says() {
    use Bound::{Lower, Upper};
    use Subject::{Absolute, Delta};
    let latency = |share| Subject::Latency { share, hook: "authorize".to_owned() };
    let cases = [
        ("asr <= 0.05", Absolute(Metric::Asr), None, Sign::AtMost, 0.05),
        ("asr<=5%", Absolute(Metric::Asr), None, Sign::AtMost, 0.05),
        (" asr.upper95 <= 0.01 ", Absolute(Metric::Asr), Some(Upper(0.95)), Sign::AtMost, 0.01),
        (
            "asr_upstream.upper99.9 < 1 %",
            Absolute(Metric::AsrUpstream),
            Some(Upper(0.999)),
            Sign::Below,
            0.01,
        ),
        ("delta(asr).upper95 <= 0.02", Delta(Metric::Asr), Some(Upper(0.95)), Sign::AtMost, 0.02),
        ("delta(asr.upper95) <= 2%", Delta(Metric::Asr), Some(Upper(0.95)), Sign::AtMost, 0.02),
        (
            "delta(utility).lower95 >= -0.05",
            Delta(Metric::Utility),
            Some(Lower(0.95)),
            Sign::AtLeast,
            -0.05,
        ),
        ("new_landed == 0", Absolute(Metric::NewLanded), None, Sign::Equal, 0.0),
        ("utility >= 0.9", Absolute(Metric::Utility), None, Sign::AtLeast, 0.9),
        ("utility.lower90 > 1e-3", Absolute(Metric::Utility), Some(Lower(0.9)), Sign::Above, 0.001),
        ("asks_per_task <= 0.5", Absolute(Metric::AsksPerTask), None, Sign::AtMost, 0.5),
        ("error_rate <= 0.01", Absolute(Metric::ErrorRate), None, Sign::AtMost, 0.01),
        ("p99(authorize) < 5us", latency(0.99), None, Sign::Below, 5_000.0),
        (
            "p99.9(authorize).upper95 < 1.5 ms",
            latency(0.999),
            Some(Upper(0.95)),
            Sign::Below,
            1.5e6,
        ),
        ("p50(authorize) <= 800 ns", latency(0.5), None, Sign::AtMost, 800.0),
        ("p50(authorize) <= 5µs", latency(0.5), None, Sign::AtMost, 5_000.0),
    ];
    for (text, subject, bound, sign, limit) in cases {
        let rule = parsed(text);
        match (&rule.subject, &subject) {
            (Subject::Latency { share, hook }, Subject::Latency { share: wanted, hook: name }) => {
                assert!((share - wanted).abs() < 1e-12 && hook == name, "{text}");
            }
            (got, wanted) => assert_eq!(got, wanted, "{text}"),
        }
        match (rule.bound, bound) {
            (Some(got), Some(wanted)) => {
                assert!((got.confidence() - wanted.confidence()).abs() < 1e-12, "{text}");
                assert_eq!(std::mem::discriminant(&got), std::mem::discriminant(&wanted), "{text}");
            }
            (got, wanted) => assert_eq!(got, wanted, "{text}"),
        }
        assert_eq!(rule.sign, sign, "{text}");
        assert!((rule.limit - limit).abs() < 1e-9, "{text}: {}", rule.limit);
        assert_eq!(rule.to_string(), text.trim());
    }
}

#[test]
fn filters_stand_before_or_behind_and_add_up() {
    let condition =
        |field, negated, word: &str| Condition { field, negated, word: word.to_owned() };
    let both = [condition("suite", false, "agentdojo"), condition("defense", true, "none")];
    for text in [
        "asr{suite=agentdojo,defense!=none} <= 0.01",
        "asr{suite = agentdojo}{defense != none}.upper95 <= 0.01",
        "asr.upper95{suite='agentdojo', defense!=\"none\"} <= 0.01",
        "delta(asr{suite=agentdojo}){defense!=none}.upper95 <= 0.01",
    ] {
        assert_eq!(parsed(text).filter, both, "{text}");
    }
    let word = &parsed("asr{agent=live:some/model-1.5*} <= 0").filter[0].word;
    assert_eq!(word, "live:some/model-1.5*");
}

#[test]
fn a_bad_rule_is_named_with_its_column() {
    let cases = [
        ("", "column 1: expected one of asr, partial"),
        ("asrr <= 0.05", "column 1: unknown measure `asrr`, expected one of asr"),
        ("asr", "column 4: expected one of `<=`, `<`, `>=`, `>`, `==`, found the end"),
        ("asr = 0.05", "column 5: expected one of `<=`, `<`, `>=`, `>`, `==`, found `=`"),
        ("asr <=", "column 7: expected a number, found the end"),
        ("asr <= few", "column 8: expected a number, found `few`"),
        ("asr <= 0.05 0.06", "column 13: expected the end, found `0.06`"),
        ("asr <= 5us", "column 8: `us` is a unit of latencies only"),
        ("asr.top95 <= 1", "column 5: unknown bound `top95`, expected one like `upper95`"),
        ("asr{suite=a}.upper42 <= 1", "column 14: `42` is no confidence between 50 and 100"),
        ("asr.upper95.upper99 <= 1", "column 5: `95.upper99` is no confidence"),
        ("asr.upper95{suite=a}.upper99 <= 1", "column 22: a second bound"),
        ("asr{suit=a} <= 1", "column 5: unknown field `suit`, expected one of suite, world"),
        ("asr{suite:a} <= 1", "column 5: unknown field `suite:a`"),
        ("asr{suite a} <= 1", "column 11: expected `=`, found `a`"),
        ("asr{suite=} <= 1", "column 11: expected a word, found `}`"),
        ("asr{suite=a <= 1", "column 13: expected `,` or `}`, found `<=`"),
        ("asr{suite='a} <= 1", "column 11: the quote ' is not closed"),
        ("asr <= 0.05 & utility", "column 13: `&` has no meaning here"),
        ("delta asr <= 1", "column 7: expected `(`, found `asr`"),
        ("delta(asr <= 1", "column 11: expected `)`, found `<=`"),
        ("delta(new_landed) == 0", "column 1: `new_landed` is not compared with a baseline"),
        ("delta(error_rate) <= 0", "column 1: `error_rate` is not compared with a baseline"),
        ("asks_per_task.upper95 <= 1", "column 1: `asks_per_task` has no bounds"),
        ("asr.upper95 >= 0.1", "column 1: an upper bound is compared by `<=` or `<`"),
        ("utility.lower95 <= 0.1", "column 1: a lower bound is compared by `>=` or `>`"),
        ("p99(authorize) < 5", "column 18: a latency takes one of ns, us, ms, s"),
        ("p99(authorize) < 5 %", "column 20: a latency takes one of ns, us, ms, s"),
        ("p99 < 5us", "column 5: expected `(`, found `<`"),
        ("p99() < 5us", "column 5: expected a hook, found `)`"),
        ("p100(authorize) < 5us", "column 1: `p100` is no percentile between 0 and 100"),
    ];
    for (text, expected) in cases {
        let error = Rule::parse(text).unwrap_err().to_string();
        let expected = format!("rule, {expected}");
        assert!(error.starts_with(&expected), "{text}: {error}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_text_makes_the_reader_panic(text in "(asr|delta|p99|upper95|suite|[({.=<>!'%,)}]|[0-9]|\\PC| ){0,12}") {
        if let Err(error) = Rule::parse(&text) {
            prop_assert!((1..=text.chars().count() + 1).contains(&error.column), "{error}");
        }
    }
}
