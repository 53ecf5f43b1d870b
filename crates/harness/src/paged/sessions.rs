//! Sessions: from the opening of a context to what is written at its end.

use std::sync::Arc;

use trace::course::{Moment, PageKind, Session};
use trace::event::Event;
use trace::tool::Channel;

use super::Engine;
use super::context::Context;
use super::filler;
use super::tools::MEMORY_TOOLS;
use super::write::{Draft, Place};
use crate::agent::{Act, Invalid, View};
use crate::defense::Hook;
use crate::episode::ROUNDS_MAX;
use crate::memory::Opening;

impl Engine<'_> {
    /// A session of the course.
    pub(super) async fn session(&mut self, session: &Session) -> Result<(), Invalid> {
        let seats = &self.course.seats;
        let seat = seats.iter().position(|seat| seat.name == session.seat).unwrap_or_default();
        self.open(seat, &session.name, session.task, session.attended);
        self.deliver_inbox();
        for moment in &session.moments {
            match moment {
                Moment::User(text) => self.user_turn(text, false).await?,
                Moment::Remember(text) => self.user_turn(text, true).await?,
                Moment::Deliver(name) => self.deliver(name),
                Moment::Retrieve(query) => {
                    self.retrieve(query);
                }
                Moment::Event(event) => self.live(event),
            }
        }
        let closing = session.closing;
        if closing.extract {
            self.extract();
        }
        if closing.summarise {
            self.summarise("summarise");
        }
        if closing.reflect {
            self.reflect();
        }
        self.close();
        Ok(())
    }

    /// Opens a session: with a context of its own, or with the saved one that its seat resumes.
    pub(super) fn open(&mut self, seat: usize, name: &str, task: u32, attended: bool) {
        let tenant = self.course.seats[seat].tenant;
        let session = self.sessions;
        self.sessions += 1;
        let opening = Opening { tenant, task, session, attended, now: self.now };
        let owner = self.course.seats[seat].name.clone();
        self.events.push(Event::Opened { session, name: name.to_owned(), seat: owner });
        self.cast.agent.open(name);
        self.hook(Hook::Open, |()| "done", |defense| defense.on_open(&opening));
        self.context = Context::new(seat, name.to_owned(), opening);
        self.in_session = true;
        if let Some(checkpoint) = self.resuming.remove(&seat) {
            self.come_back(&checkpoint);
        }
        self.bootstrap();
    }

    /// Closes a session: what is staged is written back.
    pub(super) fn close(&mut self) {
        self.write_back();
        self.in_session = false;
    }

    fn deliver_inbox(&mut self) {
        for record in std::mem::take(&mut self.rollback.inboxes[self.context.seat]) {
            let Some(text) = self.known.get(&record).map(|known| Arc::clone(&known.text)) else {
                continue;
            };
            self.bring_back(record, Channel::Peer, PageKind::Evidence, &text);
        }
    }

    fn deliver(&mut self, name: &str) {
        let course = self.course;
        let Some(delivery) = course.deliveries.iter().find(|one| one.name == name) else { return };
        if let Some(page) = self.enter_typed(
            delivery.channel,
            delivery.text.clone(),
            PageKind::Evidence,
            (delivery.tenant, None),
        ) {
            self.names.delivered(name, page);
        }
    }

    /// The tenant says something, and the agent acts until it answers.
    async fn user_turn(&mut self, text: &str, remember: bool) -> Result<(), Invalid> {
        self.begin_turn();
        self.retrieve(text);
        let page = self.enter(Channel::User, text.to_owned(), PageKind::Conversation, None);
        if let (true, Some(page), Some(store)) = (remember, page, self.own_store(self.context.seat))
        {
            let pages = [page];
            let draft = Draft::by_harness(PageKind::Preference, text, "remember", &pages);
            let draft = Draft { remembered: true, ..draft };
            self.stage(Place::Store(store), &draft);
        }
        self.act().await
    }

    /// A new turn: the budget is met, and what every turn must find is looked for.
    fn begin_turn(&mut self) {
        self.context.turn += 1;
        let missing = self.context.must_see.iter().any(|record| !self.context.shows(*record));
        self.faults.bootstrap += u32::from(missing);
        self.fit();
    }

    /// The agent acts until it answers or its rounds are used up.
    pub(super) async fn act(&mut self) -> Result<(), Invalid> {
        let mut rounds = 0;
        loop {
            if let Some(why) = self.cast.defense.outage() {
                return Err(Invalid::Defense(why));
            }
            let view = View {
                messages: &self.context.messages,
                tools: self.cast.world.tools(),
                memory_tools: &MEMORY_TOOLS,
            };
            let act = self.cast.agent.turn(view).await?;
            self.turns += 1;
            rounds += 1;
            match act {
                Act::Answer(text) => {
                    self.events.push(Event::Answered { text: text.clone() });
                    if !text.is_empty() {
                        self.enter(Channel::Model, text.clone(), PageKind::Conversation, None);
                        self.answers.push(text);
                    }
                    return Ok(());
                }
                Act::Call(_) if rounds > ROUNDS_MAX => {
                    self.events.push(Event::RoundsExhausted);
                    return Ok(());
                }
                Act::Call(calls) => calls.into_iter().for_each(|call| self.call(call)),
            }
        }
    }

    /// A session about something else: words, retrieval, an answer, and a record of its own. No agent
    /// takes part.
    pub(super) fn filler(&mut self) {
        let number = self.fillers;
        self.fillers += 1;
        let (words, note) = filler::topic(number);
        let tenant = self.course.seats[0].tenant;
        let opening =
            Opening { tenant, task: 0, session: self.sessions, attended: true, now: self.now };
        self.sessions += 1;
        self.hook(Hook::Open, |()| "done", |defense| defense.on_open(&opening));
        self.context = Context::new(0, "filler".to_owned(), opening);
        self.begin_turn();
        self.retrieve(words);
        let asked = self.enter(Channel::User, words.to_owned(), PageKind::Conversation, None);
        if let (Some(page), Some(store)) = (asked, self.own_store(0)) {
            let pages = [page];
            let draft = Draft::by_harness(PageKind::Conversation, &note, "extract", &pages);
            self.stage(Place::Store(store), &draft);
        }
        self.close();
    }

    /// Every job that is due, each in a session at which nobody is present.
    pub(super) async fn run_jobs(&mut self) -> Result<(), Invalid> {
        let now = self.now;
        let (due, later): (Vec<_>, Vec<_>) =
            self.rollback.jobs.iter().copied().partition(|job| job.due <= now);
        self.rollback.jobs = later;
        for job in due {
            let Some(text) = self.known.get(&job.record).map(|known| Arc::clone(&known.text))
            else {
                continue;
            };
            self.open(job.seat, "job", 0, false);
            self.context.turn += 1;
            if self.bring_back(job.record, Channel::Memory, PageKind::Plan, &text) {
                self.act().await?;
            }
            self.close();
        }
        Ok(())
    }
}
