//! A tool call as the model sent it, and the digest that approvals bind.

use std::borrow::Cow;

use crate::{Extent, Tenant};

/// A value of an argument, as it was sent.
#[derive(Clone, Debug, PartialEq)]
pub enum Value<'a> {
    /// No value: as good as an argument left out.
    Null,
    /// A truth value.
    Bool(bool),
    /// A number, as the decimal text that was sent: `50.0` and `50` are not the same bytes.
    Number(Cow<'a, str>),
    /// A text.
    Text(Cow<'a, str>),
    /// A list; each of its values is checked.
    List(Vec<Value<'a>>),
    /// An object; each of its keys must be in the schema.
    Object(Vec<(Cow<'a, str>, Value<'a>)>),
}

/// A tool call: the one that the world will carry out, byte for byte.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Call<'a> {
    /// The tool's name, as the model wrote it.
    pub tool: &'a str,
    /// The arguments, in the order in which they were sent.
    pub arguments: &'a [(Cow<'a, str>, Value<'a>)],
}

/// The digest of a whole call of a tenant's task: tool, names, values, order, all raw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct CallDigest([u8; 32]);

impl CallDigest {
    pub(crate) fn new(tenant: Tenant, tasks: &Extent, call: &Call<'_>) -> Self {
        let mut hasher = blake3::Hasher::new();
        hasher.update(&tenant.0.to_le_bytes());
        match tasks {
            Extent::All => hasher.update(&u64::MAX.to_le_bytes()),
            Extent::Set(ids) => {
                length(&mut hasher, ids.len());
                for id in ids {
                    hasher.update(&id.to_le_bytes());
                }
                &mut hasher
            }
        };
        text(&mut hasher, call.tool);
        length(&mut hasher, call.arguments.len());
        for (name, argument) in call.arguments {
            text(&mut hasher, name);
            value(&mut hasher, argument);
        }
        Self(*hasher.finalize().as_bytes())
    }
}

fn length(hasher: &mut blake3::Hasher, length: usize) {
    hasher.update(&(length as u64).to_le_bytes());
}

fn text(hasher: &mut blake3::Hasher, text: &str) {
    length(hasher, text.len());
    hasher.update(text.as_bytes());
}

/// Feeds a value without recursion, so that no depth of nesting exhausts the stack. The stream
/// stays unambiguous: each value says its own tag and its number of children before them.
fn value(hasher: &mut blake3::Hasher, root: &Value<'_>) {
    let mut open: Vec<(Option<&str>, &Value<'_>)> = vec![(None, root)];
    while let Some((key, next)) = open.pop() {
        if let Some(key) = key {
            text(hasher, key);
        }
        match next {
            Value::Null => {
                hasher.update(b"z");
            }
            Value::Bool(value) => {
                hasher.update(if *value { b"t" } else { b"f" });
            }
            Value::Number(number) => {
                hasher.update(b"n");
                text(hasher, number);
            }
            Value::Text(value) => {
                hasher.update(b"s");
                text(hasher, value);
            }
            Value::List(items) => {
                hasher.update(b"l");
                length(hasher, items.len());
                open.extend(items.iter().rev().map(|item| (None, item)));
            }
            Value::Object(fields) => {
                hasher.update(b"o");
                length(hasher, fields.len());
                open.extend(fields.iter().rev().map(|(key, item)| (Some(&**key), item)));
            }
        }
    }
}
