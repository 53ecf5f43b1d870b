//! `--harness stateless`: one session, every reply in the context, a bounded number of rounds.
//!
//! This is AgentDojo's loop (`ToolsExecutionLoop` around `ToolsExecutor`): a round is one turn of the
//! agent and the calls it asks for. Nothing is stored and nothing comes back from storage, so a
//! defense's `derive` and `reload` have nothing to do here.

use trace::call::ToolCall;
use trace::event::{Approval, CallOutcome, Event, Fault};
use trace::tool::{Channel, Effect};
use world::World;
use world::arguments::{convert_string_lists, no_such_tool};

use crate::agent::{Act, Agent, Invalid, Message, View};
use crate::defense::{Defense, Entry, Hook, Page, Ruling, Verdict, fault_text};
use crate::memory::Memory;
use crate::owner::{Owner, Request};
use crate::timing::Timings;

/// Rounds of calls in one session, as upstream bounds them.
pub const ROUNDS_MAX: u32 = 15;

/// Who and what takes part in an episode.
pub struct Cast<'e> {
    /// What is acted on.
    pub world: &'e mut dyn World,
    /// Who acts.
    pub agent: &'e mut dyn Agent,
    /// What guards.
    pub defense: &'e mut dyn Defense,
    /// Who answers approval requests.
    pub owner: &'e mut dyn Owner,
}

/// What an episode left behind, besides the world's state.
#[derive(Debug)]
pub struct Record {
    /// What happened, in order.
    pub events: Vec<Event>,
    /// The messages as the agent saw them.
    pub messages: Vec<Message>,
    /// The final answer; empty where the rounds were used up. Of several sessions, all answers.
    pub answer: String,
    /// Turns of the agent.
    pub turns: u32,
    /// How long the hooks took.
    pub timings: Timings,
    /// What memory came to; `None` for a harness without.
    pub memory: Option<Memory>,
}

/// Runs one session from the user's words to the final answer.
///
/// # Errors
/// The agent could not act, or the defense could not answer.
pub async fn run(cast: Cast<'_>, prompt: &str) -> Result<Record, Invalid> {
    let mut episode = Episode::new(cast);
    episode.enter(Channel::User, prompt.to_owned());
    let mut turns = 0;
    loop {
        if let Some(why) = episode.cast.defense.outage() {
            return Err(Invalid::Defense(why));
        }
        let view = View {
            messages: &episode.messages,
            tools: episode.cast.world.tools(),
            memory_tools: &[],
        };
        let act = episode.cast.agent.turn(view).await?;
        turns += 1;
        match act {
            Act::Answer(text) => {
                episode.events.push(Event::Answered { text: text.clone() });
                return Ok(episode.finish(text, turns));
            }
            Act::Call(_) if turns > ROUNDS_MAX => {
                episode.events.push(Event::RoundsExhausted);
                return Ok(episode.finish(String::new(), turns));
            }
            Act::Call(calls) => {
                for call in calls {
                    episode.call(turns - 1, call);
                }
            }
        }
    }
}

struct Episode<'e> {
    cast: Cast<'e>,
    hooks: &'static [Hook],
    events: Vec<Event>,
    messages: Vec<Message>,
    asked: Vec<ToolCall>,
    timings: Timings,
}

impl<'e> Episode<'e> {
    fn new(cast: Cast<'e>) -> Self {
        Self {
            hooks: cast.defense.hooks(),
            cast,
            events: Vec::new(),
            messages: Vec::new(),
            asked: Vec::new(),
            timings: Timings::default(),
        }
    }

    fn finish(self, answer: String, turns: u32) -> Record {
        Record {
            events: self.events,
            messages: self.messages,
            answer,
            turns,
            timings: self.timings,
            memory: None,
        }
    }

    fn uses(&self, hook: Hook) -> bool {
        self.hooks.contains(&hook)
    }

    /// A page enters the context, unless the defense keeps it out.
    fn enter(&mut self, channel: Channel, text: String) {
        let number = u32::try_from(self.messages.len()).unwrap_or(u32::MAX);
        let page = Page { number, channel, text: &text, typed_by: None, reply_to: None };
        if self.uses(Hook::Enter) {
            let defense = &mut *self.cast.defense;
            let entry = self.timings.time(Hook::Enter, entry_word, || defense.on_enter(page));
            if let Entry::Refuse(fault) = entry {
                let words = fault_text(std::slice::from_ref(&fault), false);
                self.messages.push(Message {
                    channel: Channel::Harness,
                    text: words,
                    refused: true,
                });
                self.events.push(Event::KeptOut { page: number, channel, fault });
                return;
            }
        }
        if self.uses(Hook::Index) {
            let defense = &mut *self.cast.defense;
            self.timings.time(Hook::Index, |()| "done", || defense.on_index(page));
        }
        self.events.push(Event::Entered { page: number, channel, text: text.clone() });
        self.messages.push(Message { channel, text, refused: false });
    }

    /// Carries out one call, or refuses it; either way the agent gets one message.
    fn call(&mut self, turn: u32, mut call: ToolCall) {
        let unknown = no_such_tool(&*self.cast.world, &call);
        if unknown.is_none() {
            convert_string_lists(&mut call.args);
        }
        let effect = self.effect_of(&call);
        let ruling = self.judge(&call);
        let (mut noted, mut approval) = (Vec::new(), None);
        let in_advance = ruling.in_advance;
        let refusal = match ruling.verdict {
            Verdict::Allow => {
                noted = ruling.faults;
                None
            }
            Verdict::Deny => Some((ruling.faults, false)),
            Verdict::Ask => {
                let (answer, refusal) = self.ask(&call, ruling.faults);
                approval = Some(answer);
                refusal.map(|faults| (faults, true))
            }
        };
        // The event stands before the reply's page, as the call came before it.
        let at = self.events.len();
        let outcome = match refusal {
            Some((faults, asked)) => {
                let text = fault_text(&faults, asked);
                self.messages.push(Message { channel: Channel::Harness, text, refused: true });
                CallOutcome::Refused { faults, asked }
            }
            None => self.carry_out(&call, unknown),
        };
        let mediated = self.uses(Hook::Call);
        self.events.insert(
            at,
            Event::Called { turn, call, effect, mediated, approval, in_advance, noted, outcome },
        );
    }

    fn effect_of(&self, call: &ToolCall) -> Option<Effect> {
        let tools = self.cast.world.tools();
        tools.iter().find(|tool| tool.name == call.function).map(|tool| tool.capability.effect)
    }

    fn judge(&mut self, call: &ToolCall) -> Ruling {
        if !self.uses(Hook::Call) {
            return Ruling::ALLOW;
        }
        let tool = self.cast.world.tools().iter().find(|tool| tool.name == call.function);
        let defense = &mut *self.cast.defense;
        self.timings.time(Hook::Call, ruling_word, || defense.on_call(call, tool))
    }

    /// Asks the owner. The second part is why the call does not go ahead, if it does not.
    fn ask(&mut self, call: &ToolCall, faults: Vec<Fault>) -> (Approval, Option<Vec<Fault>>) {
        let repeated = self.asked.contains(call);
        self.asked.push(call.clone());
        let granted = self.cast.owner.grants(Request { call, faults: &faults });
        let mut refusal = (!granted).then(|| faults.clone());
        if self.uses(Hook::Approval) {
            let tool = self.cast.world.tools().iter().find(|tool| tool.name == call.function);
            let defense = &mut *self.cast.defense;
            let last = self
                .timings
                .time(Hook::Approval, approval_word, || defense.on_approval(call, tool, granted));
            if let (true, Err(fault)) = (granted, last) {
                refusal = Some(vec![fault]);
            }
        }
        (Approval { faults, granted, repeated }, refusal)
    }

    fn carry_out(&mut self, call: &ToolCall, unknown: Option<String>) -> CallOutcome {
        if let Some(error) = unknown {
            self.enter(Channel::Tool, error.clone());
            return CallOutcome::Failed { error };
        }
        match self.cast.world.call(call) {
            Ok(reply) => {
                self.cast.owner.carried_out(call);
                self.enter(Channel::Tool, reply.text);
                CallOutcome::Done
            }
            Err(error) => {
                let error = error.to_string();
                self.enter(Channel::Tool, error.clone());
                CallOutcome::Failed { error }
            }
        }
    }
}

pub(crate) fn entry_word(entry: &Entry) -> &'static str {
    match entry {
        Entry::Admit => "admit",
        Entry::Refuse(_) => "refuse",
    }
}

pub(crate) fn ruling_word(ruling: &Ruling) -> &'static str {
    match (ruling.verdict, ruling.faults.is_empty()) {
        (Verdict::Allow, true) => "allow",
        (Verdict::Allow, false) => "note",
        (Verdict::Ask, _) => "ask",
        (Verdict::Deny, _) => "deny",
    }
}

pub(crate) fn approval_word(answer: &Result<(), Fault>) -> &'static str {
    match answer {
        Ok(()) => "done",
        Err(_) => "stop",
    }
}
