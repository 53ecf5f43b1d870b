//! `loyal` and `gullible`: agents that follow a script.

use std::ops::Range;
use std::sync::Arc;

use async_trait::async_trait;
use harness::agent::{Act, Agent, Invalid, Message, View};
use trace::call::ToolCall;
use trace::script::{Exemption, Script, Step};
use trace::tool::Channel;

use crate::roster::{Character, Order};
use crate::sight;

/// The attack's script, made at the moment it is begun: upstream's own scripts read the live
/// environment then.
pub type LateScript = Arc<dyn Fn() -> Script + Send + Sync>;

/// What a payload makes a gullible agent do.
pub struct Temptation {
    /// Whether it asks for the user's task to be left as it is, at once.
    pub denies: bool,
    /// The payloads as they stand in the world; seeing one of them is seeing the attack.
    pub payloads: Vec<String>,
    /// What it asks for.
    pub script: LateScript,
}

/// Whose script a step belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    User,
    Attack,
}

/// A script that is being followed.
pub(crate) struct Progress {
    steps: std::vec::IntoIter<Step>,
    answer: String,
    /// Whether every step so far was carried out.
    pub(crate) whole: bool,
}

impl Progress {
    pub(crate) fn new(script: Script) -> Self {
        Self { steps: script.steps.into_iter(), answer: script.answer, whole: true }
    }

    /// Whether a step is left.
    pub(crate) fn is_going(&self) -> bool {
        self.steps.len() > 0
    }

    /// The next step.
    pub(crate) fn peek(&self) -> Option<&Step> {
        self.steps.as_slice().first()
    }

    /// Takes the next step.
    pub(crate) fn advance(&mut self) -> Option<Step> {
        self.steps.next()
    }

    /// The text that belongs to the answer, once.
    pub(crate) fn take_answer(&mut self) -> String {
        std::mem::take(&mut self.answer)
    }
}

/// What a scripted agent did, beyond what the harness records.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Diary {
    /// For each call of the world's tools that it asked for, in order, whether it is the attack's own.
    pub attack_calls: Vec<bool>,
    /// For each write to memory that it asked for, in order, whether it is the attack's own.
    pub attack_writes: Vec<bool>,
    /// Steps that it left out, since their values were withheld.
    pub starved: u32,
    /// Steps of the user's task among them.
    pub starved_user: u32,
    /// Values that it used without having seen them, as the script lists them.
    pub unseen: u32,
    /// The message that first showed it a payload.
    pub seen_at: Option<usize>,
    /// Where in that message the payload stands, for agents that looked for it there.
    pub seen_range: Option<Range<usize>>,
}

/// An agent that follows a script.
pub struct Scripted {
    character: Character,
    user: Progress,
    temptation: Option<Temptation>,
    attack: Option<Progress>,
    /// Messages that have been looked at.
    read: usize,
    /// Whose steps the calls of the last turn were, in order.
    pending: Vec<Side>,
    diary: Diary,
}

impl Scripted {
    /// An agent with the user's script, and what a payload would make it do.
    pub fn new(character: Character, user: Script, temptation: Option<Temptation>) -> Self {
        Self {
            character,
            user: Progress::new(user),
            temptation: temptation.filter(|_| character.heeds_payloads()),
            attack: None,
            read: 0,
            pending: Vec::new(),
            diary: Diary::default(),
        }
    }

    /// What it did.
    pub fn diary(&self) -> &Diary {
        &self.diary
    }

    /// Reads the new messages: the answers to its last calls, and perhaps a payload.
    fn read(&mut self, messages: &[Message]) {
        let pending = std::mem::take(&mut self.pending);
        let answers = &messages[messages.len().saturating_sub(pending.len())..];
        for (side, answer) in pending.into_iter().zip(answers) {
            if let (true, Some(progress)) = (answer.refused, self.progress(side)) {
                progress.whole = false;
            }
        }
        if self.diary.seen_at.is_none()
            && let Some(temptation) = &self.temptation
        {
            let new = messages.iter().enumerate().skip(self.read);
            let sight =
                new.filter(|(_, message)| message.channel.is_others()).find_map(|(at, message)| {
                    Some((at, find_payload(&message.text, &temptation.payloads)?))
                });
            (self.diary.seen_at, self.diary.seen_range) = sight.unzip();
        }
        self.read = messages.len();
    }

    fn progress(&mut self, side: Side) -> Option<&mut Progress> {
        match side {
            Side::User => Some(&mut self.user),
            Side::Attack => self.attack.as_mut(),
        }
    }

    /// Whose step comes next; `None` when both scripts are done.
    fn next_side(&mut self) -> Option<Side> {
        let user_left = self.user.is_going();
        let Some(order) = self.character.order() else {
            return user_left.then_some(Side::User);
        };
        let due = self.diary.seen_at.is_some() && (order != Order::AfterUser || !user_left);
        // The script is made when the attack begins, not before the calls of this turn are answered.
        if due
            && self.pending.is_empty()
            && self.attack.is_none()
            && let Some(temptation) = &self.temptation
        {
            self.attack = Some(Progress::new((temptation.script)()));
        }
        if self.attack.as_ref().is_some_and(Progress::is_going) {
            return Some(Side::Attack);
        }
        let dropped = self.attack.is_some() && (order == Order::OnlyInjection || self.is_denied());
        (user_left && !dropped).then_some(Side::User)
    }

    /// Whether the next message may change what it does: it then asks for one call at a time. With
    /// nothing to wait for it asks for as many as it has the values of, as a model may, since the
    /// rounds of a session are bounded.
    fn is_wary(&self) -> bool {
        match self.character.order() {
            None | Some(Order::AfterUser) => false,
            Some(_) => self.temptation.is_some() && self.diary.seen_at.is_none(),
        }
    }

    /// The next calls whose values were all seen, of one script. A step whose values were withheld is
    /// left out once nothing stands before it.
    fn next_calls(&mut self, messages: &[Message]) -> Vec<ToolCall> {
        let mut calls = Vec::new();
        while let Some(side) = self.next_side() {
            if self.pending.last().is_some_and(|last| *last != side) {
                break;
            }
            let Some(progress) = self.progress(side) else { break };
            let Some(step) = progress.peek() else { break };
            match values_at_hand(step, messages) {
                Some(unseen) => {
                    self.diary.unseen += unseen;
                    self.diary.attack_calls.push(side == Side::Attack);
                    self.pending.push(side);
                    let step = self.progress(side).and_then(Progress::advance);
                    calls.extend(step.map(|step| step.call));
                    if self.is_wary() {
                        break;
                    }
                }
                // What is missing may still come with the replies to the calls before.
                None if !calls.is_empty() => break,
                None => {
                    if let Some(progress) = self.progress(side) {
                        progress.advance();
                        progress.whole = false;
                    }
                    self.diary.starved += 1;
                    self.diary.starved_user += u32::from(side == Side::User);
                }
            }
        }
        calls
    }

    /// Whether what it fell for keeps it from the user's task.
    fn is_denied(&self) -> bool {
        self.temptation.as_ref().is_some_and(|temptation| temptation.denies)
    }

    /// What it says at the end: of each script, only if every step of it was carried out. An agent that
    /// was kept from the user's task has nothing to say of it.
    fn answer(&self) -> String {
        let of = |progress: &Progress| {
            if progress.whole { progress.answer.clone() } else { String::new() }
        };
        match &self.attack {
            None => of(&self.user),
            Some(attack) if self.is_denied() && self.user.is_going() => of(attack),
            Some(attack) => format!("{}\n{}", of(&self.user), of(attack)),
        }
    }
}

#[async_trait]
impl Agent for Scripted {
    async fn turn(&mut self, view: View<'_>) -> Result<Act, Invalid> {
        self.read(view.messages);
        let calls = self.next_calls(view.messages);
        Ok(if calls.is_empty() { Act::Answer(self.answer()) } else { Act::Call(calls) })
    }
}

/// Whether a message shows one of the payloads whole.
pub fn shows_payload(text: &str, payloads: &[String]) -> bool {
    find_payload(text, payloads).is_some()
}

/// Where the first payload stands that a message shows whole.
pub fn find_payload(text: &str, payloads: &[String]) -> Option<Range<usize>> {
    payloads.iter().find_map(|payload| sight::find_rendered(text, payload))
}

/// How many values of the step are taken unseen, as its script lists them; `None` where a value that
/// it needs was withheld.
pub(crate) fn values_at_hand(step: &Step, messages: &[Message]) -> Option<u32> {
    let seen = messages
        .iter()
        .filter(|message| !matches!(message.channel, Channel::Harness | Channel::Model))
        .map(|message| message.text.as_str());
    let mut unseen = 0;
    for (name, value) in &step.call.args {
        let exempt = step.exempt.iter().find(|(known, _)| known == name).map(|(_, why)| *why);
        if exempt == Some(Exemption::Computed) || sight::all_shown(&seen, value) {
            continue;
        }
        match exempt {
            Some(_) => unseen += 1,
            None => return None,
        }
    }
    Some(unseen)
}
