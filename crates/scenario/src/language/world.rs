//! World files: a world's state, its tools, and the owner's records.

use std::sync::Arc;

use serde_json::{Map, Value};
use trace::tool::{
    ArgumentCapability, Capability, Channel, Effect, Kind, Parameter, ParameterType, Role, ToolSpec,
};
use world::automatic;
use world::declared::{Answer, Behaviour, Change, Declaration, Path, Segment, Text};

use crate::mistake::{Mistakes, did_you_mean};
use crate::oracle::{Shape, of_world};
use crate::yaml::{Content, Fields, Node, Place, Reader, read};

/// A world as a file declares it.
#[derive(Clone, Debug)]
pub struct WorldFile {
    /// The world.
    pub declaration: Arc<Declaration>,
    /// The owner's records: what stands in memory before anything happens.
    pub records: Vec<String>,
    /// The shape of its state.
    pub shape: Shape,
}

/// What may stand in a world file.
pub(crate) const KEYS: &[&str] = &["format", "world", "about", "state", "tools", "records"];
pub(crate) const TOOL_KEYS: &[&str] =
    &["name", "about", "effect", "channel", "resource", "arguments", "does", "reply"];
pub(crate) const ARGUMENT_KEYS: &[&str] =
    &["type", "about", "role", "kind", "optional", "default", "absent_safe", "safe_values"];
const CHANGES: &[&str] = &["require", "append", "set", "extend", "remove"];
pub(crate) const CHANGE_KEYS: &[&str] = &["require", "append", "set", "extend", "remove", "where"];

pub(crate) const EFFECTS: &[(&str, Effect)] = &[
    ("read", Effect::Read),
    ("write", Effect::Write),
    ("external", Effect::External),
    ("irreversible", Effect::Irreversible),
];
pub(crate) const ROLES: &[(&str, Role)] = &[
    ("destination", Role::Destination),
    ("resource", Role::Resource),
    ("value", Role::Value),
    ("free", Role::Free),
];
pub(crate) const KINDS: &[(&str, Kind)] = &[
    ("identifier", Kind::Identifier),
    ("path", Kind::Path),
    ("secret", Kind::Secret),
    ("name", Kind::Name),
    ("address", Kind::Address),
    ("account", Kind::Account),
    ("url", Kind::Url),
    ("number", Kind::Number),
    ("amount", Kind::Amount),
    ("date", Kind::Date),
    ("time", Kind::Time),
    ("boolean", Kind::Boolean),
    ("enumeration", Kind::Enumeration),
    ("text", Kind::Text),
];
/// The channels that a tool's reply may come in by.
pub(crate) const CHANNELS: &[(&str, Channel)] = &[
    ("tool", Channel::Tool),
    ("web", Channel::Web),
    ("file", Channel::File),
    ("mail", Channel::Mail),
];

/// The one version of the language.
pub(crate) const FORMAT: &str = "1";

/// Reads a world file.
///
/// # Errors
/// Everything that is wrong in it.
pub fn read_world(file: &str, source: &str) -> Result<WorldFile, Mistakes> {
    let root = read(file, source).map_err(Mistakes)?;
    let mut reader = Reader::new(file, source);
    let world = world(&mut reader, &root);
    match world {
        Some(world) if reader.mistakes.is_empty() => Ok(world),
        _ => Err(Mistakes(reader.mistakes.into_iter().collect())),
    }
}

fn world(reader: &mut Reader<'_>, root: &Node) -> Option<WorldFile> {
    let fields = reader.fields(root, "a world", KEYS)?;
    format(reader, fields, "a world");
    let name = reader.required(fields, "a world", "world");
    let name = name.and_then(|node| reader.text(node, "`world`"));
    let initial = match reader.required(fields, "a world", "state") {
        Some(node) => {
            reader.map(node, "`state`");
            node.json()
        }
        None => Value::Null,
    };
    let (mut specs, mut behaviours): (Vec<ToolSpec>, Vec<Behaviour>) = (Vec::new(), Vec::new());
    let tools = reader.required(fields, "a world", "tools");
    for node in tools.map(|node| reader.list(node, "`tools`")).unwrap_or_default() {
        let Some((spec, behaviour)) = tool(reader, node, &initial) else { continue };
        if specs.iter().any(|known| known.name == spec.name) {
            let place = node.get("name").map_or(node.place, |name| name.place);
            reader.wrong(place, format!("there are two tools `{}`", spec.name), None);
        }
        specs.push(spec);
        behaviours.push(behaviour);
    }
    let records = fields.get("records").map(|node| reader.list(node, "`records`"));
    let records = records.unwrap_or_default().iter();
    let records = records.filter_map(|node| reader.text(node, "a record").map(str::to_owned));
    let records: Vec<String> = records.collect();
    let name = name?.to_owned();
    let declaration = Declaration { name, tools: specs.into(), behaviours, initial };
    let shape = of_world(&declaration);
    Some(WorldFile { declaration: Arc::new(declaration), records, shape })
}

/// Checks the version that a file is written in.
pub(crate) fn format(reader: &mut Reader<'_>, fields: Fields<'_>, what: &str) {
    if let Some(node) = reader.required(fields, what, "format")
        && node.text() != Some(FORMAT)
    {
        let hint = Some(format!("this program reads format {FORMAT}"));
        reader.wrong(node.place, "another version of the language".to_owned(), hint);
    }
}

fn tool(reader: &mut Reader<'_>, node: &Node, state: &Value) -> Option<(ToolSpec, Behaviour)> {
    let fields = reader.fields(node, "a tool", TOOL_KEYS)?;
    let name = reader.required(fields, "a tool", "name");
    let name = name.and_then(|node| reader.text(node, "`name`"))?;
    let what = format!("tool `{name}`");
    let about = reader.required(fields, &what, "about");
    let about = about.and_then(|node| reader.text(node, "`about`")).unwrap_or_default();
    let effect = reader.required(fields, &what, "effect");
    let effect = effect.and_then(|node| reader.word(node, "`effect`", EFFECTS));
    let channel = fields.get("channel").and_then(|node| reader.word(node, "`channel`", CHANNELS));
    let mut parameters = Vec::new();
    let mut arguments = Vec::new();
    let declared = fields.get("arguments").and_then(|node| reader.map(node, "`arguments`"));
    for (key, node) in declared.unwrap_or_default() {
        if let Some((parameter, capability)) = argument(reader, &key.name, node) {
            arguments.push((key.name.clone(), capability));
            parameters.push(parameter);
        }
    }
    let names: Vec<&str> = parameters.iter().map(|one: &Parameter| one.name.as_str()).collect();
    let resource_key = fields.get("resource").and_then(|node| {
        let key = reader.text(node, "`resource`")?;
        known_argument(reader, node.place, key, &names);
        Some(key.to_owned())
    });
    let behaviour = behaviour(reader, fields, &what, &names, state)?;
    let capability = Capability { effect: effect?, resource_key, arguments };
    let automatic = automatic::schema(name, &parameters);
    let spec = ToolSpec {
        name: name.to_owned(),
        description: about.to_owned(),
        parameters,
        channel: channel.unwrap_or(Channel::Tool),
        capability,
        automatic,
    };
    Some((spec, behaviour))
}

fn known_argument(reader: &mut Reader<'_>, place: Place, name: &str, names: &[&str]) {
    if !names.contains(&name) {
        let hint = did_you_mean(name, names);
        reader.wrong(place, format!("`{name}` is no argument of this tool"), hint);
    }
}

fn argument(
    reader: &mut Reader<'_>,
    name: &str,
    node: &Node,
) -> Option<(Parameter, ArgumentCapability)> {
    let fields = reader.fields(node, "an argument", ARGUMENT_KEYS)?;
    let what = format!("argument `{name}`");
    let ty = match fields.get("type") {
        Some(node) => parameter_type(reader, node)?,
        None => ParameterType::Str,
    };
    let about = fields.get("about").and_then(|node| reader.text(node, "`about`"));
    let role = reader.required(fields, &what, "role");
    let role = role.and_then(|node| reader.word(node, "`role`", ROLES))?;
    let kind = reader.required(fields, &what, "kind");
    let kind_place = kind.map_or(node.place, |node| node.place);
    let kind = kind.and_then(|node| reader.word(node, "`kind`", KINDS))?;
    if (role == Role::Free) != (kind == Kind::Text) {
        reader.wrong(kind_place, "role `free` and kind `text` go together".to_owned(), None);
    }
    let mut switch = |key: &str| {
        fields.get(key).and_then(|node| reader.switch(node, &format!("`{key}`"))).unwrap_or(false)
    };
    let (optional, absent_safe) = (switch("optional"), switch("absent_safe"));
    let safe_values = fields.get("safe_values").map(|node| reader.list(node, "`safe_values`"));
    let default = fields.get("default").map_or(Value::Null, Node::json);
    let parameter = Parameter {
        name: name.to_owned(),
        description: about.unwrap_or_default().to_owned(),
        ty,
        nullable: optional,
        required: !optional,
        default,
    };
    let capability = ArgumentCapability {
        role,
        kind,
        absent_safe,
        safe_values: safe_values.unwrap_or_default().iter().map(Node::json).collect(),
        fields: std::collections::BTreeMap::new(),
    };
    Some((parameter, capability))
}

fn parameter_type(reader: &mut Reader<'_>, node: &Node) -> Option<ParameterType> {
    const TYPES: &[(&str, u8)] =
        &[("text", 0), ("integer", 1), ("number", 2), ("switch", 3), ("texts", 4)];
    if node.text().is_none() {
        let values = reader.list(node, "`type`").iter();
        let values: Vec<String> =
            values.filter_map(|node| reader.text(node, "a choice").map(str::to_owned)).collect();
        return (!values.is_empty()).then_some(ParameterType::Enum { values });
    }
    Some(match reader.word(node, "`type`", TYPES)? {
        0 => ParameterType::Str,
        1 => ParameterType::Int,
        2 => ParameterType::Float,
        3 => ParameterType::Bool,
        _ => ParameterType::List { items: Box::new(ParameterType::Str) },
    })
}

fn behaviour(
    reader: &mut Reader<'_>,
    fields: Fields<'_>,
    what: &str,
    names: &[&str],
    state: &Value,
) -> Option<Behaviour> {
    let steps = fields.get("does").map(|node| reader.list(node, "`does`")).unwrap_or_default();
    let changes = steps.iter().filter_map(|node| change(reader, node, names, state)).collect();
    let node = reader.required(fields, what, "reply")?;
    let answer = if node.text().is_some() {
        Answer::Words(words(reader, node, "`reply`", names)?)
    } else {
        let fields = reader.fields(node, "`reply`", &["show", "keys"])?;
        if let Some(node) = fields.get("keys") {
            Answer::Keys(path(reader, node, names, state)?)
        } else {
            let node = reader.required(fields, "`reply`", "show")?;
            Answer::Show(path(reader, node, names, state)?)
        }
    };
    Some(Behaviour { changes, answer })
}

fn change(reader: &mut Reader<'_>, node: &Node, names: &[&str], state: &Value) -> Option<Change> {
    let fields = reader.fields(node, "a change", CHANGE_KEYS)?;
    let then = plain_change(reader, node, fields, names, state)?;
    let Some(node) = fields.get("where") else { return Some(then) };
    let entries = reader.map(node, "`where`")?;
    let [(key, value)] = entries else {
        reader.wrong(node.place, "`where` names one argument and its value", None);
        return None;
    };
    known_argument(reader, key.place, &key.name, names);
    let (argument, is) = (key.name.clone(), value.json());
    Some(Change::Where { argument, is, then: Box::new(then) })
}

fn plain_change(
    reader: &mut Reader<'_>,
    node: &Node,
    fields: Fields<'_>,
    names: &[&str],
    state: &Value,
) -> Option<Change> {
    let found = CHANGES.iter().find_map(|name| fields.get(name).map(|node| (*name, node)));
    let Some((name, node)) = found else {
        let hint = Some(format!("one of {}", CHANGES.join(", ")));
        reader.wrong(node.place, "this changes nothing".to_owned(), hint);
        return None;
    };
    let what = format!("`{name}`");
    Some(match name {
        "require" => Change::Require(path(reader, node, names, state)?),
        "remove" => Change::Remove(path(reader, node, names, state)?),
        "append" => {
            let fields = reader.fields(node, &what, &["to", "record"])?;
            let to = reader.required(fields, &what, "to")?;
            let to = path(reader, to, names, state)?;
            let record = reader.required(fields, &what, "record")?;
            template(reader, record, names);
            Change::Append { to, record: record.json() }
        }
        "set" => {
            let fields = reader.fields(node, &what, &["at", "value"])?;
            let at = reader.required(fields, &what, "at")?;
            let at = path(reader, at, names, state)?;
            let value = reader.required(fields, &what, "value")?;
            template(reader, value, names);
            Change::Set { at, value: value.json() }
        }
        _ => {
            let fields = reader.fields(node, &what, &["at", "words"])?;
            let at = reader.required(fields, &what, "at")?;
            let at = path(reader, at, names, state)?;
            let node = reader.required(fields, &what, "words")?;
            Change::Extend { at, words: words(reader, node, "`words`", names)? }
        }
    })
}

/// A text into which arguments are put.
fn words(reader: &mut Reader<'_>, node: &Node, what: &str, names: &[&str]) -> Option<Text> {
    let written = reader.text(node, what)?;
    match Text::parse(written) {
        Ok(text) => {
            for name in text.arguments() {
                let offset = written.find(&format!("{{{name}")).map_or(0, |at| at + 1);
                let place = reader.place_within(node, offset, name);
                known_argument(reader, place, name, names);
            }
            Some(text)
        }
        Err(error) => {
            let hint = Some("write `{{` and `}}` for braces".to_owned());
            reader.wrong(node.place, error.to_string(), hint);
            None
        }
    }
}

/// A value whose texts may name arguments.
fn template(reader: &mut Reader<'_>, node: &Node, names: &[&str]) {
    match &node.content {
        Content::Scalar { text, .. } if text.contains(['{', '}']) => {
            words(reader, node, "a value", names);
        }
        Content::Scalar { .. } => {}
        Content::List(items) => {
            for item in items {
                template(reader, item, names);
            }
        }
        Content::Map(entries) => {
            for (_, value) in entries {
                template(reader, value, names);
            }
        }
    }
}

/// A path into the state, whose first keys must be there.
fn path(reader: &mut Reader<'_>, node: &Node, names: &[&str], state: &Value) -> Option<Path> {
    let written = reader.text(node, "a path")?;
    let path = Path::parse(written);
    for name in path.arguments() {
        known_argument(reader, node.place, name, names);
    }
    if let (Some(Segment::Key(first)), Value::Object(fields)) = (path.0.first(), state)
        && !fields.contains_key(first)
    {
        let known: Vec<&str> = keys(fields);
        let hint = did_you_mean(first, &known);
        reader.wrong(node.place, format!("the state has no `{first}`"), hint);
    }
    Some(path)
}

fn keys(fields: &Map<String, Value>) -> Vec<&str> {
    fields.keys().map(String::as_str).collect()
}
