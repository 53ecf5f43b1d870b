//! What an environment with mail and a calendar has: the tools for both act on any such environment.

use crate::calendar::Calendar;
use crate::clock::Clock;
use crate::environment::Typed;
use crate::mail::Inbox;

/// An environment with mail and a calendar.
pub trait Office: Typed {
    /// The parts, to look at.
    fn office(&self) -> (&Inbox, &Calendar);

    /// The parts, to change.
    fn desk(&mut self) -> Desk<'_>;
}

/// The parts that a tool for mail or events may change.
#[derive(Debug)]
pub struct Desk<'w> {
    /// The inbox.
    pub inbox: &'w mut Inbox,
    /// The calendar.
    pub calendar: &'w mut Calendar,
    /// The clock.
    pub clock: &'w mut Clock,
}
