//! What owners do of their own accord, and what is written down of it.

use trace::allowance::{Allowance, Source};
use trace::course::{Ceiling, Content};
use trace::event::{Event, Fault, Terms};

use super::Engine;
use crate::defense::Hook;
use crate::memory::{Origin, OwnerAct, Spoken};

impl Engine<'_> {
    /// The owner approves content that he was shown.
    pub(super) fn approve(&mut self, content: &Content, ceiling: Ceiling, values: &[String]) {
        let subject = self.subjects(content).first().copied();
        let shown = subject.and_then(|subject| self.text_of(subject));
        let (Some(subject), Some(shown)) = (subject, shown) else {
            return self.lived("nothing to approve");
        };
        let now = self.now;
        let act = OwnerAct::Approve { subject, shown: &shown, values, ceiling, now };
        let terms = Terms { channel: self.channel_of(subject), ..Terms::default() };
        self.owner_acted("approve", &act, terms);
    }

    /// The owner takes back what he said of this content: of the latest of it that he spoke about.
    pub(super) fn withdraw(&mut self, content: &Content) {
        for subject in self.subjects(content) {
            let terms = Terms { channel: self.channel_of(subject), ..Terms::default() };
            if self.owner_acted("withdraw", &OwnerAct::Withdraw { subject }, terms) {
                break;
            }
        }
    }

    /// The owner, who is the first seat's tenant, approves calls in advance.
    pub(super) fn allow(&mut self, allowance: &Allowance) {
        let (source, channel) = match &allowance.source {
            Source::Channel(channel) => (Origin::Channel(*channel), Some(*channel)),
            Source::Content(content) => {
                let Some(subject) = self.subjects(content).first().copied() else {
                    return self.lived("nothing to allow calls from");
                };
                (Origin::Content(subject), self.channel_of(subject))
            }
        };
        let now = self.now;
        let tenant = self.course.seats.first().map_or(0, |seat| seat.tenant);
        let until = allowance.expires.map(|seconds| now.saturating_add(seconds));
        let act = OwnerAct::Allow { tenant, allowance, source, until, now };
        let terms = Terms {
            name: Some(allowance.name.clone()),
            tool: Some(allowance.tool.clone()),
            channel,
            uses: allowance.uses,
            expires: until,
            ..Terms::default()
        };
        self.owner_acted("allow", &act, terms);
    }

    /// The owner takes back what he approved in advance.
    pub(super) fn disallow(&mut self, name: &str) {
        let given = super::validate::allowances(self.course).find(|given| given.name == name);
        let tool = given.map(|given| given.tool.clone());
        let terms = Terms { name: Some(name.to_owned()), tool, ..Terms::default() };
        self.owner_acted("withdraw", &OwnerAct::Disallow { name }, terms);
    }

    /// The owner does something. Whether it had an effect.
    pub(super) fn owner_acted(&mut self, word: &str, act: &OwnerAct<'_>, terms: Terms) -> bool {
        let answer = self.hook(Hook::Approval, spoken_word, |defense| defense.on_owner(act));
        let mediated = answer.is_some();
        let (spoken, fault) = match answer {
            Some(Ok(spoken)) => (spoken, None),
            Some(Err(fault)) => (Spoken::default(), Some(fault)),
            None => (Spoken::default(), None),
        };
        let Spoken { widens, before, after } = spoken;
        let effective = fault.is_none();
        let terms = Terms { mediated, before, after, ..terms };
        self.events.push(Event::OwnerActed { act: word.to_owned(), widens, fault, terms });
        effective
    }
}

fn spoken_word(answer: &Result<Spoken, Fault>) -> &'static str {
    match answer {
        Ok(_) => "done",
        Err(_) => "stop",
    }
}
