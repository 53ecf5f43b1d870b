//! The naive kernel's storage: what is derived, remembered, brought back and restored.

use crate::{
    arm::Arm,
    marks::{Mark, Origins, SPACE, TYPE, USE, acted, covers, fault, join, scope},
    naive::{Naive, Piece, Raised, Stored, Table},
    op::Op,
    words::pick,
};

impl Naive {
    pub(crate) fn remember(&mut self, at: usize, entry: u8) -> String {
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
    pub(crate) fn may(&self, model: bool, old: &Stored) -> bool {
        let words = if old.form == 3 { 0 } else { old.words };
        let raised =
            self.raised.iter().any(|raised| raised.words == words && raised.mark.level > 0);
        !model || (old.mark.level == 0 && !raised)
    }

    pub(crate) fn derive(&mut self, at: usize, op: Op) -> String {
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
        for used in &used {
            mark.lower(used);
        }
        if model && self.is(Arm::NoDerive) {
            mark.level = 2;
        }
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

    pub(crate) fn back(&mut self, at: usize, op: Op) -> String {
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
        let was_live = self.live(&mark.origins);
        if !was_live && !self.is(Arm::NoReload) {
            faults = fault(USE, "revoked", Some(target.page));
        } else if forged {
            faults = fault(TYPE, "other-bytes", Some(target.page));
        }
        if !faults.is_empty() && !self.is(Arm::Observe) {
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
            was_live,
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

    pub(crate) fn calculate(&mut self, at: usize, operands: [u8; 2], result: u8) -> String {
        let mut mark = Mark { tasks: self.rooms[at].tasks.clone(), ..Mark::top(0) };
        for operand in operands {
            let mut of = Mark { level: 0, ..Mark::top(0) };
            for piece in &self.rooms[at].pieces {
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
        let was_live = self.live(&mark.origins);
        let (source, typed, evicted, grant) = (99, false, false, None);
        let piece = Piece { was_live, mark, page, words, source, typed, evicted, grant };
        self.enter(at, piece)
    }

    pub(crate) fn approve_content(&mut self, at: usize, op: Op) -> String {
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

    /// What lies outside of checkpoints, save in an ablation.
    pub(crate) fn table(&self) -> Table {
        Table {
            pages: self.pages.clone(),
            asked: self.asked.clone(),
            approved: self.approved.clone(),
            refused: self.refused.clone(),
            raised: self.raised.clone(),
            advance: self.advance.clone(),
            grants: self.grants.clone(),
        }
    }

    fn roll_back(&mut self, table: Table) {
        let given = self.pages.len();
        let Table { pages, asked, approved, refused, raised, advance, grants } = table;
        self.pages = pages;
        self.pages.resize(given, 0);
        (self.asked, self.approved, self.refused) = (asked, approved, refused);
        (self.raised, self.advance, self.grants) = (raised, advance, grants);
    }

    pub(crate) fn restore(&mut self, saved: u8) -> String {
        let Some(saved) = pick(saved, self.saved.len()) else { return String::new() };
        self.tick();
        let (at, mut room, table) = self.saved[saved].clone();
        if self.is(Arm::TableInside) {
            self.roll_back(table);
        }
        let observe = self.is(Arm::Observe);
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
                if !observe {
                    piece.typed = false;
                    piece.evicted = true;
                }
            } else if !self.live(&piece.mark.origins) && !self.is(Arm::NoReload) {
                faults += &fault(USE, "revoked", Some(piece.page));
                if !observe {
                    piece.was_live = false;
                    piece.mark.level = 0;
                    room.label.level = 0;
                }
            }
        }
        self.rooms[at] = room;
        faults
    }
}
