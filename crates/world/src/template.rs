//! An environment with places for injections.
//!
//! Upstream puts the attack's text raw into a dumped YAML file and loads that; the text therefore
//! arrives folded, as a double-quoted scalar folds it. Here the environment is loaded once, and each
//! text that holds a placeholder keeps its *host*, the raw scalar of the dumped file: filling one in
//! is folding that scalar alone, which is exact because no other scalar can change.

use serde_json::{Map, Value};

use crate::environment::{Texts, Typed};
use crate::python::folding::{self, FoldingError};

/// The injected text by vector.
pub type Injections = Vec<(String, String)>;

/// What cannot be loaded or filled in.
#[derive(Debug, thiserror::Error)]
pub enum TemplateError {
    /// The environment does not fit the world's type.
    #[error("environment of `{world}` does not fit: {cause}")]
    Environment {
        /// The world.
        world: &'static str,
        /// What does not fit.
        cause: serde_json::Error,
    },
    /// A placeholder stands where no text can be put.
    #[error("environment of `{world}` has {placed} of {expected} injection texts in reach")]
    OutOfReach {
        /// The world.
        world: &'static str,
        /// Texts found.
        placed: usize,
        /// Texts expected.
        expected: usize,
    },
    /// A placeholder without a vector.
    #[error("environment of `{world}` names no known injection vector in `{host}`")]
    UnknownPlaceholder {
        /// The world.
        world: &'static str,
        /// The text around it.
        host: String,
    },
    /// An injection names no vector.
    #[error("injection vector `{vector}` does not exist in `{world}`")]
    UnknownVector {
        /// The world.
        world: &'static str,
        /// The name given.
        vector: String,
    },
    /// The injected text breaks the environment's YAML.
    #[error("injection into `{vector}` breaks the environment: {cause}")]
    Folding {
        /// The vector.
        vector: String,
        /// What breaks.
        cause: FoldingError,
    },
}

/// An injection vector: a place that an attacker may write to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vector {
    /// Its id.
    pub id: String,
    /// What stands there without an attack.
    pub default: String,
}

/// A piece of a host text.
#[derive(Clone, Debug)]
enum Piece {
    Text(String),
    Placeholder(usize),
}

/// A text that holds placeholders: where it is in the order of visits, and its raw scalar.
#[derive(Clone, Debug)]
struct Slot {
    visit: usize,
    host: Vec<Piece>,
}

impl Slot {
    /// The vectors whose places are in it.
    fn vectors(&self) -> impl Iterator<Item = usize> {
        self.host.iter().filter_map(|piece| match piece {
            Piece::Text(_) => None,
            Piece::Placeholder(at) => Some(*at),
        })
    }
}

/// An environment with places for injections.
#[derive(Clone, Debug)]
pub struct Template<W> {
    /// With every vector at its default.
    base: W,
    slots: Vec<Slot>,
    vectors: Vec<Vector>,
}

const MARK: &str = "\u{0}host ";

impl<W: Typed> Template<W> {
    /// Reads an environment in which each text with a placeholder is `{"$host": raw scalar}`.
    ///
    /// # Errors
    /// The environment does not fit `W`, or a placeholder stands out of reach.
    pub fn load(mut environment: Value, vectors: Vec<Vector>) -> Result<Self, TemplateError> {
        for pointer in W::REPEATED {
            remove(&mut environment, pointer);
        }
        let mut hosts = Vec::new();
        mark_hosts(&mut environment, &mut hosts);
        let mut base: W = serde_json::from_value(environment)
            .map_err(|cause| TemplateError::Environment { world: W::NAME, cause })?;
        let mut slots = Vec::with_capacity(hosts.len());
        let mut visit = 0;
        base.visit_texts(&mut Texts::all(&mut |text| {
            if let Some(number) = text.strip_prefix(MARK) {
                slots.push((visit, number.parse::<usize>().unwrap_or(usize::MAX)));
            }
            visit += 1;
        }));
        if slots.len() != hosts.len() {
            return Err(TemplateError::OutOfReach {
                world: W::NAME,
                placed: slots.len(),
                expected: hosts.len(),
            });
        }
        let slots = slots
            .into_iter()
            .map(|(visit, number)| {
                let host = split_host(&hosts[number], &vectors).ok_or_else(|| {
                    TemplateError::UnknownPlaceholder {
                        world: W::NAME,
                        host: hosts[number].clone(),
                    }
                })?;
                Ok(Slot { visit, host })
            })
            .collect::<Result<_, _>>()?;
        let mut template = Self { base, slots, vectors };
        template.base = template.filled(template.slots.iter(), &Vec::new())?;
        Ok(template)
    }

    /// The vectors, in upstream's order.
    pub fn vectors(&self) -> &[Vector] {
        &self.vectors
    }

    /// The environment with these texts injected and every other vector at its default.
    ///
    /// # Errors
    /// An unknown vector, or a text that breaks the environment's YAML.
    pub fn fill(&self, injections: &Injections) -> Result<W, TemplateError> {
        for (vector, _) in injections {
            if !self.vectors.iter().any(|known| known.id == *vector) {
                return Err(TemplateError::UnknownVector {
                    world: W::NAME,
                    vector: vector.clone(),
                });
            }
        }
        let is_given = |slot: &&Slot| {
            injections.iter().any(|(id, _)| slot.vectors().any(|at| self.vectors[at].id == *id))
        };
        self.filled(self.slots.iter().filter(is_given), injections)
    }

    /// The base with some slots filled in.
    fn filled<'s>(
        &self,
        slots: impl Iterator<Item = &'s Slot>,
        injections: &Injections,
    ) -> Result<W, TemplateError> {
        let (mut places, mut texts) = (Vec::new(), Vec::new());
        for slot in slots {
            places.push(slot.visit);
            texts.push(self.folded(slot, injections)?);
        }
        let mut environment = self.base.clone();
        let mut texts = texts.into_iter();
        environment.visit_texts(&mut Texts::some(&places, &mut |text| {
            if let Some(filled) = texts.next() {
                *text = filled;
            }
        }));
        Ok(environment)
    }

    /// The text of the first slot that holds the vector, with only this vector's text in it: the
    /// payload as it stands in the world, without the host's own words.
    ///
    /// # Errors
    /// An unknown vector, or a text that breaks the environment's YAML.
    pub fn folded_payload(&self, vector: &str, text: &str) -> Result<String, TemplateError> {
        let unknown = || TemplateError::UnknownVector { world: W::NAME, vector: vector.to_owned() };
        if !self.vectors.iter().any(|known| known.id == vector) {
            return Err(unknown());
        }
        // Words on both sides keep the breaks at the payload's ends from being dropped.
        let framed = folding::double_quoted(&format!("|{text}|"))
            .map_err(|cause| TemplateError::Folding { vector: vector.to_owned(), cause })?;
        Ok(framed[1..framed.len() - 1].to_owned())
    }

    fn folded(&self, slot: &Slot, injections: &Injections) -> Result<String, TemplateError> {
        let mut raw = String::new();
        let mut last = "";
        for piece in &slot.host {
            match piece {
                Piece::Text(text) => raw.push_str(text),
                Piece::Placeholder(at) => {
                    let vector = &self.vectors[*at];
                    last = &vector.id;
                    let given = injections.iter().rev().find(|(id, _)| *id == vector.id);
                    raw.push_str(given.map_or(&vector.default, |(_, text)| text));
                }
            }
        }
        folding::double_quoted(&raw)
            .map_err(|cause| TemplateError::Folding { vector: last.to_owned(), cause })
    }
}

/// Takes out the field that a JSON pointer names.
fn remove(value: &mut Value, pointer: &str) {
    let Some((parent, name)) = pointer.rsplit_once('/') else { return };
    if let Some(Value::Object(fields)) = value.pointer_mut(parent) {
        fields.shift_remove(name);
    }
}

/// Replaces each host by a mark with its number.
fn mark_hosts(value: &mut Value, hosts: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            if let Some(host) = host_of(fields) {
                let mark = format!("{MARK}{}", hosts.len());
                hosts.push(host);
                *value = Value::String(mark);
            } else {
                fields.values_mut().for_each(|field| mark_hosts(field, hosts));
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| mark_hosts(item, hosts)),
        _ => {}
    }
}

fn host_of(fields: &Map<String, Value>) -> Option<String> {
    if fields.len() != 1 {
        return None;
    }
    fields.get("$host").and_then(Value::as_str).map(str::to_owned)
}

/// The pieces of a raw scalar with placeholders `{vector}`, as Python's `str.format` reads it; `None`
/// where a placeholder is unknown or there is none.
fn split_host(host: &str, vectors: &[Vector]) -> Option<Vec<Piece>> {
    let mut pieces = Vec::new();
    let mut rest = host;
    while let Some(start) = rest.find('{') {
        let end = start + rest[start..].find('}')?;
        let name = &rest[start + 1..end];
        let at = vectors.iter().position(|vector| vector.id == name)?;
        pieces.push(Piece::Text(rest[..start].to_owned()));
        pieces.push(Piece::Placeholder(at));
        rest = &rest[end + 1..];
    }
    let found = !pieces.is_empty();
    pieces.push(Piece::Text(rest.to_owned()));
    found.then_some(pieces)
}
