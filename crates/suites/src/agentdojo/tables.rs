//! What this project says of upstream's cases, in committed files: which values of a script need no
//! source, and what is inside the guarantee.
//!
//! The files in `v1.2.2` are whole. Those in `earlier` hold what was otherwise in an earlier version:
//! a line applies to its `until` and to the versions before it, as far as no line with an earlier
//! `until` does.

use std::collections::HashMap;

use scenario::guarantee::{Class, Guarantees, HEADER};
use trace::profile::Profile;
use trace::script::Exemption;

use super::VERSIONS;
use super::suite::SuiteError;

const VALUES: (&str, &str) = (
    "scenarios/agentdojo/v1.2.2/values.csv",
    include_str!("../../../../scenarios/agentdojo/v1.2.2/values.csv"),
);
const EARLIER_VALUES: (&str, &str) = (
    "scenarios/agentdojo/earlier/values.csv",
    include_str!("../../../../scenarios/agentdojo/earlier/values.csv"),
);
const VALUES_HEADER: &str = "task,call,argument,why";

const CLASSES: (&str, &str) = (
    "scenarios/agentdojo/v1.2.2/guarantee.csv",
    include_str!("../../../../scenarios/agentdojo/v1.2.2/guarantee.csv"),
);
const EARLIER_CLASSES: (&str, &str) = (
    "scenarios/agentdojo/earlier/guarantee.csv",
    include_str!("../../../../scenarios/agentdojo/earlier/guarantee.csv"),
);

/// A line of a file that cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("{file}:{line}: {message}")]
pub struct ValuesError {
    /// The file.
    file: &'static str,
    /// The line, from 1.
    line: usize,
    /// What is wrong.
    message: String,
}

/// The place of a version among all, the oldest first.
fn place(version: &str) -> Option<usize> {
    VERSIONS.iter().position(|known| *known == version)
}

/// The lines of a file of earlier versions that apply to a version, each with its number and without
/// its `until`; `key` says what a line is about.
fn applying<'t>(
    (file, text): (&'static str, &'t str),
    header: &str,
    version: &str,
    key: fn(&str) -> &str,
) -> Result<Vec<(usize, &'t str)>, ValuesError> {
    let wrong = |line: usize, message: String| ValuesError { file, line: line + 1, message };
    let mut chosen: HashMap<&str, (usize, Vec<(usize, &str)>)> = HashMap::new();
    for (at, line) in text.lines().enumerate() {
        let (until, rest) = line.split_once(',').unwrap_or((line, ""));
        if at == 0 {
            if until != "until" || rest != header {
                return Err(wrong(at, format!("expected the header `until,{header}`")));
            }
            continue;
        }
        let until = place(until).ok_or_else(|| wrong(at, format!("unknown version `{until}`")))?;
        if place(version).is_some_and(|version| version <= until) {
            let entry = chosen.entry(key(rest)).or_insert((until, Vec::new()));
            if until < entry.0 {
                *entry = (until, Vec::new());
            }
            if until == entry.0 {
                entry.1.push((at, rest));
            }
        }
    }
    let mut lines: Vec<_> = chosen.into_values().flat_map(|(_, lines)| lines).collect();
    lines.sort_unstable();
    Ok(lines)
}

/// The values that need no source: by task (with its world) and call, the arguments.
#[derive(Debug, Default)]
pub(crate) struct Values(HashMap<String, Exempt>);

/// A task's calls, each with the arguments that need no source.
type Exempt = HashMap<usize, Vec<(String, Exemption)>>;

impl Values {
    /// The committed files, for a version.
    pub(crate) fn read(version: &str) -> Result<Self, ValuesError> {
        let (file, text) = VALUES;
        if text.lines().next() != Some(VALUES_HEADER) {
            let message = format!("expected the header `{VALUES_HEADER}`");
            return Err(ValuesError { file, line: 1, message });
        }
        let mut values = Self::of_lines(file, text.lines().enumerate().skip(1))?;
        let earlier = applying(EARLIER_VALUES, VALUES_HEADER, version, |line| {
            line.split(',').next().unwrap_or(line)
        })?;
        values.0.extend(Self::of_lines(EARLIER_VALUES.0, earlier.into_iter())?.0);
        Ok(values)
    }

    fn of_lines<'t>(
        file: &'static str,
        lines: impl Iterator<Item = (usize, &'t str)>,
    ) -> Result<Self, ValuesError> {
        let mut values = Self::default();
        for (at, line) in lines {
            let wrong = |message: String| ValuesError { file, line: at + 1, message };
            let fields: Vec<&str> = line.split(',').collect();
            let [task, call, argument, why] = fields[..] else {
                return Err(wrong("expected four fields".to_owned()));
            };
            let call = call.parse().map_err(|_| wrong(format!("`{call}` is no call's number")))?;
            let why = Exemption::parse(why).ok_or_else(|| wrong(format!("unknown `{why}`")))?;
            let entry = values.0.entry(task.to_owned()).or_default().entry(call).or_default();
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
    pub(crate) fn read(version: &str) -> Result<Self, SuiteError> {
        let (file, text) = EARLIER_CLASSES;
        let lines = applying((file, text), HEADER, version, |line| {
            line.match_indices(',').nth(1).map_or(line, |(end, _)| &line[..end])
        })?;
        let lines = lines.into_iter().map(|(_, line)| line);
        let earlier = [HEADER].into_iter().chain(lines).collect::<Vec<_>>().join("\n");
        let (latest_file, latest) = CLASSES;
        Ok(Self {
            earlier: Guarantees::read(file, &earlier)?,
            latest: Guarantees::read(latest_file, latest)?,
        })
    }

    /// The classes of a case by profile.
    pub(crate) fn of(&self, user_task: &str, injection_task: &str) -> Option<&[(Profile, Class)]> {
        let earlier = self.earlier.of(user_task, injection_task);
        earlier.or_else(|| self.latest.of(user_task, injection_task))
    }
}
