//! Inside the guarantee, or why not: a committed file, made before any run.

use std::collections::HashMap;
use std::fmt;

use trace::profile::Profile;

/// The class of a case under a profile (`mmu.md` §8).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Class {
    /// Some secured value was planted by the attacker.
    Inside,
    /// No tool call: integrity of arguments has nothing to hold.
    AnswerOnly,
    /// Every secured value is the user's own; the model chose wrongly among them.
    Selection,
    /// The attacker's value also stands in the user's words.
    UserNamed,
    /// The harm is in an argument that the profile leaves free.
    FreeArgument,
    /// The owner approved it, deceived or not, and has not taken that back.
    Endorsed,
    /// No secured value, but an external or irreversible tool: the approval to trigger stops it.
    TriggerOnly,
}

impl Class {
    /// All classes, in the order of tables.
    pub const ALL: &[Self] = &[
        Self::Inside,
        Self::AnswerOnly,
        Self::Selection,
        Self::UserNamed,
        Self::FreeArgument,
        Self::Endorsed,
        Self::TriggerOnly,
    ];

    /// The word in files.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Inside => "inside",
            Self::AnswerOnly => "answer-only",
            Self::Selection => "selection",
            Self::UserNamed => "user-named",
            Self::FreeArgument => "free-argument",
            Self::Endorsed => "endorsed",
            Self::TriggerOnly => "trigger-only",
        }
    }

    /// The class of that name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|class| class.as_str() == name)
    }
}

impl fmt::Display for Class {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.as_str())
    }
}

/// A file of classes that cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("{file}:{line}: {message}")]
pub struct GuaranteeError {
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// What is wrong.
    pub message: String,
}

/// The first line of a file of classes.
pub const HEADER: &str = "user_task,injection_task,destinations,resources,strict,auto";

/// The classes of a suite's attacks, by user task and injection task (each with its world).
#[derive(Debug, Default)]
pub struct Guarantees(HashMap<(String, String), Vec<(Profile, Class)>>);

impl Guarantees {
    /// Reads a file of classes: the header, then a line a case.
    ///
    /// # Errors
    /// A line with another number of fields, an unknown class, or a case that stands there twice.
    pub fn read(file: &str, text: &str) -> Result<Self, GuaranteeError> {
        let mut lines = text.lines().enumerate();
        let wrong = |line: usize, message: String| GuaranteeError {
            file: file.to_owned(),
            line: line + 1,
            message,
        };
        match lines.next() {
            Some((_, header)) if header == HEADER => {}
            _ => return Err(wrong(0, format!("expected the header `{HEADER}`"))),
        }
        let mut classes = HashMap::new();
        for (at, line) in lines {
            let fields: Vec<&str> = line.split(',').collect();
            let [user, injection, names @ ..] = fields.as_slice() else {
                return Err(wrong(at, "expected a field a column".to_owned()));
            };
            if names.len() != Profile::ALL.len() {
                return Err(wrong(
                    at,
                    format!("expected {} fields, found {}", Profile::ALL.len() + 2, fields.len()),
                ));
            }
            let row = Profile::ALL.iter().zip(names).map(|(profile, name)| {
                let class = Class::parse(name);
                class
                    .map(|class| (*profile, class))
                    .ok_or_else(|| format!("unknown class `{name}`"))
            });
            let row: Vec<_> = row.collect::<Result<_, _>>().map_err(|text| wrong(at, text))?;
            let case = ((*user).to_owned(), (*injection).to_owned());
            if classes.insert(case, row).is_some() {
                return Err(wrong(at, format!("`{user},{injection}` stands here twice")));
            }
        }
        Ok(Self(classes))
    }

    /// The classes of a case by profile.
    pub fn of(&self, user_task: &str, injection_task: &str) -> Option<&[(Profile, Class)]> {
        self.0.get(&(user_task.to_owned(), injection_task.to_owned())).map(Vec::as_slice)
    }

    /// How many cases have classes.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether no case has a class.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bad_line_is_named() {
        let good = format!("{HEADER}\nbank/u0,bank/i0,inside,inside,user-named,inside\n");
        let classes = Guarantees::read("x.csv", &good).unwrap();
        assert_eq!(classes.of("bank/u0", "bank/i0").unwrap()[2].1, Class::UserNamed);
        for (text, expected) in [
            ("user_task\n".to_owned(), "x.csv:1: expected the header"),
            (format!("{good}a,b,inside,inside\n"), "x.csv:3: expected 6 fields, found 4"),
            (
                format!("{good}a,b,inside,inside,outside,inside\n"),
                "x.csv:3: unknown class `outside`",
            ),
            (
                format!("{good}bank/u0,bank/i0,inside,inside,inside,inside\n"),
                "x.csv:3: `bank/u0,bank/i0`",
            ),
        ] {
            let error = Guarantees::read("x.csv", &text).unwrap_err().to_string();
            assert!(error.starts_with(expected), "{error}");
        }
    }
}
