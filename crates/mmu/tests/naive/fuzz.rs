//! Canonical forms and tracing on texts that nobody would write: pieces, cut and flipped, with
//! characters from all over Unicode, against the naive tracer.
//!
//! `MMU_FUZZ_SECONDS` sets how long, `MMU_FUZZ_SEED` where the dice begin.

use std::{
    env, thread,
    time::{Duration, Instant},
};

use clawmmu::{Authority, Source, Tie};

use crate::{
    KINDS, OWNER, PIECES, Page,
    common::{Desk, number, say, text},
    expected, spellings,
};

/// How long a run is that sets no time.
const SECONDS: u64 = 2;
/// Characters that are something else to somebody.
const ODD: &[char] = &[
    '\0',
    '\u{7f}',
    '\u{85}',
    '\u{a0}',
    '\u{ad}',
    '\u{300}',
    '\u{345}',
    '\u{3f4}',
    '\u{61c}',
    '\u{130}',
    '\u{131}',
    '\u{149}',
    '\u{17f}',
    '\u{1e9e}',
    '\u{200d}',
    '\u{200e}',
    '\u{2028}',
    '\u{2044}',
    '\u{2126}',
    '\u{212a}',
    '\u{212b}',
    '\u{2212}',
    '\u{2215}',
    '\u{3000}',
    '\u{fb03}',
    '\u{fe0f}',
    '\u{feff}',
    '\u{ff0e}',
    '\u{ff10}',
    '\u{ff20}',
    '\u{fffd}',
    '\u{10400}',
    '\u{1d7ce}',
    '\u{1f600}',
    '\u{e0041}',
    '\u{10ffff}',
    '٣',
    '۳',
    '３',
    '²',
    '½',
    '€',
    '＄',
    '،',
];

struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % limit as u64).expect("it is below the limit")
    }

    fn one<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }

    fn character(&mut self) -> char {
        match self.below(3) {
            0 => self.one(ODD),
            1 => char::from(u8::try_from(self.below(128)).expect("it is ASCII")),
            _ => u32::try_from(self.below(0x11_0000)).ok().and_then(char::from_u32).unwrap_or('x'),
        }
    }

    /// A text, changed in a few places.
    fn changed(&mut self, text: &str) -> String {
        let mut chars: Vec<char> = text.chars().collect();
        for _ in 0..self.below(4) {
            let at = self.below(chars.len() + 1);
            match self.below(5) {
                0 => chars.insert(at, self.character()),
                1 if at < chars.len() => chars[at] = self.character(),
                2 if at < chars.len() => {
                    chars.remove(at);
                }
                3 => chars.truncate(at),
                4 => {
                    let piece = self.one(PIECES);
                    chars.splice(at..at, piece.chars());
                }
                _ => {}
            }
        }
        chars.into_iter().collect()
    }

    fn pieces(&mut self, most: usize) -> String {
        (0..self.below(most)).map(|_| self.one(PIECES)).collect()
    }
}

fn one_case(dice: &mut Dice) {
    let kind = dice.one(&KINDS);
    let value = match dice.below(3) {
        0 => dice.pieces(5),
        _ => dice.one(spellings(kind)).to_owned(),
    };
    let value = dice.changed(&value);
    if value.chars().count() > 60 {
        return;
    }
    let pages: Vec<Page> = (0..=dice.below(3))
        .map(|_| {
            let inner = match dice.below(3) {
                0 => dice.changed(&value),
                1 => dice.one(spellings(kind)).to_owned(),
                _ => value.clone(),
            };
            let words = format!("{}{inner}{}", dice.pieces(4), dice.pieces(4));
            let source = dice.one(&[Source::Typed(OWNER), Source::Tool]);
            let text = if dice.below(2) == 0 { dice.changed(&words) } else { words };
            Page { source, text, revoked: dice.below(12) == 0, evicted: dice.below(12) == 0 }
        })
        .collect();
    let mut desk = Desk::new();
    for page in &pages {
        let mapped = desk.add(page.source, &page.text);
        if page.revoked {
            desk.kernel.revoke(mapped.page).expect("the kernel gave it out");
        }
        if page.evicted {
            desk.evict(mapped.entry);
        }
    }
    let found = desk.reasons_at(Authority::Policy, kind, text(&value));
    let naive = expected(kind, &value, &pages, Authority::Policy, Tie::Exists);
    assert_eq!(found, naive, "{kind:?} {value:?} in {pages:?}");
    assert_eq!(found, desk.reasons_at(Authority::Policy, kind, number(&value)), "{value:?}");
}

fn setting(name: &str, otherwise: u64) -> u64 {
    env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

#[test]
fn total_tracing_of_odd_texts_is_the_naive_ones() {
    let time = Duration::from_secs(setting("MMU_FUZZ_SECONDS", SECONDS));
    let seed = setting("MMU_FUZZ_SEED", 1);
    let start = Instant::now();
    let run = |worker: u64| {
        let mut dice = Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ (worker + 1));
        let mut cases = 0_u64;
        while start.elapsed() < time {
            one_case(&mut dice);
            cases += 1;
        }
        cases
    };
    let cases = thread::scope(|scope| {
        let other = scope.spawn(|| run(1));
        let mine = run(0);
        mine + other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    });
    say!("total: {cases} odd texts in {time:?} from seed {seed}, the naive tracer agrees");
}
