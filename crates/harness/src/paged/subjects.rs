//! What the names in a course stand for: pages and records.

use std::collections::HashMap;

use trace::course::Content;

use super::Engine;
use crate::memory::Subject;

/// The names that have a meaning so far.
#[derive(Debug, Default)]
pub(super) struct Names {
    deliveries: HashMap<String, Vec<u32>>,
    resources: HashMap<String, Vec<u32>>,
    seeds: HashMap<String, u32>,
    written: HashMap<String, Vec<u32>>,
}

impl Names {
    pub(super) fn delivered(&mut self, name: &str, page: u32) {
        self.deliveries.entry(name.to_owned()).or_default().push(page);
    }

    pub(super) fn read(&mut self, key: &str, page: u32) {
        self.resources.entry(key.to_owned()).or_default().push(page);
    }

    pub(super) fn planted(&mut self, id: &str, record: u32) {
        self.seeds.insert(id.to_owned(), record);
    }

    pub(super) fn wrote(&mut self, session: &str, record: u32) {
        self.written.entry(session.to_owned()).or_default().push(record);
    }

    /// From now on what named the old record names the new one.
    pub(super) fn recycle(&mut self, old: u32, new: u32) {
        let records = self.seeds.values_mut().chain(self.written.values_mut().flatten());
        records.filter(|record| **record == old).for_each(|record| *record = new);
    }
}

impl Engine<'_> {
    /// What a content is at this moment, the latest first; nothing where it was never seen.
    pub(super) fn subjects(&self, content: &Content) -> Vec<Subject> {
        let names = &self.names;
        let pages = |pages: Option<&Vec<u32>>| {
            pages.into_iter().flatten().rev().map(|page| Subject::Page(*page)).collect()
        };
        match content {
            Content::Delivery(name) => pages(names.deliveries.get(name)),
            Content::Resource(key) => pages(names.resources.get(key)),
            Content::Seed(id) => {
                names.seeds.get(id).map(|one| Subject::Record(*one)).into_iter().collect()
            }
            Content::Record { session, nth } => {
                let written = names.written.get(session);
                let record = written.and_then(|all| all.get(*nth as usize));
                record.map(|one| Subject::Record(*one)).into_iter().collect()
            }
        }
    }

    /// The record that a content is.
    pub(super) fn record_of(&self, content: &Content) -> Option<u32> {
        self.subjects(content).into_iter().find_map(|subject| match subject {
            Subject::Record(record) => Some(record),
            Subject::Page(_) => None,
        })
    }

    /// The text of a subject, as it was last seen or stored.
    pub(super) fn text_of(&self, subject: Subject) -> Option<String> {
        match subject {
            Subject::Record(record) => self.known.get(&record).map(|known| known.text.to_string()),
            Subject::Page(page) => self.events.iter().rev().find_map(|event| match event {
                trace::event::Event::Entered { page: known, text, .. } if *known == page => {
                    Some(text.clone())
                }
                _ => None,
            }),
        }
    }
}
