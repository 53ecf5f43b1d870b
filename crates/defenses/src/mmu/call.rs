//! Calls and places in the kernel's words, and back.

use std::borrow::Cow;
use std::fmt::Write as _;

use clawmmu::{Part, Place, Value};
use serde_json::Value as Json;
use trace::call::ToolCall;

/// A place in a call, by the schema's names and by positions only.
pub(super) fn argument_path(place: &Place) -> String {
    let mut path = match &place.argument {
        Some(name) => name.to_string(),
        None => format!("#{}", place.position),
    };
    if let Some(field) = &place.field {
        path.push('.');
        path.push_str(field);
    }
    if place.leaf > 0 {
        let _ = write!(path, "[{}]", place.leaf);
    }
    match place.part {
        Part::Whole => {}
        Part::Host => path.push_str("/host"),
        Part::Path => path.push_str("/path"),
        Part::Date => path.push_str("/date"),
        Part::Time => path.push_str("/time"),
        Part::Currency => path.push_str("/currency"),
    }
    path
}

pub(super) fn arguments_of(call: &ToolCall) -> Vec<(Cow<'_, str>, Value<'_>)> {
    call.args.iter().map(|(name, value)| (Cow::Borrowed(name.as_str()), value_of(value))).collect()
}

fn value_of(value: &Json) -> Value<'_> {
    match value {
        Json::Null => Value::Null,
        Json::Bool(value) => Value::Bool(*value),
        Json::Number(number) => Value::Number(Cow::Owned(number.to_string())),
        Json::String(text) => Value::Text(Cow::Borrowed(text)),
        Json::Array(items) => Value::List(items.iter().map(value_of).collect()),
        Json::Object(fields) => Value::Object(
            fields
                .iter()
                .map(|(key, field)| (Cow::Borrowed(key.as_str()), value_of(field)))
                .collect(),
        ),
    }
}
