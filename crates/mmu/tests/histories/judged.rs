//! How the naive kernel judges a call: every value against every piece.

use std::collections::BTreeSet;

use crate::{
    arm::Arm,
    naive::{Key, Naive},
    op::Pay,
};

/// What is wrong at a place: reason, argument position and leaf, page.
pub(crate) type Wrong = (&'static str, Option<(usize, usize)>, Option<u32>);

#[derive(Default)]
pub(crate) struct Judged {
    pub(crate) wrong: Vec<Wrong>,
    /// By leaf: page, counter, level.
    pub(crate) held: Vec<(usize, u32, u32, u8)>,
    /// Every piece that holds a value, live or not.
    pub(crate) holders: Vec<usize>,
    /// By place: the pieces that hold the value there.
    pub(crate) at: Vec<((usize, usize), Vec<usize>)>,
}

/// Calls that are sent alike are one.
pub(crate) fn canonical(pay: Pay) -> Pay {
    Pay {
        to: if pay.odd == 5 { 0 } else { pay.to },
        second: if pay.odd == 5 { 8 } else { pay.second.min(8) },
        amount: pay.amount.min(4),
        odd: if pay.odd == 3 { 0 } else { pay.odd },
        cited: 255,
    }
}

/// Name, words and place of each argument as it is sent.
pub(crate) fn sent(pay: Pay) -> Vec<(&'static str, Vec<u8>)> {
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

pub(crate) const LEVELS: [&str; 4] = ["evidence", "guidance", "preference", "policy"];

impl Naive {
    pub(crate) fn key(&self, at: usize, pay: Pay) -> Key {
        (self.rooms[at].tenant, self.rooms[at].tasks.clone(), canonical(pay), self.cited(pay))
    }

    /// The page that is cited, where some value stands there to cite it.
    pub(crate) fn cited(&self, pay: Pay) -> Option<u32> {
        let any = !sent(pay).is_empty();
        (pay.cited != 255 && any).then(|| self.number(pay.cited))
    }

    /// Whether a piece that holds a word counts for it.
    fn counts(&self, at: usize, piece: usize, word: u8, cited: Option<u32>) -> bool {
        match (self.arm, cited) {
            (Arm::Declared | Arm::Dataflow, Some(page)) => {
                self.rooms[at].pieces[piece].page == page
            }
            (Arm::Declared, None) => false,
            (Arm::Dataflow, None) => self.effective(at, piece, word) == 3,
            _ => true,
        }
    }

    /// Whether a piece is live as far as a call is concerned.
    pub(crate) fn counts_as_live(&self, at: usize, piece: usize) -> bool {
        let piece = &self.rooms[at].pieces[piece];
        if self.is(Arm::NoRecheck) { piece.was_live } else { self.live(&piece.mark.origins) }
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

    fn leaf(
        &self,
        at: usize,
        place: (usize, usize),
        (word, cited): (u8, Option<u32>),
        need: u8,
        judged: &mut Judged,
    ) {
        let mut here = Vec::new();
        let (mut dead, mut low, mut lifted) = (BTreeSet::new(), BTreeSet::new(), false);
        for (number, piece) in self.rooms[at].pieces.iter().enumerate() {
            if (piece.evicted && !piece.typed) || piece.words >> word & 1 == 0 {
                continue;
            }
            if !self.counts(at, number, word, cited) {
                continue;
            }
            here.push(number);
            if !self.counts_as_live(at, number) {
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
        if self.is(Arm::ForAll) && !low.is_empty() {
            lifted = false;
        }
        if let Some(page) = dead.first() {
            judged.wrong.push(("revoked", Some(place), Some(*page)));
        } else if self.is(Arm::Declared) && cited.is_none() {
            judged.wrong.push(("uncited", Some(place), None));
        } else if !lifted && here.is_empty() {
            judged.wrong.push(("fabricated", Some(place), None));
        } else if !lifted {
            judged.wrong.push(("low-authority", Some(place), low.first().copied()));
        }
        judged.holders.extend(&here);
        judged.at.push((place, here));
    }

    pub(crate) fn judge(&self, at: usize, pay: Pay) -> Judged {
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
                    self.leaf(at, (position, leaf), (word, self.cited(pay)), need, &mut judged);
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
}
