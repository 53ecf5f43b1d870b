//! A call's way: judged, perhaps asked about, checked once more, carried out.

use trace::call::{ToolCall, leaves};
use trace::course::{Stage, tools};
use trace::event::{Approval, CallOutcome, Event, Fault};
use trace::tool::{Channel, Effect};
use world::arguments::{convert_string_lists, no_such_tool};

use super::Engine;
use crate::defense::{Hook, Ruling, Verdict, fault_text};
use crate::episode::{approval_word, ruling_word};
use crate::memory::Form;
use crate::owner::Request;

impl Engine<'_> {
    /// Carries out one call, or refuses it; either way the agent gets one message that is not from
    /// memory.
    pub(super) fn call(&mut self, mut call: ToolCall) {
        let unknown = no_such_tool(&*self.cast.world, &call);
        if unknown.is_some() && tools::ALL.contains(&call.function.as_str()) {
            self.memory_call(&call);
            return;
        }
        if unknown.is_none() {
            convert_string_lists(&mut call.args);
        }
        let tool = self.cast.world.tools().iter().find(|tool| tool.name == call.function);
        let effect = tool.map(|tool| tool.capability.effect);
        let at = self.events.len();
        let ruling = self.judge(&call);
        let (mut noted, mut approval) = (Vec::new(), None);
        let in_advance = ruling.in_advance;
        let mut refusal = match ruling.verdict {
            Verdict::Allow => {
                noted = ruling.faults;
                None
            }
            Verdict::Deny => Some((ruling.faults, false)),
            // With nobody there an ask is a refusal.
            Verdict::Ask if !self.context.opening.attended => Some((ruling.faults, false)),
            Verdict::Ask => {
                let (answer, refusal) = self.ask(&call, ruling.faults);
                approval = Some(answer);
                refusal.map(|faults| (faults, true))
            }
        };
        if refusal.is_none() {
            self.interrupt(&call);
            refusal = self.dispatch(&call).err().map(|fault| (vec![fault], false));
        }
        let outcome = match refusal {
            Some((faults, asked)) => {
                self.say(fault_text(&faults, asked), true);
                CallOutcome::Refused { faults, asked }
            }
            None => self.carry_out(&call, effect, unknown),
        };
        let mediated = self.hooks.contains(&Hook::Call);
        let turn = self.turns.saturating_sub(1);
        self.events.insert(
            at,
            Event::Called { turn, call, effect, mediated, approval, in_advance, noted, outcome },
        );
    }

    fn judge(&mut self, call: &ToolCall) -> Ruling {
        let tools = std::sync::Arc::clone(self.cast.world.tools());
        let tool = tools.iter().find(|tool| tool.name == call.function);
        let ruling = self.hook(Hook::Call, ruling_word, |defense| defense.on_call(call, tool));
        ruling.unwrap_or(Ruling::ALLOW)
    }

    fn ask(&mut self, call: &ToolCall, faults: Vec<Fault>) -> (Approval, Option<Vec<Fault>>) {
        let repeated = self.asked.contains(call);
        self.asked.push(call.clone());
        let granted = self.cast.owner.grants(Request { call, faults: &faults });
        let mut refusal = (!granted).then(|| faults.clone());
        let tools = std::sync::Arc::clone(self.cast.world.tools());
        let tool = tools.iter().find(|tool| tool.name == call.function);
        let last = self.hook(Hook::Approval, approval_word, |defense| {
            defense.on_approval(call, tool, granted)
        });
        if let (true, Some(Err(fault))) = (granted, last) {
            refusal = Some(vec![fault]);
        }
        (Approval { faults, granted, repeated }, refusal)
    }

    /// What the course has happen between a call's judgement and its dispatch.
    fn interrupt(&mut self, call: &ToolCall) {
        let course = self.course;
        let sessions = course.stages.iter().filter_map(|stage| match stage {
            Stage::Session(session) if session.name == self.context.name => Some(session),
            _ => None,
        });
        let interrupts = sessions.flat_map(|session| &session.interrupts).enumerate();
        let due: Vec<_> = interrupts
            .filter(|(at, one)| one.tool == call.function && !self.context.interrupted.contains(at))
            .collect();
        for (at, interrupt) in due {
            self.context.interrupted.push(at);
            self.live(&interrupt.event);
        }
    }

    fn dispatch(&mut self, call: &ToolCall) -> Result<(), Fault> {
        let tools = std::sync::Arc::clone(self.cast.world.tools());
        let tool = tools.iter().find(|tool| tool.name == call.function);
        let last =
            self.hook(Hook::Dispatch, approval_word, |defense| defense.on_dispatch(call, tool));
        last.unwrap_or(Ok(()))
    }

    fn carry_out(
        &mut self,
        call: &ToolCall,
        effect: Option<Effect>,
        unknown: Option<String>,
    ) -> CallOutcome {
        let kind = trace::course::PageKind::Evidence;
        if let Some(error) = unknown {
            self.enter(Channel::Tool, error.clone(), kind, None);
            return CallOutcome::Failed { error };
        }
        let tools = self.cast.world.tools().iter();
        let channel = tools.clone().find(|tool| tool.name == call.function);
        let channel = channel.map_or(Channel::Tool, |tool| tool.channel);
        if effect == Some(Effect::Read) {
            self.count_fetch(call);
        } else {
            self.context.fetched.clear();
        }
        match self.cast.world.call(call) {
            Ok(reply) => {
                self.cast.owner.carried_out(call);
                let page = self.enter(channel, reply.text, kind, Some(call));
                if let (Some(page), Some(Effect::Read)) = (page, effect) {
                    self.name_resource(call, page);
                }
                CallOutcome::Done
            }
            Err(error) => {
                let error = error.to_string();
                self.enter(Channel::Tool, error.clone(), kind, None);
                CallOutcome::Failed { error }
            }
        }
    }

    /// Whether a tool is asked for what it has answered, with nothing done since.
    fn count_fetch(&mut self, call: &ToolCall) {
        if self.context.fetched.contains(call) {
            let shown = self.context.frames.iter().rev();
            let mut shown = shown.filter(|frame| frame.call.as_ref() == Some(call));
            if shown.next().is_some_and(|frame| frame.form == Form::Full) {
                self.faults.duplicate_tool += 1;
            } else {
                self.faults.refetch += 1;
            }
        }
        self.context.fetched.push(call.clone());
    }

    /// Notes that a page holds a resource, under each text among the call's arguments and under the
    /// tool's own name.
    fn name_resource(&mut self, call: &ToolCall, page: u32) {
        self.names.read(&call.function, page);
        for (_, leaf) in leaves(&call.args) {
            if let Some(key) = leaf.as_str() {
                self.names.read(key, page);
            }
        }
    }
}
