//! Words of a declarative world: with arguments put in, and the text of a part of the state.

use serde_json::Value;

use super::Arguments;

/// A piece of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// Words as they are.
    Words(String),
    /// The value of an argument.
    Argument(String),
}

/// A text into which arguments are put: `Paid {amount} to {payee}.`, with `{{` and `}}` for braces.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Text(pub Vec<Part>);

/// A text whose braces do not fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a brace at character {0} has no partner")]
pub struct TextError(pub usize);

impl Text {
    /// Reads a text.
    ///
    /// # Errors
    /// A brace without its partner.
    pub fn parse(text: &str) -> Result<Self, TextError> {
        let mut parts = Vec::new();
        let mut words = String::new();
        let mut rest = text.char_indices().peekable();
        while let Some((at, letter)) = rest.next() {
            let doubled = rest.peek().is_some_and(|(_, next)| *next == letter);
            match letter {
                '{' | '}' if doubled => {
                    words.push(letter);
                    rest.next();
                }
                '{' => {
                    let behind = &text[at + 1..];
                    let end = behind.find('}').ok_or(TextError(at + 1))?;
                    if !words.is_empty() {
                        parts.push(Part::Words(std::mem::take(&mut words)));
                    }
                    parts.push(Part::Argument(behind[..end].trim().to_owned()));
                    while rest.next().is_some_and(|(_, next)| next != '}') {}
                }
                '}' => return Err(TextError(at + 1)),
                other => words.push(other),
            }
        }
        if !words.is_empty() {
            parts.push(Part::Words(words));
        }
        Ok(Self(parts))
    }

    /// The arguments that it names.
    pub fn arguments(&self) -> impl Iterator<Item = &str> {
        self.0.iter().filter_map(|part| match part {
            Part::Argument(name) => Some(name.as_str()),
            Part::Words(_) => None,
        })
    }

    /// The text with the arguments put in.
    pub(super) fn fill(&self, arguments: &Arguments) -> String {
        let mut out = String::new();
        for part in &self.0 {
            match part {
                Part::Words(words) => out.push_str(words),
                Part::Argument(name) => {
                    out.push_str(&arguments.get(name).map(plain).unwrap_or_default());
                }
            }
        }
        out
    }

    /// The value: the argument's own where the text is that argument and nothing else.
    pub(super) fn value(&self, arguments: &Arguments) -> Value {
        match self.0.as_slice() {
            [Part::Argument(name)] => arguments.get(name).cloned().unwrap_or(Value::Null),
            _ => Value::String(self.fill(arguments)),
        }
    }
}

/// A scalar as words; lists as words separated by commas.
pub(super) fn plain(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().map(plain).collect::<Vec<_>>().join(", "),
        other => other.to_string(),
    }
}

/// The keys of an object, or the ids of a list of records, a line each.
pub(super) fn keys(value: &Value) -> String {
    let keys: Vec<String> = match value {
        Value::Object(fields) => fields.keys().cloned().collect(),
        Value::Array(records) => {
            records.iter().filter_map(|record| record.get("id")).map(plain).collect()
        }
        _ => Vec::new(),
    };
    keys.join("\n")
}

/// A part of the state as a tool shows it: texts as they are, a record as `key: value` lines, a list
/// as one line a record.
pub(super) fn render(value: &Value) -> String {
    let line = |record: &Value| match record {
        Value::Object(fields) => {
            let fields = fields.iter().map(|(key, value)| format!("{key}: {}", plain(value)));
            fields.collect::<Vec<_>>().join("; ")
        }
        other => plain(other),
    };
    match value {
        Value::Array(records) if records.is_empty() => "(none)".to_owned(),
        Value::Array(records) => records
            .iter()
            .map(|record| format!("- {}", line(record)))
            .collect::<Vec<_>>()
            .join("\n"),
        Value::Object(fields) => {
            let fields = fields.iter().map(|(key, value)| format!("{key}: {}", line(value)));
            fields.collect::<Vec<_>>().join("\n")
        }
        scalar => plain(scalar),
    }
}
