//! Stores of records, with their journal: what is staged, and what was written back.

use std::sync::Arc;

use trace::course::PageKind;

use super::bm25::{Bm25, rank};

/// The longest text of a record, in bytes.
pub const LONGEST_RECORD: usize = 16 << 10;

/// A record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// Its number in the episode, never given twice.
    pub number: u32,
    /// The tenant whose it is.
    pub tenant: u32,
    /// What kind of page it is.
    pub kind: PageKind,
    /// Its text.
    pub text: Arc<str>,
    /// The session in which it was staged, until it is written back. Others do not see it before.
    pub staged: Option<u32>,
}

/// Why a staged write is not written back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rejection {
    /// It holds nothing.
    Empty,
    /// It is longer than [`LONGEST_RECORD`].
    TooLong,
    /// The writer's seat has no such store.
    OutOfScope,
}

impl Rejection {
    /// The word in events.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Empty => "empty",
            Self::TooLong => "too-long",
            Self::OutOfScope => "out-of-scope",
        }
    }
}

/// What came of what was staged.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WrittenBack {
    /// The records that were committed, oldest first.
    pub committed: Vec<u32>,
    /// The records that were taken out, with the reason.
    pub rejected: Vec<(u32, Rejection)>,
}

/// A store: records in the order in which they came, and their index.
#[derive(Clone, Debug, Default)]
pub struct Store {
    name: String,
    records: Vec<Record>,
    index: Bm25,
}

impl Store {
    /// An empty store.
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), ..Self::default() }
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The records, oldest first, staged ones among them.
    pub fn records(&self) -> &[Record] {
        &self.records
    }

    /// Takes a record in, staged or not.
    pub fn put(&mut self, record: Record) {
        self.index.add(record.number, &record.text);
        let at = self.records.partition_point(|known| known.number <= record.number);
        self.records.insert(at, record);
    }

    /// The record of that number.
    pub fn get(&self, number: u32) -> Option<&Record> {
        let at = self.records.binary_search_by_key(&number, |record| record.number).ok()?;
        self.records.get(at)
    }

    /// Commits a staged record that needs no session's end.
    pub fn commit(&mut self, number: u32) {
        if let Ok(at) = self.records.binary_search_by_key(&number, |record| record.number) {
            self.records[at].staged = None;
        }
    }

    /// Takes a record out.
    pub fn remove(&mut self, number: u32) -> Option<Record> {
        let at = self.records.binary_search_by_key(&number, |record| record.number).ok()?;
        let record = self.records.remove(at);
        self.index.remove(number, &record.text);
        Some(record)
    }

    /// The records that hold a word, as [`words`](super::bm25::words) cuts them.
    pub fn holders(&self, word: &str) -> impl Iterator<Item = u32> + '_ {
        self.index.holding(word)
    }

    /// The records that share a word with the query, with their scores; those staged in another
    /// session are not there yet.
    pub fn fitting(&self, query: &str, session: u32) -> Vec<(u32, f64)> {
        let mut scores = self.index.scores(query);
        scores.retain(|(number, _)| {
            let record = self.get(*number);
            record.is_some_and(|record| record.staged.is_none_or(|staged| staged == session))
        });
        scores
    }

    /// Writes back what was staged in a session: each staged record is validated, then committed, or
    /// taken out with the reason. `allowed` says whether the writer's seat has this store.
    pub fn write_back(&mut self, session: u32, allowed: bool) -> WrittenBack {
        let mut done = WrittenBack::default();
        for record in self.records.iter_mut().filter(|record| record.staged == Some(session)) {
            match validate(record, allowed) {
                Ok(()) => {
                    record.staged = None;
                    done.committed.push(record.number);
                }
                Err(why) => done.rejected.push((record.number, why)),
            }
        }
        for (number, _) in &done.rejected {
            self.remove(*number);
        }
        done
    }
}

/// Nothing is ever overwritten: every write has a number of its own.
fn validate(record: &Record, allowed: bool) -> Result<(), Rejection> {
    if record.text.trim().is_empty() {
        Err(Rejection::Empty)
    } else if record.text.len() > LONGEST_RECORD {
        Err(Rejection::TooLong)
    } else if !allowed {
        Err(Rejection::OutOfScope)
    } else {
        Ok(())
    }
}

/// The best of several stores' records for a query, the best first, `keep` having taken away what it
/// wants; with the store of each.
pub fn retrieve(
    stores: &[&Store],
    query: &str,
    session: u32,
    keep: impl FnOnce(&mut Vec<u32>),
) -> Vec<(u32, f64)> {
    let mut ranked: Vec<(u32, f64)> =
        stores.iter().flat_map(|store| store.fitting(query, session)).collect();
    let mut candidates: Vec<u32> = ranked.iter().map(|(number, _)| *number).collect();
    let before = candidates.len();
    keep(&mut candidates);
    if candidates.len() < before {
        candidates.sort_unstable();
        ranked.retain(|(number, _)| candidates.binary_search(number).is_ok());
    }
    rank(&mut ranked);
    ranked
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(number: u32, text: &str, staged: Option<u32>) -> Record {
        Record { number, tenant: 0, kind: PageKind::Evidence, text: text.into(), staged }
    }

    #[test]
    fn what_is_staged_is_seen_by_its_own_session_until_it_is_written_back() {
        let mut store = Store::new("own");
        store.put(record(0, "the rent is due", None));
        store.put(record(1, "rent goes to Ann", Some(4)));
        let numbers = |store: &Store, session| -> Vec<u32> {
            store.fitting("rent", session).iter().map(|(number, _)| *number).collect()
        };
        assert_eq!(numbers(&store, 4), [0, 1]);
        assert_eq!(numbers(&store, 5), [0]);
        let done = WrittenBack { committed: vec![1], rejected: vec![] };
        assert_eq!(store.write_back(4, true), done);
        assert_eq!(numbers(&store, 5), [0, 1]);
    }

    #[test]
    fn a_write_that_does_not_hold_is_rejected_with_its_reason() {
        let long = "x".repeat(LONGEST_RECORD + 1);
        for (text, allowed, expected) in [
            ("  ", true, Rejection::Empty),
            (long.as_str(), true, Rejection::TooLong),
            ("fine", false, Rejection::OutOfScope),
        ] {
            let mut store = Store::new("own");
            store.put(record(3, text, Some(1)));
            assert_eq!(store.write_back(1, allowed).rejected, [(3, expected)]);
            assert!(store.records().is_empty());
        }
    }

    #[test]
    fn several_stores_are_ranked_as_one_and_filtered_before() {
        let (mut own, mut team) = (Store::new("own"), Store::new("team"));
        own.put(record(0, "rent rent", None));
        team.put(record(1, "rent for the office and much else", None));
        team.put(record(2, "rent", None));
        let all = retrieve(&[&own, &team], "rent", 0, |_| {});
        assert_eq!(all.len(), 3);
        let some = retrieve(&[&own, &team], "rent", 0, |candidates| candidates.retain(|n| *n != 0));
        assert_eq!(some.iter().map(|(number, _)| *number).collect::<Vec<_>>(), [2, 1]);
    }
}
