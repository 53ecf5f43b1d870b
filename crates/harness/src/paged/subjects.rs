//! What the names in a course stand for: pages and records.

use std::collections::HashMap;

use trace::course::Content;
use trace::event::Event;
use trace::tool::Channel;

use super::Engine;
use crate::memory::Subject;

/// The names that have a meaning so far.
#[derive(Debug, Default)]
pub(super) struct Names {
    deliveries: HashMap<String, Vec<u32>>,
    resources: HashMap<String, Vec<u32>>,
    seeds: HashMap<String, u32>,
    written: HashMap<String, Vec<u32>>,
    /// What became of records that are now a part of another.
    became: HashMap<u32, u32>,
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

    /// Records have become one: what named them names this, too.
    pub(super) fn joined(&mut self, of: &[u32], number: u32) {
        self.became.extend(of.iter().map(|record| (*record, number)));
    }

    /// From now on what named the old record, or a part of it, names the new one.
    pub(super) fn recycle(&mut self, old: u32, new: u32) {
        let became = &self.became;
        let records = self.seeds.values_mut().chain(self.written.values_mut().flatten());
        records
            .filter(|record| chain(became, **record).any(|one| one == old))
            .for_each(|record| *record = new);
    }

    /// A record and what became of it, the latest first.
    fn with_heirs(&self, record: u32) -> Vec<u32> {
        let mut all: Vec<u32> = chain(&self.became, record).collect();
        all.reverse();
        all
    }
}

/// A record, what it became a part of, and so on. A record's number is less than that of what it
/// becomes a part of, so this ends.
fn chain(became: &HashMap<u32, u32>, record: u32) -> impl Iterator<Item = u32> + '_ {
    std::iter::successors(Some(record), |one| became.get(one).copied())
}

impl Engine<'_> {
    /// What a content is at this moment, the latest first; nothing where it was never seen. A record
    /// that a store holds stands before one that has become a part of another, or is not there yet
    /// since a checkpoint came back.
    pub(super) fn subjects(&self, content: &Content) -> Vec<Subject> {
        let names = &self.names;
        let records = |record: Option<u32>| {
            let mut all = record.map_or_else(Vec::new, |record| names.with_heirs(record));
            let held = |record: &u32| {
                self.rollback.stores.iter().any(|store| store.get(*record).is_some())
            };
            if all.len() > 1 {
                all.sort_by_key(|record| !held(record));
            }
            all.into_iter().map(Subject::Record).collect()
        };
        let pages = |pages: Option<&Vec<u32>>| {
            pages.into_iter().flatten().rev().map(|page| Subject::Page(*page)).collect()
        };
        match content {
            Content::Delivery(name) => pages(names.deliveries.get(name)),
            Content::Resource(key) => pages(names.resources.get(key)),
            Content::Seed(id) => records(names.seeds.get(id).copied()),
            Content::Record { session, nth } => {
                let written = names.written.get(session);
                records(written.and_then(|all| all.get(*nth as usize)).copied())
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
            Subject::Page(page) => self.entered(page).map(|(_, text)| text.to_owned()),
        }
    }

    /// The channel by which a subject came in; storage, for a record.
    pub(super) fn channel_of(&self, subject: Subject) -> Option<Channel> {
        match subject {
            Subject::Record(_) => Some(Channel::Memory),
            Subject::Page(page) => self.entered(page).map(|(channel, _)| channel),
        }
    }

    /// By which channel and with which text a page entered last.
    fn entered(&self, page: u32) -> Option<(Channel, &str)> {
        self.events.iter().rev().find_map(|event| match event {
            Event::Entered { page: known, channel, text } if *known == page => {
                Some((*channel, text.as_str()))
            }
            _ => None,
        })
    }
}
