//! Whether a course has all that it names.

use std::collections::HashSet;

use trace::allowance::{Allowance, CHANNELS, Source, counts, is_amount};
use trace::course::{Content, Course, Event, Moment, Stage};
use trace::tool::ToolSpec;

/// Whether a course can be run: seats, stores, deliveries, checkpoints and tools that it names are
/// there, and what is withdrawn was given.
///
/// # Errors
/// What is not there, in words.
pub fn check(course: &Course, tools: &[ToolSpec]) -> Result<(), String> {
    let seats: HashSet<&str> = course.seats.iter().map(|seat| seat.name.as_str()).collect();
    if course.seats.is_empty() {
        return Err("a course needs a seat".to_owned());
    }
    if seats.len() < course.seats.len() {
        return Err("two seats have the same name".to_owned());
    }
    if let Some(seat) = course.seats.iter().find(|seat| seat.stores.is_empty()) {
        return Err(format!("seat `{}` has no store", seat.name));
    }
    let known = Known {
        seats,
        deliveries: course.deliveries.iter().map(|one| one.name.as_str()).collect(),
        seeds: course.seeds.iter().map(|one| one.id.as_str()).collect(),
        sessions: course
            .stages
            .iter()
            .filter_map(|stage| match stage {
                Stage::Session(session) => Some(session.name.as_str()),
                _ => None,
            })
            .chain(["job", "filler"])
            .collect(),
        saved: events(course)
            .filter_map(|event| match event {
                Event::Save(name) => Some(name.as_str()),
                _ => None,
            })
            .collect(),
    };
    for stage in &course.stages {
        let Stage::Session(session) = stage else { continue };
        if !known.seats.contains(session.seat.as_str()) {
            return Err(format!(
                "session `{}` is of unknown seat `{}`",
                session.name, session.seat
            ));
        }
        for moment in &session.moments {
            if let Moment::Deliver(name) = moment
                && !known.deliveries.contains(name.as_str())
            {
                return Err(format!("session `{}`: unknown delivery `{name}`", session.name));
            }
        }
        for interrupt in &session.interrupts {
            if matches!(
                interrupt.event,
                Event::Compact | Event::Reset | Event::Save(_) | Event::Restore(_)
            ) {
                let name = &session.name;
                return Err(format!("session `{name}`: a context cannot change within a call"));
            }
        }
    }
    events(course).try_for_each(|event| known.check(event))?;
    check_allowances(course, tools)
}

/// Every approval in advance of a course, in order.
pub(super) fn allowances(course: &Course) -> impl Iterator<Item = &Allowance> {
    events(course).filter_map(|event| match event {
        Event::Allow(allowance) => Some(allowance),
        _ => None,
    })
}

/// Whether approvals in advance are about what there is, and are withdrawn after they are given. What
/// happens within calls of a session counts as later than its moments.
fn check_allowances(course: &Course, tools: &[ToolSpec]) -> Result<(), String> {
    let mut given: HashSet<&str> = HashSet::new();
    for event in events(course) {
        match event {
            Event::Allow(allowance) => {
                let name = allowance.name.as_str();
                check_allowance(allowance, tools)
                    .map_err(|why| format!("approval in advance `{name}`: {why}"))?;
                if !given.insert(name) {
                    return Err(format!("there are two approvals in advance `{name}`"));
                }
            }
            Event::Disallow(name) if !given.contains(name.as_str()) => {
                return Err(format!("approval in advance `{name}` is withdrawn and was not given"));
            }
            _ => {}
        }
    }
    Ok(())
}

fn check_allowance(allowance: &Allowance, tools: &[ToolSpec]) -> Result<(), String> {
    let Allowance { tool, arguments, source, limit, .. } = allowance;
    let Some(spec) = tools.iter().find(|spec| spec.name == *tool) else {
        return Err(format!("unknown tool `{tool}`"));
    };
    let is_parameter = |name: &str| spec.parameters.iter().any(|one| one.name == name);
    if let Some((name, _)) = arguments.iter().find(|(name, _)| !is_parameter(name)) {
        return Err(format!("`{tool}` has no argument `{name}`"));
    }
    if let Source::Channel(channel) = source
        && !CHANNELS.contains(channel)
    {
        return Err(format!("no values are taken from channel `{}`", channel.as_str()));
    }
    let Some(limit) = limit else { return Ok(()) };
    let argument = limit.argument.as_str();
    if !arguments.iter().any(|(name, _)| name == argument) {
        return Err(format!("its limit is about `{argument}`, which it does not cover"));
    }
    if !counts(spec, argument) {
        return Err(format!("its limit is about `{argument}`, which is no number"));
    }
    match [&limit.each, &limit.total].into_iter().find(|amount| !is_amount(amount)) {
        Some(amount) => Err(format!("`{amount}` is no amount")),
        None => Ok(()),
    }
}

struct Known<'c> {
    seats: HashSet<&'c str>,
    deliveries: HashSet<&'c str>,
    seeds: HashSet<&'c str>,
    sessions: HashSet<&'c str>,
    saved: HashSet<&'c str>,
}

impl Known<'_> {
    fn check(&self, event: &Event) -> Result<(), String> {
        match event {
            Event::Restore(name) if !self.saved.contains(name.as_str()) => {
                Err(format!("nothing is saved as `{name}`"))
            }
            Event::Share { to, .. } if !self.seats.contains(to.as_str()) => {
                Err(format!("unknown seat `{to}`"))
            }
            Event::Revoke(content)
            | Event::Withdraw(content)
            | Event::Expire(content)
            | Event::Approve { content, .. }
            | Event::Share { content, .. }
            | Event::Recycle { content, .. }
            | Event::Allow(Allowance { source: Source::Content(content), .. }) => {
                self.content(content)
            }
            Event::Compact
            | Event::Reset
            | Event::Save(_)
            | Event::Restore(_)
            | Event::Allow(_)
            | Event::Disallow(_)
            | Event::Advance(_) => Ok(()),
        }
    }

    fn content(&self, content: &Content) -> Result<(), String> {
        match content {
            Content::Delivery(name) if !self.deliveries.contains(name.as_str()) => {
                Err(format!("unknown delivery `{name}`"))
            }
            Content::Seed(id) if !self.seeds.contains(id.as_str()) => {
                Err(format!("unknown seed `{id}`"))
            }
            Content::Record { session, .. } if !self.sessions.contains(session.as_str()) => {
                Err(format!("unknown session `{session}`"))
            }
            _ => Ok(()),
        }
    }
}

/// Every event of a course.
fn events(course: &Course) -> impl Iterator<Item = &Event> {
    course.stages.iter().flat_map(|stage| -> Box<dyn Iterator<Item = &Event>> {
        match stage {
            Stage::Between(event) => Box::new(std::iter::once(event)),
            Stage::Session(session) => Box::new(session.events()),
            Stage::Fillers(_) | Stage::Jobs => Box::new(std::iter::empty()),
        }
    })
}
