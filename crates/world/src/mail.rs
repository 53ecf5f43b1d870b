//! Mail: an inbox with its contacts and its trash.
//!
//! Upstream: `Email` and `EmailContact` of `default_suites/v1/tools/types.py`, and
//! `default_suites/v1/tools/email_client.py`. The tools are in `mail_tools.rs`.

use std::borrow::Cow;

use indexmap::IndexMap;
use memchr::memmem::Finder;
use serde::Deserialize;
use trace::call::ToolError;

use crate::calendar::{Calendar, Event};
use crate::clock::Clock;
use crate::environment::Texts;
use crate::python::coercion::model::Problems;
use crate::python::datetime::DateTime;
use crate::python::yaml::Node;
use crate::shared::{Record, Shared, Shown};

/// Mails by id.
pub type Mails = Shared<IndexMap<String, Record<Email>>>;

/// An inbox.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Inbox {
    /// The owner's address.
    pub account_email: String,
    /// The mails by id, deleted ones left out.
    pub emails: Mails,
    /// The people that the first mails name; never changed.
    pub contact_list: Shared<Vec<Contact>>,
    /// The deleted mails by id. A later one with the same id takes the earlier one's place.
    pub trash: Mails,
}

/// A mail.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Email {
    /// Its id.
    #[serde(rename = "id_")]
    pub id: String,
    /// Who sent it.
    pub sender: String,
    /// Whom it is for.
    pub recipients: Vec<String>,
    /// Who gets a copy.
    pub cc: Vec<String>,
    /// Who gets a copy unseen by the others.
    pub bcc: Vec<String>,
    /// The subject.
    pub subject: String,
    /// The text.
    pub body: String,
    /// Whether it was sent or received, or is a draft.
    pub status: EmailStatus,
    /// Whether the owner has read it.
    pub read: bool,
    /// When it was sent.
    pub timestamp: DateTime,
    /// What is attached.
    pub attachments: Vec<Attachment>,
}

/// What became of a mail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EmailStatus {
    /// The owner sent it.
    Sent,
    /// The owner received it.
    Received,
    /// It was not sent.
    Draft,
}

/// Something attached to a mail.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(from = "String")]
pub enum Attachment {
    /// A file of the drive, by id; it need not exist.
    File(String),
    /// An event of the calendar, by id: the calendar's own, so that later changes of it show here.
    Event(String),
    /// An event that is in no calendar.
    Details(Box<Event>),
}

/// A person.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Contact {
    /// The address.
    pub email: String,
    /// The name, made from the address.
    pub name: String,
}

/// A mail that is to be sent.
#[derive(Clone, Debug, Default)]
pub struct Letter {
    /// Whom it is for.
    pub recipients: Vec<String>,
    /// The subject.
    pub subject: String,
    /// The text.
    pub body: String,
    /// What is attached.
    pub attachments: Vec<Attachment>,
    /// Who gets a copy.
    pub cc: Vec<String>,
    /// Who gets a copy unseen by the others.
    pub bcc: Vec<String>,
}

impl From<String> for Attachment {
    fn from(file: String) -> Self {
        Self::File(file)
    }
}

impl EmailStatus {
    fn as_str(self) -> &'static str {
        match self {
            Self::Sent => "sent",
            Self::Received => "received",
            Self::Draft => "draft",
        }
    }
}

/// One more than the greatest of the ids in use, so that an id is used again after its record was
/// deleted (upstream: `_get_next_id`).
pub(crate) fn next_id<'k>(ids: impl Iterator<Item = &'k String>) -> String {
    let greatest = ids.filter_map(|id| id.parse::<i64>().ok()).max().unwrap_or(0);
    (greatest + 1).to_string()
}

/// Python's `part.lower() in text.lower()`, where `part` is in lower case already.
pub(crate) fn holds(text: &str, part: &str) -> bool {
    text.to_lowercase().contains(part)
}

pub(crate) fn texts(items: &[String]) -> Node<'_> {
    Node::List(items.iter().map(|item| Node::from(item.as_str())).collect())
}

impl Email {
    /// The mail as a dump shows it. Attached events are the calendar's.
    pub fn node<'w>(&'w self, calendar: &'w Calendar) -> Node<'w> {
        self.with_events(|id| calendar.event_node(id))
    }

    /// Keys in the order that a dump sorts them into.
    fn with_events<'w>(&'w self, event: impl Fn(&'w str) -> Node<'w>) -> Node<'w> {
        let attachments = self.attachments.iter().map(|attachment| match attachment {
            Attachment::File(id) => Node::from(id.as_str()),
            Attachment::Event(id) => event(id),
            Attachment::Details(event) => event.node(0),
        });
        let timestamp = Node::DateTime { text: self.timestamp.to_string().into(), identity: 0 };
        Node::Map(vec![
            (Cow::Borrowed("attachments"), Node::List(attachments.collect())),
            (Cow::Borrowed("bcc"), texts(&self.bcc)),
            (Cow::Borrowed("body"), Node::from(self.body.as_str())),
            (Cow::Borrowed("cc"), texts(&self.cc)),
            (Cow::Borrowed("id_"), Node::from(self.id.as_str())),
            (Cow::Borrowed("read"), Node::Bool(self.read)),
            (Cow::Borrowed("recipients"), texts(&self.recipients)),
            (Cow::Borrowed("sender"), Node::from(self.sender.as_str())),
            (Cow::Borrowed("status"), Node::from(self.status.as_str())),
            (Cow::Borrowed("subject"), Node::from(self.subject.as_str())),
            (Cow::Borrowed("timestamp"), timestamp),
        ])
    }
}

impl Shown for Email {
    fn alone(&self) -> Option<Node<'_>> {
        let is_event = |one: &Attachment| matches!(one, Attachment::Event(_));
        let alone = !self.attachments.iter().any(is_event);
        alone.then(|| self.with_events(|_| Node::Null))
    }

    fn searched(&self) -> [&str; 2] {
        [&self.subject, &self.body]
    }
}

impl Contact {
    /// Keys in the order that a dump sorts them into.
    pub(crate) fn node(&self) -> Node<'_> {
        Node::Map(vec![
            (Cow::Borrowed("email"), Node::from(self.email.as_str())),
            (Cow::Borrowed("name"), Node::from(self.name.as_str())),
        ])
    }
}

impl Inbox {
    /// The id that the next mail gets.
    pub fn next_id(&self) -> String {
        next_id(self.emails.keys())
    }

    /// The mails of a status, in the inbox's order.
    pub fn of_status(&self, status: EmailStatus) -> impl Iterator<Item = &Record<Email>> + Clone {
        self.emails.values().filter(move |email| email.status == status)
    }

    /// The mails that hold the words in subject or text, and are from the sender if one is given;
    /// case does not matter.
    pub fn search(&self, query: &str, sender: Option<&str>) -> Vec<&Record<Email>> {
        let (query, sender) = (query.to_lowercase(), sender.map(str::to_lowercase));
        let from = |email: &Record<Email>| {
            sender.as_ref().is_none_or(|sender| email.sender.to_lowercase() == *sender)
        };
        let query = Finder::new(&query);
        let matches = |email: &Record<Email>| email.holds(0, &query) || email.holds(1, &query);
        self.emails.values().filter(|email| from(email) && matches(email)).collect()
    }

    /// Sends a mail and gives its id. The clock is read before anything is checked.
    ///
    /// # Errors
    /// An address that is none.
    pub fn send(&mut self, letter: Letter, clock: &mut Clock) -> Result<String, ToolError> {
        let timestamp = clock.now();
        let mut problems = Problems::default();
        let recipients = problems.address_list("recipients", &letter.recipients);
        let cc = problems.address_list("cc", &letter.cc);
        let bcc = problems.address_list("bcc", &letter.bcc);
        problems.finish("Email")?;
        let id = self.next_id();
        let email = Email {
            id: id.clone(),
            sender: self.account_email.clone(),
            recipients,
            cc,
            bcc,
            subject: letter.subject,
            body: letter.body,
            status: EmailStatus::Sent,
            read: true,
            timestamp,
            attachments: letter.attachments,
        };
        self.emails.change().insert(id.clone(), Record::new(email));
        Ok(id)
    }

    /// Moves a mail to the trash.
    ///
    /// # Errors
    /// There is no such mail.
    pub fn delete(&mut self, id: &str) -> Result<(), ToolError> {
        if !self.emails.contains_key(id) {
            return Err(ToolError::value(format!("Email with ID '{id}' not found.")));
        }
        let email = self.emails.change().shift_remove(id);
        self.trash.change().extend(email.map(|email| (id.to_owned(), email)));
        Ok(())
    }

    /// Marks all mails as read and gives the ids of those that were not.
    pub fn mark_read(&mut self) -> Vec<String> {
        if self.emails.values().all(|email| email.read) {
            return Vec::new();
        }
        let unread = self.emails.change().values_mut().filter(|email| !email.read);
        unread
            .map(|email| {
                email.change_as_usual(|email| email.read = true);
                email.id.clone()
            })
            .collect()
    }

    /// Comes to the texts that may hold an injection.
    pub(crate) fn visit_texts(&mut self, texts: &mut Texts<'_>) {
        if !texts.enters(2 * self.emails.len()) {
            return;
        }
        for email in self.emails.change().values_mut() {
            if texts.enters(2) {
                let email = email.change();
                texts.text(&mut email.subject);
                texts.text(&mut email.body);
            }
        }
    }
}
