//! Paths into the state of a declarative world.

use serde_json::Value;
use trace::call::ToolError;

use super::{Arguments, text};

/// A step of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Segment {
    /// A key that is written out.
    Key(String),
    /// The value of an argument.
    Argument(String),
}

/// A path into the state, such as `files.{path}`: keys, separated by dots. In a list of records a
/// step is the record's `id`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Path(pub Vec<Segment>);

impl Path {
    /// Reads a path: keys separated by dots, `{name}` for the value of an argument.
    pub fn parse(text: &str) -> Self {
        let segment = |part: &str| match part.strip_prefix('{').and_then(|p| p.strip_suffix('}')) {
            Some(name) => Segment::Argument(name.to_owned()),
            None => Segment::Key(part.to_owned()),
        };
        Self(text.split('.').map(segment).collect())
    }

    /// The arguments that it names.
    pub fn arguments(&self) -> impl Iterator<Item = &str> {
        self.0.iter().filter_map(|segment| match segment {
            Segment::Argument(name) => Some(name.as_str()),
            Segment::Key(_) => None,
        })
    }

    /// The part of the state that it leads to.
    pub(super) fn find<'s>(
        &self,
        state: &'s Value,
        arguments: &Arguments,
    ) -> Result<&'s Value, ToolError> {
        let keys = self.keys(arguments);
        let mut at = state;
        for key in &keys {
            at = step(at, key).ok_or_else(|| not_found(key))?;
        }
        Ok(at)
    }

    /// The container that holds its last step, and that step's key.
    pub(super) fn find_parent<'s>(
        &self,
        state: &'s mut Value,
        arguments: &Arguments,
    ) -> Result<(&'s mut Value, String), ToolError> {
        let mut keys = self.keys(arguments);
        let last = keys.pop().unwrap_or_default();
        let mut at = state;
        for key in &keys {
            at = step_mut(at, key).ok_or_else(|| not_found(key))?;
        }
        Ok((at, last))
    }

    fn keys(&self, arguments: &Arguments) -> Vec<String> {
        let key = |segment: &Segment| match segment {
            Segment::Key(key) => key.clone(),
            Segment::Argument(name) => arguments.get(name).map(text::plain).unwrap_or_default(),
        };
        self.0.iter().map(key).collect()
    }
}

/// What a tool says of something that is not there.
pub(super) fn not_found(key: &str) -> ToolError {
    ToolError::value(format!("Not found: '{key}'."))
}

/// Whether a record of a list is the one with this id.
pub(super) fn has_id(record: &Value, id: &str) -> bool {
    record.get("id").is_some_and(|known| text::plain(known) == id)
}

fn step<'s>(at: &'s Value, key: &str) -> Option<&'s Value> {
    match at {
        Value::Object(fields) => fields.get(key),
        Value::Array(records) => records.iter().find(|record| has_id(record, key)),
        _ => None,
    }
}

fn step_mut<'s>(at: &'s mut Value, key: &str) -> Option<&'s mut Value> {
    match at {
        Value::Object(fields) => fields.get_mut(key),
        Value::Array(records) => records.iter_mut().find(|record| has_id(record, key)),
        _ => None,
    }
}
