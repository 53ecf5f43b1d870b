//! YAML that keeps its places: each key and value knows its line and column.
//!
//! The reader that the rest of the project uses (`world::yaml`) gives a place for the first error
//! only, and none once a text is read. Scenario files are checked long after they are read, against
//! a world and against each other, and every mistake must still name its line. Anchors, aliases and
//! tags are refused: a scenario says what it means where it stands.

mod fields;

use saphyr_parser::{Event, Parser, ScalarStyle, Span};
use serde_json::{Map, Number, Value};

use crate::mistake::Mistake;

pub use fields::{Fields, Reader};

/// Where something stands in a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1, in characters.
    pub column: usize,
    /// The first byte.
    pub start: usize,
    /// The byte behind it.
    pub end: usize,
}

/// A value with its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// Where it stands.
    pub place: Place,
    /// What it is.
    pub content: Content,
}

/// What a value is.
#[derive(Clone, Debug, PartialEq)]
pub enum Content {
    /// A text, a number, a switch or nothing.
    Scalar {
        /// As it is written, unfolded and unescaped.
        text: String,
        /// Whether it stands without quotes on its line, so that `3` is a number and ` #` ends it.
        plain: bool,
    },
    /// A list.
    List(Vec<Node>),
    /// Keys and values, in order.
    Map(Vec<(Key, Node)>),
}

/// A key with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key {
    /// The key.
    pub name: String,
    /// Where it stands.
    pub place: Place,
}

impl Node {
    /// The text of a scalar.
    pub fn text(&self) -> Option<&str> {
        match &self.content {
            Content::Scalar { text, .. } => Some(text),
            Content::List(_) | Content::Map(_) => None,
        }
    }

    /// The value of a key, where this is a map that has it.
    pub fn get(&self, name: &str) -> Option<&Self> {
        match &self.content {
            Content::Map(entries) => {
                entries.iter().find(|(key, _)| key.name == name).map(|(_, value)| value)
            }
            Content::Scalar { .. } | Content::List(_) => None,
        }
    }

    /// What it is, in a word.
    pub fn kind(&self) -> &'static str {
        match &self.content {
            Content::Map(_) => "a map",
            Content::List(_) => "a list",
            Content::Scalar { .. } => match self.json() {
                Value::Null => "nothing",
                Value::Bool(_) => "a switch",
                Value::Number(_) => "a number",
                _ => "a text",
            },
        }
    }

    /// The same as JSON, by YAML's core schema: an unquoted `3` is a number, `true` a switch, `null`
    /// and nothing are null.
    pub fn json(&self) -> Value {
        match &self.content {
            Content::Scalar { text, plain: true } => core_scalar(text),
            Content::Scalar { text, plain: false } => Value::String(text.clone()),
            Content::List(items) => items.iter().map(Self::json).collect(),
            Content::Map(entries) => {
                let entries = entries.iter().map(|(key, value)| (key.name.clone(), value.json()));
                Value::Object(entries.collect::<Map<_, _>>())
            }
        }
    }
}

fn core_scalar(text: &str) -> Value {
    match text {
        "" | "~" | "null" => return Value::Null,
        "true" => return Value::Bool(true),
        "false" => return Value::Bool(false),
        _ => {}
    }
    // A leading zero or plus is a text here: account numbers and dates stay what they are.
    let digits = text.strip_prefix('-').unwrap_or(text);
    let numeric = digits.starts_with(|c: char| c.is_ascii_digit())
        && digits.chars().all(|c| c.is_ascii_digit() || c == '.')
        && (digits == "0" || digits.starts_with("0.") || !digits.starts_with('0'));
    if numeric {
        if let Ok(number) = text.parse::<i64>() {
            return Value::from(number);
        }
        if let Some(number) = text.parse::<f64>().ok().and_then(Number::from_f64) {
            return Value::Number(number);
        }
    }
    Value::String(text.to_owned())
}

/// Reads a file's text.
///
/// # Errors
/// The text is no YAML, holds more than one document, an anchor, an alias or a tag, a key twice, or
/// a key that is no text. Of keys that stand twice all are named.
pub fn read(file: &str, text: &str) -> Result<Node, Vec<Mistake>> {
    let mut builder = Builder::new(file, text);
    for event in Parser::new_from_str(text) {
        match event {
            Ok((event, span)) => builder.take(event, span),
            Err(error) => {
                let marker = *error.marker();
                let place = builder.place(Span::empty(marker));
                builder.wrong(place, format!("no YAML: {}", error.info()), None);
                break;
            }
        }
        if builder.broken {
            break;
        }
    }
    match builder.root {
        Some(root) if builder.mistakes.is_empty() => Ok(root),
        _ => {
            if builder.mistakes.is_empty() {
                let place = Place { line: 1, column: 1, start: 0, end: 0 };
                builder.wrong(place, "the file is empty".to_owned(), None);
            }
            Err(builder.mistakes)
        }
    }
}

/// A collection that is being read.
enum Open {
    List(Place, Vec<Node>),
    Map(Place, Vec<(Key, Node)>, Option<Key>),
}

struct Builder<'t> {
    file: &'t str,
    text: &'t str,
    /// The byte of each character.
    bytes: Vec<usize>,
    open: Vec<Open>,
    root: Option<Node>,
    mistakes: Vec<Mistake>,
    broken: bool,
}

impl<'t> Builder<'t> {
    fn new(file: &'t str, text: &'t str) -> Self {
        let bytes = text.char_indices().map(|(at, _)| at).collect();
        let (open, mistakes) = (Vec::new(), Vec::new());
        Self { file, text, bytes, open, root: None, mistakes, broken: false }
    }

    fn place(&self, span: Span) -> Place {
        let byte = |index: usize| self.bytes.get(index).copied().unwrap_or(self.text.len());
        Place {
            line: span.start.line(),
            column: span.start.col() + 1,
            start: byte(span.start.index()),
            end: byte(span.end.index()),
        }
    }

    fn wrong(&mut self, place: Place, message: String, hint: Option<&str>) {
        self.mistakes.push(Mistake {
            file: self.file.to_owned(),
            line: place.line,
            column: place.column,
            message,
            hint: hint.map(str::to_owned),
        });
    }

    fn take(&mut self, event: Event<'_>, span: Span) {
        let place = self.place(span);
        match event {
            Event::Scalar(text, style, anchor, tag) => {
                self.refuse(place, anchor, tag.is_some());
                let plain = style == ScalarStyle::Plain;
                let content = Content::Scalar { text: text.into_owned(), plain };
                self.add(Node { place, content });
            }
            Event::SequenceStart(anchor, tag) => {
                self.refuse(place, anchor, tag.is_some());
                self.open.push(Open::List(place, Vec::new()));
            }
            Event::MappingStart(anchor, tag) => {
                self.refuse(place, anchor, tag.is_some());
                self.open.push(Open::Map(place, Vec::new(), None));
            }
            Event::SequenceEnd | Event::MappingEnd => {
                let node = match self.open.pop() {
                    Some(Open::List(place, items)) => Node { place, content: Content::List(items) },
                    Some(Open::Map(place, entries, _)) => {
                        Node { place, content: Content::Map(entries) }
                    }
                    None => return,
                };
                self.add(node);
            }
            Event::Alias(_) => {
                self.refuse(place, 1, false);
                self.broken = true;
            }
            Event::DocumentStart(_) if self.root.is_some() => {
                self.wrong(place, "a second document begins here".to_owned(), None);
                self.broken = true;
            }
            _ => {}
        }
    }

    fn refuse(&mut self, place: Place, anchor: usize, tag: bool) {
        if anchor > 0 {
            let hint = "write it out, or name it under `values`";
            self.wrong(place, "anchors and aliases are not read here".to_owned(), Some(hint));
        }
        if tag {
            self.wrong(place, "tags are not read here".to_owned(), None);
        }
    }

    fn add(&mut self, node: Node) {
        match self.open.last_mut() {
            None => self.root = Some(node),
            Some(Open::List(_, items)) => items.push(node),
            Some(Open::Map(_, entries, waiting)) => {
                if let Some(key) = waiting.take() {
                    entries.push((key, node));
                } else {
                    let place = node.place;
                    let name = node.text().unwrap_or_default().to_owned();
                    let is_text = node.text().is_some();
                    let first = entries.iter().find(|(known, _)| known.name == name);
                    let first = first.map(|(known, _)| known.place.line);
                    *waiting = Some(Key { name: name.clone(), place });
                    if !is_text {
                        self.wrong(place, "a key must be a text".to_owned(), None);
                    } else if let Some(line) = first {
                        let message = format!("key `{name}` stands here a second time");
                        let hint = format!("the first stands in line {line}");
                        self.wrong(place, message, Some(&hint));
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first(text: &str) -> String {
        read("x.yaml", text).unwrap_err()[0].to_string()
    }

    #[test]
    fn places_are_kept() {
        let node = read("x.yaml", "a: 1\nbé:\n  - 'x'\n  - c: 007\n").unwrap();
        let list = node.get("bé").unwrap();
        let Content::List(items) = &list.content else { panic!("a list") };
        assert_eq!((items[0].place.line, items[0].place.column), (3, 5));
        let inner = items[1].get("c").unwrap();
        assert_eq!((inner.place.line, inner.place.column), (4, 8));
        assert_eq!(node.json(), serde_json::json!({"a": 1, "bé": ["x", {"c": "007"}]}));
    }

    #[test]
    fn what_is_not_read_is_named_with_its_place() {
        for (text, expected) in [
            ("a: 1\nb:\n  x: 1\n  x: 2\n", "x.yaml:4:3: key `x` stands here a second time"),
            ("a: &here 1\nb: *here\n", "x.yaml:1:"),
            ("a: !own 1\n", "x.yaml:1:"),
            ("a: [1\nb: 2\n", "x.yaml:2:"),
            ("a: 1\n---\nb: 2\n", "x.yaml:2:"),
            ("", "x.yaml:1:1: the file is empty"),
            ("[a]: 1\n", "x.yaml:1:"),
        ] {
            let got = first(text);
            assert!(got.starts_with(expected), "{text:?}: {got}");
        }
    }
}
