//! From a word to the places where it stands, kept up as texts come in.
//!
//! The index only proposes places; each is then compared with the value, so a collision of hashes
//! costs time and decides nothing.

use std::{
    collections::HashMap,
    hash::{BuildHasherDefault, Hasher},
};

use super::{
    account, moment,
    number::{self, Decimal},
    text,
};

/// The most places kept for a word in texts that are not Policy. Past it, a value is answered from
/// Policy texts alone: a flood of a word can only cause an ask.
pub const MAX_POSTINGS: u16 = 64;
/// The most places kept for a word in Policy texts.
pub const MAX_POLICY_POSTINGS: u16 = 256;

const NONE: u32 = u32::MAX;
/// A first text has one place to keep in about so many bytes.
const BYTES: usize = 4;
/// So many places at most are made room for beforehand.
const FIRST: usize = 1024;

/// What a posting's key is made of; keys of different forms never meet.
#[derive(Clone, Copy)]
pub(crate) enum Form {
    Word = 1,
    FoldedWord,
    Number,
    Symbol,
    Date,
    Time,
    Account,
}

#[derive(Clone, Copy)]
struct Head {
    policy: u32,
    other: u32,
    policies: u16,
    others: u16,
}

#[derive(Clone)]
struct Node {
    entry: u32,
    offset: u32,
    next: u32,
}

/// Postings by key.
#[derive(Clone)]
pub(crate) struct Index {
    heads: HashMap<u64, Head, BuildHasherDefault<AlreadyHashed>>,
    nodes: Vec<Node>,
    seed: u64,
}

/// The postings of one key.
#[derive(Clone, Copy)]
pub(crate) struct Postings<'a> {
    head: Head,
    nodes: &'a [Node],
}

impl Index {
    pub(crate) fn new(seed: u64) -> Self {
        Self { heads: HashMap::default(), nodes: Vec::new(), seed }
    }

    /// Adds a text, and its folded form where it has one. Answers how many places were added.
    pub(crate) fn add(&mut self, entry: u32, text: &str, folded: Option<&str>, policy: bool) {
        if self.nodes.is_empty() {
            let words = (text.len() / BYTES).min(FIRST);
            self.heads.reserve(words);
            self.nodes.reserve(words);
        }
        text::for_each_word(text, |start, end| {
            let word = &text.as_bytes()[start..end];
            self.push(self.word(Form::Word, word), entry, start, policy);
            if word[0].is_ascii_digit() {
                self.add_digits(entry, text, start, policy);
            }
            if let Some(key) = account::key(text.as_bytes(), start) {
                self.push(self.exact(Form::Account, &key), entry, start, policy);
            }
        });
        if let Some(folded) = folded {
            text::for_each_word(folded, |start, end| {
                let key = self.word(Form::FoldedWord, &folded.as_bytes()[start..end]);
                self.push(key, entry, start, policy);
            });
        }
    }

    fn add_digits(&mut self, entry: u32, text: &str, start: usize, policy: bool) {
        if let Some(found) = Decimal::found(text, start) {
            self.push(self.number(&found.value), entry, start, policy);
            for symbol in found.symbols.into_iter().flatten() {
                self.push(self.symbol(symbol), entry, start, policy);
            }
        } else if let Some((date, end)) = moment::date_found(text, start) {
            self.push(self.date(date), entry, start, policy);
            if text.as_bytes().get(end) == Some(&b'T')
                && let Some(time) = moment::time_found(text, end + 1)
            {
                self.push(self.time(time), entry, end + 1, policy);
            }
        } else if let Some(time) = moment::time_found(text, start) {
            self.push(self.time(time), entry, start, policy);
        }
    }

    fn push(&mut self, key: u64, entry: u32, offset: usize, policy: bool) {
        let empty = Head { policy: NONE, other: NONE, policies: 0, others: 0 };
        let head = self.heads.entry(key).or_insert(empty);
        let (list, count, most) = if policy {
            (&mut head.policy, &mut head.policies, MAX_POLICY_POSTINGS)
        } else {
            (&mut head.other, &mut head.others, MAX_POSTINGS)
        };
        let (Ok(offset), Ok(node)) = (u32::try_from(offset), u32::try_from(self.nodes.len()))
        else {
            *count = most + 1;
            return;
        };
        if *count >= most || node == NONE {
            *count = most + 1;
            return;
        }
        *count += 1;
        self.nodes.push(Node { entry, offset, next: *list });
        *list = node;
    }

    pub(crate) fn get(&self, key: u64) -> Option<Postings<'_>> {
        self.heads.get(&key).map(|&head| Postings { head, nodes: &self.nodes })
    }

    pub(crate) fn word(&self, form: Form, word: &[u8]) -> u64 {
        hash::<0x2020_2020_2020_2020>(self.seed, form, word)
    }

    fn exact(&self, form: Form, bytes: &[u8]) -> u64 {
        hash::<0>(self.seed, form, bytes)
    }

    pub(crate) fn number(&self, value: &Decimal) -> u64 {
        self.exact(Form::Number, &value.key())
    }

    pub(crate) fn symbol(&self, symbol: char) -> u64 {
        self.exact(Form::Symbol, &u32::from(symbol).to_le_bytes())
    }

    pub(crate) fn date(&self, moment::Date(year, month, day): moment::Date) -> u64 {
        let [low, high] = year.to_le_bytes();
        self.exact(Form::Date, &[low, high, month, day])
    }

    pub(crate) fn time(&self, moment::Time(hour, minute, second): moment::Time) -> u64 {
        self.exact(Form::Time, &[hour, minute, second])
    }

    pub(crate) fn account(&self, canonical: &str) -> u64 {
        let first = canonical.as_bytes();
        self.exact(Form::Account, &first[..account::KEY.min(first.len())])
    }
}

impl<'a> Postings<'a> {
    /// How many places are kept.
    pub(crate) fn len(&self) -> usize {
        usize::from(self.head.policies) + usize::from(self.head.others)
    }

    /// Whether places were left out.
    pub(crate) fn is_capped(&self) -> bool {
        self.head.others > MAX_POSTINGS || self.head.policies > MAX_POLICY_POSTINGS
    }

    /// Entry and byte offset of each place; of those in Policy texts only, where places in other
    /// texts were left out. The places of one entry stand together.
    pub(crate) fn places(self) -> impl Iterator<Item = (u32, usize)> + 'a {
        let other = if self.head.others > MAX_POSTINGS { NONE } else { self.head.other };
        self.list(self.head.policy).chain(self.list(other))
    }

    fn list(self, first: u32) -> impl Iterator<Item = (u32, usize)> + 'a {
        let mut next = first;
        std::iter::from_fn(move || {
            let node = self.nodes.get(next as usize)?;
            next = node.next;
            Some((node.entry, node.offset as usize))
        })
    }
}

/// Whether a currency symbol stands at the number at `at`.
pub(crate) fn symbol_is_at(text: &str, at: usize, symbol: char) -> bool {
    number::Decimal::found(text, at).is_some_and(|found| found.symbols.contains(&Some(symbol)))
}

/// A multiply-and-fold hash. `MASK` is set in every byte, so that letters lose their case.
fn hash<const MASK: u64>(seed: u64, form: Form, bytes: &[u8]) -> u64 {
    const FIRST: u64 = 0x9e37_79b9_7f4a_7c15;
    const SECOND: u64 = 0xd1b5_4a32_d192_ed03;
    let fold = |a: u64, b: u64| {
        let product = u128::from(a) * u128::from(b);
        #[expect(clippy::cast_possible_truncation, reason = "both halves are wanted")]
        let low = product as u64;
        low ^ u64::try_from(product >> 64).unwrap_or(0)
    };
    let mut state = seed ^ (bytes.len() as u64).wrapping_mul(SECOND) ^ ((form as u64) << 56);
    let (chunks, rest) = bytes.as_chunks::<8>();
    for chunk in chunks {
        state = fold(state ^ (u64::from_le_bytes(*chunk) | MASK), FIRST).wrapping_add(SECOND);
    }
    if !rest.is_empty() {
        let mut last = [0; 8];
        last[..rest.len()].copy_from_slice(rest);
        state = fold(state ^ (u64::from_le_bytes(last) | MASK), FIRST).wrapping_add(SECOND);
    }
    fold(state, SECOND)
}

/// Keys are hashes already.
#[derive(Default)]
pub(crate) struct AlreadyHashed(u64);

impl Hasher for AlreadyHashed {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(byte);
        }
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }
}
