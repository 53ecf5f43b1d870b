//! What this project says of upstream's cases, in committed files: which values of a script need no
//! source, and what is inside the guarantee.
//!
//! The file of values serves every version: nothing else is needed in an earlier one. The classes of
//! `v1.2.2` are whole; those in `earlier` hold what was otherwise before: a line applies to its `until`
//! and to the versions before it, as far as no line of the case with an earlier `until` does.

use std::collections::HashMap;

use scenario::guarantee::{Class, GuaranteeError, Guarantees, HEADER};
use trace::profile::Profile;
use trace::script::Exemption;

use super::VERSIONS;

const VALUES_FILE: &str = "scenarios/agentdojo/v1.2.2/values.csv";
const VALUES: &str = include_str!("../../../../scenarios/agentdojo/v1.2.2/values.csv");
const VALUES_HEADER: &str = "task,call,argument,why";

const LATEST_FILE: &str = "scenarios/agentdojo/v1.2.2/guarantee.csv";
const LATEST: &str = include_str!("../../../../scenarios/agentdojo/v1.2.2/guarantee.csv");

const EARLIER_FILE: &str = "scenarios/agentdojo/earlier/guarantee.csv";
const EARLIER: &str = include_str!("../../../../scenarios/agentdojo/earlier/guarantee.csv");

/// A line of the file of values that cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("{VALUES_FILE}:{line}: {message}")]
pub struct ValuesError {
    /// The line, from 1.
    line: usize,
    /// What is wrong.
    message: String,
}

/// The arguments of a call that need no source, with the reason.
type Exempt = Vec<(String, Exemption)>;

/// The values that need no source: by task (with its world), those of each call.
#[derive(Debug, Default)]
pub(crate) struct Values(HashMap<String, HashMap<usize, Exempt>>);

impl Values {
    /// The committed file.
    pub(crate) fn read() -> Result<Self, ValuesError> {
        let mut values = Self::default();
        for (at, line) in VALUES.lines().enumerate() {
            let wrong = |message: String| ValuesError { line: at + 1, message };
            if at == 0 {
                if line != VALUES_HEADER {
                    return Err(wrong(format!("expected the header `{VALUES_HEADER}`")));
                }
                continue;
            }
            let fields: Vec<&str> = line.split(',').collect();
            let [task, call, argument, why] = fields[..] else {
                return Err(wrong("expected four fields".to_owned()));
            };
            let call = call.parse().map_err(|_| wrong(format!("`{call}` is no call's number")))?;
            let why = Exemption::parse(why).ok_or_else(|| wrong(format!("unknown `{why}`")))?;
            let task_values = values.0.entry(task.to_owned()).or_default();
            let entry = task_values.entry(call).or_default();
            if entry.iter().any(|(known, _)| known == argument) {
                return Err(wrong(format!("`{task},{call},{argument}` stands here twice")));
            }
            entry.push((argument.to_owned(), why));
        }
        Ok(values)
    }

    /// The arguments of a task's call that need no source.
    pub(crate) fn of(&self, task: &str, call: usize) -> &[(String, Exemption)] {
        self.0.get(task).and_then(|calls| calls.get(&call)).map_or(&[], Vec::as_slice)
    }
}

/// The committed classes.
#[derive(Debug)]
pub(crate) struct Classes {
    /// What was otherwise in the version that is served.
    earlier: Guarantees,
    latest: Guarantees,
}

impl Classes {
    /// The committed files, for a version.
    pub(crate) fn read(version: &str) -> Result<Self, GuaranteeError> {
        Ok(Self {
            earlier: earlier(EARLIER, version)?,
            latest: Guarantees::read(LATEST_FILE, LATEST)?,
        })
    }

    /// The classes of a case by profile.
    pub(crate) fn of(&self, user_task: &str, injection_task: &str) -> Option<&[(Profile, Class)]> {
        let earlier = self.earlier.of(user_task, injection_task);
        earlier.or_else(|| self.latest.of(user_task, injection_task))
    }
}

/// The classes that a version has, of a file of earlier ones.
fn earlier(text: &str, version: &str) -> Result<Guarantees, GuaranteeError> {
    let place = |version: &str| VERSIONS.iter().position(|known| *known == version);
    let wrong = |at: usize, message: String| GuaranteeError {
        file: EARLIER_FILE.to_owned(),
        line: at + 1,
        message,
    };
    let mut applying: Vec<(&str, usize, &str)> = Vec::new();
    for (at, line) in text.lines().enumerate() {
        let (until, rest) = line.split_once(',').unwrap_or((line, ""));
        if at == 0 {
            if until != "until" || rest != HEADER {
                return Err(wrong(at, format!("expected the header `until,{HEADER}`")));
            }
            continue;
        }
        let until = place(until).ok_or_else(|| wrong(at, format!("unknown version `{until}`")))?;
        let case = rest.match_indices(',').nth(1).map_or(rest, |(end, _)| &rest[..end]);
        if place(version).is_none_or(|version| version > until) {
            continue;
        }
        match applying.iter_mut().find(|(known, _, _)| *known == case) {
            Some(known) if known.1 > until => *known = (case, until, rest),
            Some(known) if known.1 == until => {
                return Err(wrong(at, format!("`{case}` stands here twice")));
            }
            Some(_) => {}
            None => applying.push((case, until, rest)),
        }
    }
    let lines = [HEADER].into_iter().chain(applying.into_iter().map(|(_, _, line)| line));
    Guarantees::read(EARLIER_FILE, &lines.collect::<Vec<_>>().join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_with_the_earliest_version_applies() {
        let line =
            |until: &str, class: &str| format!("{until},b/u,b/i,{class},{class},{class},{class}\n");
        let head = format!("until,{HEADER}\n");
        let text = head.clone() + &line("v1.2", "inside") + &line("v1.1", "selection");
        let class = |version: &str| {
            earlier(&text, version).unwrap().of("b/u", "b/i").map(|classes| classes[0].1)
        };
        assert_eq!(class("v1"), Some(Class::Selection));
        assert_eq!(class("v1.1"), Some(Class::Selection));
        assert_eq!(class("v1.1.1"), Some(Class::Inside));
        assert_eq!(class("v1.2"), Some(Class::Inside));
        assert_eq!(class("v1.2.1"), None);
        for (text, expected) in [
            (
                "until\n".to_owned(),
                "scenarios/agentdojo/earlier/guarantee.csv:1: expected the header",
            ),
            (
                head.clone() + &line("v9", "inside"),
                "scenarios/agentdojo/earlier/guarantee.csv:2: unknown",
            ),
            (
                head + &line("v1", "inside") + &line("v1", "inside"),
                "scenarios/agentdojo/earlier/guarantee.csv:3: `b/u,b/i` stands here twice",
            ),
        ] {
            let error = earlier(&text, "v1").unwrap_err().to_string();
            assert!(error.starts_with(expected), "{error}");
        }
    }
}
