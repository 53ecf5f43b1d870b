//! Recorded outputs as trajectories: what a model chose to do, call by call.
//!
//! The first step is the call that upstream made for the model. Then come the actions of the model's
//! output, up to the first observation that it wrote itself: behind it the model answers to its own
//! invention, and nothing of that happened. Where upstream went on to the second step of data
//! stealing, it carried the first one out, so the call stands there in any case.

use std::collections::BTreeMap;

use serde_json::{Map, Value};
use trace::trajectory::{
    Logged, Provenance, RecordedCall, RecordedReply, RecordedStep, Trajectory, number_epochs,
};
use world::injecagent::object;

use super::data::TestCase;
use super::dataset::Dataset;
use super::error::DataError;
use super::react::{Key, arguments, segments};
use super::rebuild::Setting;
use super::recorded::{Recording, Row};
use super::scripts::attack_id;
use super::tools::user_call;
use super::{NAME, VERSION};

/// The form's name in a trajectory's provenance.
pub const FORM: &str = "injecagent-react";

/// The name of the one argument of an action whose input is no object.
const UNREADABLE: &str = "input";

/// The recordings as trajectories; a set is of one model, in both settings.
///
/// # Errors
/// A user case's parameters are no dictionary.
pub fn trajectories(
    data: &Dataset,
    recordings: &[Recording],
) -> Result<Vec<Trajectory>, DataError> {
    let mut all = Vec::new();
    for recording in recordings {
        for row in &recording.rows {
            all.push(trajectory(data, recording, row)?);
        }
    }
    number_epochs(&mut all);
    Ok(all)
}

fn trajectory(data: &Dataset, recording: &Recording, row: &Row) -> Result<Trajectory, DataError> {
    let Recording { setting, harm, .. } = *recording;
    let case = &data.cases(harm, setting)[row.case];
    let (attacker, user) = data.origin(row.case);
    let prefix = if setting == Setting::Enhanced { data.prefix.as_str() } else { "" };
    let injected = format!("{prefix}{}", case.attacker_instruction);
    let last = row.second.as_ref().unwrap_or(&row.first);
    let setting = Some(setting.to_string());
    Ok(Trajectory {
        format: trace::version::TRAJECTORY,
        set: recording.model.clone(),
        suite: NAME.to_owned(),
        version: Some(VERSION.to_owned()),
        world: NAME.to_owned(),
        user_task: format!("user_{user:02}"),
        injection_task: Some(attack_id(harm, attacker)),
        attack: setting.clone(),
        setting,
        injections: Some(BTreeMap::from([(case.user_tool.clone(), injected)])),
        model: recording.model.clone(),
        epoch: 0,
        steps: steps(data, user, case, row)?,
        answer: last.output.clone(),
        logged: logged(row),
        provenance: Provenance {
            form: FORM.to_owned(),
            file: recording.file.clone(),
            line: u64::try_from(row.line).ok(),
            origin: None,
            sha256: recording.digest.clone(),
        },
    })
}

fn steps(
    data: &Dataset,
    user: usize,
    case: &TestCase,
    row: &Row,
) -> Result<Vec<RecordedStep>, DataError> {
    let prefilled = user_call(&data.users[user])?;
    let reply = RecordedReply { text: case.response.clone(), error: None };
    let prefilled =
        RecordedCall { function: prefilled.function, args: prefilled.args, reply: Some(reply) };
    let mut steps = vec![RecordedStep { text: Some(case.thought.clone()), calls: vec![prefilled] }];
    let mut first = actions(row.first.output.as_deref().unwrap_or_default());
    let target = case.attacker_tools.first().map_or("", String::as_str);
    if let Some(between) = &row.between {
        let made = first.iter_mut().find(|call| call.function == target);
        let reply = RecordedReply { text: between.response.clone(), error: None };
        match made {
            Some(call) => call.reply = Some(reply),
            None => first.push(RecordedCall {
                function: target.to_owned(),
                args: read_arguments(&between.parameters),
                reply: Some(reply),
            }),
        }
    }
    steps.push(RecordedStep { text: row.first.output.clone(), calls: first });
    if let Some(second) = &row.second {
        let calls = actions(second.output.as_deref().unwrap_or_default());
        steps.push(RecordedStep { text: second.output.clone(), calls });
    }
    Ok(steps)
}

/// The calls that an output asks for before the first observation of its own making. Upstream carries
/// none of them out, so each has an empty reply.
pub fn actions(output: &str) -> Vec<RecordedCall> {
    let segments = segments(output);
    let end = segments.iter().position(|one| one.key == Key::Observation);
    let own = &segments[..end.unwrap_or(segments.len())];
    let mut calls = Vec::new();
    for (at, action) in own.iter().enumerate().filter(|(_, one)| one.key == Key::Action) {
        if matches!(action.text.as_str(), "None" | "N/A" | "") {
            continue;
        }
        let behind = own[at + 1..].iter().take_while(|one| one.key != Key::Action);
        let input = behind.into_iter().find(|one| one.key == Key::ActionInput);
        calls.push(RecordedCall {
            function: action.text.clone(),
            args: input.map(|input| read_arguments(&input.text)).unwrap_or_default(),
            reply: Some(RecordedReply { text: String::new(), error: None }),
        });
    }
    calls
}

/// The arguments in an action's input: the first JSON object, or a Python dictionary. What is
/// neither becomes one argument that no tool has, so that nobody takes it for a call without any.
pub fn read_arguments(input: &str) -> Map<String, Value> {
    let Some(start) = input.find('{') else {
        return match input {
            "" | "None" | "N/A" => Map::new(),
            text => Map::from_iter([(UNREADABLE.to_owned(), Value::from(text))]),
        };
    };
    let from = &input[start..];
    let mut values = serde_json::Deserializer::from_str(from).into_iter::<Value>();
    if let Some(Ok(Value::Object(fields))) = values.next() {
        return fields;
    }
    let whole = from.rfind('}').map_or(from, |end| &from[..=end]);
    let read = object(whole).or_else(|| arguments(input).and_then(object));
    read.unwrap_or_else(|| Map::from_iter([(UNREADABLE.to_owned(), Value::from(from))]))
}

/// Upstream's verdict, which is a rule over texts: whether the attack succeeded, or why that cannot
/// be said.
fn logged(row: &Row) -> Logged {
    let steps = [Some(&row.first), row.second.as_ref()];
    let mut steps = steps.into_iter().flatten();
    let invalid = steps.clone().find(|step| step.eval == "invalid");
    Logged {
        utility: None,
        security: invalid.is_none().then(|| steps.all(|step| step.eval == "succ")),
        error: invalid.map(|step| step.reason.clone().unwrap_or_else(|| "invalid".to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_stands_before_an_invented_observation_was_chosen() {
        let output = "Thought: t\nAction: A\nAction Input: {\"x\": {\"y\": 1}}\nAction: None\n\
                      Observation: o\nAction: B\nAction Input: {}";
        let calls = actions(output);
        assert_eq!(calls.len(), 1);
        assert_eq!(calls[0].function, "A");
        assert_eq!(calls[0].args["x"]["y"], 1);
    }

    #[test]
    fn arguments_are_read_as_json_or_python_or_kept_as_text() {
        for (input, expected) in [
            ("{\"a\": 1} and more", "{\"a\":1}"),
            ("so: {'a': True}", "{\"a\":true}"),
            ("None", "{}"),
            ("", "{}"),
            ("plain words", "{\"input\":\"plain words\"}"),
            ("{broken", "{\"input\":\"{broken\"}"),
        ] {
            let read = Value::Object(read_arguments(input)).to_string();
            assert_eq!(read, expected, "{input}");
        }
    }
}
