//! The harness's own life: compaction, reset, checkpoints, revocations, and slots that change hands.

use std::sync::Arc;

use trace::course::{Content, Event as Lifecycle, PageKind};
use trace::event::{Event, Terms};
use trace::tool::Channel;

use super::context::Context;
use super::write::{Draft, Place};
use super::{Checkpoint, Engine};
use crate::defense::Hook;
use crate::memory::{Opening, OwnerAct, Subject};

impl Engine<'_> {
    /// Something of the harness's life happens.
    pub(super) fn live(&mut self, event: &Lifecycle) {
        match event {
            Lifecycle::Compact => self.compact(),
            Lifecycle::Reset => self.reset(),
            Lifecycle::Save(name) => self.save(name),
            Lifecycle::Restore(name) => self.restore(name),
            Lifecycle::Revoke(content) => self.revoke(content),
            Lifecycle::Approve { content, ceiling, values } => {
                self.approve(content, *ceiling, values);
            }
            Lifecycle::Withdraw(content) => self.withdraw(content),
            Lifecycle::Allow(allowance) => self.allow(allowance),
            Lifecycle::Disallow(name) => self.disallow(name),
            Lifecycle::Share { content, to, ceiling, accepted } => {
                self.share(content, to, (*ceiling, *accepted));
            }
            Lifecycle::Expire(content) => self.expire(content),
            Lifecycle::Recycle { content, channel, text } => {
                self.recycle(content, *channel, text);
            }
            Lifecycle::Advance(seconds) => {
                self.now = self.now.saturating_add(*seconds);
                self.cast.defense.on_clock(self.now);
                self.lived("advance");
            }
        }
    }

    /// A summary stands for what was said and read.
    fn compact(&mut self) {
        let summary = self.summarise("compact");
        self.write_back();
        self.clear();
        self.bootstrap();
        for record in summary {
            if let Some(text) = self.known.get(&record).map(|known| Arc::clone(&known.text)) {
                self.bring_back(record, Channel::Memory, PageKind::Conversation, &text);
            }
        }
        self.lived("compact");
    }

    /// The context is cleared, and a new one built for the same session.
    fn reset(&mut self) {
        self.write_back();
        self.clear();
        let opening = Opening { now: self.now, ..self.context.opening };
        self.hook(Hook::Open, |()| "done", |defense| defense.on_open(&opening));
        self.bootstrap();
        self.lived("reset");
    }

    /// Takes every page out of the context.
    fn clear(&mut self) {
        for page in self.context.pages() {
            self.hook(Hook::Evict, |()| "done", |defense| defense.on_evict(page));
        }
        let context = &mut self.context;
        context.messages.clear();
        context.frames.clear();
        context.must_see.clear();
    }

    fn save(&mut self, name: &str) {
        self.write_back();
        let defense = self.hook(Hook::Checkpoint, |_| "save", |defense| defense.on_save());
        let checkpoint = Checkpoint {
            context: self.context.clone(),
            rollback: self.rollback.clone(),
            defense: defense.flatten(),
        };
        self.events.push(Event::Saved { pages: self.context.pages() });
        self.checkpoints.insert(name.to_owned(), Arc::new(checkpoint));
    }

    fn restore(&mut self, name: &str) {
        let Some(checkpoint) = self.checkpoints.get(name).map(Arc::clone) else {
            return self.lived("nothing to restore");
        };
        self.rollback = checkpoint.rollback.clone();
        if self.in_session {
            self.come_back(&checkpoint);
        } else {
            self.resuming.insert(checkpoint.context.seat, checkpoint);
        }
    }

    /// The saved context takes the present one's place, under the present session's number and name.
    /// Numbers given out since stay given out.
    pub(super) fn come_back(&mut self, checkpoint: &Checkpoint) {
        let present = std::mem::take(&mut self.context);
        self.context = Context {
            name: present.name,
            opening: present.opening,
            interrupted: present.interrupted,
            ..checkpoint.context.clone()
        };
        let saved = &checkpoint.defense;
        let faults =
            self.hook(Hook::Checkpoint, |_| "restore", |defense| defense.on_restore(saved));
        let faults = faults.unwrap_or_default();
        self.events.push(Event::Restored { pages: self.context.pages(), faults });
    }

    fn revoke(&mut self, content: &Content) {
        let subjects = self.subjects(content);
        if subjects.is_empty() {
            return self.lived("nothing to revoke");
        }
        let found = self.hook(Hook::Revoke, |_| "done", |defense| defense.on_revoke(&subjects));
        let found = found.unwrap_or_default();
        let (records, acts, approvals) = (found.records, found.acts, found.approvals);
        self.events.push(Event::Revoked { records, acts, approvals });
    }

    /// A copy of a record goes to another seat's store; between tenants by a grant.
    fn share(
        &mut self,
        content: &Content,
        to: &str,
        (ceiling, accepted): (Option<trace::course::Ceiling>, bool),
    ) {
        let seat = self.course.seats.iter().find(|seat| seat.name == to);
        let place = seat.and_then(|seat| Some((seat.tenant, seat.stores.first()?.clone())));
        let (Some(source), Some((tenant, store))) = (self.record_of(content), place) else {
            return self.lived("nothing to share");
        };
        let Some(known) = self.known.get(&source).cloned() else { return };
        let kind = self.kind_of(source);
        let of = [source];
        let draft = Draft { of: &of, ..Draft::by_harness(kind, &known.text, "share", &[]) };
        let Some(record) = self.stage(Place::Store(store.clone()), &draft) else { return };
        // The other side's store takes it at once: no session of his is open.
        if let Some(store) = self.store_mut(&store) {
            store.commit(record);
        }
        if known.tenant != tenant {
            let now = self.now;
            let act = OwnerAct::Grant { record, to: tenant, ceiling, accepted, now };
            let terms = Terms { channel: Some(Channel::Memory), ..Terms::default() };
            self.owner_acted("grant", &act, terms);
        }
    }

    fn kind_of(&self, record: u32) -> PageKind {
        let stores = self.rollback.stores.iter();
        let mut found = stores.filter_map(|store| store.get(record));
        found.next().map_or(PageKind::Evidence, |record| record.kind)
    }

    /// A record is gone from its store; a page, from the context.
    fn expire(&mut self, content: &Content) {
        for subject in self.subjects(content) {
            match subject {
                Subject::Record(record) => {
                    for store in &mut self.rollback.stores {
                        store.remove(record);
                    }
                }
                Subject::Page(page) => self.drop_page(page),
            }
        }
        self.lived("expire");
    }

    fn drop_page(&mut self, page: u32) {
        let at = self.context.frames.iter().position(|frame| frame.page == Some(page));
        if let Some(at) = at {
            self.context.frames.remove(at);
            self.context.messages.remove(at);
            self.hook(Hook::Evict, |()| "done", |defense| defense.on_evict(page));
        }
    }

    /// Other content takes the slot of a record: its name names this from now on.
    fn recycle(&mut self, content: &Content, channel: Channel, text: &str) {
        let Some(old) = self.record_of(content) else {
            return self.lived("nothing to recycle");
        };
        let Some(tenant) = self.known.get(&old).map(|known| known.tenant) else { return };
        let kind = self.kind_of(old);
        let stores = self.rollback.stores.iter_mut();
        let held = stores.filter_map(|store| store.remove(old).map(|_| store.name().to_owned()));
        let held: Vec<String> = held.collect();
        let store = held.into_iter().next().or_else(|| self.own_store(self.context.seat));
        if let Some(store) = store {
            if !self.in_session {
                self.build(tenant);
            }
            if let Some(new) = self.plant((&store, tenant, kind), channel, text) {
                self.names.recycle(old, new);
            }
        }
        self.lived("recycle");
    }
}
