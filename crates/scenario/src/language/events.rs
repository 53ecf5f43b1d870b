//! Events of a harness's life, as a scenario file writes them.

use trace::course::{Content as About, Event};
use trace::tool::ToolSpec;

use super::allow;
use super::words::{CEILINGS, CHANNELS};
use crate::yaml::{Fields, Node, Place, Reader};

/// The keys of events that say more than a word.
pub(crate) const KEYS: &[&str] = &[
    "save", "restore", "revoke", "withdraw", "approve", "allow", "share", "expire", "recycle",
    "advance",
];

/// Events that are a word.
const WORDS: &[(&str, Event)] = &[("compact", Event::Compact), ("reset", Event::Reset)];

/// The key of an approval in advance that is withdrawn.
const ALLOWED: &str = "allowed";

/// What a course may name, and where it was named, so that names can be compared once all is read.
#[derive(Clone, Debug, Default)]
pub(crate) struct Named<'t> {
    /// The world's tools.
    pub(crate) tools: &'t [ToolSpec],
    pub(crate) deliveries: Vec<(String, Place)>,
    pub(crate) seeds: Vec<(String, Place)>,
    pub(crate) sessions: Vec<(String, Place)>,
    pub(crate) seats: Vec<(String, Place)>,
    pub(crate) restored: Vec<(String, Place)>,
    pub(crate) saved: Vec<String>,
    /// Approvals in advance that have been given so far.
    pub(crate) allowed: Vec<String>,
    /// Those that were withdrawn before anybody had given them.
    pub(crate) withdrawn: Vec<(String, Place)>,
}

/// The event that a word names.
pub(crate) fn word(node: &Node) -> Option<Event> {
    let text = node.text()?;
    WORDS.iter().find(|(word, _)| *word == text).map(|(_, event)| event.clone())
}

/// The event that a map with one of [`KEYS`] names. A map without one is a mistake.
pub(crate) fn event(
    reader: &mut Reader<'_>,
    fields: Fields<'_>,
    known: &[&str],
    named: &mut Named<'_>,
) -> Option<Event> {
    let found = KEYS.iter().find_map(|key| fields.get(key).map(|node| (*key, node)));
    let Some((key, node)) = found else {
        let hint = Some(format!("one of {}", known.join(", ")));
        reader.wrong(fields.place(), "nothing happens here", hint);
        return None;
    };
    keyed(reader, key, node, named)
}

/// An event where nothing else may stand.
pub(crate) fn only(reader: &mut Reader<'_>, node: &Node, named: &mut Named<'_>) -> Option<Event> {
    if node.text().is_some() {
        let event = word(node);
        if event.is_none() {
            let hint = Some(format!("one of compact, reset, {}", KEYS.join(", ")));
            reader.wrong(node.place, "this is no event", hint);
        }
        return event;
    }
    let fields = reader.fields(node, "an event", KEYS)?;
    event(reader, fields, KEYS, named)
}

fn keyed(reader: &mut Reader<'_>, key: &str, node: &Node, named: &mut Named<'_>) -> Option<Event> {
    let what = format!("`{key}`");
    Some(match key {
        "save" => {
            let name = reader.text(node, &what)?.to_owned();
            named.saved.push(name.clone());
            Event::Save(name)
        }
        "restore" => {
            let name = reader.text(node, &what)?.to_owned();
            named.restored.push((name.clone(), node.place));
            Event::Restore(name)
        }
        "revoke" => Event::Revoke(about(reader, node, named)?),
        "withdraw" => withdrawal(reader, node, named)?,
        "allow" => Event::Allow(allow::allow(reader, node, named)?),
        "expire" => Event::Expire(about(reader, node, named)?),
        "advance" => Event::Advance(reader.number(node, &what)?),
        "approve" => {
            let fields = reader.fields(node, &what, &["content", "ceiling", "values"])?;
            let content = reader.required(fields, &what, "content")?;
            let content = about(reader, content, named)?;
            let ceiling = reader.required(fields, &what, "ceiling")?;
            let ceiling = reader.word(ceiling, "`ceiling`", CEILINGS)?;
            let values = fields.get("values").map(|node| reader.list(node, "`values`"));
            let values = values.unwrap_or_default().iter();
            let values = values.filter_map(|node| reader.text(node, "a value").map(str::to_owned));
            Event::Approve { content, ceiling, values: values.collect() }
        }
        "share" => {
            let fields = reader.fields(node, &what, &["content", "to", "ceiling", "accepted"])?;
            let content = reader.required(fields, &what, "content")?;
            let content = about(reader, content, named)?;
            let to = reader.required(fields, &what, "to")?;
            let seat = reader.text(to, "`to`")?.to_owned();
            named.seats.push((seat.clone(), to.place));
            let ceiling =
                fields.get("ceiling").and_then(|node| reader.word(node, "`ceiling`", CEILINGS));
            let accepted = fields.get("accepted");
            let accepted = accepted.and_then(|node| reader.switch(node, "`accepted`"));
            Event::Share { content, to: seat, ceiling, accepted: accepted.unwrap_or(true) }
        }
        _ => {
            let fields = reader.fields(node, &what, &["content", "channel", "text"])?;
            let content = reader.required(fields, &what, "content")?;
            let content = about(reader, content, named)?;
            let channel = reader.required(fields, &what, "channel")?;
            let channel = reader.word(channel, "`channel`", CHANNELS)?;
            let text = reader.required(fields, &what, "text")?;
            Event::Recycle { content, channel, text: reader.text(text, "`text`")?.to_owned() }
        }
    })
}

/// What the owner takes back: what he said of content, or an approval in advance by its name.
fn withdrawal(reader: &mut Reader<'_>, node: &Node, named: &mut Named<'_>) -> Option<Event> {
    if node.get(ALLOWED).is_none() {
        return about(reader, node, named).map(Event::Withdraw);
    }
    let fields = reader.fields(node, "`withdraw`", &[ALLOWED])?;
    let node = fields.get(ALLOWED)?;
    let name = reader.text(node, "`allowed`")?.to_owned();
    if !named.allowed.contains(&name) {
        named.withdrawn.push((name.clone(), node.place));
    }
    Some(Event::Disallow(name))
}

/// What an event is about.
pub(crate) fn about(reader: &mut Reader<'_>, node: &Node, named: &mut Named<'_>) -> Option<About> {
    const KEYS: &[&str] = &["delivery", "seed", "resource", "record"];
    let fields = reader.fields(node, "content", KEYS)?;
    let found = KEYS.iter().find_map(|key| fields.get(key).map(|node| (*key, node)));
    let Some((key, node)) = found else {
        let hint = Some(format!("one of {}", KEYS.join(", ")));
        reader.wrong(node.place, "this names no content", hint);
        return None;
    };
    if key == "record" {
        return record(reader, node, named);
    }
    let name = reader.text(node, &format!("`{key}`"))?.to_owned();
    Some(match key {
        "delivery" => {
            named.deliveries.push((name.clone(), node.place));
            About::Delivery(name)
        }
        "seed" => {
            named.seeds.push((name.clone(), node.place));
            About::Seed(name)
        }
        _ => About::Resource(name),
    })
}

/// A record by its session: `record: NAME`, or `record: {session: NAME, nth: 1}`.
fn record(reader: &mut Reader<'_>, node: &Node, named: &mut Named<'_>) -> Option<About> {
    let (name, nth) = if node.text().is_some() {
        (node, 0)
    } else {
        let fields = reader.fields(node, "`record`", &["session", "nth"])?;
        let nth = fields.get("nth").and_then(|node| reader.number(node, "`nth`"));
        let name = reader.required(fields, "`record`", "session")?;
        (name, u32::try_from(nth.unwrap_or(0)).unwrap_or(u32::MAX))
    };
    let session = reader.text(name, "`session`")?.to_owned();
    named.sessions.push((session.clone(), name.place));
    Some(About::Record { session, nth })
}
