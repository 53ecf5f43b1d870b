//! What the tools of memory do.

use serde_json::Value;
use trace::call::ToolCall;
use trace::course::{PageKind, tools};
use trace::event::Event;

use super::Engine;
use super::write::{Draft, Place};

impl Engine<'_> {
    /// Carries out a call of a memory tool. The agent gets one message that is not from memory, after
    /// whatever came back.
    pub(super) fn memory_call(&mut self, call: &ToolCall) {
        let text = |name: &str| call.args.get(name).and_then(Value::as_str).map(str::to_owned);
        let answer = match call.function.as_str() {
            tools::SEARCH => text("query").map(|query| {
                let came = self.retrieve(&query);
                (format!("{came} notes"), false)
            }),
            tools::STORE => text("text").map(|text| {
                let place = self.own_store(self.context.seat).map(Place::Store);
                self.write_by_tool(place, PageKind::Evidence, &text, tools::STORE)
            }),
            tools::SCHEDULE => text("instruction").map(|text| {
                let after = call.args.get("after").and_then(Value::as_u64).unwrap_or_default();
                let place = Some(Place::Job(self.now.saturating_add(after)));
                self.write_by_tool(place, PageKind::Plan, &text, tools::SCHEDULE)
            }),
            tools::MESSAGE => text("to").zip(text("text")).map(|(to, text)| {
                let seat = self.course.seats.iter().position(|seat| seat.name == to);
                self.write_by_tool(
                    seat.map(Place::Inbox),
                    PageKind::Evidence,
                    &text,
                    tools::MESSAGE,
                )
            }),
            _ => None,
        };
        let (words, refused) = answer.unwrap_or_else(|| {
            self.note_nothing_stored(&call.function);
            ("ValueError: an argument is missing or of the wrong type".to_owned(), false)
        });
        self.say(words, refused);
    }

    fn write_by_tool(
        &mut self,
        place: Option<Place>,
        kind: PageKind,
        text: &str,
        path: &str,
    ) -> (String, bool) {
        let Some(place) = place else {
            self.note_nothing_stored(path);
            return ("ValueError: no such place".to_owned(), false);
        };
        match self.stage(place, &Draft::by_agent(kind, text, path)) {
            Some(_) => ("done".to_owned(), false),
            None => ("Refused.".to_owned(), true),
        }
    }

    /// A write that came to nothing is an event, too: there is one for each that was asked for.
    fn note_nothing_stored(&mut self, path: &str) {
        if path != tools::SEARCH {
            let (path, faults) = (path.to_owned(), Vec::new());
            self.events.push(Event::Stored {
                record: None,
                path,
                asked: true,
                of: Vec::new(),
                faults,
            });
        }
    }
}
