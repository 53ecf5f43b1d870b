//! Operations on a kernel, as numbers: any numbers make a history, and print as Rust.

/// The words that texts are made of: bit by bit of a mask. The last four are numbers.
pub(crate) const WORDS: [&str; 8] = ["ana", "bob", "cid", "dan", "100", "200", "300", "400"];
/// The paths of files; the first two are one resource, and so are the last two.
pub(crate) const PATHS: [&str; 4] = ["notes", "NOTES", "bill.txt", "./bill.txt"];

pub(crate) fn text(words: u8) -> String {
    let words = WORDS.iter().enumerate().filter(|(bit, _)| words >> bit & 1 == 1);
    words.map(|(_, word)| *word).collect::<Vec<_>>().join(" ")
}

/// A call of `pay`. `second` and `amount` are left out from 8 and 4 on. `odd` makes it one with an
/// unlisted argument (1), a repeated one (2), no schema (3), a note (4), or no `to` (5). `cited` is
/// the page that every value names, from 255 on none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Pay {
    pub(crate) to: u8,
    pub(crate) second: u8,
    pub(crate) amount: u8,
    pub(crate) odd: u8,
    pub(crate) cited: u8,
}

/// What is done. `at` is a context, `entry` one of its entries, `stored` a stored representation,
/// `saved` a checkpoint, `page` any page: each modulo how many there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Op {
    Open { tenant: u8, task: u8, session: u8, attended: bool },
    Map { at: u8, source: u8, page: u8, scope: u8, words: u8 },
    Evict { at: u8, entry: u8 },
    Derive { at: u8, model: bool, inputs: u8, also: u8, form: u8, target: u8, claim: u8, words: u8 },
    Remember { at: u8, entry: u8 },
    Reload { at: u8, stored: u8, forged: bool },
    Follow { at: u8, pointer: u8, stored: u8 },
    Calculate { at: u8, left: u8, right: u8, result: u8 },
    Authorize { at: u8, pay: Pay },
    Dispatch { at: u8, pay: Pay },
    Approve { at: u8, pay: Pay },
    Refuse { at: u8, pay: Pay },
    WithdrawCall { at: u8, pay: Pay },
    ApproveContent { at: u8, entry: u8, ceiling: u8, scope: u8, named: u8, forged: bool },
    Advance { tenant: u8, task: u8, to: u8, source: u8, each: u8, uses: u8, expires: u8 },
    Offer { from: u8, to: u8, page: u8, ceiling: u8, expires: u8 },
    Accept { id: u8, by: u8 },
    Withdraw { id: u8, by: u8 },
    Revoke { page: u8 },
    Save { at: u8 },
    Restore { saved: u8 },
    Remove { stored: u8, model: bool },
    Write { at: u8, path: u8, append: bool },
    Copy { at: u8, from: u8, to: u8 },
    Read { at: u8, path: u8, source: u8, words: u8 },
    Wait { back: bool, by: u8 },
}

/// A small generator of numbers (`SplitMix64`).
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, limit: u8) -> u8 {
        u8::try_from(self.next() % u64::from(limit)).expect("it is below the limit")
    }

    fn any(&mut self) -> u8 {
        self.next().to_le_bytes()[0]
    }

    fn chance(&mut self, percent: u8) -> bool {
        self.below(100) < percent
    }

    /// A mask with few words.
    fn words(&mut self) -> u8 {
        self.any() & self.any()
    }

    fn pay(&mut self) -> Pay {
        Pay {
            to: self.below(3),
            second: if self.chance(85) { 8 } else { self.below(8) },
            amount: if self.chance(50) { 4 } else { self.below(3) },
            odd: if self.chance(80) { 0 } else { self.below(6) },
            cited: if self.chance(60) { 255 } else { self.below(10) },
        }
    }

    /// One of few contexts, so that much happens in each.
    fn at(&mut self) -> u8 {
        self.below(4)
    }

    pub(crate) fn op(&mut self) -> Op {
        let at = self.at();
        match self.below(64) {
            0..2 => Op::Open {
                tenant: self.below(2),
                task: self.below(2),
                session: self.below(2),
                attended: self.chance(85),
            },
            2..13 => Op::Map {
                at,
                source: self.below(12),
                page: if self.chance(60) { 255 } else { self.below(8) },
                scope: if self.chance(80) { 0 } else { self.below(5) },
                words: self.words(),
            },
            13..15 => Op::Evict { at, entry: self.any() },
            15..21 => Op::Derive {
                at,
                model: self.chance(50),
                inputs: self.words(),
                also: if self.chance(70) { 255 } else { self.any() },
                form: self.below(4),
                target: if self.chance(50) { 0 } else { self.any() },
                claim: if self.chance(70) { 0 } else { self.below(4) },
                words: self.words(),
            },
            21 => Op::Remember { at, entry: self.any() },
            22..28 => Op::Reload { at, stored: self.any(), forged: self.chance(10) },
            28 => Op::Follow { at, pointer: self.any(), stored: self.any() },
            29 => Op::Calculate {
                at,
                left: self.below(8),
                right: self.below(8),
                result: self.below(8),
            },
            30..37 => Op::Authorize { at, pay: self.pay() },
            37..42 => Op::Dispatch { at, pay: self.pay() },
            42..45 => Op::Approve { at, pay: self.pay() },
            45 => Op::Refuse { at, pay: self.pay() },
            46 => Op::WithdrawCall { at, pay: self.pay() },
            47 => Op::ApproveContent {
                at,
                entry: self.any(),
                ceiling: self.below(4),
                scope: self.below(3),
                named: if self.chance(70) { 255 } else { self.below(8) },
                forged: self.chance(10),
            },
            48 | 49 => Op::Advance {
                tenant: self.below(2),
                task: self.below(3),
                to: if self.chance(60) { 255 } else { self.below(8) },
                source: self.any(),
                each: if self.chance(60) { 0 } else { self.below(5) },
                uses: if self.chance(60) { 0 } else { self.below(4) },
                expires: if self.chance(60) { 0 } else { self.below(3) },
            },
            50 | 51 => Op::Offer {
                from: self.below(2),
                to: self.below(2),
                page: self.below(8),
                ceiling: self.below(5),
                expires: self.below(3),
            },
            52 => Op::Accept { id: self.below(4), by: self.below(2) },
            53 => Op::Withdraw { id: self.any(), by: self.below(2) },
            54 => Op::Revoke { page: self.any() },
            55 => Op::Save { at },
            56 => Op::Restore { saved: self.any() },
            57 => Op::Remove { stored: self.any(), model: self.chance(70) },
            58 | 59 => Op::Write { at, path: self.below(4), append: self.chance(30) },
            60 => Op::Copy { at, from: self.below(4), to: self.below(4) },
            61 | 62 => {
                Op::Read { at, path: self.below(4), source: self.below(12), words: self.words() }
            }
            _ => Op::Wait { back: self.chance(20), by: self.below(40) },
        }
    }
}
