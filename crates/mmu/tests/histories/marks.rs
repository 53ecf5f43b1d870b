//! The naive kernel's marks: what a descriptor says, in sets and maps.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
};

use crate::naive::Room;

/// All, or a set.
pub(crate) type Extent = Option<BTreeSet<u64>>;
pub(crate) type Origins = BTreeMap<u32, u32>;

pub(crate) const LEVELS: [&str; 4] = ["evidence", "guidance", "preference", "policy"];
pub(crate) const SPACE: &str = "address-space-violation";
pub(crate) const TYPE: &str = "type-confusion";
pub(crate) const USE: &str = "use-after-revoke";
pub(crate) const DEPUTY: &str = "confused-deputy";

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Mark {
    pub(crate) tenant: u8,
    pub(crate) level: u8,
    pub(crate) tasks: Extent,
    pub(crate) sessions: Extent,
    pub(crate) origins: Origins,
}

pub(crate) fn both(one: &Extent, other: &Extent) -> Extent {
    match (one, other) {
        (None, any) | (any, None) => any.clone(),
        (Some(one), Some(other)) => Some(one.intersection(other).copied().collect()),
    }
}

pub(crate) fn covers(outer: &Extent, inner: &Extent) -> bool {
    match (outer, inner) {
        (None, _) => true,
        (Some(_), None) => false,
        (Some(outer), Some(inner)) => inner.is_subset(outer),
    }
}

pub(crate) fn empty(extent: &Extent) -> bool {
    extent.as_ref().is_some_and(BTreeSet::is_empty)
}

pub(crate) fn join(all: &mut Origins, more: &Origins) {
    for (page, counter) in more {
        let known = all.entry(*page).or_insert(*counter);
        *known = (*known).min(*counter);
    }
}

impl Mark {
    pub(crate) fn top(tenant: u8) -> Self {
        let origins = Origins::new();
        Self { tenant, level: 3, tasks: None, sessions: None, origins }
    }

    pub(crate) fn lower(&mut self, other: &Self) {
        self.level = self.level.min(other.level);
        self.tasks = both(&self.tasks, &other.tasks);
        self.sessions = both(&self.sessions, &other.sessions);
        join(&mut self.origins, &other.origins);
    }

    pub(crate) fn in_room(&self, room: &Room) -> bool {
        covers(&self.tasks, &room.tasks) && covers(&self.sessions, &room.sessions)
    }

    pub(crate) fn nowhere(&self) -> bool {
        empty(&self.tasks) || empty(&self.sessions)
    }
}

pub(crate) fn shown(extent: &Extent) -> String {
    match extent {
        None => "*".into(),
        Some(ids) => format!("{:?}", ids.iter().collect::<Vec<_>>()),
    }
}

pub(crate) fn listed(origins: &Origins) -> String {
    let mut text = String::new();
    for (page, counter) in origins {
        let _ = write!(text, "{page}#{counter} ");
    }
    text
}

pub(crate) fn described(mark: &Mark) -> String {
    format!(
        "of {} as {} in {}/{} from {}",
        mark.tenant,
        LEVELS[usize::from(mark.level)],
        shown(&mark.tasks),
        shown(&mark.sessions),
        listed(&mark.origins),
    )
}

pub(crate) fn fault(kind: &str, reason: &str, page: Option<u32>) -> String {
    format!("{kind} {reason} {page:?}")
}

pub(crate) fn set(ids: &[u64]) -> Extent {
    Some(ids.iter().copied().collect())
}

/// What a scope's number stands for; `None` leaves it to the default.
pub(crate) fn scope(number: u8) -> Option<(Extent, Extent)> {
    match number {
        0 => None,
        1 => Some((None, None)),
        2 => Some((set(&[0]), set(&[0]))),
        3 => Some((set(&[0, 1]), None)),
        _ => Some((set(&[]), None)),
    }
}

/// The level of a channel.
pub(crate) fn level(source: u8) -> u8 {
    match source {
        0..4 => 3,
        4 => 2,
        5 => 1,
        _ => 0,
    }
}

pub(crate) fn acted(widens: bool, before: Option<u8>, after: Option<u8>) -> String {
    let name = |level: u8| LEVELS[usize::from(level)];
    format!("widens {widens} {:?} {:?}", before.map(name), after.map(name))
}
