//! The naive kernel's revocations, acts of owners, and files.

use std::collections::BTreeSet;

use crate::{
    arm::Arm,
    marks::{Mark, Origins, SPACE, acted, covers, fault, join},
    naive::{Advance, Grant, Naive},
    op::Op,
};

fn file_of(path: u8) -> u8 {
    path / 2
}

impl Naive {
    pub(crate) fn revoke(&mut self, page: u32) -> String {
        if self.counter(page).is_none() {
            return fault(SPACE, "unknown-page", Some(page));
        }
        self.pages[page as usize] += 1;
        let mut invalid: BTreeSet<(u32, u8)> = BTreeSet::new();
        if self.mapped.contains(&page) {
            invalid.insert((page, 0));
        }
        for (derived, form, origins) in &self.derived {
            if origins.contains_key(&page) {
                invalid.insert((*derived, *form));
            }
        }
        let form = |form: u8| ["Full", "Compressed", "Structured", "Pointer"][usize::from(form)];
        let invalid: Vec<String> = invalid
            .into_iter()
            .map(|(page, number)| format!("({page}, {})", form(number)))
            .collect();
        let executed = self.executed.iter().filter(|(.., origins)| origins.contains_key(&page));
        let executed: Vec<_> = executed.map(|(number, approved, _)| (*number, *approved)).collect();
        let flying = self.flying.iter().filter(|(.., origins)| origins.contains_key(&page));
        let flying: Vec<u64> = flying.map(|(_, at, _)| *at).collect();
        let approvals = self.approved.len() + self.raised.len() + self.advance.len();
        let asks = self.asked.len();
        self.approved.retain(|_, (_, bound)| !bound.contains_key(&page));
        self.raised.retain(|raised| !raised.mark.origins.contains_key(&page));
        self.advance.retain(|advance| advance.source != Err(page));
        self.asked.retain(|_, bound| !bound.contains_key(&page));
        format!(
            "{page} {} invalid [{}] executed {executed:?} flying {flying:?} voided {} {}",
            self.pages[page as usize],
            invalid.join(", "),
            approvals - self.approved.len() - self.raised.len() - self.advance.len(),
            asks - self.asked.len(),
        )
    }

    pub(crate) fn act(&mut self, op: Op) -> String {
        let end = |now: u64, expires: u8| (expires > 0).then(|| now + 20 * u64::from(expires));
        match op {
            Op::Offer { from, to, page, ceiling, expires } => {
                self.tick();
                let page = self.number(page);
                let most = if from == to { 3 } else { 2 };
                let ceiling = if ceiling < 4 { ceiling.min(most) } else { 0 };
                let end = end(self.now, expires);
                let same =
                    |grant: &&Grant| grant.from == from && grant.to == to && grant.page == page;
                let last = self.grants.iter().rev().find(same);
                let before = last.map(|last| last.ceiling);
                let widens =
                    last.is_some_and(|last| ceiling > last.ceiling || later(end, last.end));
                self.ids += 1;
                let id = self.ids;
                let accepted = from == to;
                self.grants.push(Grant { id, from, to, page, ceiling, end, accepted });
                format!("number {id} {}", acted(widens, before, Some(ceiling)))
            }
            Op::Accept { id, by } => {
                self.tick();
                let id = u64::from(id) % (self.ids + 1);
                let grant = self.grants.iter_mut().find(|grant| grant.id == id && grant.to == by);
                let Some(grant) = grant else { return fault(SPACE, "unknown-approval", None) };
                grant.accepted = true;
                "accepted".into()
            }
            Op::Withdraw { id, by } => {
                let id = u64::from(id) % (self.ids + 1);
                let all =
                    |naive: &Self| naive.raised.len() + naive.advance.len() + naive.grants.len();
                let before = all(self);
                self.raised.retain(|raised| raised.id != id || raised.mark.tenant != by);
                self.advance.retain(|advance| advance.id != id || advance.tenant != by);
                self.grants.retain(|g| g.id != id || (g.from != by && g.to != by));
                if all(self) == before {
                    fault(SPACE, "unknown-approval", None)
                } else {
                    "withdrawn".into()
                }
            }
            Op::Advance { tenant, task, to, source, each, uses, expires } => {
                self.tick();
                let source = match source % 3 {
                    0 => Ok(7),
                    1 => Ok(6),
                    _ => Err(self.number(source / 3)),
                };
                if let Err(page) = source
                    && self.counter(page).is_none()
                {
                    return fault(SPACE, "unknown-page", Some(page));
                }
                let tasks = (task != 2).then(|| BTreeSet::from([u64::from(task)]));
                let to = (to != 255).then_some(to);
                let end = end(self.now, expires);
                let each = 100 * u32::from(each);
                let last = self.advance.iter().rev().find(|last| last.tenant == tenant);
                let widens = last.is_some_and(|last| {
                    (last.each > 0 && (each == 0 || each > last.each))
                        || (last.uses > 0 && (uses == 0 || uses > last.uses))
                        || later(end, last.end)
                        || source != last.source
                        || !covers(&last.tasks, &tasks)
                        || (last.to.is_some() && to != last.to)
                });
                let before = last.map(|_| 3);
                self.ids += 1;
                let id = self.ids;
                let (spent, used) = (0, 0);
                self.advance.push(Advance {
                    id,
                    tenant,
                    tasks,
                    to,
                    source,
                    each,
                    uses,
                    end,
                    spent,
                    used,
                });
                format!("number {id} {}", acted(widens, before, Some(3)))
            }
            _ => unreachable!("it is called with no other"),
        }
    }

    /// Who wrote a file, as far as it is known.
    pub(crate) fn written(&self, path: u8) -> Option<(Mark, BTreeSet<u8>)> {
        let (_, writers) = self.files.get(&file_of(path))?;
        let mut all = writers.values();
        let (mut mark, mut tenants) = all.next()?.clone();
        for (more, whose) in all {
            mark.lower(more);
            tenants.extend(whose);
        }
        Some((mark, tenants))
    }

    pub(crate) fn file(&mut self, at: usize, op: Op) -> String {
        let level = if self.is(Arm::NoDerive) { 2 } else { 0 };
        let mut new = Mark { level, ..self.inherited(at) };
        let mut tenants = BTreeSet::from([self.rooms[at].tenant]);
        let target = match op {
            Op::Read { path, source, words, .. } => {
                let known = self.files.get(&file_of(path)).and_then(|(page, _)| *page);
                let written = self.written(path).filter(|_| !self.is(Arm::NoToolStorage));
                let read = self.map(at, source, known, None, words, written.as_ref());
                if !read.starts_with(SPACE) {
                    let piece = self.rooms[at].pieces.last().expect("it came in");
                    self.files.entry(file_of(path)).or_default().0 = Some(piece.page);
                }
                return read;
            }
            Op::Write { path, append, .. } => {
                if append && let Some(old) = self.written(path) {
                    new.lower(&old.0);
                    tenants.extend(&old.1);
                }
                path
            }
            Op::Copy { from, to, .. } => {
                if let Some(old) = self.written(from) {
                    new.lower(&old.0);
                    tenants.extend(&old.1);
                }
                if let Some((Some(page), _)) = self.files.get(&file_of(from)) {
                    let own = Origins::from([(*page, self.pages[*page as usize])]);
                    join(&mut new.origins, &own);
                }
                to
            }
            _ => unreachable!("it is called with no other"),
        };
        self.tick();
        self.files.entry(file_of(target)).or_default().1.insert(target, (new, tenants));
        self.execute(false, Origins::new());
        "sent".into()
    }
}

fn later(new: Option<u64>, last: Option<u64>) -> bool {
    last.is_some_and(|last| new.is_none_or(|new| new > last))
}
