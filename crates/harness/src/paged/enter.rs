//! How content gets into a context: new, or back from storage.

use std::sync::Arc;

use trace::call::ToolCall;
use trace::course::PageKind;
use trace::event::Event;
use trace::tool::Channel;

use super::Engine;
use super::context::Frame;
use super::store::{Store, retrieve};
use crate::agent::Message;
use crate::defense::{Entry, Hook, Page, fault_text};
use crate::episode::entry_word;
use crate::memory::{Comeback, Form, Reload};

impl Engine<'_> {
    /// New content enters, unless the defense keeps it out. The agent gets one message either way.
    pub(super) fn enter(
        &mut self,
        channel: Channel,
        text: String,
        kind: PageKind,
        reply_to: Option<&ToolCall>,
    ) -> Option<u32> {
        self.enter_typed(channel, text, kind, (None, reply_to))
    }

    /// [`Self::enter`], typed by another tenant where there is one.
    pub(super) fn enter_typed(
        &mut self,
        channel: Channel,
        text: String,
        kind: PageKind,
        (typed_by, reply_to): (Option<u32>, Option<&ToolCall>),
    ) -> Option<u32> {
        let number = self.next_page();
        let page = Page { number, channel, text: &text, typed_by, reply_to };
        let entry = self.hook(Hook::Enter, entry_word, |defense| defense.on_enter(page));
        if let Some(Entry::Refuse(fault)) = entry {
            let words = fault_text(std::slice::from_ref(&fault), false);
            self.say(words, true);
            self.events.push(Event::KeptOut { page: number, channel, fault });
            return None;
        }
        self.hook(Hook::Index, |()| "done", |defense| defense.on_index(page));
        let frame = Frame {
            page: Some(number),
            record: None,
            kind,
            form: Form::Full,
            full: Arc::from(text.as_str()),
            turn: self.context.turn,
            call: reply_to.cloned(),
        };
        self.show(number, channel, text, frame);
        Some(number)
    }

    /// A record comes back, unless the defense keeps it out.
    pub(super) fn bring_back(
        &mut self,
        record: u32,
        channel: Channel,
        kind: PageKind,
        text: &Arc<str>,
    ) -> bool {
        let number = self.next_page();
        let Some(noted) = self.reload(record, number, text) else { return false };
        self.events.push(Event::Reloaded { record, page: number, noted });
        let frame = Frame {
            page: Some(number),
            record: Some(record),
            kind,
            form: Form::Full,
            full: Arc::clone(text),
            turn: self.context.turn,
            call: None,
        };
        self.show(number, channel, text.to_string(), frame);
        true
    }

    /// The crossing itself: what was noted, or `None` where the record stays out.
    pub(super) fn reload(
        &mut self,
        record: u32,
        page: u32,
        text: &str,
    ) -> Option<Vec<trace::event::Fault>> {
        let now = self.now;
        let reload = Reload { record, page, text, now };
        let answer = self.hook(Hook::Reload, comeback_word, |defense| defense.on_reload(&reload));
        let noted = match answer {
            Some(Comeback { entry: Entry::Refuse(fault), .. }) => {
                self.events.push(Event::NotReloaded { record, fault });
                return None;
            }
            Some(Comeback { noted, .. }) => noted,
            None => Vec::new(),
        };
        let page =
            Page { number: page, channel: Channel::Memory, text, typed_by: None, reply_to: None };
        self.hook(Hook::Index, |()| "done", |defense| defense.on_index(page));
        Some(noted)
    }

    fn show(&mut self, page: u32, channel: Channel, text: String, frame: Frame) {
        self.events.push(Event::Entered { page, channel, text: text.clone() });
        let message = Message { channel, text, refused: false };
        self.log.push(message.clone());
        self.context.push(message, frame);
    }

    /// The harness says something itself; it is never a source.
    pub(super) fn say(&mut self, text: String, refused: bool) {
        let frame = Frame {
            page: None,
            record: None,
            kind: PageKind::Conversation,
            form: Form::Full,
            full: Arc::from(text.as_str()),
            turn: self.context.turn,
            call: None,
        };
        let message = Message { channel: Channel::Harness, text, refused };
        self.log.push(message.clone());
        self.context.push(message, frame);
    }

    /// What every session of the seat begins with: its tenant's bootstrap and constraint records.
    pub(super) fn bootstrap(&mut self) {
        let seat = &self.course.seats[self.context.seat];
        let stores = self
            .rollback
            .stores
            .iter()
            .filter(|store| seat.stores.iter().any(|name| name == store.name()));
        let first = stores.flat_map(Store::records).filter(|record| {
            record.staged.is_none()
                && record.tenant == seat.tenant
                && matches!(record.kind, PageKind::Bootstrap | PageKind::Constraint)
        });
        let first: Vec<_> =
            first.map(|record| (record.number, record.kind, Arc::clone(&record.text))).collect();
        for (number, kind, text) in first {
            if !self.context.shows(number) {
                self.context.must_see.push(number);
                self.bring_back(number, Channel::Memory, kind, &text);
            }
        }
    }

    /// Brings the records back that fit a query best, as many as the budget allows. How many came.
    pub(super) fn retrieve(&mut self, query: &str) -> u32 {
        let seat = &self.course.seats[self.context.seat];
        let stores: Vec<_> = self
            .rollback
            .stores
            .iter()
            .filter(|store| seat.stores.iter().any(|name| name == store.name()))
            .collect();
        let session = self.context.opening.session;
        let context = &self.context;
        let open = |number: &u32| {
            let kind = stores.iter().find_map(|store| store.get(*number)).map(|one| one.kind);
            !kind.is_some_and(PageKind::opens_sessions) && !context.shows(*number)
        };
        let (defense, timings) = (&mut *self.cast.defense, &mut self.timings);
        let filters = self.hooks.contains(&Hook::Retrieve);
        let ranked = retrieve(&stores, query, session, |candidates| {
            candidates.retain(open);
            if filters {
                timings.time(Hook::Retrieve, |()| "done", || defense.on_retrieve(candidates));
            }
        });
        let ranked: Vec<_> = ranked
            .iter()
            .filter_map(|(number, _)| stores.iter().find_map(|store| store.get(*number)))
            .map(|record| (record.number, record.kind, Arc::clone(&record.text)))
            .collect();
        let mut came = 0;
        for (number, kind, text) in &ranked {
            if came == self.course.budget.records {
                break;
            }
            came += u32::from(self.bring_back(*number, Channel::Memory, *kind, text));
        }
        if came == 0 && !ranked.is_empty() && self.course.budget.records > 0 {
            self.faults.silent_recall += 1;
        }
        came
    }
}

fn comeback_word(comeback: &Comeback) -> &'static str {
    match (&comeback.entry, comeback.noted.is_empty()) {
        (Entry::Refuse(_), _) => "refuse",
        (Entry::Admit, true) => "admit",
        (Entry::Admit, false) => "remap",
    }
}
