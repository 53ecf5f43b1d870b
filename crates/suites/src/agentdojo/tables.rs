//! What this project says of upstream's cases, in committed files: which values of a script need no
//! source, and what is inside the guarantee.

use std::collections::HashMap;

use scenario::guarantee::{GuaranteeError, Guarantees};
use trace::script::Exemption;

const VALUES_FILE: &str = "scenarios/agentdojo/v1.2.2/values.csv";
const VALUES: &str = include_str!("../../../../scenarios/agentdojo/v1.2.2/values.csv");
const VALUES_HEADER: &str = "task,call,argument,why";

const GUARANTEE_FILE: &str = "scenarios/agentdojo/v1.2.2/guarantee.csv";
const GUARANTEE: &str = include_str!("../../../../scenarios/agentdojo/v1.2.2/guarantee.csv");

/// A line of the file of values that cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("{VALUES_FILE}:{line}: {message}")]
pub struct ValuesError {
    /// The line, from 1.
    line: usize,
    /// What is wrong.
    message: String,
}

/// The values that need no source: by task (with its world) and call, the arguments.
#[derive(Debug, Default)]
pub(crate) struct Values(HashMap<(String, usize), Vec<(String, Exemption)>>);

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
            let entry = values.0.entry((task.to_owned(), call)).or_default();
            if entry.iter().any(|(known, _)| known == argument) {
                return Err(wrong(format!("`{task},{call},{argument}` stands here twice")));
            }
            entry.push((argument.to_owned(), why));
        }
        Ok(values)
    }

    /// The arguments of a task's call that need no source.
    pub(crate) fn of(&self, task: &str, call: usize) -> &[(String, Exemption)] {
        self.0.get(&(task.to_owned(), call)).map_or(&[], Vec::as_slice)
    }
}

/// The committed classes.
pub(crate) fn guarantees() -> Result<Guarantees, GuaranteeError> {
    Guarantees::read(GUARANTEE_FILE, GUARANTEE)
}
