//! The workspace world: mail, a calendar, a cloud drive.
//!
//! Upstream: `default_suites/v1/workspace/task_suite.py`.

use serde::Deserialize;

use crate::calendar::Calendar;
use crate::calendar_tools as calendar;
use crate::clock::Clock;
use crate::drive::CloudDrive;
use crate::drive_tools as drive;
use crate::environment::{State, Texts, Typed};
use crate::mail::Inbox;
use crate::mail_tools as mail;
use crate::office::{Desk, Office};
use crate::tool::Tool;

/// The environment.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Workspace {
    /// The mail.
    pub inbox: Inbox,
    /// The calendar.
    pub calendar: Calendar,
    /// The files.
    pub cloud_drive: CloudDrive,
    /// The clock.
    #[serde(skip)]
    pub clock: Clock,
}

impl Office for Workspace {
    fn office(&self) -> (&Inbox, &Calendar) {
        (&self.inbox, &self.calendar)
    }

    fn desk(&mut self) -> Desk<'_> {
        Desk { inbox: &mut self.inbox, calendar: &mut self.calendar, clock: &mut self.clock }
    }
}

impl Typed for Workspace {
    const NAME: &'static str = "workspace";

    const REPEATED: &'static [&'static str] = &[
        "/inbox/initial_emails",
        "/inbox/received",
        "/inbox/sent",
        "/inbox/drafts",
        "/calendar/initial_events",
        "/cloud_drive/initial_files",
    ];

    const TOOLS: &'static [Tool<Self>] = &[
        mail::send_email(),
        mail::delete_email(),
        mail::get_unread_emails(),
        mail::get_sent_emails(),
        mail::get_received_emails(),
        mail::get_draft_emails(),
        mail::search_emails(),
        mail::search_contacts_by_name(),
        mail::search_contacts_by_email(),
        calendar::get_current_day(),
        calendar::search_calendar_events(),
        calendar::get_day_calendar_events(),
        calendar::create_calendar_event(),
        calendar::cancel_calendar_event(),
        calendar::reschedule_calendar_event(),
        calendar::add_calendar_event_participants(),
        drive::APPEND_TO_FILE,
        drive::SEARCH_FILES_BY_FILENAME,
        drive::CREATE_FILE,
        drive::DELETE_FILE,
        drive::GET_FILE_BY_ID,
        drive::LIST_FILES,
        drive::SHARE_FILE,
        drive::SEARCH_FILES,
    ];

    fn as_state(&self) -> State<'_> {
        State::Workspace(self)
    }

    fn from_state(state: State<'_>) -> Option<&Self> {
        match state {
            State::Workspace(environment) => Some(environment),
            _ => None,
        }
    }

    fn visit_texts(&mut self, texts: &mut Texts<'_>) {
        self.inbox.visit_texts(texts);
        self.calendar.visit_texts(texts);
        self.cloud_drive.visit_texts(texts);
    }
}

#[cfg(test)]
mod tests;
