//! Reading a rule.

use super::rule::{Bound, Condition, FIELDS, Metric, Rule, RuleError, Sign, Subject};

struct Token {
    text: String,
    column: usize,
    quoted: bool,
}

const SIGNS: &[(&str, Sign)] = &[
    ("<=", Sign::AtMost),
    ("<", Sign::Below),
    (">=", Sign::AtLeast),
    (">", Sign::Above),
    ("==", Sign::Equal),
];

/// The nanoseconds of a unit of time.
const UNITS: &[(&str, f64)] =
    &[("ns", 1.0), ("us", 1e3), ("µs", 1e3), ("μs", 1e3), ("ms", 1e6), ("s", 1e9)];

pub(super) fn rule(text: &str) -> Result<Rule, RuleError> {
    let mut parser = Parser {
        tokens: tokens(text)?,
        at: 0,
        end: text.chars().count() + 1,
        filter: Vec::new(),
        bound: None,
    };
    let start = parser.column();
    let subject = parser.subject()?;
    parser.parts()?;
    let sign = parser.sign()?;
    let limit = parser.limit(&subject)?;
    if let Some(token) = parser.peek() {
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

fn tokens(text: &str) -> Result<Vec<Token>, RuleError> {
    let is_word = |c: char| c.is_alphanumeric() || "_-.:/+*µ".contains(c);
    let chars: Vec<char> = text.chars().collect();
    let mut tokens = Vec::new();
    let mut at = 0;
    while at < chars.len() {
        let (start, first) = (at, chars[at]);
        at += 1;
        let mut quoted = false;
        let token: String = match first {
            c if c.is_whitespace() => continue,
            '{' | '}' | '(' | ')' | ',' | '%' => first.to_string(),
            '<' | '>' | '=' | '!' => {
                let two = chars.get(at) == Some(&'=');
                at += usize::from(two);
                chars[start..at].iter().collect()
            }
            '"' | '\'' => {
                let Some(length) = chars[at..].iter().position(|c| *c == first) else {
                    let message = format!("the quote {first} is not closed");
                    return Err(RuleError { column: start + 1, message });
                };
                let inside = chars[at..at + length].iter().collect();
                at += length + 1;
                quoted = true;
                inside
            }
            c if is_word(c) => {
                while at < chars.len() && is_word(chars[at]) {
                    at += 1;
                }
                chars[start..at].iter().collect()
            }
            other => {
                let message = format!("`{other}` has no meaning here");
                return Err(RuleError { column: start + 1, message });
            }
        };
        tokens.push(Token { text: token, column: start + 1, quoted });
    }
    Ok(tokens)
}

struct Parser {
    tokens: Vec<Token>,
    at: usize,
    end: usize,
    filter: Vec<Condition>,
    bound: Option<Bound>,
}

impl Parser {
    fn peek(&self) -> Option<&str> {
        self.tokens.get(self.at).map(|token| token.text.as_str())
    }

    fn column(&self) -> usize {
        self.tokens.get(self.at).map_or(self.end, |token| token.column)
    }

    fn wrong(&self, message: impl Into<String>) -> RuleError {
        RuleError { column: self.column(), message: message.into() }
    }

    fn found(&self) -> String {
        self.peek().map_or("the end".to_owned(), |token| format!("`{token}`"))
    }

    fn take(&mut self, wanted: &str) -> bool {
        let found = self.tokens.get(self.at);
        let found = found.is_some_and(|token| token.text == wanted && !token.quoted);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, wanted: &str) -> Result<(), RuleError> {
        if self.take(wanted) {
            return Ok(());
        }
        Err(self.wrong(format!("expected `{wanted}`, found {}", self.found())))
    }

    fn subject(&mut self) -> Result<Subject, RuleError> {
        if self.take("delta") {
            self.expect("(")?;
            let metric = self.metric()?;
            self.parts()?;
            self.expect(")")?;
            return Ok(Subject::Delta(metric));
        }
        if let Some(share) = self.percentile() {
            let share = share.map_err(|message| self.wrong(message))?;
            self.at += 1;
            self.expect("(")?;
            let hook = self.word("a hook")?;
            self.expect(")")?;
            return Ok(Subject::Latency { share, hook });
        }
        self.metric().map(Subject::Absolute)
    }

    /// `p99` or `p99.9`, if that is what comes next.
    fn percentile(&self) -> Option<Result<f64, String>> {
        let digits = self.peek()?.strip_prefix('p')?;
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
        let Some(token) = self.peek() else {
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
        self.at += 1;
        Ok(*metric)
    }

    /// Filters and bounds, in any order.
    fn parts(&mut self) -> Result<(), RuleError> {
        loop {
            if self.take("{") {
                self.conditions()?;
            } else if let Some(bound) = self.peek().and_then(|token| token.strip_prefix('.')) {
                let bound = bound.to_owned();
                self.bound(&bound, 1)?;
                self.at += 1;
            } else {
                return Ok(());
            }
        }
    }

    /// A bound that stands this far into the next token.
    fn bound(&mut self, text: &str, offset: usize) -> Result<(), RuleError> {
        let column = self.column() + offset;
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
            let name = self.peek().unwrap_or_default();
            let Some(field) = FIELDS.iter().find(|field| **field == name) else {
                let found = self.found();
                let known = FIELDS.join(", ");
                let message = format!("unknown field {found}, expected one of {known}");
                return Err(self.wrong(message));
            };
            self.at += 1;
            let negated = self.take("!=");
            if !negated {
                self.expect("=")?;
            }
            let word = self.word("a word")?;
            self.filter.push(Condition { field, negated, word });
            if self.take("}") {
                return Ok(());
            }
            if !self.take(",") {
                return Err(self.wrong(format!("expected `,` or `}}`, found {}", self.found())));
            }
        }
    }

    fn word(&mut self, wanted: &str) -> Result<String, RuleError> {
        let is_sign = |text: &str| text.starts_with(|c: char| "{}(),%<>=!".contains(c));
        match self.tokens.get(self.at) {
            Some(token) if token.quoted || !is_sign(&token.text) => {
                let word = token.text.clone();
                self.at += 1;
                Ok(word)
            }
            _ => Err(self.wrong(format!("expected {wanted}, found {}", self.found()))),
        }
    }

    fn sign(&mut self) -> Result<Sign, RuleError> {
        let found = SIGNS.iter().find(|(text, _)| self.peek() == Some(text));
        let Some((_, sign)) = found else {
            let known = SIGNS.iter().map(|(text, _)| format!("`{text}`")).collect::<Vec<_>>();
            let message = format!("expected one of {}, found {}", known.join(", "), self.found());
            return Err(self.wrong(message));
        };
        self.at += 1;
        Ok(*sign)
    }

    /// A number with the unit that the subject takes: time for latencies, `%` for shares.
    fn limit(&mut self, subject: &Subject) -> Result<f64, RuleError> {
        let token = self.peek().unwrap_or_default().to_owned();
        let digits = token.trim_end_matches(|c: char| c.is_alphabetic());
        let Some(number) = digits.parse().ok().filter(|number: &f64| number.is_finite()) else {
            return Err(self.wrong(format!("expected a number, found {}", self.found())));
        };
        let latency = matches!(subject, Subject::Latency { .. });
        let apart = self.tokens.get(self.at + 1).map(|next| next.text.clone());
        let unit = match apart {
            // The unit may stand apart.
            Some(apart) if latency && digits.len() == token.len() => {
                self.at += 1;
                apart
            }
            _ => token[digits.len()..].to_owned(),
        };
        let size = UNITS.iter().find(|(name, _)| *name == unit).map(|(_, size)| *size);
        match (latency, size) {
            (true, Some(size)) => {
                self.at += 1;
                Ok(number * size)
            }
            (true, None) => Err(self.wrong("a latency takes one of ns, us, ms, s")),
            (false, _) if unit.is_empty() => {
                self.at += 1;
                Ok(if self.take("%") { number / 100.0 } else { number })
            }
            (false, _) => Err(self.wrong(format!("`{unit}` is a unit of latencies only"))),
        }
    }
}
