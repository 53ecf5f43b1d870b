//! A tool call as the model sent it, and the digest that approvals bind.

use std::{borrow::Cow, hash};

use crate::{Extent, PageId, Tenant};

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
    /// A text or a number, with the page that the model says it is from. The world receives the
    /// text. Where the kernel's [`crate::Method`] takes no citations, it is a text like any other.
    Cited {
        /// The text.
        text: Cow<'a, str>,
        /// The page.
        page: PageId,
    },
    /// A list; each of its values is checked.
    List(Vec<Value<'a>>),
    /// An object; each of its keys must be in the schema.
    Object(Vec<(Cow<'a, str>, Value<'a>)>),
}

impl Value<'_> {
    /// The text or number that stands here, and the page that is cited for it.
    pub(crate) fn text(&self) -> Option<(&str, Option<PageId>)> {
        match self {
            Self::Text(text) | Self::Number(text) => Some((text, None)),
            Self::Cited { text, page } => Some((text, Some(*page))),
            _ => None,
        }
    }
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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CallDigest([u8; 32]);

impl CallDigest {
    /// The digest is the kernel's own: without its seed nobody finds calls that meet in a table.
    pub(crate) fn new(seed: u64, tenant: Tenant, tasks: &Extent, call: &Call<'_>) -> Self {
        let mut bytes = Vec::with_capacity(USUAL);
        bytes.put(&seed.to_le_bytes());
        bytes.number(u64::from(tenant.0));
        match tasks {
            Extent::All => bytes.put(b"a"),
            Extent::Set(ids) => {
                bytes.put(b"s");
                length(&mut bytes, ids.len());
                ids.iter().for_each(|id| bytes.number(*id));
            }
        }
        text(&mut bytes, call.tool);
        length(&mut bytes, call.arguments.len());
        for (name, argument) in call.arguments {
            text(&mut bytes, name);
            value(&mut bytes, argument);
        }
        Self(*blake3::hash(&bytes).as_bytes())
    }
}

impl hash::Hash for CallDigest {
    fn hash<H: hash::Hasher>(&self, state: &mut H) {
        let first = self.0.first_chunk().copied().unwrap_or_default();
        state.write_u64(u64::from_le_bytes(first));
    }
}

/// How many bytes most calls have.
const USUAL: usize = 256;

/// A fast fingerprint of a call, for looking it up in a report. Nothing is decided by it.
pub(crate) fn fingerprint(seed: u64, tenant: Tenant, call: &Call<'_>) -> u64 {
    let mut print = Fingerprint(seed ^ u64::from(tenant.0));
    text(&mut print, call.tool);
    for (name, argument) in call.arguments {
        text(&mut print, name);
        value(&mut print, argument);
    }
    print.0
}

/// Takes the bytes of a call in.
trait Sink {
    fn put(&mut self, bytes: &[u8]);

    /// Seven bits a byte, the last without its highest bit: short, since what is hashed costs by
    /// the block, and no number is the beginning of another.
    fn number(&mut self, mut number: u64) {
        while number > 0x7f {
            self.put(&[number.to_le_bytes()[0] | 0x80]);
            number >>= 7;
        }
        self.put(&[number.to_le_bytes()[0]]);
    }
}

impl Sink for Vec<u8> {
    fn put(&mut self, bytes: &[u8]) {
        self.extend_from_slice(bytes);
    }
}

struct Fingerprint(u64);

impl Sink for Fingerprint {
    fn put(&mut self, bytes: &[u8]) {
        let (chunks, rest) = bytes.as_chunks::<8>();
        for chunk in chunks {
            self.mix(u64::from_le_bytes(*chunk));
        }
        if !rest.is_empty() {
            let mut last = [0; 8];
            last[..rest.len()].copy_from_slice(rest);
            self.mix(u64::from_le_bytes(last));
        }
    }

    fn number(&mut self, number: u64) {
        self.mix(number);
    }
}

impl Fingerprint {
    fn mix(&mut self, word: u64) {
        self.0 = (self.0 ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
    }
}

/// The scalars of a value, without those below the deepest nesting that is looked at; a value
/// that is cut short there yields none.
pub(crate) fn scalars<'v, 'a>(root: &'v Value<'a>) -> Vec<&'v Value<'a>> {
    let mut found = Vec::new();
    let mut open = vec![(0, root)];
    while let Some((depth, value)) = open.pop() {
        if depth > crate::MAX_DEPTH || found.len() + open.len() > crate::MAX_LEAVES {
            return Vec::new();
        }
        match value {
            Value::List(items) => open.extend(items.iter().rev().map(|item| (depth + 1, item))),
            Value::Object(fields) => {
                open.extend(fields.iter().rev().map(|(_, field)| (depth + 1, field)));
            }
            scalar => found.push(scalar),
        }
    }
    found
}

fn length(hasher: &mut impl Sink, length: usize) {
    hasher.number(length as u64);
}

fn text(hasher: &mut impl Sink, text: &str) {
    length(hasher, text.len());
    hasher.put(text.as_bytes());
}

/// Feeds a value without recursion, so that no depth of nesting exhausts the stack. The stream
/// stays unambiguous: each value says its own tag and its number of children before them.
fn value(hasher: &mut impl Sink, root: &Value<'_>) {
    let mut open: Vec<(Option<&str>, &Value<'_>)> = Vec::new();
    let mut current = Some((None, root));
    while let Some((key, next)) = current {
        if let Some(key) = key {
            text(hasher, key);
        }
        match next {
            Value::Null => {
                hasher.put(b"z");
            }
            Value::Bool(value) => {
                hasher.put(if *value { b"t" } else { b"f" });
            }
            Value::Number(number) => {
                hasher.put(b"n");
                text(hasher, number);
            }
            Value::Text(value) => {
                hasher.put(b"s");
                text(hasher, value);
            }
            Value::Cited { text: value, page } => {
                hasher.put(b"c");
                hasher.put(&page.kernel.0.to_le_bytes());
                hasher.put(&page.number.to_le_bytes());
                text(hasher, value);
            }
            Value::List(items) => {
                hasher.put(b"l");
                length(hasher, items.len());
                open.extend(items.iter().rev().map(|item| (None, item)));
            }
            Value::Object(fields) => {
                hasher.put(b"o");
                length(hasher, fields.len());
                open.extend(fields.iter().rev().map(|(key, item)| (Some(&**key), item)));
            }
        }
        current = open.pop();
    }
}
