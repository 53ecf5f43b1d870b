//! Recall: whether what a session's agent needs from memory comes back when it is needed.
//!
//! What is needed stands in the scenario, not in the run: the texts that the agent of a session looks
//! for (`sees`). Such a text is *wanted* in a session if a record that was there before the session
//! opened holds it, and a *hit* if such a record came back into that session's view. Hits over wanted
//! is recall at k, where k is what one query brings back at most.

use std::collections::HashSet;

use agents::sight::find_rendered;
use harness::memory::Memory;
use trace::event::Event;
use trace::script::{Part, Sight};
use trace::tool::Channel;

/// How much of what was needed came back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Recall {
    /// Texts that were needed and stood in a record.
    pub(crate) wanted: u32,
    /// Those among them that came back.
    pub(crate) hits: u32,
}

impl Recall {
    /// Over all sessions of an episode.
    pub(crate) fn over(events: &[Event], memory: &Memory, parts: &[Part]) -> Self {
        let stored: HashSet<u32> = events.iter().filter_map(stored).collect();
        // What no session stored was there from the start.
        let seeds = memory.written.keys().copied().filter(|number| !stored.contains(number));
        let mut there: Vec<u32> = seeds.collect();
        let mut wanted: Vec<(&Sight, bool)> = Vec::new();
        let mut recall = Self::default();
        for event in events {
            match event {
                Event::Opened { name, .. } => {
                    recall.add(&wanted);
                    wanted = needs(parts, name)
                        .filter(|need| there.iter().any(|record| holds(memory, *record, need)))
                        .map(|need| (need, false))
                        .collect();
                }
                Event::Reloaded { record, .. } => {
                    for (need, hit) in &mut wanted {
                        *hit |= holds(memory, *record, need);
                    }
                }
                other => there.extend(self::stored(other)),
            }
        }
        recall.add(&wanted);
        recall
    }

    fn add(&mut self, wanted: &[(&Sight, bool)]) {
        let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        self.wanted += number(wanted.len());
        self.hits += number(wanted.iter().filter(|(_, hit)| *hit).count());
    }
}

/// What the agent of a session looks for and memory may hold, each once.
fn needs<'p>(parts: &'p [Part], session: &str) -> impl Iterator<Item = &'p Sight> {
    let of_session = parts.iter().filter(move |part| part.session == session);
    let reactions = of_session.flat_map(|part| &part.reactions);
    let mut known: Vec<&Sight> = Vec::new();
    for need in reactions.flat_map(|reaction| &reaction.sees) {
        let from_memory = matches!(need.channel, None | Some(Channel::Memory));
        if from_memory && !known.contains(&need) {
            known.push(need);
        }
    }
    known.into_iter()
}

fn stored(event: &Event) -> Option<u32> {
    match event {
        Event::Stored { record, .. } => *record,
        _ => None,
    }
}

fn holds(memory: &Memory, record: u32, need: &Sight) -> bool {
    let text = memory.written.get(&record);
    text.is_some_and(|held| need.texts.iter().any(|text| find_rendered(held, text).is_some()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use trace::script::Reaction;

    fn part(session: &str, texts: &[&str]) -> Part {
        let sees =
            texts.iter().map(|text| Sight { texts: vec![(*text).to_owned()], channel: None });
        let reaction = Reaction { sees: sees.collect(), ..Reaction::default() };
        Part { session: session.to_owned(), reactions: vec![reaction], ..Part::default() }
    }

    fn opened(session: u32, name: &str) -> Event {
        Event::Opened { session, name: name.to_owned(), seat: "a".to_owned() }
    }

    fn stored(record: u32) -> Event {
        let (path, of, faults) = ("memory_store".to_owned(), Vec::new(), Vec::new());
        Event::Stored { record: Some(record), path, asked: true, of, faults }
    }

    fn came_back(record: u32) -> Event {
        Event::Reloaded { record, page: 9, noted: Vec::new() }
    }

    #[test]
    fn only_what_stood_in_memory_before_the_session_is_wanted() {
        let texts = ["the roof bill", "the payee", "the garden"];
        let written = (0..).zip(texts).map(|(number, text)| (number, text.into())).collect();
        let memory = Memory { written, ..Memory::default() };
        let parts = [part("one", &["payee"]), part("two", &["payee", "roof", "nowhere"])];
        // Record 0 was there from the start; record 1 is stored in the session that looks for it.
        let first = [opened(0, "one"), stored(1), stored(2)];
        let recall = |more: &[Event]| {
            let events: Vec<Event> = first.iter().chain(more).cloned().collect();
            Recall::over(&events, &memory, &parts)
        };
        assert_eq!(recall(&[]), Recall { wanted: 0, hits: 0 });
        assert_eq!(recall(&[opened(1, "two")]), Recall { wanted: 2, hits: 0 });
        let hits = [opened(1, "two"), came_back(2), came_back(0), came_back(0)];
        assert_eq!(recall(&hits), Recall { wanted: 2, hits: 1 });
        let twice = [opened(1, "two"), came_back(1), opened(2, "two"), came_back(0)];
        assert_eq!(recall(&twice), Recall { wanted: 4, hits: 2 });
    }
}
