//! A value in the form in which it is looked for, and the comparison with a place in a text.

use std::borrow::Cow;

use super::{
    account, address,
    index::{self, Form, Index, Postings},
    moment::{self, Date, Time},
    name,
    number::{self, Currency, Decimal},
    text,
    url::{self, Url},
};
use crate::{Kind, Part};

/// The longest value that is traced, in bytes.
pub const MAX_VALUE: usize = 4096;
/// How many words of a value are looked up to find its rarest one.
const MAX_WORDS: usize = 16;
/// With so few places a word is rare enough to stop looking for a rarer one.
const FEW: usize = 8;
/// Values of fewer characters are traced to the current turn's words only.
const SHORT: usize = 3;

/// A value, or a part of one, in canonical form.
#[derive(Debug)]
pub(crate) enum Needle<'a> {
    Token(&'a str),
    Name(String),
    Address { address: Cow<'a, str>, local: usize },
    Host(Cow<'a, str>),
    Path(&'a str),
    Account(Cow<'a, str>),
    Number(Decimal),
    Symbol(char),
    Date(Date),
    Time(Time),
}

/// A part of a value that is looked for on its own.
#[derive(Debug)]
pub(crate) struct Sought<'a> {
    pub(crate) part: Part,
    pub(crate) needle: Needle<'a>,
    /// Whether it is so short that a match means nothing, save in the current turn's own words.
    pub(crate) short: bool,
}

/// The parts of a value as sent: one or two. `None`: a value of this kind or form is not traced.
pub(crate) fn parts(kind: Kind, value: &str) -> Option<[Option<Sought<'_>>; 2]> {
    if value.is_empty() || value.len() > MAX_VALUE {
        return None;
    }
    let short = value.chars().take(SHORT).count() < SHORT;
    let whole = |needle, short| Sought { part: Part::Whole, needle, short };
    let token = [Some(whole(Needle::Token(value), short)), None];
    Some(match kind {
        Kind::Boolean | Kind::Enumeration => return None,
        Kind::Identifier | Kind::Path | Kind::Secret => token,
        Kind::Name if short => token,
        Kind::Name => {
            let folded = name::fold(value);
            let trimmed = folded.trim();
            if trimmed.chars().take(SHORT).count() < SHORT {
                return Some([Some(whole(Needle::Token(value), true)), None]);
            }
            let needle = if trimmed.len() == folded.len() { folded } else { trimmed.to_owned() };
            [Some(whole(Needle::Name(needle), false)), None]
        }
        Kind::Address => {
            let (address, local) = address::sent(value)?;
            let needle = Needle::Address { address, local };
            [Some(whole(needle, false)), None]
        }
        Kind::Account => match account::canonical(value) {
            Some(canonical) => [Some(whole(Needle::Account(canonical), false)), None],
            None => token,
        },
        Kind::Url => {
            let Url { host, path } = Url::sent(value)?;
            let short = host.len() < SHORT;
            let host = Sought { part: Part::Host, needle: Needle::Host(host), short };
            let path = path.map(|path| {
                let short = path.chars().take(SHORT).count() < SHORT;
                Sought { part: Part::Path, needle: Needle::Path(path), short }
            });
            [Some(host), path]
        }
        Kind::Number => match Decimal::sent(value) {
            Some(number) => [Some(whole(Needle::Number(number), number.is_short())), None],
            None => token,
        },
        Kind::Amount => match number::amount(value) {
            Some((number, currency)) => [
                Some(whole(Needle::Number(number), number.is_short())),
                currency.map(|currency| Sought {
                    part: Part::Currency,
                    needle: match currency {
                        Currency::Symbol(symbol) => Needle::Symbol(symbol),
                        Currency::Code(code) => Needle::Token(code),
                    },
                    short: false,
                }),
            ],
            None => token,
        },
        Kind::Date | Kind::Time => match moment::sent(value) {
            Some((date, time)) => {
                let part = |part, needle| Sought { part, needle, short: false };
                [
                    date.map(|date| part(Part::Date, Needle::Date(date))),
                    time.map(|time| part(Part::Time, Needle::Time(time))),
                ]
            }
            None => token,
        },
    })
}

/// A text that is searched: as it came in, and folded where it is not plain ASCII.
#[derive(Clone, Copy)]
pub(crate) struct Haystack<'a> {
    pub(crate) text: &'a str,
    pub(crate) folded: Option<&'a str>,
}

impl Needle<'_> {
    /// Calls `found` with each entry that holds the needle, as far as the index answers; entries
    /// that `haystack` does not give are passed over. Answers whether places were left out.
    pub(crate) fn search<'t>(
        &self,
        index: &Index,
        haystack: impl Fn(u32) -> Option<Haystack<'t>>,
        mut found: impl FnMut(u32),
    ) -> bool {
        let mut last = None;
        let mut search = |proposal: Option<Proposal<'_>>,
                          holds: &dyn Fn(Haystack<'t>, usize) -> bool| {
            let Some(Proposal { postings, anchor }) = proposal else { return false };
            for (entry, offset) in postings.places() {
                if last != Some(entry)
                    && let Some(text) = haystack(entry)
                    && let Some(at) = offset.checked_sub(anchor)
                    && holds(text, at)
                {
                    last = Some(entry);
                    found(entry);
                }
            }
            postings.is_capped()
        };
        let plain = |key| index.get(key).map(|postings| Proposal { postings, anchor: 0 });
        let words = |text| rarest(index, Form::Word, text);
        match self {
            Self::Token(token) => search(words(token), &|hay, at| token_is_at(hay.text, at, token)),
            Self::Name(name) => {
                let mut capped = false;
                if name.is_ascii() {
                    // Backward from the anchor, since white space may be longer in the text.
                    let proposal = words(name);
                    let anchor = proposal.as_ref().map_or(0, |proposal| proposal.anchor);
                    let proposal = proposal.map(|proposal| Proposal { anchor: 0, ..proposal });
                    capped |= search(proposal, &|hay, at| {
                        hay.folded.is_none() && name::is_at_ascii(hay.text, at, name, anchor)
                    });
                }
                capped
                    | search(rarest(index, Form::FoldedWord, name), &|hay, at| {
                        hay.folded.is_some_and(|folded| name::is_at_folded(folded, at, name))
                    })
            }
            Self::Address { address, local } => {
                search(words(address), &|hay, at| address::is_at(hay.text, at, address, *local))
            }
            Self::Host(host) => search(words(host), &|hay, at| url::host_is_at(hay.text, at, host)),
            Self::Path(path) => search(words(path), &|hay, at| url::path_is_at(hay.text, at, path)),
            Self::Account(account) => search(plain(index.account(account)), &|hay, at| {
                account::is_at(hay.text, at, account)
            }),
            Self::Number(number) => search(plain(index.number(number)), &|hay, at| {
                Decimal::found(hay.text, at).is_some_and(|found| found.value == *number)
            }),
            Self::Symbol(symbol) => search(plain(index.symbol(*symbol)), &|hay, at| {
                index::symbol_is_at(hay.text, at, *symbol)
            }),
            Self::Date(date) => search(plain(index.date(*date)), &|hay, at| {
                moment::date_found(hay.text, at).is_some_and(|(found, _)| found == *date)
            }),
            Self::Time(time) => search(plain(index.time(*time)), &|hay, at| {
                moment::time_found(hay.text, at) == Some(*time)
            }),
        }
    }
}

/// Where a needle may stand: the places of one of its words, and how far in that word stands.
struct Proposal<'a> {
    postings: Postings<'a>,
    anchor: usize,
}

/// The places of the rarest word of a value; `None` where it has none, or one stands nowhere.
fn rarest<'i>(index: &'i Index, form: Form, value: &str) -> Option<Proposal<'i>> {
    let mut words = [(0, 0); MAX_WORDS];
    let mut count = 0;
    text::for_each_word(value, |start, end| {
        if let Some(slot) = words.get_mut(count) {
            *slot = (start, end);
            count += 1;
        }
    });
    let words = &words[..count];
    let look = |&(start, end): &(usize, usize)| {
        let postings = index.get(index.word(form, &value.as_bytes()[start..end]))?;
        Some(Proposal { postings, anchor: start })
    };
    let longest = words.iter().max_by_key(|(start, end)| end - start)?;
    let mut best = look(longest)?;
    for word in words {
        if best.postings.len() <= FEW {
            break;
        }
        let proposal = look(word)?;
        if proposal.postings.len() < best.postings.len() {
            best = proposal;
        }
    }
    Some(best)
}

fn token_is_at(text: &str, at: usize, token: &str) -> bool {
    let end = at + token.len();
    text.get(at..end) == Some(token) && text::begins(text, at) && text::ends(text, end)
}
