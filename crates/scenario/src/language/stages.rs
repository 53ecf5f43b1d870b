//! The course of a scenario: its seats, what comes in, and what happens in order.

use trace::course::{
    Budget, Closing, Course, Delivery, Interrupt, Moment, PageKind, Seat, Seed, Session, Stage,
};
use trace::script::Part;
use trace::tool::{Channel, ToolSpec};

use super::events::{self, Named};
use super::scripts;
use super::words::{CHANNELS, PAGES};
use crate::mistake::did_you_mean;
use crate::yaml::{Fields, Node, Reader};

const SESSION_KEYS: &[&str] = &[
    "session",
    "seat",
    "task",
    "attended",
    "moments",
    "interrupts",
    "closing",
    "does",
    "answer",
    "reacts",
];
const MOMENTS: &[&str] = &["user", "remember", "deliver", "retrieve"];
/// The store of the first seat where none is named.
const OWN: &str = "memory";

/// The course, and what its agents do.
pub(crate) fn course(
    reader: &mut Reader<'_>,
    fields: Fields<'_>,
    tools: &[ToolSpec],
    records: &[String],
) -> (Course, Vec<Part>) {
    let mut named = Named { tools, ..Named::default() };
    let seats = seats(reader, fields);
    let store = seats.first().and_then(|seat| seat.stores.first());
    let store = store.cloned().unwrap_or_else(|| OWN.to_owned());
    let tenant = seats.first().map_or(0, |seat| seat.tenant);
    let mut seeds: Vec<Seed> = records
        .iter()
        .enumerate()
        .map(|(at, text)| Seed {
            id: format!("record-{}", at + 1),
            store: store.clone(),
            tenant,
            kind: PageKind::Evidence,
            channel: Channel::Preference,
            text: text.clone(),
        })
        .collect();
    let written = fields.get("seeds").map(|node| reader.list(node, "`seeds`")).unwrap_or_default();
    seeds.extend(written.iter().filter_map(|node| seed(reader, node, &store, tenant)));
    let written = fields.get("deliveries").map(|node| reader.list(node, "`deliveries`"));
    let written = written.unwrap_or_default().iter();
    let deliveries: Vec<Delivery> = written.filter_map(|node| delivery(reader, node)).collect();
    let budget = fields.get("budget").map_or_else(Budget::default, |node| budget(reader, node));
    let mut stages = Vec::new();
    let mut parts = Vec::new();
    if let Some(node) = reader.required(fields, "a scenario", "stages") {
        let mut stage = StageReader { tools, seats: &seats, named: &mut named, parts: &mut parts };
        for node in reader.list(node, "`stages`") {
            stages.extend(stage.read(reader, node));
        }
    }
    let written = fields.get("consolidate");
    let consolidates = written.and_then(|node| reader.switch(node, "`consolidate`"));
    let consolidates = consolidates.unwrap_or_default();
    let course = Course { seats, seeds, deliveries, stages, budget, consolidates };
    check_names(reader, &course, named);
    (course, parts)
}

fn seats(reader: &mut Reader<'_>, fields: Fields<'_>) -> Vec<Seat> {
    let Some(node) = fields.get("seats") else {
        return vec![Seat {
            name: "assistant".to_owned(),
            tenant: 0,
            stores: vec![OWN.to_owned()],
        }];
    };
    let mut seats: Vec<Seat> = Vec::new();
    for node in reader.list(node, "`seats`") {
        let Some(fields) = reader.fields(node, "a seat", &["name", "tenant", "stores"]) else {
            continue;
        };
        let name = reader.required(fields, "a seat", "name");
        let Some(name) = name.and_then(|node| reader.text(node, "`name`")) else { continue };
        let tenant = fields.get("tenant").and_then(|node| reader.number(node, "`tenant`"));
        let stores = fields.get("stores").map(|node| reader.list(node, "`stores`"));
        let stores = stores.unwrap_or_default().iter();
        let mut stores: Vec<String> =
            stores.filter_map(|node| reader.text(node, "a store").map(str::to_owned)).collect();
        if stores.is_empty() {
            stores.push(format!("{OWN}-{name}"));
        }
        if seats.iter().any(|seat| seat.name == name) {
            reader.wrong(node.place, format!("there are two seats `{name}`"), None);
        }
        let tenant = u32::try_from(tenant.unwrap_or(0)).unwrap_or(u32::MAX);
        seats.push(Seat { name: name.to_owned(), tenant, stores });
    }
    seats
}

fn seed(reader: &mut Reader<'_>, node: &Node, store: &str, tenant: u32) -> Option<Seed> {
    let keys = ["id", "store", "tenant", "kind", "channel", "text"];
    let fields = reader.fields(node, "a seed", &keys)?;
    let id = reader.required(fields, "a seed", "id")?;
    let id = reader.text(id, "`id`")?.to_owned();
    let text = reader.required(fields, "a seed", "text")?;
    let text = reader.text(text, "`text`")?.to_owned();
    let given = fields.get("store").and_then(|node| reader.text(node, "`store`"));
    let kind = fields.get("kind").and_then(|node| reader.word(node, "`kind`", PAGES));
    let channel = fields.get("channel").and_then(|node| reader.word(node, "`channel`", CHANNELS));
    let owner = fields.get("tenant").and_then(|node| reader.number(node, "`tenant`"));
    Some(Seed {
        id,
        store: given.unwrap_or(store).to_owned(),
        tenant: owner.and_then(|owner| u32::try_from(owner).ok()).unwrap_or(tenant),
        kind: kind.unwrap_or_default(),
        channel: channel.unwrap_or(Channel::Preference),
        text,
    })
}

fn delivery(reader: &mut Reader<'_>, node: &Node) -> Option<Delivery> {
    let fields = reader.fields(node, "a delivery", &["name", "channel", "tenant", "text"])?;
    let name = reader.required(fields, "a delivery", "name")?;
    let channel = reader.required(fields, "a delivery", "channel")?;
    let text = reader.required(fields, "a delivery", "text")?;
    let tenant = fields.get("tenant").and_then(|node| reader.number(node, "`tenant`"));
    Some(Delivery {
        name: reader.text(name, "`name`")?.to_owned(),
        channel: reader.word(channel, "`channel`", CHANNELS)?,
        tenant: tenant.and_then(|tenant| u32::try_from(tenant).ok()),
        text: reader.text(text, "`text`")?.to_owned(),
    })
}

fn budget(reader: &mut Reader<'_>, node: &Node) -> Budget {
    let standard = Budget::default();
    let Some(fields) = reader.fields(node, "`budget`", &["tokens", "records"]) else {
        return standard;
    };
    let mut number = |key: &str, standard: u32| {
        let number = fields.get(key).and_then(|node| reader.number(node, &format!("`{key}`")));
        number.and_then(|number| u32::try_from(number).ok()).unwrap_or(standard)
    };
    Budget {
        tokens: number("tokens", standard.tokens),
        records: number("records", standard.records),
    }
}

struct StageReader<'a, 't> {
    tools: &'a [ToolSpec],
    seats: &'a [Seat],
    named: &'a mut Named<'t>,
    parts: &'a mut Vec<Part>,
}

impl StageReader<'_, '_> {
    fn read(&mut self, reader: &mut Reader<'_>, node: &Node) -> Option<Stage> {
        if node.text() == Some("jobs") {
            return Some(Stage::Jobs);
        }
        if let Some(event) = events::word(node) {
            return Some(Stage::Between(event));
        }
        if node.get("session").is_some() {
            let fields = reader.fields(node, "a session", SESSION_KEYS)?;
            return self.session(reader, fields).map(Stage::Session);
        }
        let mut keys = vec!["session", "fillers", "jobs"];
        keys.extend(events::KEYS);
        let fields = reader.fields(node, "a stage", &keys)?;
        if let Some(node) = fields.get("fillers") {
            let number = reader.number(node, "`fillers`")?;
            return Some(Stage::Fillers(u32::try_from(number).unwrap_or(u32::MAX)));
        }
        if let Some(node) = fields.get("jobs") {
            let fields = reader.fields(node, "`jobs`", scripts::KEYS)?;
            self.parts.push(scripts::part(reader, "job", fields, self.tools));
            return Some(Stage::Jobs);
        }
        events::event(reader, fields, &keys, self.named).map(Stage::Between)
    }

    fn session(&mut self, reader: &mut Reader<'_>, fields: Fields<'_>) -> Option<Session> {
        let node = fields.get("session")?;
        let name = reader.text(node, "`session`")?.to_owned();
        if self.parts.iter().any(|part| part.session == name) {
            reader.wrong(node.place, format!("there are two sessions `{name}`"), None);
        }
        let seat = match fields.get("seat") {
            Some(node) => {
                let seat = reader.text(node, "`seat`")?.to_owned();
                self.named.seats.push((seat.clone(), node.place));
                seat
            }
            None => self.seats.first().map(|seat| seat.name.clone()).unwrap_or_default(),
        };
        let task = fields.get("task").and_then(|node| reader.number(node, "`task`"));
        let attended = fields.get("attended").and_then(|node| reader.switch(node, "`attended`"));
        let moments = fields.get("moments").map(|node| reader.list(node, "`moments`"));
        let moments = moments.unwrap_or_default().iter();
        let moments = moments.filter_map(|node| self.moment(reader, node)).collect();
        let interrupts = fields.get("interrupts").map(|node| reader.list(node, "`interrupts`"));
        let interrupts = interrupts.unwrap_or_default().iter();
        let interrupts = interrupts.filter_map(|node| self.interrupt(reader, node)).collect();
        let closing = fields.get("closing").map(|node| closing(reader, node)).unwrap_or_default();
        self.parts.push(scripts::part(reader, &name, fields, self.tools));
        Some(Session {
            name,
            seat,
            task: u32::try_from(task.unwrap_or(0)).unwrap_or(u32::MAX),
            attended: attended.unwrap_or(true),
            moments,
            interrupts,
            closing,
        })
    }

    fn moment(&mut self, reader: &mut Reader<'_>, node: &Node) -> Option<Moment> {
        if node.text().is_some() {
            return events::only(reader, node, self.named).map(Moment::Event);
        }
        let mut keys = MOMENTS.to_vec();
        keys.extend(events::KEYS);
        let fields = reader.fields(node, "a moment", &keys)?;
        let found = MOMENTS.iter().find_map(|key| fields.get(key).map(|node| (*key, node)));
        let Some((key, node)) = found else {
            let event = events::event(reader, fields, &keys, self.named);
            return event.map(Moment::Event);
        };
        let text = reader.text(node, &format!("`{key}`"))?.to_owned();
        Some(match key {
            "user" => Moment::User(text),
            "remember" => Moment::Remember(text),
            "retrieve" => Moment::Retrieve(text),
            _ => {
                self.named.deliveries.push((text.clone(), node.place));
                Moment::Deliver(text)
            }
        })
    }

    fn interrupt(&mut self, reader: &mut Reader<'_>, node: &Node) -> Option<Interrupt> {
        let fields = reader.fields(node, "an interrupt", &["tool", "event"])?;
        let node = reader.required(fields, "an interrupt", "tool")?;
        let tool = reader.text(node, "`tool`")?;
        let known: Vec<&str> = self.tools.iter().map(|tool| tool.name.as_str()).collect();
        if !known.contains(&tool) {
            let hint = did_you_mean(tool, &known);
            reader.wrong(node.place, format!("there is no tool `{tool}`"), hint);
        }
        let event = reader.required(fields, "an interrupt", "event")?;
        let event = events::only(reader, event, self.named)?;
        Some(Interrupt { tool: tool.to_owned(), event })
    }
}

fn closing(reader: &mut Reader<'_>, node: &Node) -> Closing {
    let mut closing = Closing::default();
    for node in reader.list(node, "`closing`") {
        const WORDS: &[(&str, u8)] = &[("extract", 0), ("summarise", 1), ("reflect", 2)];
        match reader.word(node, "what is written at the end", WORDS) {
            Some(0) => closing.extract = true,
            Some(1) => closing.summarise = true,
            Some(_) => closing.reflect = true,
            None => {}
        }
    }
    closing
}

/// Approvals in advance that are withdrawn and were not given before.
fn check_withdrawn(reader: &mut Reader<'_>, named: &mut Named<'_>) {
    let allowed: Vec<&str> = named.allowed.iter().map(String::as_str).collect();
    for (name, place) in std::mem::take(&mut named.withdrawn) {
        if allowed.contains(&name.as_str()) {
            let hint = "let it be given in an earlier stage or moment".to_owned();
            reader.wrong(place, format!("`{name}` is withdrawn before it is given"), Some(hint));
        } else {
            let hint = did_you_mean(&name, &allowed);
            reader.wrong(place, format!("there is no approval in advance `{name}`"), hint);
        }
    }
}

/// Names that nothing bears.
fn check_names(reader: &mut Reader<'_>, course: &Course, mut named: Named<'_>) {
    check_withdrawn(reader, &mut named);
    let sessions = course.stages.iter().filter_map(|stage| match stage {
        Stage::Session(session) => Some(session.name.as_str()),
        _ => None,
    });
    let sessions: Vec<&str> = sessions.chain(["job"]).collect();
    let deliveries: Vec<&str> = course.deliveries.iter().map(|one| one.name.as_str()).collect();
    let seeds: Vec<&str> = course.seeds.iter().map(|one| one.id.as_str()).collect();
    let seats: Vec<&str> = course.seats.iter().map(|one| one.name.as_str()).collect();
    let saved: Vec<&str> = named.saved.iter().map(String::as_str).collect();
    let wanted = [
        ("session", named.sessions, &sessions),
        ("delivery", named.deliveries, &deliveries),
        ("seed", named.seeds, &seeds),
        ("seat", named.seats, &seats),
        ("saved checkpoint", named.restored, &saved),
    ];
    for (what, used, known) in wanted {
        for (name, place) in used {
            if !known.contains(&name.as_str()) {
                // The owner's records would fill a page.
                let near = did_you_mean(&name, known).filter(|hint| hint.len() < 200);
                reader.wrong(place, format!("there is no {what} `{name}`"), near);
            }
        }
    }
}
