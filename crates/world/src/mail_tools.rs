//! The tools for mail, of any environment that has an inbox and a calendar.
//!
//! Upstream: `default_suites/v1/tools/email_client.py`.

use serde_json::{Map, Value};
use trace::call::ToolError;

use crate::calendar::Event;
use crate::mail::{Attachment, Contact, Email, EmailStatus, Letter, holds};
use crate::office::Office;
use crate::python::repr;
use crate::shared::Record;
use crate::tool::{Arguments, Output, Tool};

type Answer<'w> = Result<Output<'w>, ToolError>;

/// `send_email`
pub(crate) const fn send_email<W: Office>() -> Tool<W> {
    Tool {
        name: "send_email",
        signature: "recipients: list[str], subject: str, body: str, \
                    attachments: list[dict]? = None, cc: list[str]? = None, bcc: list[str]? = None",
        run: send,
    }
}

/// `delete_email`
pub(crate) const fn delete_email<W: Office>() -> Tool<W> {
    Tool { name: "delete_email", signature: "email_id: str", run: delete }
}

/// `get_unread_emails`
pub(crate) const fn get_unread_emails<W: Office>() -> Tool<W> {
    Tool { name: "get_unread_emails", signature: "", run: unread }
}

/// `get_sent_emails`
pub(crate) const fn get_sent_emails<W: Office>() -> Tool<W> {
    Tool { name: "get_sent_emails", signature: "", run: |w, _| Ok(of_status(w, EmailStatus::Sent)) }
}

/// `get_received_emails`
pub(crate) const fn get_received_emails<W: Office>() -> Tool<W> {
    Tool {
        name: "get_received_emails",
        signature: "",
        run: |world, _| Ok(of_status(world, EmailStatus::Received)),
    }
}

/// `get_draft_emails`
pub(crate) const fn get_draft_emails<W: Office>() -> Tool<W> {
    Tool {
        name: "get_draft_emails",
        signature: "",
        run: |world, _| Ok(of_status(world, EmailStatus::Draft)),
    }
}

/// `search_emails`
pub(crate) const fn search_emails<W: Office>() -> Tool<W> {
    Tool { name: "search_emails", signature: "query: str, sender: str? = None", run: search }
}

/// `search_contacts_by_name`
pub(crate) const fn search_contacts_by_name<W: Office>() -> Tool<W> {
    Tool { name: "search_contacts_by_name", signature: "query: str", run: contacts_by_name }
}

/// `search_contacts_by_email`
pub(crate) const fn search_contacts_by_email<W: Office>() -> Tool<W> {
    Tool { name: "search_contacts_by_email", signature: "query: str", run: contacts_by_email }
}

fn list<'w, W, I>(world: &'w W, emails: I) -> Output<'w>
where
    W: Office,
    I: Iterator<Item = &'w Record<Email>> + Clone,
{
    let (_, calendar) = world.office();
    Output::records(emails, |email| email.node(calendar))
}

fn of_status<W: Office>(world: &mut W, status: EmailStatus) -> Output<'_> {
    list(world, world.office().0.of_status(status))
}

fn send<'w, W: Office>(world: &'w mut W, args: &Arguments) -> Answer<'w> {
    let given = args.value(3).as_array().map_or(&[] as &[Value], Vec::as_slice);
    let attachments = given.iter().map(attachment).collect::<Result<_, _>>()?;
    let letter = Letter {
        recipients: args.texts(0),
        subject: args.required(1).to_owned(),
        body: args.required(2).to_owned(),
        attachments,
        cc: args.texts(4),
        bcc: args.texts(5),
    };
    let desk = world.desk();
    let id = desk.inbox.send(letter, desk.clock)?;
    let (inbox, calendar) = world.office();
    Ok(Output::record(&inbox.emails[&id], |email| email.node(calendar)))
}

/// A file by id, or an event by what is told of it.
fn attachment(given: &Value) -> Result<Attachment, ToolError> {
    let Value::Object(given) = given else {
        return Err(ToolError::value("Attachments must be dictionaries."));
    };
    let Some(kind) = given.get("type") else {
        return Err(ToolError::value("Attachment must have a 'type' field."));
    };
    match (given.get("file_id"), given.get("event_details")) {
        (Some(Value::String(id)), _) => Ok(Attachment::File(id.clone())),
        (Some(other), _) => Ok(Attachment::File(repr::value(other))),
        (None, _) if kind == "file" => {
            Err(ToolError::value("Attachment of type 'file' must have a 'file_id' field."))
        }
        (None, Some(details)) => {
            Ok(Attachment::Details(Box::new(Event::from_details(mapping(details)?)?)))
        }
        (None, None) => {
            Err(ToolError::value("Attachment of type 'event' must have an 'event_details' field."))
        }
    }
}

/// What Python's `**` takes.
fn mapping(value: &Value) -> Result<&Map<String, Value>, ToolError> {
    value.as_object().ok_or_else(|| ToolError {
        kind: "TypeError",
        message: format!(
            "agentdojo.default_suites.v1.tools.types.CalendarEvent() argument after ** must be a \
             mapping, not {}",
            repr::type_name(value)
        ),
    })
}

fn delete<'w, W: Office>(world: &'w mut W, args: &Arguments) -> Answer<'w> {
    let id = args.required(0);
    world.desk().inbox.delete(id)?;
    Ok(Output::Text(format!("Email with id {id} deleted successfully.").into()))
}

/// Marks what it returns as read.
fn unread<'w, W: Office>(world: &'w mut W, _: &Arguments) -> Answer<'w> {
    let ids = world.desk().inbox.mark_read();
    let world: &'w W = world;
    Ok(list(world, ids.iter().map(|id| &world.office().0.emails[id])))
}

fn search<'w, W: Office>(world: &'w mut W, args: &Arguments) -> Answer<'w> {
    let found = world.office().0.search(args.required(0), args.text(1));
    if found.is_empty() {
        return Err(ToolError::value("No emails found. Try with a different query."));
    }
    Ok(list(world, found.into_iter()))
}

fn contacts<W: Office>(world: &W, matches: impl Fn(&Contact) -> bool) -> Vec<&Contact> {
    world.office().0.contact_list.iter().filter(|contact| matches(contact)).collect()
}

fn contacts_or<'w>(found: &[&'w Contact], what: &str, query: &str) -> Answer<'w> {
    if found.is_empty() {
        return Err(ToolError::value(format!("Contact with {what} '{query}' not found.")));
    }
    Ok(Output::List(found.iter().map(|contact| contact.node()).collect()))
}

fn contacts_by_name<'w, W: Office>(world: &'w mut W, args: &Arguments) -> Answer<'w> {
    let query = args.required(0);
    let part = query.to_lowercase();
    contacts_or(&contacts(world, |contact| holds(&contact.name, &part)), "name", query)
}

fn contacts_by_email<'w, W: Office>(world: &'w mut W, args: &Arguments) -> Answer<'w> {
    let query = args.required(0);
    let part = query.to_lowercase();
    contacts_or(&contacts(world, |contact| holds(&contact.email, &part)), "email", query)
}
