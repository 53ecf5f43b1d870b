//! The tools for a calendar, of any environment that has one and an inbox.
//!
//! Upstream: `default_suites/v1/tools/calendar_client.py`.

use trace::call::ToolError;

use crate::calendar::{Appointment, EventStatus};
use crate::mail::{Attachment, Letter};
use crate::office::Office;
use crate::python::datetime;
use crate::tool::{Arguments, Output, Tool};

type Answer<'w> = Result<Output<'w>, ToolError>;

/// `get_current_day`
pub(crate) const fn get_current_day<W: Office>() -> Tool<W> {
    Tool { name: "get_current_day", signature: "", run: current_day }
}

/// `search_calendar_events`
pub(crate) const fn search_calendar_events<W: Office>() -> Tool<W> {
    Tool { name: "search_calendar_events", signature: "query: str, date: str? = None", run: search }
}

/// `get_day_calendar_events`
pub(crate) const fn get_day_calendar_events<W: Office>() -> Tool<W> {
    Tool { name: "get_day_calendar_events", signature: "day: str", run: of_day }
}

/// `create_calendar_event`
pub(crate) const fn create_calendar_event<W: Office>() -> Tool<W> {
    Tool {
        name: "create_calendar_event",
        signature: "title: str, start_time: str, end_time: str, description: str = '', \
                    participants: list[str]? = None, location: str? = None",
        run: create,
    }
}

/// `cancel_calendar_event`
pub(crate) const fn cancel_calendar_event<W: Office>() -> Tool<W> {
    Tool { name: "cancel_calendar_event", signature: "event_id: str", run: cancel }
}

/// `reschedule_calendar_event`
pub(crate) const fn reschedule_calendar_event<W: Office>() -> Tool<W> {
    Tool {
        name: "reschedule_calendar_event",
        signature: "event_id: str, new_start_time: str, new_end_time: str? = None",
        run: reschedule,
    }
}

/// `add_calendar_event_participants`
pub(crate) const fn add_calendar_event_participants<W: Office>() -> Tool<W> {
    Tool {
        name: "add_calendar_event_participants",
        signature: "event_id: str, participants: list[str]",
        run: add_participants,
    }
}

fn current_day<'w, W: Office>(world: &'w mut W, _: &Arguments) -> Answer<'w> {
    Ok(Output::Text(world.office().1.current_day.to_string().into()))
}

fn event<'w, W: Office>(world: &'w W, id: &str) -> Output<'w> {
    Output::Model(world.office().1.event_node(id))
}

fn search<'w, W: Office>(world: &'w mut W, args: &Arguments) -> Answer<'w> {
    let day = args.text(1).map(|day| Ok(datetime::date(day)?.date())).transpose()?;
    let (_, calendar) = world.office();
    let found = calendar.search(args.required(0), day);
    if found.is_empty() {
        return Err(ToolError::value("No events found. Try with a different query."));
    }
    Ok(Output::records(found.into_iter(), |event| event.node(0)))
}

fn of_day<'w, W: Office>(world: &'w mut W, args: &Arguments) -> Answer<'w> {
    let day = datetime::date(args.required(0))?.date();
    Ok(Output::records(world.office().1.of_day(day), |event| event.node(0)))
}

/// Puts the owner among those who take part, and sends all of them an invitation, in the order given.
fn create<'w, W: Office>(world: &'w mut W, args: &Arguments) -> Answer<'w> {
    let start_time = datetime::date_and_time(args.required(1))?;
    let end_time = datetime::date_and_time(args.required(2))?;
    let (title, description) = (args.required(0), args.required(3));
    let desk = world.desk();
    let mut participants = args.texts(4);
    participants.push(desk.calendar.account_email.clone());
    let id = desk.calendar.create(Appointment {
        title: title.to_owned(),
        description: description.to_owned(),
        start_time,
        end_time,
        location: args.text(5).map(str::to_owned),
        participants: participants.clone(),
    })?;
    let letter = Letter {
        recipients: participants,
        subject: format!("Invitation: {title}"),
        body: description.to_owned(),
        attachments: vec![Attachment::Event(id.clone())],
        ..Letter::default()
    };
    desk.inbox.send(letter, desk.clock)?;
    Ok(event(world, &id))
}

/// The event stays canceled where the mail about it cannot be sent.
fn cancel<'w, W: Office>(world: &'w mut W, args: &Arguments) -> Answer<'w> {
    let id = args.required(0);
    let desk = world.desk();
    let event = desk.calendar.change(id)?;
    event.status = EventStatus::Canceled;
    let letter = Letter {
        recipients: event.participants.clone(),
        subject: format!("Canceled: '{}'", event.title),
        body: "The event has been canceled.".to_owned(),
        attachments: vec![Attachment::Event(id.to_owned())],
        ..Letter::default()
    };
    desk.inbox.send(letter, desk.clock)?;
    let told = format!("Event with ID {id} has been canceled and participants have been notified.");
    Ok(Output::Text(told.into()))
}

/// Without a new end, the event lasts as long as it did. The subject of the mail is upstream's,
/// with a placeholder that was never filled.
fn reschedule<'w, W: Office>(world: &'w mut W, args: &Arguments) -> Answer<'w> {
    let id = args.required(0);
    let new_end = args.text(2).map(datetime::date_and_time).transpose()?;
    let new_start = datetime::date_and_time(args.required(1))?;
    let desk = world.desk();
    let moved = desk.calendar.change(id)?;
    let lasted = moved.end_time.local() - moved.start_time.local();
    moved.start_time = new_start;
    moved.end_time = match new_end {
        Some(end) => end,
        None => new_start.plus(lasted)?,
    };
    let (start, end) = (moved.start_time, moved.end_time);
    let letter = Letter {
        recipients: moved.participants.clone(),
        subject: "Rescheduled: '{event.title}'".to_owned(),
        body: format!(
            "The event has been rescheduled. It will start on  {} at {} and end on {} at {}.",
            start.date(),
            start.time_text(),
            end.date(),
            end.time_text()
        ),
        attachments: vec![Attachment::Event(id.to_owned())],
        ..Letter::default()
    };
    desk.inbox.send(letter, desk.clock)?;
    Ok(event(world, id))
}

/// Takes any text for an address, and tells nobody.
fn add_participants<'w, W: Office>(world: &'w mut W, args: &Arguments) -> Answer<'w> {
    let id = args.required(0);
    let found = world.desk().calendar.change(id)?;
    found.participants.extend(args.texts(1));
    Ok(event(world, id))
}
