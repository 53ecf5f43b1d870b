//! What a call of a declarative tool requires and changes.

use serde_json::Value;
use trace::call::ToolError;

use super::path::{has_id, not_found};
use super::{Arguments, Path, Text, text};

/// One requirement or change.
#[derive(Clone, Debug, PartialEq)]
pub enum Change {
    /// Something must be there, or the call fails.
    Require(Path),
    /// A record is added to the end of a list. Its texts may name arguments; a text that is one
    /// argument alone becomes that argument's value.
    Append {
        /// The list.
        to: Path,
        /// The record.
        record: Value,
    },
    /// A value is put at a key, new or not.
    Set {
        /// The key.
        at: Path,
        /// The value, with arguments as in [`Change::Append`].
        value: Value,
    },
    /// Words are added to the end of a text, which is made where there is none.
    Extend {
        /// The text.
        at: Path,
        /// The words.
        words: Text,
    },
    /// A key, or the record of a list, is taken away.
    Remove(Path),
    /// A change that happens only where an argument has this value.
    Where {
        /// The argument.
        argument: String,
        /// Its value.
        is: Value,
        /// The change.
        then: Box<Change>,
    },
}

impl Change {
    pub(super) fn apply(&self, state: &mut Value, arguments: &Arguments) -> Result<(), ToolError> {
        match self {
            Self::Require(path) => path.find(state, arguments).map(|_| ()),
            Self::Append { to, record } => {
                let (parent, key) = to.find_parent(state, arguments)?;
                let list = parent.get_mut(&key).and_then(Value::as_array_mut);
                list.ok_or_else(|| not_found(&key))?.push(filled(record, arguments));
                Ok(())
            }
            Self::Set { at, value } => {
                let (parent, key) = at.find_parent(state, arguments)?;
                put(parent, key, filled(value, arguments))
            }
            Self::Extend { at, words } => {
                let (parent, key) = at.find_parent(state, arguments)?;
                let mut all = parent.get(&key).map(text::plain).unwrap_or_default();
                all.push_str(&words.fill(arguments));
                put(parent, key, Value::String(all))
            }
            Self::Remove(path) => {
                let (parent, key) = path.find_parent(state, arguments)?;
                let gone = match parent {
                    Value::Object(fields) => fields.shift_remove(&key).is_some(),
                    Value::Array(records) => {
                        let before = records.len();
                        records.retain(|record| !has_id(record, &key));
                        records.len() < before
                    }
                    _ => false,
                };
                if gone { Ok(()) } else { Err(not_found(&key)) }
            }
            Self::Where { argument, is, then } => match arguments.get(argument) {
                Some(value) if value == is => then.apply(state, arguments),
                _ => Ok(()),
            },
        }
    }
}

fn put(parent: &mut Value, key: String, value: Value) -> Result<(), ToolError> {
    match parent {
        Value::Object(fields) => {
            fields.insert(key, value);
            Ok(())
        }
        Value::Array(records) => {
            let record = records.iter_mut().find(|record| has_id(record, &key));
            *record.ok_or_else(|| not_found(&key))? = value;
            Ok(())
        }
        _ => Err(not_found(&key)),
    }
}

/// A value with the arguments put into its texts.
fn filled(value: &Value, arguments: &Arguments) -> Value {
    match value {
        Value::String(words) => match Text::parse(words) {
            Ok(text) => text.value(arguments),
            Err(_) => value.clone(),
        },
        Value::Array(items) => items.iter().map(|item| filled(item, arguments)).collect(),
        Value::Object(fields) => {
            let fields = fields.iter().map(|(key, field)| (key.clone(), filled(field, arguments)));
            Value::Object(fields.collect())
        }
        scalar => scalar.clone(),
    }
}
