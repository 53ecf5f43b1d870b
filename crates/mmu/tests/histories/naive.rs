//! A second kernel, of sets and loops. It shares no code with the one under test, and keeps no
//! index: whether something is so is found out by looking at everything.

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    arm::Arm,
    marks::{
        Extent, LEVELS, Mark, Origins, SPACE, TYPE, both, described, fault, join, level, listed,
        scope, set, shown,
    },
    op::{Op, Pay, WORDS},
    words::pick,
};

#[derive(Clone)]
pub(crate) struct Piece {
    /// Whether everything it was made from was live as it came in.
    pub(crate) was_live: bool,
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

#[derive(Clone)]
pub(crate) struct Raised {
    pub(crate) id: u64,
    pub(crate) page: u32,
    pub(crate) words: u8,
    pub(crate) value: Option<u8>,
    /// Tenant, level, scope and pinned origins.
    pub(crate) mark: Mark,
}

#[derive(Clone)]
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

#[derive(Clone)]
pub(crate) struct Grant {
    pub(crate) id: u64,
    pub(crate) from: u8,
    pub(crate) to: u8,
    pub(crate) page: u32,
    pub(crate) ceiling: u8,
    pub(crate) end: Option<u64>,
    pub(crate) accepted: bool,
}

/// Whose call, in which task, citing which page: what an approval of it binds.
pub(crate) type Key = (u8, Extent, Pay, Option<u32>);

/// What an ablation keeps in a checkpoint.
#[derive(Clone)]
pub(crate) struct Table {
    pub(crate) pages: Vec<u32>,
    pub(crate) asked: BTreeMap<Key, BTreeMap<u32, u32>>,
    pub(crate) approved: BTreeMap<Key, (u64, BTreeMap<u32, u32>)>,
    pub(crate) refused: BTreeSet<Key>,
    pub(crate) raised: Vec<Raised>,
    pub(crate) advance: Vec<Advance>,
    pub(crate) grants: Vec<Grant>,
}

/// Whose call, citing which page.
pub(crate) type Sent = (u8, Pay, Option<u32>);

/// By spelling: what was written, and in whose contexts.
type Writers = BTreeMap<u8, (Mark, BTreeSet<u8>)>;

#[derive(Default)]
pub(crate) struct Naive {
    pub(crate) arm: Arm,
    pub(crate) rooms: Vec<Room>,
    pub(crate) stored: Vec<Stored>,
    pub(crate) saved: Vec<(usize, Room, Table)>,
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
    pub(crate) flying: Vec<(Sent, u64, Origins)>,
    /// By file: its page, and by spelling who wrote it.
    pub(crate) files: BTreeMap<u8, (Option<u32>, Writers)>,
}

impl Naive {
    pub(crate) fn new(arm: Arm) -> Self {
        Self { arm, now: 100, ..Self::default() }
    }

    pub(crate) fn is(&self, arm: Arm) -> bool {
        self.arm == arm
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
        if self.is(Arm::NoAccumulate) {
            let seen = room.pieces.iter().filter(|piece| !piece.evicted);
            seen.for_each(|piece| mark.lower(&piece.mark));
        } else {
            mark.lower(&room.label);
        }
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
        if best.is_some() || self.is(Arm::Observe) {
            Ok(best)
        } else {
            Err(fault(SPACE, reason, page))
        }
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
        let by_role = self.is(Arm::NoMap);
        let tenant = if source == 3 && !by_role { 1 - tenant } else { tenant };
        let level = if by_role && matches!(source, 0..6 | 8 | 9) { 3 } else { level(source) };
        let mut mark = Mark { tenant, level, tasks, sessions, origins: Origins::new() };
        if let Some((written, tenants)) = written {
            mark.lower(written);
            let own = self.rooms[at].tenant;
            if let Some(other) = tenants.iter().find(|tenant| **tenant != own) {
                mark.tenant = *other;
            }
        }
        if source == 11 {
            let inherited = self.inherited(at);
            join(&mut mark.origins, &inherited.origins);
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
        let typed = source < 3 || (by_role && mark.level == 3);
        let source = if typed { 0 } else { source };
        let was_live = written.is_none() && source != 11 || self.live(&mark.origins);
        let evicted = false;
        self.enter(at, Piece { was_live, mark, page, words, source, typed, evicted, grant })
    }

    pub(crate) fn piece(&self, at: usize, entry: u8) -> Option<usize> {
        pick(entry, self.rooms[at].pieces.len())
    }

    /// The words of a piece that can still be seen.
    pub(crate) fn seen(&self, at: usize, piece: usize) -> Option<u8> {
        let piece = &self.rooms[at].pieces[piece];
        (!piece.evicted || piece.typed).then_some(piece.words)
    }

    pub(crate) fn keep(&mut self, stored: Stored, supersedes: Option<u32>) -> String {
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
                let table = self.table();
                self.saved.push((at, self.rooms[at].clone(), table));
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

    /// The number of a word that is an amount.
    pub(crate) fn amount(word: u8) -> u32 {
        WORDS[usize::from(word)].parse().expect("the last four are numbers")
    }
}
