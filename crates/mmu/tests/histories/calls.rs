//! The naive kernel's calls, approvals, revocations and files.

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    marks::{DEPUTY, Origins, USE, covers, fault, join},
    naive::{Key, Naive},
    op::{Op, Pay},
};

/// What is wrong at a place: reason, argument position and leaf, page.
type Wrong = (&'static str, Option<(usize, usize)>, Option<u32>);

#[derive(Default)]
struct Judged {
    wrong: Vec<Wrong>,
    /// By leaf: page, counter, level.
    held: Vec<(usize, u32, u32, u8)>,
    /// Every piece that holds a value, live or not.
    holders: Vec<usize>,
    /// By place: the pieces that hold the value there.
    at: Vec<((usize, usize), Vec<usize>)>,
}

/// Calls that are sent alike are one.
fn canonical(pay: Pay) -> Pay {
    Pay {
        to: if pay.odd == 5 { 0 } else { pay.to },
        second: if pay.odd == 5 { 8 } else { pay.second.min(8) },
        amount: pay.amount.min(4),
        odd: if pay.odd == 3 { 0 } else { pay.odd },
    }
}

/// Name, words and place of each argument as it is sent.
fn sent(pay: Pay) -> Vec<(&'static str, Vec<u8>)> {
    let mut sent = Vec::new();
    if pay.odd != 5 {
        let mut to = vec![pay.to];
        to.extend((pay.second < 8).then_some(pay.second));
        sent.push(("to", to));
    }
    if pay.amount < 4 {
        sent.push(("amount", vec![pay.amount + 4]));
    }
    match pay.odd {
        1 => sent.push(("bcc", vec![0])),
        2 => sent.push(("to", vec![0])),
        4 => sent.push(("note", vec![7])),
        _ => {}
    }
    sent
}

const LEVELS: [&str; 4] = ["evidence", "guidance", "preference", "policy"];

impl Naive {
    fn key(&self, at: usize, pay: Pay) -> Key {
        (self.rooms[at].tenant, self.rooms[at].tasks.clone(), canonical(pay))
    }

    /// The level of a piece for one word: its own, or what its bytes were raised to.
    fn effective(&self, at: usize, piece: usize, word: u8) -> u8 {
        let room = &self.rooms[at];
        let piece = &room.pieces[piece];
        let mut level = piece.mark.level;
        for raised in &self.raised {
            if raised.words == piece.words
                && raised.mark.tenant == room.tenant
                && raised.mark.in_room(room)
                && raised.value.is_none_or(|value| value == word)
            {
                level = level.max(raised.mark.level);
            }
        }
        level
    }

    fn leaf(&self, at: usize, place: (usize, usize), word: u8, need: u8, judged: &mut Judged) {
        let mut here = Vec::new();
        let (mut dead, mut low, mut lifted) = (BTreeSet::new(), BTreeSet::new(), false);
        for (number, piece) in self.rooms[at].pieces.iter().enumerate() {
            if (piece.evicted && !piece.typed) || piece.words >> word & 1 == 0 {
                continue;
            }
            here.push(number);
            if !self.live(&piece.mark.origins) {
                dead.insert(piece.page);
                continue;
            }
            let level = self.effective(at, number, word);
            if level >= need {
                lifted = true;
            } else {
                low.insert(piece.page);
            }
            let leaf = judged.at.len();
            judged.held.push((leaf, piece.page, self.pages[piece.page as usize], level));
        }
        if let Some(page) = dead.first() {
            judged.wrong.push(("revoked", Some(place), Some(*page)));
        } else if !lifted && here.is_empty() {
            judged.wrong.push(("fabricated", Some(place), None));
        } else if !lifted {
            judged.wrong.push(("low-authority", Some(place), low.first().copied()));
        }
        judged.holders.extend(&here);
        judged.at.push((place, here));
    }

    fn judge(&self, at: usize, pay: Pay) -> Judged {
        let mut judged = Judged::default();
        if pay.odd == 3 {
            judged.wrong.push(("unknown-tool", None, None));
            return judged;
        }
        let mut names = BTreeSet::new();
        for (position, (name, words)) in sent(pay).into_iter().enumerate() {
            if !names.insert(name) {
                judged.wrong.push(("repeated", Some((position, 0)), None));
            } else if name == "to" || name == "amount" {
                let need = if name == "to" { 3 } else { 2 };
                for (leaf, word) in words.into_iter().enumerate() {
                    self.leaf(at, (position, leaf), word, need, &mut judged);
                }
            } else if name != "note" {
                judged.wrong.push(("unlisted", Some((position, 0)), None));
            }
        }
        if pay.odd == 5 {
            judged.wrong.push(("absence-unsafe", Some((0, 0)), None));
            if pay.amount >= 4 {
                judged.wrong.push(("trigger", None, None));
            }
        }
        judged
    }

    /// The fault that stands for a whole call.
    fn whole(judged: &Judged, reason: Option<&str>) -> String {
        let revoked = judged.wrong.iter().find(|wrong| wrong.0 == "revoked");
        let first = revoked.unwrap_or(&judged.wrong[0]);
        let kind = if revoked.is_some() { USE } else { DEPUTY };
        fault(kind, reason.unwrap_or(first.0), first.2)
    }

    fn origins(&self, at: usize, judged: &Judged) -> Origins {
        let mut origins = Origins::new();
        for holder in &judged.holders {
            join(&mut origins, &self.rooms[at].pieces[*holder].mark.origins);
        }
        origins
    }

    /// The counters as they are now, of everything that the call's values were made from.
    fn bound(&self, at: usize, judged: &Judged) -> BTreeMap<u32, u32> {
        let origins = self.origins(at, judged);
        origins.keys().map(|page| (*page, self.pages[*page as usize])).collect()
    }

    fn bound_holds(&self, bound: &BTreeMap<u32, u32>) -> bool {
        bound.iter().all(|(page, counter)| self.counter(*page) == Some(*counter))
    }

    fn stands(
        &self,
        at: usize,
        (given, bound): &(u64, BTreeMap<u32, u32>),
        judged: &Judged,
    ) -> bool {
        let pieces = &self.rooms[at].pieces;
        self.now >= *given
            && self.now - given <= 60
            && self.bound_holds(bound)
            && judged.holders.iter().all(|holder| {
                bound.contains_key(&pieces[*holder].page)
                    || self.live(&pieces[*holder].mark.origins)
            })
    }

    /// The first approval in advance that covers the call.
    fn covering(&self, at: usize, pay: Pay, judged: &Judged) -> Option<usize> {
        let room = &self.rooms[at];
        self.advance.iter().position(|advance| {
            let listed = sent(pay).iter().all(|(name, words)| match *name {
                "to" => advance.to.is_none_or(|to| words.iter().all(|word| *word == to)),
                name => name == "amount",
            });
            let excused = judged.wrong.iter().all(|(reason, place, _)| match (*reason, place) {
                ("trigger", None) => true,
                ("low-authority" | "fabricated", Some((position, _)))
                    if advance.to.is_some() && sent(pay)[*position].0 == "to" =>
                {
                    true
                }
                ("low-authority", Some(place)) => {
                    let (_, held) = judged.at.iter().find(|(at, _)| at == place).expect("it is");
                    held.iter().any(|piece| {
                        let piece = &room.pieces[*piece];
                        let supports = match advance.source {
                            Ok(source) => piece.source == source,
                            Err(page) => piece.page == page,
                        };
                        supports && self.live(&piece.mark.origins)
                    })
                }
                _ => false,
            });
            let amount = (pay.amount < 4).then(|| Self::amount(pay.amount + 4));
            let affordable = advance.each == 0
                || amount.is_some_and(|amount| {
                    amount <= advance.each && advance.spent + amount <= 2 * advance.each
                });
            advance.tenant == room.tenant
                && covers(&advance.tasks, &room.tasks)
                && advance.end.is_none_or(|end| self.latest <= end)
                && (advance.uses == 0 || advance.used < advance.uses)
                && listed
                && excused
                && affordable
        })
    }

    fn fly(&mut self, at: usize, pay: Pay, judged: &Judged) {
        let call = (self.rooms[at].tenant, canonical(pay));
        self.flying.retain(|(known, ..)| *known != call);
        self.flying.push((call, self.now, self.origins(at, judged)));
        if self.flying.len() > 64 {
            self.flying.remove(0);
        }
    }

    pub(crate) fn call(&mut self, at: usize, op: Op) -> String {
        match op {
            Op::Authorize { pay, .. } => self.authorize(at, pay),
            Op::Dispatch { pay, .. } => self.dispatch(at, pay),
            Op::Approve { pay, .. } => match self.asked.remove(&self.key(at, pay)) {
                None => fault(DEPUTY, "not-approved", None),
                Some(bound) => {
                    self.tick();
                    let key = self.key(at, pay);
                    self.refused.remove(&key);
                    self.approved.insert(key, (self.now, bound));
                    "done".into()
                }
            },
            Op::Refuse { pay, .. } => {
                let key = self.key(at, pay);
                self.asked.remove(&key);
                self.approved.remove(&key);
                self.refused.insert(key);
                "done".into()
            }
            Op::WithdrawCall { pay, .. } => match self.approved.remove(&self.key(at, pay)) {
                None => fault(DEPUTY, "not-approved", None),
                Some(_) => "done".into(),
            },
            _ => unreachable!("it is called with no other"),
        }
    }

    fn authorize(&mut self, at: usize, pay: Pay) -> String {
        self.tick();
        let judged = self.judge(at, pay);
        let allow = |approved: bool, standing: Option<u64>| {
            let mut held: Vec<_> = judged.held.clone();
            held.sort_by_key(|(leaf, page, counter, level)| {
                (*leaf, *page, *counter, LEVELS[usize::from(*level)])
            });
            let held: Vec<_> = held
                .into_iter()
                .map(|(leaf, page, counter, level)| {
                    (leaf, page, counter, LEVELS[usize::from(level)])
                })
                .collect();
            format!("allow {approved} {standing:?} {held:?}")
        };
        if judged.wrong.is_empty() {
            self.fly(at, pay, &judged);
            return allow(false, None);
        }
        let key = self.key(at, pay);
        if let Some(approval) = self.approved.get(&key)
            && self.stands(at, approval, &judged)
        {
            self.fly(at, pay, &judged);
            return allow(true, None);
        }
        if self.refused.contains(&key) {
            return format!("refused {}", Self::whole(&judged, Some("refused-before")));
        }
        if let Some(advance) = self.covering(at, pay, &judged) {
            self.fly(at, pay, &judged);
            return allow(true, Some(self.advance[advance].id));
        }
        if !self.rooms[at].attended {
            return format!("refused {}", Self::whole(&judged, None));
        }
        self.asked.insert(key, self.bound(at, &judged));
        let faults = judged.wrong.iter();
        let faults = faults.map(|(reason, place, page)| format!("{reason} {place:?} {page:?}; "));
        format!("ask {}", faults.collect::<Vec<_>>().concat())
    }

    fn dispatch(&mut self, at: usize, pay: Pay) -> String {
        self.tick();
        let call = (self.rooms[at].tenant, canonical(pay));
        self.flying.retain(|(known, ..)| *known != call);
        let judged = self.judge(at, pay);
        let key = self.key(at, pay);
        let approval = self.approved.remove(&key);
        let mut approved = false;
        if !judged.wrong.is_empty() {
            approved = true;
            if let Some(approval) = approval {
                if !self.stands(at, &approval, &judged) {
                    let revoked = !self.bound_holds(&approval.1)
                        || judged.wrong.iter().any(|wrong| wrong.0 == "revoked");
                    let kind = if revoked { USE } else { DEPUTY };
                    let whole = Self::whole(&judged, Some("approval-void"));
                    let (_, rest) = whole.split_once(' ').expect("it has a kind");
                    return format!("{kind} {rest}");
                }
            } else if let Some(covering) =
                self.covering(at, pay, &judged).filter(|_| !self.refused.contains(&key))
            {
                let advance = &mut self.advance[covering];
                advance.used += 1;
                if advance.each > 0 {
                    advance.spent += Self::amount(pay.amount + 4);
                }
            } else {
                return Self::whole(&judged, None);
            }
        }
        self.execute(approved, self.origins(at, &judged));
        "done".into()
    }

    pub(crate) fn execute(&mut self, approved: bool, origins: Origins) {
        let sequence = u64::try_from(self.executed.len()).expect("histories are short");
        self.executed.push((sequence, approved, origins));
    }
}
