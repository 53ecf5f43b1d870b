//! Consolidation: at a boundary of a context's life, a new record and one that says nearly the same
//! become one.
//!
//! Whether two records are about the same is told by their words alone, without a model: by the
//! resemblance of their word sets (Broder, "On the resemblance and containment of documents", 1997).
//! Words with a digit in them do not count, so that two notes about one payee are alike although
//! their account numbers differ.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::bm25::{rank, words};
use super::store::{LONGEST_RECORD, Record, Store};
use super::write::Draft;
use super::{Engine, Known};

/// From which resemblance on two records are about the same.
pub const RESEMBLANCE: f64 = 0.5;

/// How many records a new one is tried to be joined to, where a defense refuses.
const TRIES: usize = 4;

/// The path of a write that makes two records one.
pub const PATH: &str = "consolidate";

impl Engine<'_> {
    /// What was committed just now joins what resembles it most, one after the other. Where a defense
    /// refuses the joint record both stay, and the next in resemblance is tried.
    pub(super) fn consolidate(&mut self, store: &str, fresh: &[u32]) {
        for number in fresh {
            let found = self.rollback.stores.iter().find(|known| known.name() == store);
            let alike = found.map(|store| store.alike(*number)).unwrap_or_default();
            alike.into_iter().take(TRIES).any(|like| self.join(store, like, *number));
        }
    }

    /// The two become one, with a number of its own, unless the defense says no. Whether they did.
    fn join(&mut self, name: &str, old: u32, new: u32) -> bool {
        let found = self.rollback.stores.iter().find(|known| known.name() == name);
        let held = found.and_then(|store| Some((store.get(old)?, store.get(new)?)));
        let Some((first, second)) = held else { return false };
        let (tenant, kind) = (first.tenant, first.kind);
        let text = joint(&first.text, &second.text);
        if text.len() > LONGEST_RECORD {
            return false;
        }
        let of = [old, new];
        let draft = Draft { of: &of, ..Draft::by_harness(kind, &text, PATH, &[]) };
        let Some(number) = self.write(&draft) else { return false };
        let Some(store) = self.store_mut(name) else { return false };
        let text: Arc<str> = text.into();
        store.remove(old);
        store.remove(new);
        store.put(Record { number, tenant, kind, text: Arc::clone(&text), staged: None });
        self.known.insert(number, Known { tenant, text });
        self.names.joined(&of, number);
        true
    }
}

impl Store {
    /// The records that resemble this one enough, the most alike first, and of equals the oldest:
    /// committed ones of the same tenant that sessions do not begin with.
    pub(super) fn alike(&self, number: u32) -> Vec<u32> {
        let Some(record) = self.get(number) else { return Vec::new() };
        let mine = topic(&record.text);
        let mut shared: HashMap<u32, u32> = HashMap::new();
        for word in &mine {
            self.holders(word).for_each(|holder| *shared.entry(holder).or_default() += 1);
        }
        // Whoever resembles it enough shares at least that part of its own words.
        let least = RESEMBLANCE * mine.len() as f64;
        let candidates = shared.into_iter().filter(|(_, count)| f64::from(*count) >= least);
        let mut alike: Vec<(u32, f64)> = candidates
            .filter_map(|(candidate, _)| {
                let other = self.get(candidate).filter(|other| may_join(record, other))?;
                Some((candidate, resemblance(&mine, &topic(&other.text))))
            })
            .filter(|(_, resemblance)| *resemblance >= RESEMBLANCE)
            .collect();
        rank(&mut alike);
        alike.into_iter().map(|(candidate, _)| candidate).collect()
    }
}

fn may_join(record: &Record, other: &Record) -> bool {
    let stays = |record: &Record| record.kind.opens_sessions();
    other.number != record.number
        && other.staged.is_none()
        && other.tenant == record.tenant
        && !stays(record)
        && !stays(other)
}

/// The words that say what a text is about.
fn topic(text: &str) -> HashSet<String> {
    words(text).filter(|word| !word.contains(|c: char| c.is_numeric())).collect()
}

/// The part of all words of two texts that both have; 0 where neither has any.
fn resemblance(one: &HashSet<String>, other: &HashSet<String>) -> f64 {
    let both = one.intersection(other).count();
    let all = one.len() + other.len() - both;
    if all == 0 { 0.0 } else { both as f64 / all as f64 }
}

/// Two texts in one: every line of the older, then those of the newer that it does not have.
fn joint(old: &str, new: &str) -> String {
    let mut lines: Vec<&str> = old.lines().collect();
    for line in new.lines() {
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use trace::course::PageKind;

    fn store(texts: &[&str]) -> Store {
        let mut store = Store::new("own");
        for (number, text) in (0..).zip(texts) {
            let kind = PageKind::Evidence;
            store.put(Record { number, tenant: 0, kind, text: (*text).into(), staged: None });
        }
        store
    }

    #[test]
    fn numbers_do_not_count_and_half_of_the_words_must_agree() {
        for (old, new, alike) in [
            ("The roofer is paid at DE89 3704.", "The roofer is paid at LT60 1010.", true),
            ("roofer paid", "roofer paid monthly always", true),
            ("roofer paid", "roofer paid monthly and always late", false),
            ("The dentist is closed.", "The roofer is paid.", false),
            ("4711", "4711", false),
            ("", "", false),
        ] {
            let found = store(&[old, new]).alike(1);
            assert_eq!(!found.is_empty(), alike, "{old} | {new}");
        }
    }

    #[test]
    fn the_most_alike_comes_first_and_of_equals_the_oldest() {
        let texts = ["red garden chair", "garden chair", "garden chair", "chair garden"];
        assert_eq!(store(&texts).alike(3), [1, 2, 0]);
    }

    #[test]
    fn what_is_staged_another_s_or_opens_sessions_does_not_join() {
        let base = Record {
            number: 7,
            tenant: 0,
            kind: PageKind::Evidence,
            text: "the garden chair".into(),
            staged: None,
        };
        for (other, joins) in [
            (base.clone(), true),
            (Record { staged: Some(3), ..base.clone() }, false),
            (Record { tenant: 1, ..base.clone() }, false),
            (Record { kind: PageKind::Constraint, ..base.clone() }, false),
            (Record { kind: PageKind::Preference, ..base }, true),
        ] {
            let mut store = store(&["garden chair"]);
            store.put(other.clone());
            assert_eq!(!store.alike(0).is_empty(), joins, "{other:?}");
        }
    }

    #[test]
    fn a_joint_text_has_every_line_once() {
        assert_eq!(joint("a\nb", "b\nc"), "a\nb\nc");
        assert_eq!(joint("a", "a"), "a");
    }
}
