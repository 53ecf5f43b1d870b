//! The hooks of a harness with memory, put to the child. Where it has failed, a write is refused, a
//! record stays out and an owner's act has no effect, until the outage is noticed.

use harness::defense::Entry;
use harness::memory::{
    Comeback, Kept, Opening, OwnerAct, Reload, Revoked, Saved, Spoken, Subject, Write,
};
use serde_json::Value;
use trace::event::{Crossing, Fault};

use super::answers::{self, Admission, Storage, word};
use super::hooks::Name;
use super::{Exec, fault, no_answer, questions};

impl Exec {
    pub(super) fn open(&mut self, opening: &Opening) {
        self.ask(Name::Open, questions::opening(opening), (), answers::done);
    }

    pub(super) fn derive(&mut self, write: &Write<'_>) -> Kept {
        self.tell_of(write.record);
        let unasked = (Storage::Keep, None);
        let of_write = |name, reason| fault(Crossing::Derive, name, reason);
        match self.ask(Name::Derive, questions::deriving(write), unasked, word) {
            Some((Storage::Keep, _)) => Kept::AsIs,
            Some((Storage::Relabel, reason)) => {
                Kept::Relabelled(vec![of_write("WriteRelabelled", reason)])
            }
            Some((Storage::Refuse, reason)) => Kept::Refused(of_write("WriteRefused", reason)),
            None => Kept::Refused(no_answer(Crossing::Derive)),
        }
    }

    /// Leaves those on the list that the child keeps, in the order in which they stood.
    pub(super) fn retrieve(&mut self, candidates: &mut Vec<u32>) {
        if let Some(last) = candidates.iter().copied().max() {
            self.tell_of(last);
        }
        let fields = questions::retrieving(candidates);
        let read = |line: &str, id| answers::kept(line, id, candidates).map(Some);
        match self.ask(Name::Retrieve, fields, None, read) {
            Some(None) => {}
            Some(Some(kept)) => candidates.retain(|record| kept.contains(record)),
            None => candidates.clear(),
        }
    }

    pub(super) fn reload(&mut self, reload: &Reload<'_>) -> Comeback {
        self.tell_of(reload.record);
        let unasked = (Admission::Admit, None);
        let about = |fault| Fault { page: Some(reload.page), ..fault };
        let refused = match self.ask(Name::Reload, questions::reloading(reload), unasked, word) {
            Some((Admission::Admit, None)) => {
                return Comeback { entry: Entry::Admit, noted: Vec::new() };
            }
            Some((Admission::Admit, reason)) => {
                let noted = about(fault(Crossing::Reload, "RecordRelabelled", reason));
                return Comeback { entry: Entry::Admit, noted: vec![noted] };
            }
            Some((Admission::Refuse, reason)) => fault(Crossing::Reload, "RecordRefused", reason),
            None => no_answer(Crossing::Reload),
        };
        Comeback { entry: Entry::Refuse(about(refused)), noted: Vec::new() }
    }

    pub(super) fn evict(&mut self, page: u32) {
        self.ask(Name::Evict, questions::evicting(page), (), answers::done);
    }

    pub(super) fn save(&mut self) -> Saved {
        let state = self.ask(Name::Save, questions::saving(), Value::Null, answers::state)?;
        Some(Box::new(state))
    }

    pub(super) fn restore(&mut self, saved: &Saved) -> Vec<Fault> {
        let state = saved.as_ref().and_then(|saved| saved.downcast_ref::<Value>());
        let fields = questions::restoring(state.unwrap_or(&Value::Null));
        match self.ask(Name::Restore, fields, Vec::new(), answers::restored) {
            Some(reasons) => {
                let noted = |reason| fault(Crossing::Reload, "ContextRelabelled", Some(reason));
                reasons.into_iter().map(noted).collect()
            }
            None => vec![no_answer(Crossing::Reload)],
        }
    }

    pub(super) fn clock(&mut self, now: u64) {
        self.ask(Name::Clock, questions::ticking(now), (), answers::done);
    }

    pub(super) fn owner_acts(&mut self, act: &OwnerAct<'_>) -> Result<Spoken, Fault> {
        match self.ask(Name::Owner, questions::acting(act), Ok(false), answers::spoken) {
            Some(Ok(widens)) => Ok(Spoken { widens, ..Spoken::default() }),
            Some(Err(reason)) => Err(fault(Crossing::Map, "ActRefused", reason)),
            None => Err(no_answer(Crossing::Map)),
        }
    }

    pub(super) fn revoke(&mut self, subjects: &[Subject]) -> Revoked {
        let records = self.records;
        let read = |line: &str, id| answers::revoked(line, id, records);
        let found = Revoked::default();
        self.ask(Name::Revoke, questions::revoking(subjects), found, read).unwrap_or_default()
    }

    /// Notes that the child hears of a record.
    fn tell_of(&mut self, record: u32) {
        self.records = self.records.max(record.saturating_add(1));
    }
}
