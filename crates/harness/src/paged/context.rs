//! A context: the pages that an agent sees in one session, each in some form.

use std::sync::Arc;

use trace::call::ToolCall;
use trace::course::PageKind;

use crate::agent::Message;
use crate::memory::{Form, Opening};

/// A page in a context. There is one a message, in the same order.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    /// Its number; `None` for the harness's own words.
    pub(super) page: Option<u32>,
    /// The record that it came from.
    pub(super) record: Option<u32>,
    pub(super) kind: PageKind,
    pub(super) form: Form,
    /// Its text in full.
    pub(super) full: Arc<str>,
    /// The turn in which it came in: the present turn's pages are not degraded.
    pub(super) turn: u32,
    /// The call that it answers.
    pub(super) call: Option<ToolCall>,
}

/// A context.
#[derive(Clone, Debug)]
pub(super) struct Context {
    /// The seat, by its position in the course.
    pub(super) seat: usize,
    /// The session's name.
    pub(super) name: String,
    pub(super) opening: Opening,
    pub(super) messages: Vec<Message>,
    pub(super) frames: Vec<Frame>,
    /// User turns so far.
    pub(super) turn: u32,
    /// What reading tools were asked for since the last effect.
    pub(super) fetched: Vec<ToolCall>,
    /// Records that every turn must find in view, since the last compaction or reset.
    pub(super) must_see: Vec<u32>,
    /// Interrupts that have happened.
    pub(super) interrupted: Vec<usize>,
}

impl Default for Context {
    fn default() -> Self {
        let opening = Opening { tenant: 0, task: 0, session: 0, attended: true, now: 0 };
        Self::new(0, String::new(), opening)
    }
}

impl Context {
    pub(super) fn new(seat: usize, name: String, opening: Opening) -> Self {
        Self {
            seat,
            name,
            opening,
            messages: Vec::new(),
            frames: Vec::new(),
            turn: 0,
            fetched: Vec::new(),
            must_see: Vec::new(),
            interrupted: Vec::new(),
        }
    }

    pub(super) fn push(&mut self, message: Message, frame: Frame) {
        self.messages.push(message);
        self.frames.push(frame);
    }

    /// The pages in view.
    pub(super) fn pages(&self) -> Vec<u32> {
        self.frames.iter().filter_map(|frame| frame.page).collect()
    }

    /// Whether a record stands in view, in any form that holds some of it.
    pub(super) fn shows(&self, record: u32) -> bool {
        let holding = self.frames.iter().filter(|frame| frame.form > Form::Pointer);
        holding.into_iter().any(|frame| frame.record == Some(record))
    }
}
