//! How a case is judged: its conditions and its class.

use std::collections::{BTreeMap, HashMap};

use serde_json::Value;
use trace::profile::Profile;

use super::world::WorldFile;
use crate::guarantee::Class;
use crate::kind::Kind;
use crate::oracle::{Condition, Ended, Shape};
use crate::yaml::{Content, Fields, Node, Place, Reader};

/// What a case's conditions speak of.
#[derive(Clone, Copy)]
pub(crate) struct Judged<'a> {
    pub(crate) world: &'a WorldFile,
    pub(crate) state: &'a Value,
    pub(crate) values: &'a Value,
    pub(crate) kind: Kind,
}

/// The conditions of a file that have been compiled: most rows share them.
#[derive(Debug, Default)]
pub(crate) struct Compiled(HashMap<String, Condition>);

/// The conditions `landed` and `done`. An attack needs the first, a twin the second.
pub(crate) fn oracle(
    reader: &mut Reader<'_>,
    fields: Fields<'_>,
    judged: Judged<'_>,
    compiled: &mut Compiled,
) -> (Option<Condition>, Option<Condition>) {
    let Some(node) = reader.required(fields, "a scenario", "oracle") else { return (None, None) };
    let Some(fields) = reader.fields(node, "`oracle`", &["landed", "done"]) else {
        return (None, None);
    };
    let mut condition = |key: &str| {
        let node = fields.get(key)?;
        condition(reader, node, judged, compiled)
    };
    let (landed, done) = (condition("landed"), condition("done"));
    let needed = if judged.kind == Kind::Attack { "landed" } else { "done" };
    if fields.get(needed).is_none() {
        let message = format!("`oracle` has no `{needed}`, which `{}` needs", judged.kind);
        reader.wrong(fields.place(), message, None);
    }
    (landed, done)
}

fn condition(
    reader: &mut Reader<'_>,
    node: &Node,
    judged: Judged<'_>,
    known: &mut Compiled,
) -> Option<Condition> {
    let text = reader.text(node, "a condition")?;
    if let Some(place) = cut_by_comment(reader, node) {
        let hint = "put the condition in quotes, or write it as a block after `>-`";
        reader.wrong(place, "` #` ends the condition here", Some(hint.to_owned()));
        return None;
    }
    let compiled = match known.0.get(text).cloned().map_or_else(|| Condition::compile(text), Ok) {
        Ok(condition) => condition,
        Err(error) => {
            let rest = text.get(error.offset..).unwrap_or_default();
            let word: String = rest.chars().take_while(|c| !c.is_whitespace()).collect();
            let place = reader.place_within(node, error.offset, &word);
            reader.wrong(place, format!("no condition: {}", error.message), None);
            return None;
        }
    };
    known.0.insert(text.to_owned(), compiled.clone());
    let scope = scope(judged);
    let errors = compiled.check(&scope);
    for error in &errors {
        let place = reader.place_within(node, error.offset, &error.name);
        reader.wrong(place, error.message.clone(), error.hint.clone());
    }
    if errors.is_empty() {
        check_start(reader, node, &compiled, judged);
    }
    Some(compiled)
}

/// A condition that holds before anything happened says nothing.
fn check_start(reader: &mut Reader<'_>, node: &Node, condition: &Condition, judged: Judged<'_>) {
    let start = Ended {
        pre: judged.state,
        post: judged.state,
        calls: &[],
        memory: &[],
        answer: "",
        values: judged.values,
    };
    match condition.holds(&start) {
        Ok(false) => {}
        Ok(true) => reader.wrong(node.place, "this holds before anything has happened", None),
        Err(no) => {
            let hint = "`has(…)` and `… in …` ask whether something is there";
            reader.wrong(
                node.place,
                format!("before anything has happened: {}", no.why),
                Some(hint.to_owned()),
            );
        }
    }
}

/// What a condition may speak of.
fn scope(judged: Judged<'_>) -> [(&'static str, Shape); 6] {
    let state = judged.world.shape.clone().or(Shape::of(judged.state));
    let call = BTreeMap::from([
        ("tool".to_owned(), Shape::Text),
        ("args".to_owned(), Shape::Table(Box::new(Shape::Any))),
    ]);
    [
        ("pre", state.clone()),
        ("post", state),
        ("calls", Shape::List(Box::new(Shape::Record(call)))),
        ("memory", Shape::List(Box::new(Shape::Text))),
        ("answer", Shape::Text),
        ("values", Shape::of(judged.values)),
    ]
}

/// Where a comment begins right behind a condition without quotes: YAML has cut it there.
fn cut_by_comment(reader: &Reader<'_>, node: &Node) -> Option<Place> {
    let Content::Scalar { plain: true, .. } = &node.content else { return None };
    let behind = reader.source.get(node.place.end..)?;
    let line = behind.lines().next().unwrap_or_default();
    let blanks = line.len() - line.trim_start().len();
    line.trim_start().starts_with('#').then(|| {
        let start = node.place.end + blanks;
        let ahead = &reader.source[..start];
        let line_start = ahead.rfind('\n').map_or(0, |at| at + 1);
        Place {
            line: ahead.matches('\n').count() + 1,
            column: reader.source[line_start..start].chars().count() + 1,
            start,
            end: start + 1,
        }
    })
}

/// The class by profile: `{all: inside, because: …}`, or one for each profile.
pub(crate) fn guarantee(
    reader: &mut Reader<'_>,
    fields: Fields<'_>,
    kind: Kind,
) -> Vec<(Profile, Class)> {
    if kind != Kind::Attack {
        return Vec::new();
    }
    let what = "`guarantee`";
    let Some(node) = reader.required(fields, "a scenario", "guarantee") else { return Vec::new() };
    let mut keys = vec!["all", "because"];
    keys.extend(Profile::ALL.iter().map(|profile| profile.as_str()));
    let Some(fields) = reader.fields(node, what, &keys) else { return Vec::new() };
    if let Some(node) = reader.required(fields, what, "because") {
        reader.text(node, "`because`");
    }
    let words: Vec<(&str, Class)> =
        Class::ALL.iter().map(|class| (class.as_str(), *class)).collect();
    let mut classes = Vec::new();
    for profile in Profile::ALL {
        let node = fields.get(profile.as_str()).or_else(|| fields.get("all"));
        let Some(node) = node else {
            reader.wrong(fields.place(), format!("{what} has no `{}`", profile.as_str()), None);
            continue;
        };
        classes.extend(reader.word(node, "the class", &words).map(|class| (*profile, class)));
    }
    classes
}
