//! The naive kernel's calls and approvals.

use std::collections::BTreeMap;

use crate::{
    arm::Arm,
    judged::{Judged, LEVELS, canonical, sent},
    marks::{DEPUTY, Origins, USE, covers, fault, join},
    naive::{Naive, Sent},
    op::{Op, Pay},
};

impl Naive {
    /// The fault that stands for a whole call.
    fn whole(judged: &Judged, reason: Option<&str>) -> String {
        let revoked = judged.wrong.iter().find(|wrong| wrong.0 == "revoked");
        let first = revoked.unwrap_or(&judged.wrong[0]);
        let kind = if revoked.is_some() { USE } else { DEPUTY };
        fault(kind, reason.unwrap_or(first.0), first.2)
    }

    /// Calls as they are told apart in reports.
    fn sent(&self, at: usize, pay: Pay) -> Sent {
        (self.rooms[at].tenant, canonical(pay), self.cited(pay))
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
                bound.contains_key(&pieces[*holder].page) || self.counts_as_live(at, *holder)
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
        let call = self.sent(at, pay);
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
        if self.is(Arm::LabelsAsText) {
            return "allow false None [] ".into();
        }
        let judged = self.judge(at, pay);
        let faults = judged.wrong.iter();
        let faults = faults.map(|(reason, place, page)| format!("{reason} {place:?} {page:?}; "));
        let faults = faults.collect::<Vec<_>>().concat();
        let seen = |observed: bool, approved: bool, standing: Option<u64>| {
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
            let observed = if observed { &*faults } else { "" };
            format!("allow {approved} {standing:?} {held:?} {observed}")
        };
        let allow = |approved: bool, standing: Option<u64>| seen(false, approved, standing);
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
        let observe = self.is(Arm::Observe);
        if self.refused.contains(&key) {
            if observe {
                return seen(true, false, None);
            }
            return format!("refused {}", Self::whole(&judged, Some("refused-before")));
        }
        if let Some(advance) = self.covering(at, pay, &judged) {
            self.fly(at, pay, &judged);
            return allow(true, Some(self.advance[advance].id));
        }
        if !self.rooms[at].attended {
            if observe {
                return seen(true, false, None);
            }
            return format!("refused {}", Self::whole(&judged, None));
        }
        let answer = if observe { seen(true, false, None) } else { format!("ask {faults}") };
        self.asked.insert(key, self.bound(at, &judged));
        answer
    }

    fn dispatch(&mut self, at: usize, pay: Pay) -> String {
        self.tick();
        let call = self.sent(at, pay);
        self.flying.retain(|(known, ..)| *known != call);
        if self.is(Arm::LabelsAsText) {
            self.execute(false, Origins::new());
            return "done".into();
        }
        let judged = self.judge(at, pay);
        let key = self.key(at, pay);
        let approval = self.approved.remove(&key);
        let mut approved = false;
        let observe = self.is(Arm::Observe);
        if !judged.wrong.is_empty() {
            approved = true;
            if let Some(approval) = approval {
                if !self.stands(at, &approval, &judged) && observe {
                    approved = false;
                } else if !self.stands(at, &approval, &judged) {
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
            } else if observe {
                approved = false;
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
