//! Reading a node as what a language expects of it, with every mistake kept.

use std::collections::{BTreeMap, BTreeSet};

use super::{Content, Key, Node, Place};
use crate::mistake::{Mistake, did_you_mean};

/// What reads the nodes of one file, and what it found wrong.
#[derive(Debug)]
pub struct Reader<'t> {
    /// The file's name.
    pub file: &'t str,
    /// The file's text.
    pub source: &'t str,
    /// What is wrong so far.
    pub mistakes: BTreeSet<Mistake>,
    /// The parts that only some rows have, by line and column, and whether any row has had them.
    branches: BTreeMap<(usize, usize), bool>,
}

/// The keys of a map that have been checked against those that are known.
#[derive(Clone, Copy, Debug)]
pub struct Fields<'n> {
    node: &'n Node,
    entries: &'n [(Key, Node)],
}

impl<'n> Fields<'n> {
    /// The value of a key, if it is there.
    pub fn get(&self, name: &str) -> Option<&'n Node> {
        self.entries.iter().find(|(key, _)| key.name == name).map(|(_, value)| value)
    }

    /// The place of a key, or of the map where the key is not there.
    pub fn place_of(&self, name: &str) -> Place {
        let key = self.entries.iter().find(|(key, _)| key.name == name);
        key.map_or(self.node.place, |(key, _)| key.place)
    }

    /// The map's own place.
    pub fn place(&self) -> Place {
        self.node.place
    }
}

impl<'t> Reader<'t> {
    /// A reader that has found nothing yet.
    pub fn new(file: &'t str, source: &'t str) -> Self {
        Self { file, source, mistakes: BTreeSet::new(), branches: BTreeMap::new() }
    }

    /// Notes a mistake.
    pub fn wrong(&mut self, place: Place, message: impl Into<String>, hint: Option<String>) {
        self.mistakes.insert(Mistake {
            file: self.file.to_owned(),
            line: place.line,
            column: place.column,
            message: message.into(),
            hint,
        });
    }

    /// Notes a part that only some rows have, and whether this row has it.
    pub fn branch(&mut self, place: Place, taken: bool) {
        *self.branches.entry((place.line, place.column)).or_default() |= taken;
    }

    /// Notes the parts that no row has had: they were never read, so nobody knows what is wrong there.
    pub fn check_branches(&mut self) {
        let branches = std::mem::take(&mut self.branches);
        for ((line, column), _) in branches.into_iter().filter(|(_, taken)| !taken) {
            let place = Place { line, column, ..Place::default() };
            let hint = Some("take it out, or add such a row".to_owned());
            self.wrong(place, "no row has this part", hint);
        }
    }

    /// The keys of a map; keys that are not `known` are mistakes.
    pub fn fields<'n>(&mut self, node: &'n Node, what: &str, known: &[&str]) -> Option<Fields<'n>> {
        let entries = self.map(node, what)?;
        for (key, _) in entries {
            if !known.contains(&key.name.as_str()) {
                let hint = did_you_mean(&key.name, known);
                self.wrong(key.place, format!("{what} has no key `{}`", key.name), hint);
            }
        }
        Some(Fields { node, entries })
    }

    /// The value of a key that must be there.
    pub fn required<'n>(&mut self, fields: Fields<'n>, what: &str, name: &str) -> Option<&'n Node> {
        let found = fields.get(name);
        if found.is_none() {
            self.wrong(fields.place(), format!("{what} has no `{name}`"), None);
        }
        found
    }

    /// The entries of a map, whatever their keys.
    pub fn map<'n>(&mut self, node: &'n Node, what: &str) -> Option<&'n [(Key, Node)]> {
        if let Content::Map(entries) = &node.content {
            return Some(entries);
        }
        self.wrong(node.place, format!("{what} must be a map, found {}", node.kind()), None);
        None
    }

    /// The items of a list.
    pub fn list<'n>(&mut self, node: &'n Node, what: &str) -> &'n [Node] {
        if let Content::List(items) = &node.content {
            return items;
        }
        self.wrong(node.place, format!("{what} must be a list, found {}", node.kind()), None);
        &[]
    }

    /// A text. A number or a switch counts as the text that it is written as.
    pub fn text<'n>(&mut self, node: &'n Node, what: &str) -> Option<&'n str> {
        match node.text() {
            Some(text) if !text.is_empty() => return Some(text),
            Some(_) => self.wrong(node.place, format!("{what} is empty"), None),
            None => {
                let message = format!("{what} must be a text, found {}", node.kind());
                self.wrong(node.place, message, None);
            }
        }
        None
    }

    /// A whole number that is not negative.
    pub fn number(&mut self, node: &Node, what: &str) -> Option<u64> {
        let number = node.text().and_then(|text| text.parse().ok());
        if number.is_none() {
            let message = format!("{what} must be a whole number, found {}", node.kind());
            self.wrong(node.place, message, None);
        }
        number
    }

    /// A switch.
    pub fn switch(&mut self, node: &Node, what: &str) -> Option<bool> {
        match node.text() {
            Some("true") => return Some(true),
            Some("false") => return Some(false),
            _ => {}
        }
        let message = format!("{what} must be `true` or `false`, found {}", node.kind());
        self.wrong(node.place, message, None);
        None
    }

    /// One of the words that are known.
    pub fn word<T: Copy>(&mut self, node: &Node, what: &str, known: &[(&str, T)]) -> Option<T> {
        let name = self.text(node, what)?;
        let found = known.iter().find(|(word, _)| *word == name).map(|(_, value)| *value);
        if found.is_none() {
            let words: Vec<&str> = known.iter().map(|(word, _)| *word).collect();
            let hint = did_you_mean(name, &words);
            self.wrong(node.place, format!("{what} is not `{name}`"), hint);
        }
        found
    }

    /// The place in the file of the part of a scalar that begins `offset` bytes into it and reads
    /// `part`. Folded and indented texts stand otherwise in the file than as they are read, so the
    /// part is looked for: its n-th occurrence in the text is its n-th in the file.
    pub fn place_within(&self, node: &Node, offset: usize, part: &str) -> Place {
        let text = node.text().unwrap_or_default();
        let before = text.get(..offset).unwrap_or_default().matches(part).count();
        let written = self.source.get(node.place.start..).unwrap_or_default();
        let found = (!part.is_empty()).then(|| written.match_indices(part).nth(before)).flatten();
        let Some((at, _)) = found else { return node.place };
        let start = node.place.start + at;
        let ahead = &self.source[..start];
        let line_start = ahead.rfind('\n').map_or(0, |at| at + 1);
        Place {
            line: ahead.matches('\n').count() + 1,
            column: self.source[line_start..start].chars().count() + 1,
            start,
            end: start + part.len(),
        }
    }
}
