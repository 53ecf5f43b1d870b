//! How content leaves a context for storage: staged, then written back.

use std::sync::Arc;

use trace::course::PageKind;
use trace::event::Event;
use trace::script::Occasion;
use trace::tool::Channel;

use super::page::first_words;
use super::store::Record;
use super::tools::MEMORY_TOOLS;
use super::{Engine, Job, Known};
use crate::agent::View;
use crate::defense::{Hook, Page};
use crate::episode::entry_word;
use crate::memory::{Form, Kept, Opening, Write, Writer};

/// Words of each user turn that the harness's own summary keeps.
const SUMMARY_WORDS: usize = 24;

/// Where a write goes.
#[derive(Clone, Debug)]
pub(super) enum Place {
    /// Into a store, staged.
    Store(String),
    /// Into a seat's inbox.
    Inbox(usize),
    /// Among the jobs, due at some time.
    Job(u64),
}

/// What is to be stored.
pub(super) struct Draft<'t> {
    pub(super) by: Writer,
    pub(super) pages: &'t [u32],
    pub(super) of: &'t [u32],
    pub(super) remembered: bool,
    pub(super) kind: PageKind,
    pub(super) text: &'t str,
    pub(super) path: &'t str,
}

impl<'t> Draft<'t> {
    /// What the agent's model wrote.
    pub(super) fn by_agent(kind: PageKind, text: &'t str, path: &'t str) -> Self {
        let by = Writer::Agent;
        Self { by, pages: &[], of: &[], remembered: false, kind, text, path }
    }

    /// What the harness made from pages in view.
    pub(super) fn by_harness(
        kind: PageKind,
        text: &'t str,
        path: &'t str,
        pages: &'t [u32],
    ) -> Self {
        Self { by: Writer::Harness, pages, ..Self::by_agent(kind, text, path) }
    }
}

impl Engine<'_> {
    /// Stages a write. The record's number, or `None` where it was refused.
    pub(super) fn stage(&mut self, place: Place, draft: &Draft<'_>) -> Option<u32> {
        let Some(number) = self.write(draft) else {
            self.faults.flush_miss += 1;
            return None;
        };
        let copied = draft.of.first().and_then(|source| self.known.get(source));
        let tenant = copied.map_or(self.context.opening.tenant, |known| known.tenant);
        let text: Arc<str> = draft.text.into();
        self.known.insert(number, Known { tenant, text: Arc::clone(&text) });
        let session = std::mem::take(&mut self.context.name);
        self.names.wrote(&session, number);
        self.context.name = session;
        let staged = Some(self.context.opening.session);
        match place {
            Place::Store(name) => {
                if let Some(store) = self.store_mut(&name) {
                    store.put(Record { number, tenant, kind: draft.kind, text, staged });
                }
            }
            Place::Inbox(seat) => self.rollback.inboxes[seat].push(number),
            Place::Job(due) => {
                self.rollback.jobs.push(Job { due, seat: self.context.seat, record: number });
            }
        }
        Some(number)
    }

    /// The crossing and its event. The new record's number, or `None` where it was refused.
    pub(super) fn write(&mut self, draft: &Draft<'_>) -> Option<u32> {
        let number = self.next_record();
        let (record, faults) = match self.derive(number, Form::Full, draft) {
            Kept::AsIs => (Some(number), Vec::new()),
            Kept::Relabelled(faults) => (Some(number), faults),
            Kept::Refused(fault) => (None, vec![fault]),
        };
        let (path, of) = (draft.path.to_owned(), draft.of.to_vec());
        let asked = draft.by == Writer::Agent;
        self.events.push(Event::Stored { record, path, asked, of, faults });
        record
    }

    /// The crossing itself.
    pub(super) fn derive(&mut self, record: u32, form: Form, draft: &Draft<'_>) -> Kept {
        let write = Write {
            record,
            by: draft.by,
            pages: draft.pages,
            of: draft.of,
            remembered: draft.remembered,
            form,
            text: draft.text,
        };
        let kept = self.hook(Hook::Derive, kept_word, |defense| defense.on_derive(&write));
        kept.unwrap_or(Kept::AsIs)
    }

    /// Writes back what this session has staged. A boundary of the context's life.
    pub(super) fn write_back(&mut self) {
        let session = self.context.opening.session;
        let mine = &self.course.seats[self.context.seat].stores;
        let (mut committed, mut rejected) = (Vec::new(), Vec::new());
        for store in &mut self.rollback.stores {
            let allowed = mine.iter().any(|name| name == store.name());
            let done = store.write_back(session, allowed);
            rejected.extend(done.rejected);
            if !done.committed.is_empty() {
                committed.push((store.name().to_owned(), done.committed));
            }
        }
        for (_, why) in rejected {
            self.faults.flush_miss += 1;
            self.lived(format!("rejected: {}", why.as_str()));
        }
        if self.course.consolidates {
            for (store, fresh) in committed {
                self.consolidate(&store, &fresh);
            }
        }
    }

    /// What the agent wants stored on an occasion.
    pub(super) fn agent_writes(&mut self, occasion: Occasion) -> Vec<String> {
        let view = View {
            messages: &self.context.messages,
            tools: self.cast.world.tools(),
            memory_tools: &MEMORY_TOOLS,
        };
        self.cast.agent.write(occasion, view)
    }

    /// A summary of the context: the agent's, or where it has none the beginning of each user turn.
    /// The numbers of its records.
    pub(super) fn summarise(&mut self, path: &str) -> Vec<u32> {
        let Some(store) = self.own_store(self.context.seat) else { return Vec::new() };
        let texts = self.agent_writes(Occasion::Summarise);
        if !texts.is_empty() {
            let mut staged = Vec::new();
            for text in &texts {
                let draft = Draft::by_agent(PageKind::Conversation, text, path);
                staged.extend(self.stage(Place::Store(store.clone()), &draft));
            }
            return staged;
        }
        let turns = self.user_turns();
        if turns.is_empty() {
            return Vec::new();
        }
        let pages: Vec<u32> = turns.iter().map(|(page, _)| *page).collect();
        let words = turns.iter().map(|(_, text)| first_words(text, SUMMARY_WORDS));
        let text = words.collect::<Vec<_>>().join("\n");
        let draft = Draft::by_harness(PageKind::Conversation, &text, path, &pages);
        self.stage(Place::Store(store), &draft).into_iter().collect()
    }

    /// The pages in view that the tenant typed, with their texts.
    pub(super) fn user_turns(&self) -> Vec<(u32, Arc<str>)> {
        let shown = self.context.messages.iter().zip(&self.context.frames);
        let typed = shown.filter(|(message, _)| message.channel == Channel::User);
        typed.filter_map(|(_, frame)| Some((frame.page?, Arc::clone(&frame.full)))).collect()
    }

    /// Facts of the session: what the agent takes from it, and each turn of the user's.
    pub(super) fn extract(&mut self) {
        let Some(store) = self.own_store(self.context.seat) else { return };
        let path = Occasion::Extract.as_str();
        for text in self.agent_writes(Occasion::Extract) {
            let draft = Draft::by_agent(PageKind::Evidence, &text, path);
            self.stage(Place::Store(store.clone()), &draft);
        }
        for (page, text) in self.user_turns() {
            let pages = [page];
            let draft = Draft::by_harness(PageKind::Conversation, &text, path, &pages);
            self.stage(Place::Store(store.clone()), &draft);
        }
    }

    /// What went well becomes a skill, if the agent has one to write.
    pub(super) fn reflect(&mut self) {
        let Some(store) = self.own_store(self.context.seat) else { return };
        for text in self.agent_writes(Occasion::Reflect) {
            let draft = Draft::by_agent(PageKind::Plan, &text, Occasion::Reflect.as_str());
            self.stage(Place::Store(store.clone()), &draft);
        }
    }

    /// A record that no session wrote: a seed, or what takes a free slot. Its content enters a
    /// context of its own by its channel, and is stored as the harness's copy.
    pub(super) fn plant(
        &mut self,
        (store, tenant, kind): (&str, u32, PageKind),
        channel: Channel,
        text: &str,
    ) -> Option<u32> {
        let (page, record) = (self.next_page(), self.next_record());
        let content = Page { number: page, channel, text, typed_by: None, reply_to: None };
        self.hook(Hook::Enter, entry_word, |defense| defense.on_enter(content));
        let pages = [page];
        let draft = Draft::by_harness(kind, text, "seed", &pages);
        if matches!(self.derive(record, Form::Full, &draft), Kept::Refused(_)) {
            return None;
        }
        let text: Arc<str> = text.into();
        self.known.insert(record, Known { tenant, text: Arc::clone(&text) });
        if let Some(store) = self.store_mut(store) {
            store.put(Record { number: record, tenant, kind, text, staged: None });
        }
        Some(record)
    }

    /// Every seed, tenant by tenant, each tenant's in a context of his.
    pub(super) fn plant_seeds(&mut self) {
        let course = self.course;
        let mut tenants: Vec<u32> = course.seeds.iter().map(|seed| seed.tenant).collect();
        tenants.sort_unstable();
        tenants.dedup();
        for tenant in tenants {
            self.build(tenant);
            for seed in course.seeds.iter().filter(|seed| seed.tenant == tenant) {
                let place = (seed.store.as_str(), tenant, seed.kind);
                if let Some(record) = self.plant(place, seed.channel, &seed.text) {
                    self.names.planted(&seed.id, record);
                }
            }
        }
    }

    /// Tells the defense of a context that no agent sees.
    pub(super) fn build(&mut self, tenant: u32) {
        let session = self.sessions;
        let opening = Opening { tenant, task: 0, session, attended: true, now: self.now };
        self.hook(Hook::Open, |()| "done", |defense| defense.on_open(&opening));
    }
}

fn kept_word(kept: &Kept) -> &'static str {
    match kept {
        Kept::AsIs => "keep",
        Kept::Relabelled(_) => "relabel",
        Kept::Refused(_) => "refuse",
    }
}
