//! `--filter`: which cells to keep.
//!
//! ```text
//! filter := all ("or" all)*
//! all    := one ("and" one)*
//! one    := "not" one | "(" filter ")" | FIELD "=" WORD | FIELD "!=" WORD
//!         | FIELD "in" "[" WORD ("," WORD)* "]"
//! FIELD  := suite | world | kind | setting | harm_kind | scenario | user_task | injection_task
//!         | attack | agent | defense | owner | guarantee
//! ```
//!
//! A word holds letters, digits and `_-.:/+*`, or anything within quotes; `*` stands for any run of
//! characters. A field that a cell does not have (a benign cell's `attack`) equals no word.

use scenario::guarantee::Class;
use scenario::scenario::Scenario;
use trace::profile::Profile;
use trace::words::{self, Words};

/// The fields that a filter may name.
pub const FIELDS: &[&str] = &[
    "suite",
    "world",
    "kind",
    "setting",
    "harm_kind",
    "scenario",
    "user_task",
    "injection_task",
    "attack",
    "agent",
    "defense",
    "owner",
    "guarantee",
];

/// What a filter sees of a cell.
pub(crate) struct Facts<'a> {
    pub(crate) suite: &'a str,
    pub(crate) scenario: &'a Scenario,
    pub(crate) agent: String,
    pub(crate) defense: String,
    pub(crate) owner: String,
}

impl Facts<'_> {
    fn field(&self, name: &str) -> Option<&str> {
        let scenario = self.scenario;
        match name {
            "suite" => Some(self.suite),
            "world" => Some(&scenario.world),
            "kind" => Some(scenario.kind.as_str()),
            "setting" => scenario.setting.as_deref(),
            "harm_kind" => scenario.harm_kind.as_deref(),
            "scenario" => Some(&scenario.id),
            "user_task" => Some(&scenario.user_task),
            "injection_task" => scenario.injection_task.as_deref(),
            "attack" => scenario.attack.as_deref(),
            "agent" => Some(&self.agent),
            "defense" => Some(&self.defense),
            "owner" => Some(&self.owner),
            "guarantee" => scenario.class(Profile::default()).map(Class::as_str),
            _ => None,
        }
    }
}

/// A filter that was understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Filter {
    /// Any part keeps the cell.
    Any(Vec<Filter>),
    /// Every part keeps the cell.
    All(Vec<Filter>),
    /// The part does not keep the cell.
    Not(Box<Filter>),
    /// The field is one of the words.
    Is(&'static str, Vec<String>),
}

/// A filter that was not understood.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("filter, column {column}: {message}")]
pub struct FilterError {
    /// The column, from 1.
    pub column: usize,
    /// What is wrong.
    pub message: String,
}

impl Filter {
    /// Reads a filter.
    ///
    /// # Errors
    /// The first place that cannot be read, and what was expected there.
    pub fn parse(text: &str) -> Result<Self, FilterError> {
        let words = Words::new(text, SIGNS)
            .map_err(|bad| FilterError { column: bad.column, message: bad.message })?;
        let mut parser = Parser { words };
        let filter = parser.any()?;
        match parser.words.peek() {
            None => Ok(filter),
            Some(token) => Err(parser.wrong(&format!("expected `and` or `or`, found `{token}`"))),
        }
    }

    pub(crate) fn keeps(&self, facts: &Facts<'_>) -> bool {
        match self {
            Self::Any(parts) => parts.iter().any(|part| part.keeps(facts)),
            Self::All(parts) => parts.iter().all(|part| part.keeps(facts)),
            Self::Not(part) => !part.keeps(facts),
            Self::Is(field, words) => facts
                .field(field)
                .is_some_and(|value| words.iter().any(|word| words::matches(word, value))),
        }
    }
}

/// All signs of the language, longer ones first.
const SIGNS: &[&str] = &["!=", "=", "(", ")", "[", "]", ","];

struct Parser {
    words: Words,
}

impl Parser {
    fn wrong(&self, message: &str) -> FilterError {
        FilterError { column: self.words.column(), message: message.to_owned() }
    }

    fn expect(&mut self, wanted: &str) -> Result<(), FilterError> {
        if self.words.take(wanted) {
            return Ok(());
        }
        Err(self.wrong(&format!("expected `{wanted}`, found {}", self.words.found())))
    }

    fn any(&mut self) -> Result<Filter, FilterError> {
        let mut parts = vec![self.all()?];
        while self.words.take("or") {
            parts.push(self.all()?);
        }
        Ok(one_or(parts, Filter::Any))
    }

    fn all(&mut self) -> Result<Filter, FilterError> {
        let mut parts = vec![self.one()?];
        while self.words.take("and") {
            parts.push(self.one()?);
        }
        Ok(one_or(parts, Filter::All))
    }

    fn one(&mut self) -> Result<Filter, FilterError> {
        if self.words.take("not") {
            return Ok(Filter::Not(Box::new(self.one()?)));
        }
        if self.words.take("(") {
            let filter = self.any()?;
            self.expect(")")?;
            return Ok(filter);
        }
        let field = self.field()?;
        if self.words.take("=") {
            return Ok(Filter::Is(field, vec![self.word()?]));
        }
        if self.words.take("!=") {
            return Ok(Filter::Not(Box::new(Filter::Is(field, vec![self.word()?]))));
        }
        if self.words.take("in") {
            self.expect("[")?;
            let mut words = vec![self.word()?];
            while self.words.take(",") {
                words.push(self.word()?);
            }
            self.expect("]")?;
            return Ok(Filter::Is(field, words));
        }
        Err(self.wrong("expected `=`, `!=` or `in`"))
    }

    fn field(&mut self) -> Result<&'static str, FilterError> {
        let Some(name) = self.words.peek() else { return Err(self.wrong("expected a field")) };
        let Some(field) = FIELDS.iter().find(|field| **field == name) else {
            let known = FIELDS.join(", ");
            return Err(self.wrong(&format!("unknown field `{name}`, expected one of {known}")));
        };
        self.words.skip();
        Ok(field)
    }

    fn word(&mut self) -> Result<String, FilterError> {
        let missing = self.wrong("expected a word");
        self.words.word().ok_or(missing)
    }
}

fn one_or(mut parts: Vec<Filter>, many: fn(Vec<Filter>) -> Filter) -> Filter {
    if parts.len() == 1 { parts.remove(0) } else { many(parts) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use scenario::kind::Kind;

    fn keeps(filter: &str) -> bool {
        let scenario = Scenario {
            id: "bank/user_task_3/injection_task_1".to_owned(),
            world: "bank".into(),
            kind: Kind::Attack,
            user_task: "user_task_3".to_owned(),
            injection_task: Some("injection_task_1".to_owned()),
            setting: None,
            harm_kind: None,
            cluster_user: "bank/user_task_3".to_owned(),
            cluster_attack: Some("bank/injection_task_1".to_owned()),
            attack: None,
            prompt: String::new(),
            injections: Vec::new(),
            payloads: Vec::new(),
            guarantee: Vec::new(),
        };
        let facts = Facts {
            suite: "s",
            scenario: &scenario,
            agent: "gullible".to_owned(),
            defense: "mmu:strict".to_owned(),
            owner: "never".to_owned(),
        };
        Filter::parse(filter).unwrap().keeps(&facts)
    }

    #[test]
    fn a_filter_keeps_what_it_says() {
        for (filter, expected) in [
            ("world in [bank, shop]", true),
            ("world in [shop]", false),
            ("world = bank and user_task = user_task_3", true),
            ("world = shop or kind = attack", true),
            ("not world = bank", false),
            ("world != shop and not (kind = benign or kind = benign-control)", true),
            ("defense = mmu:*", true),
            ("defense = *strict", true),
            ("scenario = bank/*/injection_task_1", true),
            ("scenario = 'bank/user_task_3/injection_task_1'", true),
            ("attack = *", false),
            ("attack != direct", true),
        ] {
            assert_eq!(keeps(filter), expected, "{filter}");
        }
    }

    #[test]
    fn a_bad_filter_is_named_with_its_column() {
        for (filter, expected) in [
            ("", "filter, column 1: expected a field"),
            ("wrld = bank", "filter, column 1: unknown field `wrld`, expected one of suite, world"),
            ("world bank", "filter, column 7: expected `=`, `!=` or `in`"),
            ("world in bank", "filter, column 10: expected `[`, found `bank`"),
            ("world in [bank", "filter, column 15: expected `]`, found the end"),
            (
                "world = bank kind = attack",
                "filter, column 14: expected `and` or `or`, found `kind`",
            ),
            ("(world = bank", "filter, column 14: expected `)`, found the end"),
            ("world = 'bank", "filter, column 9: the quote ' is not closed"),
            ("world = &", "filter, column 9: `&` has no meaning here"),
            ("world =", "filter, column 8: expected a word"),
        ] {
            let error = Filter::parse(filter).unwrap_err().to_string();
            assert!(error.starts_with(expected), "{filter}: {error}");
        }
    }
}
