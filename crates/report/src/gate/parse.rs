//! Reading a rule.

use trace::words::Words;

use super::rule::{Bound, Condition, FIELDS, Metric, Rule, RuleError, Sign, Subject};

const SIGNS: &[(&str, Sign)] = &[
    ("<=", Sign::AtMost),
    ("<", Sign::Below),
    (">=", Sign::AtLeast),
    (">", Sign::Above),
    ("==", Sign::Equal),
];

/// All signs of the language, longer ones first.
const ALL_SIGNS: &[&str] = &["<=", ">=", "==", "!=", "<", ">", "=", "{", "}", "(", ")", ",", "%"];

/// The nanoseconds of a unit of time.
const UNITS: &[(&str, f64)] =
    &[("ns", 1.0), ("us", 1e3), ("µs", 1e3), ("μs", 1e3), ("ms", 1e6), ("s", 1e9)];

pub(super) fn rule(text: &str) -> Result<Rule, RuleError> {
    let words = Words::new(text, ALL_SIGNS)
        .map_err(|bad| RuleError { column: bad.column, message: bad.message })?;
    let start = words.column();
    let mut parser = Parser { words, filter: Vec::new(), bound: None };
    let subject = parser.subject()?;
    parser.parts()?;
    let sign = parser.sign()?;
    let limit = parser.limit(&subject)?;
    if let Some(token) = parser.words.peek() {
        return Err(parser.wrong(format!("expected the end, found `{token}`")));
    }
    let Parser { filter, bound, .. } = parser;
    let rule = Rule { text: text.trim().to_owned(), subject, filter, bound, sign, limit };
    check(&rule).map_err(|message| RuleError { column: start, message })?;
    Ok(rule)
}

/// What reads well and means nothing.
fn check(rule: &Rule) -> Result<(), String> {
    let bounded = match &rule.subject {
        Subject::Absolute(metric) | Subject::Delta(metric) => metric.is_rate(),
        Subject::Latency { .. } => true,
    };
    let name = |metric: &Metric| format!("`{}`", metric.as_str());
    match (&rule.subject, rule.bound) {
        (Subject::Delta(metric), _) if !metric.is_rate() || *metric == Metric::ErrorRate => {
            Err(format!("{} is not compared with a baseline by `delta`", name(metric)))
        }
        (Subject::Absolute(metric), Some(_)) if !bounded => {
            Err(format!("{} has no bounds", name(metric)))
        }
        (_, Some(Bound::Upper(_))) if !rule.sign.limits_above() => {
            Err("an upper bound is compared by `<=` or `<`".to_owned())
        }
        (_, Some(Bound::Lower(_))) if !rule.sign.limits_below() => {
            Err("a lower bound is compared by `>=` or `>`".to_owned())
        }
        _ => Ok(()),
    }
}

struct Parser {
    words: Words,
    filter: Vec<Condition>,
    bound: Option<Bound>,
}

impl Parser {
    fn wrong(&self, message: impl Into<String>) -> RuleError {
        RuleError { column: self.words.column(), message: message.into() }
    }

    fn expect(&mut self, wanted: &str) -> Result<(), RuleError> {
        if self.words.take(wanted) {
            return Ok(());
        }
        Err(self.wrong(format!("expected `{wanted}`, found {}", self.words.found())))
    }

    fn subject(&mut self) -> Result<Subject, RuleError> {
        if self.words.take("delta") {
            self.expect("(")?;
            let metric = self.metric()?;
            self.parts()?;
            self.expect(")")?;
            return Ok(Subject::Delta(metric));
        }
        if let Some(share) = self.percentile() {
            let share = share.map_err(|message| self.wrong(message))?;
            self.words.skip();
            self.expect("(")?;
            let hook = self.word("a hook")?;
            self.expect(")")?;
            return Ok(Subject::Latency { share, hook });
        }
        self.metric().map(Subject::Absolute)
    }

    /// `p99` or `p99.9`, if that is what comes next.
    fn percentile(&self) -> Option<Result<f64, String>> {
        let digits = self.words.peek()?.strip_prefix('p')?;
        if !digits.starts_with(|c: char| c.is_ascii_digit()) {
            return None;
        }
        let percent: Option<f64> = digits.parse().ok();
        let share = percent.filter(|percent| *percent > 0.0 && *percent < 100.0);
        let wrong = || format!("`p{digits}` is no percentile between 0 and 100");
        Some(share.map(|percent| percent / 100.0).ok_or_else(wrong))
    }

    /// A name, with a bound if one is glued to it: `asr.upper95`.
    fn metric(&mut self) -> Result<Metric, RuleError> {
        let known = || {
            let names: Vec<_> = Metric::ALL.iter().map(|metric| metric.as_str()).collect();
            format!("{}, delta(…), p99(…)", names.join(", "))
        };
        let Some(token) = self.words.peek() else {
            return Err(self.wrong(format!("expected one of {}", known())));
        };
        let (name, bound) = match token.split_once('.') {
            Some((name, bound)) => (name.to_owned(), Some(bound.to_owned())),
            None => (token.to_owned(), None),
        };
        let Some(metric) = Metric::ALL.iter().find(|metric| metric.as_str() == name) else {
            let message = format!("unknown measure `{name}`, expected one of {}", known());
            return Err(self.wrong(message));
        };
        if let Some(bound) = bound {
            self.bound(&bound, name.chars().count() + 1)?;
        }
        self.words.skip();
        Ok(*metric)
    }

    /// Filters and bounds, in any order.
    fn parts(&mut self) -> Result<(), RuleError> {
        loop {
            if self.words.take("{") {
                self.conditions()?;
            } else if let Some(bound) = self.words.peek().and_then(|token| token.strip_prefix('.'))
            {
                let bound = bound.to_owned();
                self.bound(&bound, 1)?;
                self.words.skip();
            } else {
                return Ok(());
            }
        }
    }

    /// A bound that stands this far into the next token.
    fn bound(&mut self, text: &str, offset: usize) -> Result<(), RuleError> {
        let column = self.words.column() + offset;
        let wrong = |message: String| Err(RuleError { column, message });
        let (make, digits): (fn(f64) -> Bound, _) = match text {
            _ if text.starts_with("upper") => (Bound::Upper, &text["upper".len()..]),
            _ if text.starts_with("lower") => (Bound::Lower, &text["lower".len()..]),
            _ => return wrong(format!("unknown bound `{text}`, expected one like `upper95`")),
        };
        let percent: Option<f64> = digits.parse().ok();
        let Some(percent) = percent.filter(|percent| *percent > 50.0 && *percent < 100.0) else {
            return wrong(format!("`{digits}` is no confidence between 50 and 100"));
        };
        if self.bound.is_some() {
            return wrong("a second bound".to_owned());
        }
        self.bound = Some(make(percent / 100.0));
        Ok(())
    }

    fn conditions(&mut self) -> Result<(), RuleError> {
        loop {
            let name = self.words.peek().unwrap_or_default();
            let Some(field) = FIELDS.iter().find(|field| **field == name) else {
                let found = self.words.found();
                let known = FIELDS.join(", ");
                let message = format!("unknown field {found}, expected one of {known}");
                return Err(self.wrong(message));
            };
            self.words.skip();
            let negated = self.words.take("!=");
            if !negated {
                self.expect("=")?;
            }
            let word = self.word("a word")?;
            self.filter.push(Condition { field, negated, word });
            if self.words.take("}") {
                return Ok(());
            }
            if !self.words.take(",") {
                return Err(
                    self.wrong(format!("expected `,` or `}}`, found {}", self.words.found()))
                );
            }
        }
    }

    fn word(&mut self, wanted: &str) -> Result<String, RuleError> {
        let missing = self.wrong(format!("expected {wanted}, found {}", self.words.found()));
        self.words.word().ok_or(missing)
    }

    fn sign(&mut self) -> Result<Sign, RuleError> {
        let found = SIGNS.iter().find(|(text, _)| self.words.peek() == Some(text));
        let Some((_, sign)) = found else {
            let known = SIGNS.iter().map(|(text, _)| format!("`{text}`")).collect::<Vec<_>>();
            let message =
                format!("expected one of {}, found {}", known.join(", "), self.words.found());
            return Err(self.wrong(message));
        };
        self.words.skip();
        Ok(*sign)
    }

    /// A number with the unit that the subject takes: time for latencies, `%` for shares.
    fn limit(&mut self, subject: &Subject) -> Result<f64, RuleError> {
        let token = self.words.peek().unwrap_or_default().to_owned();
        let digits = token.trim_end_matches(|c: char| c.is_alphabetic());
        let Some(number) = digits.parse().ok().filter(|number: &f64| number.is_finite()) else {
            return Err(self.wrong(format!("expected a number, found {}", self.words.found())));
        };
        let latency = matches!(subject, Subject::Latency { .. });
        let apart = self.words.peek_second().map(str::to_owned);
        let unit = match apart {
            // The unit may stand apart.
            Some(apart) if latency && digits.len() == token.len() => {
                self.words.skip();
                apart
            }
            _ => token[digits.len()..].to_owned(),
        };
        let size = UNITS.iter().find(|(name, _)| *name == unit).map(|(_, size)| *size);
        match (latency, size) {
            (true, Some(size)) => {
                self.words.skip();
                Ok(number * size)
            }
            (true, None) => Err(self.wrong("a latency takes one of ns, us, ms, s")),
            (false, _) if unit.is_empty() => {
                self.words.skip();
                Ok(if self.words.take("%") { number / 100.0 } else { number })
            }
            (false, _) => Err(self.wrong(format!("`{unit}` is a unit of latencies only"))),
        }
    }
}
