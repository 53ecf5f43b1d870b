//! The token budget: pages are degraded, least wanted first, and none below its least form.

use trace::tool::Channel;

use super::Engine;
use super::page::{lower, render, tokens};
use super::write::Draft;
use crate::defense::Hook;
use crate::memory::{Form, Kept};

impl Engine<'_> {
    /// Degrades pages of earlier turns until the context fits its budget. Where it cannot fit, the
    /// eviction below the least form is refused, and counted.
    pub(super) fn fit(&mut self) {
        let budget = self.course.budget.tokens;
        let used = self.context.messages.iter().map(|message| tokens(&message.text));
        let mut used: u32 = used.fold(0, u32::saturating_add);
        while used > budget {
            let Some((at, form)) = self.least_wanted() else {
                self.faults.pinned += 1;
                return;
            };
            let before = tokens(&self.context.messages[at].text);
            self.degrade(at, form);
            let after = self.context.messages.get(at).map_or(0, |message| tokens(&message.text));
            used = used.saturating_sub(before.saturating_sub(after).max(1));
        }
    }

    /// The page to be degraded next, and the form that it gets: of the kind that is given up first,
    /// the fullest, the oldest.
    fn least_wanted(&self) -> Option<(usize, Form)> {
        let frames = self.context.frames.iter().enumerate();
        let old =
            frames.filter(|(_, frame)| frame.turn < self.context.turn && frame.page.is_some());
        let lowerable =
            old.filter_map(|(at, frame)| Some((at, frame, lower(frame.kind, frame.form)?)));
        let chosen =
            lowerable.max_by_key(|(at, frame, _)| (frame.kind, frame.form, std::cmp::Reverse(*at)));
        chosen.map(|(at, _, form)| (at, form))
    }

    fn degrade(&mut self, at: usize, form: Form) {
        let frame = &self.context.frames[at];
        let Some(page) = frame.page else { return };
        let kind = frame.kind;
        let full = std::sync::Arc::clone(&frame.full);
        let text = render(&full, form, page, kind);
        if form == Form::Pointer {
            self.hook(Hook::Evict, |()| "done", |defense| defense.on_evict(page));
            self.replace(at, form, None, Channel::Harness, text);
            return;
        }
        let (record, next) = (self.next_record(), self.next_page());
        let pages = [page];
        let draft = Draft::by_harness(kind, &text, "degrade", &pages);
        let kept = !matches!(self.derive(record, form, &draft), Kept::Refused(_));
        self.hook(Hook::Evict, |()| "done", |defense| defense.on_evict(page));
        let channel = self.context.messages[at].channel;
        if kept && self.reload(record, next, &text).is_some() {
            self.replace(at, form, Some(next), channel, text);
        } else {
            let pointer = render(&full, Form::Pointer, page, kind);
            self.replace(at, Form::Pointer, None, Channel::Harness, pointer);
        }
    }

    fn replace(
        &mut self,
        at: usize,
        form: Form,
        page: Option<u32>,
        channel: Channel,
        text: String,
    ) {
        let frame = &mut self.context.frames[at];
        (frame.form, frame.page) = (form, page);
        let message = &mut self.context.messages[at];
        (message.channel, message.text) = (channel, text);
    }
}
