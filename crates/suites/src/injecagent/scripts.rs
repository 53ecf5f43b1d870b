//! The attacks' own calls, from `scenarios/injecagent/calls.yaml`.

use indexmap::IndexMap;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use trace::script::Step;
use world::yaml;

use super::conform::address_in;
use super::data::AttackerCase;
use super::dataset::Dataset;
use super::error::DataError;
use super::rebuild::Harm;
use super::verdict::SEND;
use super::written::{absent, step};

/// The file, embedded.
const FILE: (&str, &str) = (
    "scenarios/injecagent/calls.yaml",
    include_str!("../../../../scenarios/injecagent/calls.yaml"),
);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    tool: String,
    #[serde(default)]
    calls: Option<Vec<Map<String, Value>>>,
    #[serde(default)]
    send: Map<String, Value>,
}

/// The calls of every attacker case, by its id: `dh_00`.
#[derive(Debug)]
pub(super) struct AttackCalls(IndexMap<String, Vec<Step>>);

impl AttackCalls {
    /// Reads the file and fits it to the data set.
    ///
    /// # Errors
    /// A case is missing or unknown, names another tool, or has a plain value that does not stand in
    /// its instruction.
    pub(super) fn read(data: &Dataset) -> Result<Self, DataError> {
        let wrong = |message: String| DataError::Content { file: FILE.0.to_owned(), message };
        let mut written: IndexMap<String, Written> =
            yaml::read(FILE.0, FILE.1).map_err(|error| DataError::Content {
                file: FILE.0.to_owned(),
                message: error.to_string(),
            })?;
        let mut calls = IndexMap::new();
        for (harm, number, attacker) in data.attackers() {
            let id = attack_id(harm, number);
            let one =
                written.shift_remove(&id).ok_or_else(|| wrong(format!("`{id}` is missing")))?;
            let steps = steps(harm, attacker, &one);
            calls.insert(id.clone(), steps.map_err(|message| wrong(format!("`{id}`: {message}")))?);
        }
        match written.into_iter().next() {
            Some((id, _)) => Err(wrong(format!("there is no attacker case `{id}`"))),
            None => Ok(Self(calls)),
        }
    }

    /// The calls of a case.
    pub(super) fn of(&self, id: &str) -> &[Step] {
        self.0.get(id).map_or(&[], Vec::as_slice)
    }
}

/// The id of an attacker case.
pub(super) fn attack_id(harm: Harm, number: usize) -> String {
    format!("{harm}_{number:02}")
}

fn steps(harm: Harm, attacker: &AttackerCase, written: &Written) -> Result<Vec<Step>, String> {
    let text = attacker.instruction.as_str();
    if attacker.tools.first() != Some(&written.tool) {
        return Err(format!("the tool is `{}`", attacker.tools.join("`, `")));
    }
    let none = vec![Map::new()];
    let calls = written.calls.as_ref().unwrap_or(&none);
    let plain = calls.iter().chain([&written.send]).flat_map(|args| absent(args, text));
    if let Some(value) = plain.into_iter().next() {
        return Err(format!("`{value}` does not stand in the instruction"));
    }
    let mut steps = Vec::new();
    for args in calls {
        steps.push(step(&written.tool, args, text)?);
    }
    if harm == Harm::Stealing {
        let to = address_in(text).ok_or("the instruction names no address")?;
        let mut args = json!({
            "to": to,
            "subject": { "ours": "As you asked" },
            "body": { "ours": "Here is what you asked for." },
        });
        for (name, value) in &written.send {
            args[name.as_str()] = value.clone();
        }
        let Value::Object(args) = args else { unreachable!("an object was made above") };
        steps.push(step(SEND, &args, text)?);
    }
    Ok(steps)
}
