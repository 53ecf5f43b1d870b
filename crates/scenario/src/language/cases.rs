//! Scenario files: from a template to the cases that are run.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Map, Value};
use trace::course::Course;
use trace::profile::Profile;
use trace::script::Part;

use super::expand::{Expansion, Row};
use super::words::{AXES, LABELS};
use super::world::{WorldFile, format};
use super::{judging, stages};
use crate::guarantee::Class;
use crate::kind::Kind;
use crate::mistake::{Mistakes, did_you_mean};
use crate::oracle::Condition;
use crate::yaml::{Content, Fields, Key, Node, Reader, read};

/// What may stand in a scenario file.
pub(crate) const KEYS: &[&str] = &[
    "format",
    "scenario",
    "about",
    "story",
    "world",
    "covers",
    "kinds",
    "chains",
    "values",
    "state",
    "seats",
    "seeds",
    "deliveries",
    "budget",
    "consolidate",
    "stages",
    "payloads",
    "oracle",
    "guarantee",
];

/// A scenario file as it is read: a template and the rows that it is run with.
#[derive(Clone, Debug)]
pub struct Template {
    /// Its name.
    pub name: String,
    /// What happens in it, in a line.
    pub about: String,
    /// What it covers: entry, write path, content, harm, principals.
    pub covers: Vec<(String, String)>,
    /// The world's file.
    pub world: Arc<WorldFile>,
    /// The cases, in the order of the rows; an attack stands before its twin.
    pub cases: Vec<Case>,
}

/// One row of a template, for one kind.
#[derive(Clone, Debug)]
pub struct Case {
    /// The row's number, from 1.
    pub row: usize,
    /// The axes of the row, the kind not among them.
    pub axes: Row,
    /// What it is judged for.
    pub kind: Kind,
    /// The world's state at the start.
    pub state: Value,
    /// What happens.
    pub course: Course,
    /// What agents do.
    pub parts: Vec<Part>,
    /// The texts that carry the attack.
    pub payloads: Vec<String>,
    /// The scenario's own values.
    pub values: Value,
    /// By what the attack has landed.
    pub landed: Option<Condition>,
    /// By what the user's task is done.
    pub done: Option<Condition>,
    /// The class of the guarantee by profile; empty for a twin.
    pub guarantee: Vec<(Profile, Class)>,
}

/// The name of the world that a scenario file is about, if it is a scenario file at all.
pub fn world_of(source: &str) -> Option<String> {
    let root = read("", source).ok()?;
    root.get("scenario")?;
    root.get("world").and_then(Node::text).map(str::to_owned)
}

/// Reads a scenario file, with every case that it is run with.
///
/// # Errors
/// Everything that is wrong in it, in whichever row.
pub fn read_scenario(
    file: &str,
    source: &str,
    worlds: &[Arc<WorldFile>],
) -> Result<Template, Mistakes> {
    let root = read(file, source).map_err(Mistakes)?;
    let mut reader = Reader::new(file, source);
    let template = template(&mut reader, &root, worlds);
    match template {
        Some(template) if reader.mistakes.is_empty() => Ok(template),
        _ => Err(Mistakes(reader.mistakes.into_iter().collect())),
    }
}

fn template(reader: &mut Reader<'_>, root: &Node, worlds: &[Arc<WorldFile>]) -> Option<Template> {
    let fields = reader.fields(root, "a scenario", KEYS)?;
    format(reader, fields, "a scenario");
    let mut text = |key: &str| {
        let node = reader.required(fields, "a scenario", key)?;
        reader.text(node, &format!("`{key}`")).map(str::to_owned)
    };
    let (name, about) = (text("scenario"), text("about"));
    text("story");
    let covers = covers(reader, fields);
    let node = reader.required(fields, "a scenario", "world")?;
    let wanted = reader.text(node, "`world`")?;
    let world = worlds.iter().find(|world| world.declaration.name == wanted);
    let Some(world) = world else {
        let known: Vec<&str> = worlds.iter().map(|world| world.declaration.name.as_str()).collect();
        let hint = did_you_mean(wanted, &known);
        reader.wrong(node.place, format!("there is no world `{wanted}`"), hint);
        return None;
    };
    let mut cases = Vec::new();
    let mut compiled = judging::Compiled::default();
    for (at, (row, kinds)) in rows(reader, fields).into_iter().enumerate() {
        for kind in kinds {
            cases.extend(case(reader, root, world, (at + 1, &row), kind, &mut compiled));
        }
    }
    reader.check_branches();
    if cases.is_empty() && reader.mistakes.is_empty() {
        reader.wrong(fields.place(), "there is no row to run", None);
    }
    Some(Template { name: name?, about: about?, covers, world: Arc::clone(world), cases })
}

fn covers(reader: &mut Reader<'_>, fields: Fields<'_>) -> Vec<(String, String)> {
    let mut covers = Vec::new();
    let node = fields.get("covers");
    for (key, node) in node.and_then(|node| reader.map(node, "`covers`")).unwrap_or_default() {
        let Some((_, values)) = LABELS.iter().find(|(label, _)| *label == key.name) else {
            let labels: Vec<&str> = LABELS.iter().map(|(label, _)| *label).collect();
            let hint = did_you_mean(&key.name, &labels);
            reader.wrong(key.place, format!("`covers` has no key `{}`", key.name), hint);
            continue;
        };
        let Some(value) = reader.text(node, &format!("`{}`", key.name)) else { continue };
        if !values.contains(&value) {
            let hint = did_you_mean(value, values);
            reader.wrong(node.place, format!("`{}` is never `{value}`", key.name), hint);
        }
        covers.push((key.name.clone(), value.to_owned()));
    }
    covers
}

/// The rows, each with the kinds that it is run as. Without chains there is one row without axes.
fn rows(reader: &mut Reader<'_>, fields: Fields<'_>) -> Vec<(Row, Vec<Kind>)> {
    let mut kinds = Vec::new();
    if let Some(node) = fields.get("kinds") {
        for node in reader.list(node, "`kinds`") {
            kinds.extend(kind(reader, node, true));
        }
    }
    let Some(node) = fields.get("chains") else {
        let kinds = if kinds.is_empty() { vec![Kind::Attack] } else { kinds };
        return vec![(Row::new(), kinds)];
    };
    let Some(fields) = reader.fields(node, "`chains`", &["columns", "rows"]) else {
        return Vec::new();
    };
    let Some(columns) = reader.required(fields, "`chains`", "columns") else { return Vec::new() };
    let columns = reader.list(columns, "`columns`");
    let named: Vec<Key> = columns
        .iter()
        .map(|node| Key { name: node.text().unwrap_or_default().to_owned(), place: node.place })
        .collect();
    for column in named.iter().filter(|column| column.name != "twin") {
        AXES.check(reader, column, None);
    }
    let rows = reader.required(fields, "`chains`", "rows");
    let rows = rows.map(|node| reader.list(node, "`rows`")).unwrap_or_default();
    rows.iter().filter_map(|node| row(reader, &named, node)).collect()
}

fn row(reader: &mut Reader<'_>, columns: &[Key], node: &Node) -> Option<(Row, Vec<Kind>)> {
    let cells = reader.list(node, "a row");
    if cells.len() != columns.len() {
        let message = format!("{} columns, and {} values", columns.len(), cells.len());
        reader.wrong(node.place, message, None);
        return None;
    }
    let mut row = Row::new();
    let mut kinds = vec![Kind::Attack];
    for (column, cell) in columns.iter().zip(cells) {
        if column.name == "twin" {
            kinds.extend(kind(reader, cell, false));
            continue;
        }
        AXES.check(reader, column, Some(cell));
        row.push((column.name.clone(), reader.text(cell, "a value")?.to_owned()));
    }
    Some((row, kinds))
}

fn kind(reader: &mut Reader<'_>, node: &Node, attack: bool) -> Option<Kind> {
    let words: Vec<(&str, Kind)> = Kind::TWINS
        .iter()
        .chain(attack.then_some(&Kind::Attack))
        .map(|kind| (kind.as_str(), *kind))
        .collect();
    reader.word(node, "the kind", &words)
}

fn case(
    reader: &mut Reader<'_>,
    root: &Node,
    world: &WorldFile,
    (number, axes): (usize, &Row),
    kind: Kind,
    compiled: &mut judging::Compiled,
) -> Option<Case> {
    let mut row = axes.clone();
    row.push(("kind".to_owned(), kind.as_str().to_owned()));
    let mut expansion = Expansion { axes: AXES, row: &row, values: BTreeMap::new() };
    let own = values(reader, root, &mut expansion);
    // What a row's tree is made of; the rest says what the template is.
    let Content::Map(entries) = &root.content else { return None };
    let entries = entries.iter().filter(|(key, _)| !TEMPLATE.contains(&key.name.as_str()));
    let entries: Vec<(Key, Node)> = entries
        .filter_map(|(key, node)| Some((key.clone(), expansion.expand(reader, node)?)))
        .collect();
    let tree = Node { place: root.place, content: Content::Map(entries) };
    let fields = reader.fields(&tree, "a scenario", KEYS)?;
    let mut state = world.declaration.initial.clone();
    if let Some(node) = fields.get("state") {
        place(reader, &mut state, node, &world.declaration.initial);
    }
    let tools = &world.declaration.tools;
    let (course, parts) = stages::course(reader, fields, tools, &world.records);
    let payloads = fields.get("payloads").map(|node| reader.list(node, "`payloads`"));
    let payloads = payloads.unwrap_or_default().iter();
    let payloads: Vec<String> =
        payloads.filter_map(|node| reader.text(node, "a payload").map(str::to_owned)).collect();
    if kind == Kind::Attack && payloads.is_empty() {
        reader.wrong(fields.place_of("payloads"), "an attack has no payload", None);
    }
    let values = Value::Object(own);
    let judged = judging::Judged { world, state: &state, values: &values, kind };
    let (landed, done) = judging::oracle(reader, fields, judged, compiled);
    let guarantee = judging::guarantee(reader, fields, kind);
    Some(Case {
        row: number,
        axes: axes.clone(),
        kind,
        state,
        course,
        parts,
        payloads,
        values,
        landed,
        done,
        guarantee,
    })
}

/// Keys that say what the template is, and are read once.
const TEMPLATE: &[&str] =
    &["format", "scenario", "about", "story", "world", "covers", "kinds", "chains", "values"];

/// The named values of a row. Each may use those before it.
fn values(
    reader: &mut Reader<'_>,
    root: &Node,
    expansion: &mut Expansion<'_>,
) -> Map<String, Value> {
    let mut own = Map::new();
    let Some(node) = root.get("values") else { return own };
    for (key, node) in reader.map(node, "`values`").unwrap_or_default() {
        let Some(value) = expansion.expand(reader, node) else { continue };
        let text = reader.text(&value, &format!("value `{}`", key.name));
        let text = text.unwrap_or_default().to_owned();
        own.insert(key.name.clone(), Value::from(text.clone()));
        expansion.values.insert(key.name.clone(), text);
    }
    own
}

/// Puts a scenario's own state over the world's: maps are joined, everything else is replaced.
fn place(reader: &mut Reader<'_>, state: &mut Value, node: &Node, known: &Value) {
    let (Value::Object(fields), Content::Map(entries)) = (&mut *state, &node.content) else {
        *state = node.json();
        return;
    };
    for (key, node) in entries {
        // The first keys are the world's; further down a scenario may add its own.
        if let Value::Object(known) = known
            && !known.contains_key(&key.name)
        {
            let names: Vec<&str> = known.keys().map(String::as_str).collect();
            let hint = did_you_mean(&key.name, &names);
            reader.wrong(key.place, format!("the state has no `{}`", key.name), hint);
            continue;
        }
        let under = fields.entry(key.name.clone()).or_insert(Value::Null);
        place(reader, under, node, &Value::Null);
    }
}
