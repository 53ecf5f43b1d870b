//! A calendar and its events.
//!
//! Upstream: `CalendarEvent` of `default_suites/v1/tools/types.py`, and
//! `default_suites/v1/tools/calendar_client.py`. The tools are in `calendar_tools.rs`.

use std::borrow::Cow;

use indexmap::IndexMap;
use memchr::memmem::Finder;
use serde::Deserialize;
use serde_json::{Map, Value};
use trace::call::ToolError;
use trace::tool::ParameterType;

use crate::environment::Texts;
use crate::mail::{next_id, texts};
use crate::python::coercion::model::Problems;
use crate::python::datetime::{Date, DateTime};
use crate::python::yaml::Node;
use crate::shared::{Record, Shared, Shown};

/// A calendar. Events are never taken out, so that an id names one event for ever.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Calendar {
    /// Today.
    pub current_day: Date,
    /// The owner's address.
    pub account_email: String,
    /// The events by id.
    pub events: Shared<IndexMap<String, Record<Event>>>,
}

/// An event.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Event {
    /// Its id.
    #[serde(rename = "id_")]
    pub id: String,
    /// The title.
    pub title: String,
    /// The description.
    pub description: String,
    /// When it starts.
    pub start_time: DateTime,
    /// When it ends.
    pub end_time: DateTime,
    /// Where it is.
    pub location: Option<String>,
    /// The addresses of those who take part, checked when the event was made and not later.
    pub participants: Vec<String>,
    /// Whether it lasts all day.
    pub all_day: bool,
    /// Whether it takes place.
    pub status: EventStatus,
}

/// Whether an event takes place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EventStatus {
    /// It does.
    Confirmed,
    /// It does not.
    Canceled,
}

/// An event that is to be made.
#[derive(Clone, Debug)]
pub struct Appointment {
    /// The title.
    pub title: String,
    /// The description.
    pub description: String,
    /// When it starts.
    pub start_time: DateTime,
    /// When it ends.
    pub end_time: DateTime,
    /// Where it is.
    pub location: Option<String>,
    /// The addresses of those who take part, the owner's included.
    pub participants: Vec<String>,
}

impl EventStatus {
    fn as_str(self) -> &'static str {
        match self {
            Self::Confirmed => "confirmed",
            Self::Canceled => "canceled",
        }
    }
}

const MODEL: &str = "CalendarEvent";

/// As it is shown by itself, its times the same objects as nothing else.
impl Shown for Event {
    fn alone(&self) -> Option<Node<'_>> {
        Some(self.node(0))
    }

    fn searched(&self) -> [&str; 2] {
        [&self.title, &self.description]
    }
}

impl Event {
    /// Keys in the order that a dump sorts them into. `identity` is that of its start, and one more
    /// that of its end; 0 where the event is shown once at most.
    pub(crate) fn node(&self, identity: usize) -> Node<'_> {
        let moment = |moment: DateTime, identity| Node::DateTime {
            text: Cow::Owned(moment.to_string()),
            identity,
        };
        let end = if identity == 0 { 0 } else { identity + 1 };
        Node::Map(vec![
            (Cow::Borrowed("all_day"), Node::Bool(self.all_day)),
            (Cow::Borrowed("description"), Node::from(self.description.as_str())),
            (Cow::Borrowed("end_time"), moment(self.end_time, end)),
            (Cow::Borrowed("id_"), Node::from(self.id.as_str())),
            (Cow::Borrowed("location"), self.location.as_deref().map_or(Node::Null, Node::from)),
            (Cow::Borrowed("participants"), texts(&self.participants)),
            (Cow::Borrowed("start_time"), moment(self.start_time, identity)),
            (Cow::Borrowed("status"), Node::from(self.status.as_str())),
            (Cow::Borrowed("title"), Node::from(self.title.as_str())),
        ])
    }

    /// The event that a caller describes (upstream: `CalendarEvent(**details)`).
    ///
    /// # Errors
    /// Fields that are absent or of another type.
    pub(crate) fn from_details(details: &Map<String, Value>) -> Result<Self, ToolError> {
        let whole = Value::Object(details.clone());
        let mut problems = Problems::default();
        let mut field = |name: &'static str, required: bool| match details.get(name) {
            None if required => {
                problems.missing(name, &whole);
                None
            }
            given => given.map(|given| read_field(&mut problems, name, given)),
        };
        let id = field("id_", true);
        let title = field("title", true);
        let description = field("description", true);
        let start_time = field("start_time", true);
        let end_time = field("end_time", true);
        let location = field("location", true);
        let participants = field("participants", true);
        let all_day = field("all_day", false);
        let status = field("status", false);
        problems.finish(MODEL)?;
        let text = |field: Option<Field>| match field {
            Some(Field::Json(Value::String(text))) => Some(text),
            _ => None,
        };
        let moment = |field: Option<Field>| match field {
            Some(Field::Moment(Some(moment))) => moment,
            _ => unreachable!("a model without problems has its times"),
        };
        let participants = match participants {
            Some(Field::Addresses(addresses)) => addresses,
            _ => Vec::new(),
        };
        let canceled = text(status).as_deref() == Some("canceled");
        Ok(Self {
            id: text(id).unwrap_or_default(),
            title: text(title).unwrap_or_default(),
            description: text(description).unwrap_or_default(),
            start_time: moment(start_time),
            end_time: moment(end_time),
            location: text(location),
            participants,
            all_day: matches!(all_day, Some(Field::Json(Value::Bool(true)))),
            status: if canceled { EventStatus::Canceled } else { EventStatus::Confirmed },
        })
    }
}

/// A field of a described event.
enum Field {
    Json(Value),
    Moment(Option<DateTime>),
    Addresses(Vec<String>),
}

fn read_field(problems: &mut Problems, name: &str, given: &Value) -> Field {
    let status = || ParameterType::Enum { values: vec!["confirmed".into(), "canceled".into()] };
    match name {
        "start_time" | "end_time" => Field::Moment(problems.moment(name, given)),
        "participants" => Field::Addresses(problems.addresses(name, given)),
        "location" if given.is_null() => Field::Json(Value::Null),
        "all_day" => Field::Json(problems.field(&ParameterType::Bool, name, given)),
        "status" => Field::Json(problems.field(&status(), name, given)),
        _ => Field::Json(problems.field(&ParameterType::Str, name, given)),
    }
}

impl Calendar {
    /// The id that the next event gets.
    pub fn next_id(&self) -> String {
        next_id(self.events.keys())
    }

    /// The events that start on a day.
    pub fn of_day(&self, day: Date) -> impl Iterator<Item = &Record<Event>> + Clone {
        self.events.values().filter(move |event| event.start_time.date() == day)
    }

    /// The events that hold the words in title or description, of a day if one is given; case does
    /// not matter.
    pub fn search(&self, query: &str, day: Option<Date>) -> Vec<&Record<Event>> {
        let query = query.to_lowercase();
        let on_day = |event: &Event| day.is_none_or(|day| event.start_time.date() == day);
        let query = Finder::new(&query);
        let matches = |event: &Record<Event>| event.holds(0, &query) || event.holds(1, &query);
        self.events.values().filter(|event| on_day(event) && matches(event)).collect()
    }

    /// Makes an event and gives its id. Those who take part are sorted, each once: upstream's order
    /// is that of a set.
    ///
    /// # Errors
    /// An address that is none.
    pub fn create(&mut self, appointment: Appointment) -> Result<String, ToolError> {
        let mut participants = appointment.participants;
        participants.sort_unstable();
        participants.dedup();
        let mut problems = Problems::default();
        let participants = problems.address_list("participants", &participants);
        problems.finish(MODEL)?;
        let id = self.next_id();
        let event = Event {
            id: id.clone(),
            title: appointment.title,
            description: appointment.description,
            start_time: appointment.start_time,
            end_time: appointment.end_time,
            location: appointment.location,
            participants,
            all_day: false,
            status: EventStatus::Confirmed,
        };
        self.events.change().insert(id.clone(), Record::new(event));
        Ok(id)
    }

    /// An event of the calendar as a dump shows it; its times are the same objects wherever it
    /// shows.
    pub(crate) fn event_node(&self, id: &str) -> Node<'_> {
        match self.events.get_full(id) {
            Some((at, _, event)) => event.node(2 * at + 1),
            None => Node::Null,
        }
    }

    /// An event of the calendar, to be changed.
    ///
    /// # Errors
    /// There is no such event.
    pub(crate) fn change(&mut self, id: &str) -> Result<&mut Event, ToolError> {
        let no_event = || ToolError::value(format!("Event with ID '{id}' not found."));
        if !self.events.contains_key(id) {
            return Err(no_event());
        }
        self.events.change().get_mut(id).map(Record::change).ok_or_else(no_event)
    }

    /// Comes to the texts that may hold an injection.
    pub(crate) fn visit_texts(&mut self, texts: &mut Texts<'_>) {
        if !texts.enters(2 * self.events.len()) {
            return;
        }
        for event in self.events.change().values_mut() {
            if texts.enters(2) {
                let event = event.change();
                texts.text(&mut event.title);
                texts.text(&mut event.description);
            }
        }
    }
}
