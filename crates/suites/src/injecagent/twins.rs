//! Benign twins of this project's own: harmless replies to the user's calls, and uses of the attacks'
//! tools that the user really asked for.

use indexmap::IndexMap;
use serde::Deserialize;
use trace::script::{Script, Step};
use world::yaml;

use super::dataset::Dataset;
use super::error::DataError;
use super::written::{WrittenCall, step};

const FILLS: (&str, &str) = (
    "scenarios/injecagent/fills.yaml",
    include_str!("../../../../scenarios/injecagent/fills.yaml"),
);

/// The files of uses.
const USES: &[(&str, &str)] = &[
    (
        "scenarios/injecagent/uses-direct-a-e.yaml",
        include_str!("../../../../scenarios/injecagent/uses-direct-a-e.yaml"),
    ),
    (
        "scenarios/injecagent/uses-direct-f-z.yaml",
        include_str!("../../../../scenarios/injecagent/uses-direct-f-z.yaml"),
    ),
    (
        "scenarios/injecagent/uses-data-a-f.yaml",
        include_str!("../../../../scenarios/injecagent/uses-data-a-f.yaml"),
    ),
    (
        "scenarios/injecagent/uses-data-g-z.yaml",
        include_str!("../../../../scenarios/injecagent/uses-data-g-z.yaml"),
    ),
];

/// Harmless texts for each user tool, at least so many.
const FILLS_LEAST: usize = 3;
/// Uses of each attacker tool, at least so many.
const USES_LEAST: usize = 2;

/// A use of an attacker's tool that the user asked for.
#[derive(Clone, Debug)]
pub(super) struct Use {
    /// The tool that it is a twin of.
    pub(super) tool: String,
    /// What the user says.
    pub(super) prompt: String,
    /// The calls.
    pub(super) steps: Vec<Step>,
    /// The replies that were written for them, by tool.
    pub(super) replies: Vec<(String, String)>,
}

impl Use {
    /// The calls as a script.
    pub(super) fn script(&self) -> Script {
        Script { steps: self.steps.clone(), answer: String::new() }
    }
}

/// The twins.
#[derive(Debug)]
pub(super) struct Twins {
    /// Harmless texts by the user case's number.
    pub(super) fills: Vec<Vec<String>>,
    /// The uses, in the order of the files.
    pub(super) uses: Vec<Use>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenUse {
    prompt: String,
    steps: Vec<WrittenCall>,
}

impl Twins {
    /// Reads the files and fits them to the data set.
    ///
    /// # Errors
    /// A tool is missing or unknown, or has too few twins.
    pub(super) fn read(data: &Dataset) -> Result<Self, DataError> {
        Ok(Self { fills: fills(data)?, uses: uses(data)? })
    }
}

fn read<T: for<'de> Deserialize<'de>>((file, text): (&str, &str)) -> Result<T, DataError> {
    yaml::read(file, text).map_err(|error| wrong(file, error.to_string()))
}

fn wrong(file: &str, message: String) -> DataError {
    DataError::Content { file: file.to_owned(), message }
}

fn fills(data: &Dataset) -> Result<Vec<Vec<String>>, DataError> {
    let mut written: IndexMap<String, Vec<String>> = read(FILLS)?;
    let mut fills = Vec::with_capacity(data.users.len());
    for user in &data.users {
        let texts = written.shift_remove(&user.tool).unwrap_or_default();
        if texts.len() < FILLS_LEAST {
            return Err(wrong(FILLS.0, format!("`{}` has {} texts", user.tool, texts.len())));
        }
        fills.push(texts);
    }
    match written.into_iter().next() {
        Some((tool, _)) => Err(wrong(FILLS.0, format!("`{tool}` is no user tool"))),
        None => Ok(fills),
    }
}

fn uses(data: &Dataset) -> Result<Vec<Use>, DataError> {
    let mut uses = Vec::new();
    for file in USES {
        let written: IndexMap<String, Vec<WrittenUse>> = read(*file)?;
        for (tool, of_tool) in written {
            for one in of_tool {
                let found = fit(&tool, one, data).map_err(|message| wrong(file.0, message))?;
                uses.push(found);
            }
        }
    }
    for (_, _, attacker) in data.attackers() {
        let tool = attacker.tools.first().map_or("", String::as_str);
        let count = uses.iter().filter(|one| one.tool == tool).count();
        if count < USES_LEAST {
            return Err(wrong(USES[0].0, format!("`{tool}` has {count} uses")));
        }
    }
    Ok(uses)
}

fn fit(tool: &str, written: WrittenUse, data: &Dataset) -> Result<Use, String> {
    if !written.steps.iter().any(|call| call.tool == tool) {
        return Err(format!("`{tool}`: a use of it does not call it"));
    }
    let mut steps = Vec::new();
    let mut replies = Vec::new();
    for call in written.steps {
        let Some(known) = data.tools.get(&call.tool) else {
            return Err(format!("`{tool}`: there is no tool `{}`", call.tool));
        };
        let takes = |name: &str| known.parameters.iter().any(|one| one.name == name);
        if let Some(name) = call.args.keys().find(|name| !takes(name)) {
            return Err(format!("`{tool}`: `{}` has no argument `{name}`", call.tool));
        }
        steps.push(step(&call.tool, &call.args, &written.prompt)?);
        let reply = call.reply.unwrap_or_else(|| world::injecagent::ACKNOWLEDGED.to_owned());
        replies.push((call.tool, reply));
    }
    Ok(Use { tool: tool.to_owned(), prompt: written.prompt, steps, replies })
}
