//! A second kernel, of sets and loops. It shares no code with the one under test, and keeps no
//! index: whether something is so is found out by looking at everything.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
};

use crate::{
    op::{Op, Pay, WORDS},
    real::pick,
};

/// All, or a set.
pub(crate) type Extent = Option<BTreeSet<u64>>;
pub(crate) type Origins = BTreeMap<u32, u32>;

const LEVELS: [&str; 4] = ["evidence", "guidance", "preference", "policy"];
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

#[derive(Clone)]
pub(crate) struct Piece {
    pub(crate) mark: Mark,
    pub(crate) page: u32,
    pub(crate) words: u8,
    pub(crate) source: u8,
    pub(crate) typed: bool,
    pub(crate) evicted: bool,
    pub(crate) grant: Option<u64>,
}

#[derive(Clone)]
pub(crate) struct Room {
    pub(crate) tenant: u8,
    pub(crate) tasks: Extent,
    pub(crate) sessions: Extent,
    pub(crate) attended: bool,
    pub(crate) pieces: Vec<Piece>,
    pub(crate) label: Mark,
}

#[derive(Clone)]
pub(crate) struct Stored {
    pub(crate) page: u32,
    pub(crate) form: u8,
    pub(crate) mark: Mark,
    pub(crate) words: u8,
}

pub(crate) struct Raised {
    pub(crate) id: u64,
    pub(crate) page: u32,
    pub(crate) words: u8,
    pub(crate) value: Option<u8>,
    /// Tenant, level, scope and pinned origins.
    pub(crate) mark: Mark,
}

pub(crate) struct Advance {
    pub(crate) id: u64,
    pub(crate) tenant: u8,
    pub(crate) tasks: Extent,
    pub(crate) to: Option<u8>,
    /// A channel, or a page.
    pub(crate) source: Result<u8, u32>,
    pub(crate) each: u32,
    pub(crate) uses: u8,
    pub(crate) end: Option<u64>,
    pub(crate) spent: u32,
    pub(crate) used: u8,
}

pub(crate) struct Grant {
    pub(crate) id: u64,
    pub(crate) from: u8,
    pub(crate) to: u8,
    pub(crate) page: u32,
    pub(crate) ceiling: u8,
    pub(crate) end: Option<u64>,
    pub(crate) accepted: bool,
}

/// Whose call, in which task: what an approval of it binds.
pub(crate) type Key = (u8, Extent, Pay);

#[derive(Default)]
pub(crate) struct Naive {
    pub(crate) rooms: Vec<Room>,
    pub(crate) stored: Vec<Stored>,
    pub(crate) saved: Vec<(usize, Room)>,
    /// How often each page was revoked.
    pub(crate) pages: Vec<u32>,
    pub(crate) mapped: BTreeSet<u32>,
    pub(crate) derived: Vec<(u32, u8, Origins)>,
    pub(crate) now: u64,
    pub(crate) latest: u64,
    pub(crate) asked: BTreeMap<Key, BTreeMap<u32, u32>>,
    pub(crate) approved: BTreeMap<Key, (u64, BTreeMap<u32, u32>)>,
    pub(crate) refused: BTreeSet<Key>,
    pub(crate) raised: Vec<Raised>,
    pub(crate) advance: Vec<Advance>,
    pub(crate) grants: Vec<Grant>,
    pub(crate) ids: u64,
    /// Sequence, whether approved, origins.
    pub(crate) executed: Vec<(u64, bool, Origins)>,
    pub(crate) flying: Vec<((u8, Pay), u64, Origins)>,
    /// By file: its page, and by spelling who wrote it.
    pub(crate) files: BTreeMap<u8, (Option<u32>, BTreeMap<u8, (Mark, BTreeSet<u8>)>)>,
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

fn empty(extent: &Extent) -> bool {
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

fn shown(extent: &Extent) -> String {
    match extent {
        None => "*".into(),
        Some(ids) => format!("{:?}", ids.iter().collect::<Vec<_>>()),
    }
}

fn listed(origins: &Origins) -> String {
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

fn set(ids: &[u64]) -> Extent {
    Some(ids.iter().copied().collect())
}

/// What a scope's number stands for; `None` leaves it to the default.
fn scope(number: u8) -> Option<(Extent, Extent)> {
    match number {
        0 => None,
        1 => Some((None, None)),
        2 => Some((set(&[0]), set(&[0]))),
        3 => Some((set(&[0, 1]), None)),
        _ => Some((set(&[]), None)),
    }
}

/// The level of a channel.
fn level(source: u8) -> u8 {
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

impl Naive {
    pub(crate) fn new() -> Self {
        Self { now: 100, ..Self::default() }
    }

    pub(crate) fn tick(&mut self) {
        self.latest = self.latest.max(self.now);
    }

    pub(crate) fn new_page(&mut self) -> u32 {
        self.pages.push(0);
        u32::try_from(self.pages.len() - 1).expect("histories are short")
    }

    pub(crate) fn number(&self, page: u8) -> u32 {
        u32::from(page) % u32::try_from(self.pages.len() + 1).expect("histories are short")
    }

    pub(crate) fn counter(&self, page: u32) -> Option<u32> {
        self.pages.get(page as usize).copied()
    }

    pub(crate) fn live(&self, origins: &Origins) -> bool {
        origins.iter().all(|(page, recorded)| self.counter(*page) == Some(*recorded))
    }

    pub(crate) fn room_default(&self, at: usize) -> (Extent, Extent) {
        (self.rooms[at].tasks.clone(), None)
    }

    /// What a model that writes in this room inherits.
    pub(crate) fn inherited(&self, at: usize) -> Mark {
        let room = &self.rooms[at];
        let mut mark = Mark::top(room.tenant);
        mark.lower(&room.label);
        mark.tasks = both(&mark.tasks, &room.tasks);
        mark
    }

    /// May content of this mark enter? With a grant: its id and ceiling.
    pub(crate) fn admitted(
        &self,
        at: usize,
        mark: &Mark,
        page: Option<u32>,
    ) -> Result<Option<(u64, u8)>, String> {
        let room = &self.rooms[at];
        let reason = if mark.tenant != room.tenant {
            "other-tenant"
        } else if mark.nowhere() {
            "empty-scope"
        } else if !mark.in_room(room) {
            "out-of-scope"
        } else {
            return Ok(None);
        };
        let mut best: Option<(u64, u8)> = None;
        for grant in &self.grants {
            let live = grant.accepted && grant.end.is_none_or(|end| self.latest <= end);
            let fits = grant.from == mark.tenant && grant.to == room.tenant;
            if live && fits && Some(grant.page) == page && !mark.nowhere() {
                let most = if grant.from == grant.to { 3 } else { 2 };
                let ceiling = grant.ceiling.min(most);
                if best.is_none_or(|(_, known)| ceiling > known) {
                    best = Some((grant.id, ceiling));
                }
            }
        }
        if best.is_some() { Ok(best) } else { Err(fault(SPACE, reason, page)) }
    }

    /// Puts a piece into a room, and says what it is and what the room's label is now.
    pub(crate) fn enter(&mut self, at: usize, piece: Piece) -> String {
        let room = &mut self.rooms[at];
        room.label.lower(&piece.mark);
        let text = format!(
            "{} {} | {} {}/{} {}",
            piece.page,
            described(&piece.mark),
            LEVELS[usize::from(room.label.level)],
            shown(&room.label.tasks),
            shown(&room.label.sessions),
            listed(&room.label.origins),
        );
        room.pieces.push(piece);
        text
    }

    pub(crate) fn map(
        &mut self,
        at: usize,
        source: u8,
        page: Option<u32>,
        place: Option<(Extent, Extent)>,
        words: u8,
        written: Option<&(Mark, BTreeSet<u8>)>,
    ) -> String {
        if page.is_some_and(|page| self.counter(page).is_none()) {
            return fault(SPACE, "unknown-page", page);
        }
        let tenant = self.rooms[at].tenant;
        let everywhere = (None, None);
        let default = if source == 4 { everywhere } else { self.room_default(at) };
        let (tasks, sessions) = place.unwrap_or(default);
        let tenant = if source == 3 { 1 - tenant } else { tenant };
        let mut mark =
            Mark { tenant, level: level(source), tasks, sessions, origins: Origins::new() };
        if let Some((written, tenants)) = written {
            mark.lower(written);
            let own = self.rooms[at].tenant;
            if let Some(other) = tenants.iter().find(|tenant| **tenant != own) {
                mark.tenant = *other;
            }
        }
        if source == 11 {
            let inherited = self.inherited(at);
            mark.origins = inherited.origins;
            mark.tasks = both(&mark.tasks, &inherited.tasks);
            mark.sessions = both(&mark.sessions, &inherited.sessions);
        }
        let pass = match self.admitted(at, &mark, page) {
            Ok(pass) => pass,
            Err(fault) => return fault,
        };
        let page = page.unwrap_or_else(|| self.new_page());
        let own = Origins::from([(page, self.pages[page as usize])]);
        if mark.origins.is_empty() {
            self.mapped.insert(page);
            mark.origins = own;
        } else {
            join(&mut mark.origins, &own);
            self.derived.push((page, 0, mark.origins.clone()));
        }
        if let Some((_, ceiling)) = pass {
            mark.level = mark.level.min(ceiling);
            mark.tasks.clone_from(&self.rooms[at].tasks);
            mark.sessions.clone_from(&self.rooms[at].sessions);
        }
        let grant = pass.map(|(id, _)| id);
        let typed = source < 3;
        self.enter(at, Piece { mark, page, words, source, typed, evicted: false, grant })
    }

    pub(crate) fn piece(&self, at: usize, entry: u8) -> Option<usize> {
        pick(entry, self.rooms[at].pieces.len())
    }

    /// The words of a piece that can still be seen.
    fn seen(&self, at: usize, piece: usize) -> Option<u8> {
        let piece = &self.rooms[at].pieces[piece];
        (!piece.evicted || piece.typed).then_some(piece.words)
    }

    fn keep(&mut self, stored: Stored, supersedes: Option<u32>) -> String {
        let form = ["Full", "Compressed", "Structured", "Pointer"][usize::from(stored.form)];
        let text = format!("{} {form} {} for {supersedes:?}", stored.page, described(&stored.mark));
        self.derived.push((stored.page, stored.form, stored.mark.origins.clone()));
        self.stored.push(stored);
        text
    }

    /// Does it, and says what came of it.
    pub(crate) fn run(&mut self, op: Op) -> String {
        match op {
            Op::Open { tenant, task, session, attended } => {
                self.rooms.push(Room {
                    tenant,
                    tasks: set(&[u64::from(task)]),
                    sessions: set(&[u64::from(session)]),
                    attended,
                    pieces: Vec::new(),
                    label: Mark::top(tenant),
                });
                String::new()
            }
            Op::Wait { back: true, by } => {
                self.now = self.now.saturating_sub(u64::from(by));
                String::new()
            }
            Op::Wait { by, .. } => {
                self.now += u64::from(by);
                String::new()
            }
            Op::Remove { stored, model } => match pick(stored, self.stored.len()) {
                None => String::new(),
                Some(at) if self.may(model, &self.stored[at]) => "may".into(),
                Some(at) => fault(TYPE, "write-up", Some(self.stored[at].page)),
            },
            Op::Revoke { page } => self.revoke(self.number(page)),
            Op::Offer { .. } | Op::Accept { .. } | Op::Withdraw { .. } | Op::Advance { .. } => {
                self.act(op)
            }
            Op::Restore { saved } => self.restore(saved),
            Op::Map { at, .. }
            | Op::Evict { at, .. }
            | Op::Derive { at, .. }
            | Op::Remember { at, .. }
            | Op::Reload { at, .. }
            | Op::Follow { at, .. }
            | Op::Calculate { at, .. }
            | Op::Authorize { at, .. }
            | Op::Dispatch { at, .. }
            | Op::Approve { at, .. }
            | Op::Refuse { at, .. }
            | Op::WithdrawCall { at, .. }
            | Op::ApproveContent { at, .. }
            | Op::Save { at }
            | Op::Write { at, .. }
            | Op::Copy { at, .. }
            | Op::Read { at, .. } => match pick(at, self.rooms.len()) {
                Some(at) => self.inside(at, op),
                None => String::new(),
            },
        }
    }

    fn inside(&mut self, at: usize, op: Op) -> String {
        match op {
            Op::Map { source, page, scope: place, words, .. } => {
                let page = (page != 255).then(|| self.number(page));
                self.map(at, source, page, scope(place), words, None)
            }
            Op::Evict { entry, .. } => {
                if let Some(piece) = self.piece(at, entry) {
                    self.rooms[at].pieces[piece].evicted = true;
                }
                LEVELS[usize::from(self.rooms[at].label.level)].into()
            }
            Op::Remember { entry, .. } => self.remember(at, entry),
            Op::Save { .. } => {
                self.saved.push((at, self.rooms[at].clone()));
                String::new()
            }
            Op::Derive { .. } => self.derive(at, op),
            Op::Reload { .. } | Op::Follow { .. } => self.back(at, op),
            Op::Calculate { left, right, result, .. } => self.calculate(at, [left, right], result),
            Op::ApproveContent { .. } => self.approve_content(at, op),
            Op::Write { .. } | Op::Copy { .. } | Op::Read { .. } => self.file(at, op),
            _ => self.call(at, op),
        }
    }

    fn remember(&mut self, at: usize, entry: u8) -> String {
        let Some(entry) = self.piece(at, entry) else { return String::new() };
        self.tick();
        let piece = self.rooms[at].pieces[entry].clone();
        if !piece.typed {
            return fault(TYPE, "not-typed", Some(piece.page));
        }
        let before = piece.mark.level;
        let page = self.new_page();
        let mut mark = Mark { level: before.min(2), tasks: None, sessions: None, ..piece.mark };
        mark.tenant = self.rooms[at].tenant;
        join(&mut mark.origins, &Origins::from([(page, 0)]));
        let level = mark.level;
        let widens = !covers(&self.rooms[at].pieces[entry].mark.tasks, &None)
            || !covers(&self.rooms[at].pieces[entry].mark.sessions, &None);
        self.keep(Stored { page, form: 0, mark, words: piece.words }, None)
            + &acted(widens, Some(before), Some(level))
    }

    /// Whether somebody may replace or remove a stored representation.
    fn may(&self, model: bool, old: &Stored) -> bool {
        let words = if old.form == 3 { 0 } else { old.words };
        let raised =
            self.raised.iter().any(|raised| raised.words == words && raised.mark.level > 0);
        !model || (old.mark.level == 0 && !raised)
    }

    fn derive(&mut self, at: usize, op: Op) -> String {
        let Op::Derive { model, inputs, also, form, target, claim, words, .. } = op else {
            unreachable!("it is called with no other")
        };
        let room = &self.rooms[at];
        let mut used: Vec<Mark> = Vec::new();
        for (bit, piece) in room.pieces.iter().rev().take(8).enumerate() {
            if inputs >> bit & 1 == 1 {
                used.push(piece.mark.clone());
            }
        }
        if also != 255
            && let Some(also) = pick(also, self.stored.len())
        {
            used.push(self.stored[also].mark.clone());
        }
        let mut mark = Mark::top(room.tenant);
        if model {
            mark = Mark { level: 0, ..self.inherited(at) };
        } else if used.is_empty() {
            mark = Mark { level: 0, tasks: room.tasks.clone(), ..mark };
        }
        used.iter().for_each(|used| mark.lower(used));
        let tenant = room.tenant;
        let mut faults = String::new();
        let old = pick(target / 3, self.stored.len()).map(|old| self.stored[old].clone());
        let (page, supersedes) = match (target % 3, old) {
            (1, _) if self.counter(self.number(target / 3)).is_some() => {
                (self.number(target / 3), None)
            }
            (2, Some(old)) if self.may(model, &old) => (old.page, None),
            (2, Some(old)) => {
                faults += &fault(TYPE, "write-up", Some(old.page));
                (self.new_page(), Some(old.page))
            }
            _ => (self.new_page(), None),
        };
        if mark.nowhere() {
            faults += &fault(SPACE, "empty-scope", Some(page));
        }
        let too_much = match claim {
            1 => mark.level < 3,
            2 => mark.tasks.is_some() || mark.sessions.is_some(),
            3 => true,
            _ => false,
        };
        if too_much {
            faults += &fault(TYPE, "claim-exceeds", Some(page));
        }
        join(&mut mark.origins, &Origins::from([(page, self.pages[page as usize])]));
        mark.tenant = tenant;
        self.keep(Stored { page, form, mark, words }, supersedes) + &faults
    }

    fn back(&mut self, at: usize, op: Op) -> String {
        let (first, second, forged) = match op {
            Op::Reload { stored, forged, .. } => (None, pick(stored, self.stored.len()), forged),
            Op::Follow { pointer, stored, .. } => {
                (pick(pointer, self.stored.len()), pick(stored, self.stored.len()), false)
            }
            _ => unreachable!("it is called with no other"),
        };
        let Some(second) = second else { return String::new() };
        self.tick();
        let target = self.stored[second].clone();
        let mut mark = target.mark.clone();
        let mut passes = Vec::new();
        if let Some(first) = first {
            let pointer = self.stored[first].clone();
            if pointer.form != 3 || pointer.page != target.page {
                return fault(SPACE, "unknown-page", Some(pointer.page));
            }
            match self.admitted(at, &pointer.mark, Some(pointer.page)) {
                Ok(pass) => passes.extend(pass),
                Err(fault) => return fault,
            }
            mark.lower(&pointer.mark);
        }
        match self.admitted(at, &target.mark, Some(target.page)) {
            Ok(pass) => passes.extend(pass),
            Err(fault) => return fault,
        }
        let known = if target.form == 3 { 0 } else { target.words };
        let words = if forged { known ^ 1 } else { known };
        let mut faults = String::new();
        if !self.live(&mark.origins) {
            faults = fault(USE, "revoked", Some(target.page));
        } else if forged {
            faults = fault(TYPE, "other-bytes", Some(target.page));
        }
        if !faults.is_empty() {
            mark.level = 0;
        }
        // The first of the narrowest.
        let pass = passes.iter().rev().min_by_key(|(_, ceiling)| *ceiling);
        let pass = pass.map(|(_, least)| *passes.iter().find(|(_, c)| c == least).expect("it is"));
        if let Some((_, ceiling)) = pass {
            mark.level = mark.level.min(ceiling);
            mark.tasks.clone_from(&self.rooms[at].tasks);
            mark.sessions.clone_from(&self.rooms[at].sessions);
        }
        let piece = Piece {
            mark,
            page: target.page,
            words,
            source: 99,
            typed: false,
            evicted: false,
            grant: pass.map(|(id, _)| id),
        };
        self.enter(at, piece) + &faults
    }

    fn calculate(&mut self, at: usize, operands: [u8; 2], result: u8) -> String {
        let mut mark = Mark { tasks: self.rooms[at].tasks.clone(), ..Mark::top(0) };
        for operand in operands {
            let mut of = Mark { level: 0, ..Mark::top(0) };
            for piece in self.rooms[at].pieces.iter() {
                if (!piece.evicted || piece.typed) && piece.words >> operand & 1 == 1 {
                    let best = of.level.max(piece.mark.level);
                    of.lower(&piece.mark);
                    of.level = best;
                }
            }
            if !self.live(&of.origins) {
                of.level = 0;
            }
            mark.lower(&of);
        }
        mark.tenant = self.rooms[at].tenant;
        let page = self.new_page();
        join(&mut mark.origins, &Origins::from([(page, 0)]));
        self.derived.push((page, 0, mark.origins.clone()));
        let words = 1 << result;
        let piece =
            Piece { mark, page, words, source: 99, typed: false, evicted: false, grant: None };
        self.enter(at, piece)
    }

    fn approve_content(&mut self, at: usize, op: Op) -> String {
        let Op::ApproveContent { entry, ceiling, scope: place, named, forged, .. } = op else {
            unreachable!("it is called with no other")
        };
        let Some(entry) = self.piece(at, entry) else { return String::new() };
        self.tick();
        let piece = self.rooms[at].pieces[entry].clone();
        let page = piece.page;
        let named = (named != 255).then_some(named);
        let seen = self.seen(at, entry);
        let shown = if forged { seen.unwrap_or(0) ^ 1 } else { seen.unwrap_or(0) };
        if seen != Some(shown) || named.is_some_and(|named| shown >> named & 1 == 0) {
            return fault(TYPE, "other-bytes", Some(page));
        }
        if !self.live(&piece.mark.origins) {
            return fault(USE, "revoked", Some(page));
        }
        let room = &self.rooms[at];
        let own = (room.tasks.clone(), room.sessions.clone());
        let (tasks, sessions) = scope(place).unwrap_or(own);
        let tenant = room.tenant;
        let mut before = piece.mark.clone();
        for raised in &self.raised {
            if raised.page == page && raised.mark.tenant == tenant {
                before = raised.mark.clone();
            }
        }
        let widens = ceiling > before.level
            || !covers(&before.tasks, &tasks)
            || !covers(&before.sessions, &sessions);
        self.ids += 1;
        let id = self.ids;
        let mark = Mark { tenant, level: ceiling, tasks, sessions, origins: piece.mark.origins };
        self.raised.push(Raised { id, page, words: shown, value: named, mark });
        format!("number {id} {}", acted(widens, Some(before.level), Some(ceiling)))
    }

    fn restore(&mut self, saved: u8) -> String {
        let Some(saved) = pick(saved, self.saved.len()) else { return String::new() };
        self.tick();
        let (at, mut room) = self.saved[saved].clone();
        let mut faults = String::new();
        for piece in &mut room.pieces {
            let ended = piece.grant.is_some_and(|id| {
                !self.grants.iter().any(|grant| {
                    grant.id == id
                        && grant.accepted
                        && grant.end.is_none_or(|end| self.latest <= end)
                })
            });
            if ended {
                faults += &fault(SPACE, "other-tenant", Some(piece.page));
                piece.typed = false;
                piece.evicted = true;
            } else if !self.live(&piece.mark.origins) {
                faults += &fault(USE, "revoked", Some(piece.page));
                piece.mark.level = 0;
                room.label.level = 0;
            }
        }
        self.rooms[at] = room;
        faults
    }

    /// The number of a word that is an amount.
    pub(crate) fn amount(word: u8) -> u32 {
        WORDS[usize::from(word)].parse().expect("the last four are numbers")
    }
}
