//! What agents do, as a scenario file writes it.

use serde_json::{Map, Value, json};
use trace::call::ToolCall;
use trace::course::tools;
use trace::script::{Exemption, Note, Occasion, Part, Reaction, Script, Sight, Step};
use trace::tool::{Parameter, ParameterType, ToolSpec};

use super::words::CHANNELS;
use crate::mistake::did_you_mean;
use crate::yaml::{Content, Fields, Node, Reader};

const STEP_KEYS: &[&str] = &["call", "with", "computed", "unseen"];
const REACTION_KEYS: &[&str] = &["sees", "attack", "does", "answer", "writes"];
const OCCASIONS: &[(&str, Occasion)] = &[
    ("extract", Occasion::Extract),
    ("summarise", Occasion::Summarise),
    ("reflect", Occasion::Reflect),
];

/// The keys of a session that say what its agent does.
pub(crate) const KEYS: &[&str] = &["does", "answer", "reacts"];

/// What an agent does in a session.
pub(crate) fn part(
    reader: &mut Reader<'_>,
    session: &str,
    fields: Fields<'_>,
    tools: &[ToolSpec],
) -> Part {
    let user = script(reader, fields, tools);
    let reactions = fields.get("reacts").map(|node| reader.list(node, "`reacts`"));
    let reactions = reactions.unwrap_or_default().iter();
    let reactions = reactions.filter_map(|node| reaction(reader, node, tools)).collect();
    Part { session: session.to_owned(), user, reactions }
}

fn script(reader: &mut Reader<'_>, fields: Fields<'_>, tools: &[ToolSpec]) -> Script {
    let steps = fields.get("does").map(|node| reader.list(node, "`does`")).unwrap_or_default();
    let steps = steps.iter().filter_map(|node| step(reader, node, tools)).collect();
    let answer = fields.get("answer").and_then(|node| reader.text(node, "`answer`"));
    Script { steps, answer: answer.unwrap_or_default().to_owned() }
}

fn reaction(reader: &mut Reader<'_>, node: &Node, tools: &[ToolSpec]) -> Option<Reaction> {
    let fields = reader.fields(node, "a reaction", REACTION_KEYS)?;
    let sees = reader.required(fields, "a reaction", "sees")?;
    let sees: Vec<Sight> = if matches!(sees.content, Content::List(_)) {
        let sees = reader.list(sees, "`sees`").iter();
        sees.filter_map(|node| sight(reader, node)).collect()
    } else {
        sight(reader, sees).into_iter().collect()
    };
    let attack = fields.get("attack").and_then(|node| reader.switch(node, "`attack`"));
    let writes = fields.get("writes").and_then(|node| reader.map(node, "`writes`"));
    let mut notes = Vec::new();
    for (key, node) in writes.unwrap_or_default() {
        if let Some((_, occasion)) = OCCASIONS.iter().find(|(word, _)| *word == key.name) {
            let text = reader.text(node, &format!("`{}`", key.name));
            let text = text.unwrap_or_default().to_owned();
            notes.push(Note { occasion: *occasion, text });
        } else {
            let words: Vec<&str> = OCCASIONS.iter().map(|(word, _)| *word).collect();
            let hint = did_you_mean(&key.name, &words);
            reader.wrong(key.place, format!("nothing is written at `{}`", key.name), hint);
        }
    }
    let script = script(reader, fields, tools);
    Some(Reaction { sees, attack: attack.unwrap_or(false), script, notes })
}

fn sight(reader: &mut Reader<'_>, node: &Node) -> Option<Sight> {
    if node.text().is_some() {
        let text = reader.text(node, "a sight")?.to_owned();
        return Some(Sight { texts: vec![text], channel: None });
    }
    let fields = reader.fields(node, "a sight", &["any", "text", "channel"])?;
    let mut texts: Vec<String> = Vec::new();
    if let Some(node) = fields.get("text") {
        texts.extend(reader.text(node, "`text`").map(str::to_owned));
    }
    for node in fields.get("any").map(|node| reader.list(node, "`any`")).unwrap_or_default() {
        texts.extend(reader.text(node, "a sight").map(str::to_owned));
    }
    if texts.is_empty() {
        reader.wrong(node.place, "a sight without a text", None);
    }
    let channel = fields.get("channel").and_then(|node| reader.word(node, "`channel`", CHANNELS));
    Some(Sight { texts, channel })
}

fn step(reader: &mut Reader<'_>, node: &Node, tools: &[ToolSpec]) -> Option<Step> {
    let fields = reader.fields(node, "a step", STEP_KEYS)?;
    let call = reader.required(fields, "a step", "call")?;
    let name = reader.text(call, "`call`")?;
    let Some(parameters) = parameters_of(name, tools) else {
        let known: Vec<&str> =
            tools.iter().map(|tool| tool.name.as_str()).chain(tools::ALL.iter().copied()).collect();
        reader.wrong(call.place, format!("there is no tool `{name}`"), did_you_mean(name, &known));
        return None;
    };
    let mut args = Map::new();
    let given = fields.get("with").and_then(|node| reader.map(node, "`with`")).unwrap_or_default();
    for (key, node) in given {
        let Some(parameter) = parameters.iter().find(|one| one.name == key.name) else {
            let known: Vec<&str> = parameters.iter().map(|one| one.name.as_str()).collect();
            let hint = did_you_mean(&key.name, &known);
            reader.wrong(key.place, format!("`{name}` has no argument `{}`", key.name), hint);
            continue;
        };
        if let Some(value) = argument(reader, node, parameter) {
            args.insert(key.name.clone(), value);
        }
    }
    for parameter in parameters.iter().filter(|one| one.required) {
        if !given.iter().any(|(key, _)| key.name == parameter.name) {
            let message = format!("`{name}` needs `{}`", parameter.name);
            reader.wrong(call.place, message, None);
        }
    }
    let mut exempt = Vec::new();
    for (key, why) in [("computed", Exemption::Computed), ("unseen", Exemption::Unseen)] {
        for node in fields.get(key).map(|node| reader.list(node, key)).unwrap_or_default() {
            let Some(argument) = reader.text(node, "an argument") else { continue };
            if !args.contains_key(argument) {
                let known: Vec<&str> = args.keys().map(String::as_str).collect();
                let hint = did_you_mean(argument, &known);
                reader.wrong(node.place, format!("`{argument}` is not given here"), hint);
            }
            exempt.push((argument.to_owned(), why));
        }
    }
    Some(Step { call: ToolCall { function: name.to_owned(), args }, exempt })
}

/// A value that fits the parameter's type. A text that was written without quotes stays a text, and a
/// number that was put into a text becomes one.
pub(super) fn argument(
    reader: &mut Reader<'_>,
    node: &Node,
    parameter: &Parameter,
) -> Option<Value> {
    let json = node.json();
    let text = node.text();
    let value = match (&parameter.ty, &json) {
        (_, Value::Null) if parameter.nullable => Some(Value::Null),
        (ParameterType::Str, _) => text.map(Value::from),
        (ParameterType::Enum { values }, _) => {
            text.filter(|text| values.iter().any(|value| value == text)).map(Value::from)
        }
        (ParameterType::Int, _) => text.and_then(|text| text.parse::<i64>().ok()).map(Value::from),
        (ParameterType::Float, Value::Number(_)) => Some(json.clone()),
        (ParameterType::Float, _) => {
            text.and_then(|text| text.parse::<f64>().ok()).map(|number| json!(number))
        }
        (ParameterType::Bool, _) => {
            text.and_then(|text| text.parse::<bool>().ok()).map(Value::from)
        }
        (ParameterType::List { .. }, Value::Array(_)) | (ParameterType::Dict, Value::Object(_)) => {
            Some(json.clone())
        }
        _ => None,
    };
    if value.is_none() {
        let expected = match &parameter.ty {
            ParameterType::Str => "a text".to_owned(),
            ParameterType::Int => "a whole number".to_owned(),
            ParameterType::Float => "a number".to_owned(),
            ParameterType::Bool => "`true` or `false`".to_owned(),
            ParameterType::Dict => "a map".to_owned(),
            ParameterType::List { .. } => "a list".to_owned(),
            ParameterType::Enum { values } => format!("one of {}", values.join(", ")),
        };
        let message = format!("`{}` must be {expected}, found {}", parameter.name, node.kind());
        reader.wrong(node.place, message, None);
    }
    value
}

/// The parameters of a tool of the world or of memory.
fn parameters_of(name: &str, specs: &[ToolSpec]) -> Option<Vec<Parameter>> {
    if let Some(spec) = specs.iter().find(|spec| spec.name == name) {
        return Some(spec.parameters.clone());
    }
    let named: &[&str] = match name {
        tools::STORE => &["text"],
        tools::SEARCH => &["query"],
        tools::SCHEDULE => &["after", "instruction"],
        tools::MESSAGE => &["to", "text"],
        _ => return None,
    };
    let parameter = |name: &&str| Parameter {
        name: (*name).to_owned(),
        description: String::new(),
        ty: if *name == "after" { ParameterType::Int } else { ParameterType::Str },
        nullable: false,
        required: true,
        default: Value::Null,
    };
    Some(named.iter().map(parameter).collect())
}
