//! Pages, and the list of pages that a representation was made from.

use std::{cmp::Ordering, fmt};

use crate::Few;

/// How many origins are listed one by one; beyond it the list becomes [`Origins::AllUpTo`].
pub const MAX_ORIGINS: usize = 4096;

/// So few places are made in the middle of a list one by one.
const FEW: usize = 16;

/// The number of a kernel, unique among the kernels whose content can meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct KernelId(pub u32);

/// The name of a page: one fact, with the representations derived from it. Never given twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PageId {
    /// The kernel that gave the id.
    pub kernel: KernelId,
    /// The page's number within its kernel, counted from 0.
    pub number: u32,
}

impl fmt::Display for PageId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.kernel.0, self.number)
    }
}

/// How often a page had been revoked: it only grows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Counter(pub u32);

/// A page, with its revocation counter as it was when the content was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Origin {
    /// The page.
    pub page: PageId,
    /// Its counter at that moment.
    pub recorded: Counter,
}

/// Every page that a representation was made from. The meet of two is their union, because more
/// origins mean more ways to be revoked; it never drops a page.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Origins {
    /// These pages, in ascending order, each once.
    Listed(Few<Origin>),
    /// More than [`MAX_ORIGINS`] pages: invalid once any page up to this one was ever revoked.
    AllUpTo(PageId),
    /// Too many pages of several kernels: never valid.
    Unknown,
}

impl Origins {
    /// The origins of content that stands for itself.
    pub fn of(page: PageId, recorded: Counter) -> Self {
        Self::Listed(Few::of(Origin { page, recorded }))
    }

    /// The origins of content that was made from nothing: the neutral element of [`Self::meet`].
    pub const NONE: Self = Self::Listed(Few::EMPTY);

    /// The union. Of two counters for one page the older stays, so a stale path stays stale.
    #[must_use]
    pub fn meet(&self, other: &Self) -> Self {
        self.meet_within(other, MAX_ORIGINS)
    }

    /// [`Self::meet`] with another limit.
    pub(crate) fn meet_within(&self, other: &Self, limit: usize) -> Self {
        match (self, other) {
            (Self::Unknown, _) | (_, Self::Unknown) => Self::Unknown,
            (Self::Listed(mine), Self::Listed(theirs)) => {
                let all = merged(mine, theirs);
                if all.len() > limit { collapse(None, &all) } else { Self::Listed(all.into()) }
            }
            (Self::AllUpTo(last), Self::Listed(some))
            | (Self::Listed(some), Self::AllUpTo(last)) => collapse(Some(*last), some),
            (Self::AllUpTo(mine), Self::AllUpTo(theirs)) => {
                if mine.kernel == theirs.kernel {
                    Self::AllUpTo(*mine.max(theirs))
                } else {
                    Self::Unknown
                }
            }
        }
    }

    /// Whether the page is, or may be, among them.
    pub fn contains(&self, page: PageId) -> bool {
        match self {
            Self::Listed(list) => list.binary_search_by_key(&page, |origin| origin.page).is_ok(),
            Self::AllUpTo(last) => last.kernel == page.kernel && page.number <= last.number,
            Self::Unknown => true,
        }
    }

    /// [`Self::meet`] in place. Time grows with the other list; only where it holds many pages that
    /// are new in the middle of this one does it grow with this one, too.
    #[inline]
    pub(crate) fn absorb(&mut self, other: &Self) {
        let (Self::Listed(mine), Self::Listed(theirs)) = (&mut *self, other) else {
            *self = self.meet(other);
            return;
        };
        let mine = mine.grown();
        let mut theirs = &theirs[..];
        let (mut at, mut made) = (0, 0);
        while let Some(&first) = theirs.first() {
            if mine.last().is_none_or(|last| last.page < first.page) {
                mine.extend_from_slice(theirs);
                break;
            }
            // Both are in order, and mostly the next pages here are the next ones there.
            let mut same = older(&mut mine[at..], theirs);
            if same == 0 {
                at += mine[at..].partition_point(|known| known.page < first.page);
                same = older(&mut mine[at..], theirs);
            }
            if same == 0 && made == FEW {
                *mine = merged(mine, theirs);
                break;
            }
            if same == 0 {
                mine.insert(at, first);
                (made, same) = (made + 1, 1);
            }
            at += same;
            theirs = &theirs[same..];
        }
        if mine.len() > MAX_ORIGINS {
            *self = collapse(None, mine);
        }
    }

    /// The meet with the origins of one page: what content made from these inherits, with a page
    /// of its own.
    #[must_use]
    #[inline]
    pub(crate) fn with(&self, origin: Origin) -> Self {
        match self {
            Self::Listed(list) => {
                let newest = list.last().is_none_or(|last| last.page < origin.page);
                let at = if newest {
                    list.len()
                } else {
                    list.partition_point(|known| known.page < origin.page)
                };
                match list.get(at).filter(|known| known.page == origin.page) {
                    Some(known) if known.recorded <= origin.recorded => self.clone(),
                    Some(_) => self.meet(&Self::Listed(Few::of(origin))),
                    None if list.len() >= MAX_ORIGINS => collapse(Some(origin.page), list),
                    None => Self::Listed(list.with(at, origin)),
                }
            }
            Self::AllUpTo(last) => collapse(Some(*last), &[origin]),
            Self::Unknown => Self::Unknown,
        }
    }
}

/// Where both lists go through the same pages, the older counters stay. Answers how far they do.
fn older(mine: &mut [Origin], theirs: &[Origin]) -> usize {
    let mut same = 0;
    for (mine, theirs) in mine.iter_mut().zip(theirs) {
        if mine.page != theirs.page {
            break;
        }
        mine.recorded = mine.recorded.min(theirs.recorded);
        same += 1;
    }
    same
}

/// Both lists in one pass.
fn merged(mine: &[Origin], theirs: &[Origin]) -> Vec<Origin> {
    let mut all = Vec::with_capacity(mine.len() + theirs.len());
    let (mut mine, mut theirs) = (mine, theirs);
    while let ([one, rest @ ..], [other, others @ ..]) = (mine, theirs) {
        match one.page.cmp(&other.page) {
            Ordering::Less => {
                all.push(*one);
                mine = rest;
            }
            Ordering::Greater => {
                all.push(*other);
                theirs = others;
            }
            Ordering::Equal => {
                all.push(Origin { page: one.page, recorded: one.recorded.min(other.recorded) });
                (mine, theirs) = (rest, others);
            }
        }
    }
    all.extend_from_slice(mine);
    all.extend_from_slice(theirs);
    all
}

fn collapse(last: Option<PageId>, some: &[Origin]) -> Origins {
    let mut pages = last.into_iter().chain(some.iter().map(|origin| origin.page));
    let Some(mut greatest) = pages.next() else { return Origins::NONE };
    for page in pages {
        if page.kernel != greatest.kernel {
            return Origins::Unknown;
        }
        greatest = greatest.max(page);
    }
    Origins::AllUpTo(greatest)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every value over two kernels, two pages each, and two counters.
    fn small() -> Vec<Origins> {
        let page = |kernel, number| PageId { kernel: KernelId(kernel), number };
        let pages = [page(1, 0), page(1, 1), page(2, 0), page(2, 1)];
        let mut all = vec![Origins::Unknown];
        all.extend(pages.map(Origins::AllUpTo));
        for code in 0..3_u32.pow(4) {
            let mut list = Vec::new();
            for (place, page) in (0..).zip(pages) {
                match code / 3_u32.pow(place) % 3 {
                    0 => {}
                    counter => list.push(Origin { page, recorded: Counter(counter) }),
                }
            }
            all.push(Origins::Listed(list.into()));
        }
        all
    }

    #[test]
    fn lattice_laws_origins_are_a_meet_semilattice_at_every_limit() {
        for limit in [2, 3, MAX_ORIGINS] {
            let fits = |origins: &Origins| match origins {
                Origins::Listed(list) => list.len() <= limit,
                _ => true,
            };
            let all: Vec<Origins> = small().into_iter().filter(fits).collect();
            for a in &all {
                assert_eq!(a.meet_within(a, limit), *a);
                assert_eq!(a.meet_within(&Origins::NONE, limit), *a);
                for b in &all {
                    let both = a.meet_within(b, limit);
                    assert!(fits(&both));
                    assert_eq!(both, b.meet_within(a, limit));
                    for c in &all {
                        let left = both.meet_within(c, limit);
                        assert_eq!(left, a.meet_within(&b.meet_within(c, limit), limit));
                    }
                }
            }
        }
    }

    #[test]
    fn a_page_is_never_dropped_and_its_older_counter_stays() {
        for a in &small() {
            for b in &small() {
                let both = a.meet_within(b, 2);
                for kernel in [1, 2] {
                    for number in [0, 1] {
                        let page = PageId { kernel: KernelId(kernel), number };
                        if a.contains(page) || b.contains(page) {
                            assert!(both.contains(page), "{a:?} {b:?} {page}");
                        }
                    }
                }
            }
        }
        let page = PageId { kernel: KernelId(1), number: 0 };
        let (old, new) = (Origins::of(page, Counter(1)), Origins::of(page, Counter(5)));
        assert_eq!(new.meet(&old), old);
    }

    #[test]
    fn absorbing_in_place_is_the_meet() {
        for a in &small() {
            for b in &small() {
                let mut both = a.clone();
                both.absorb(b);
                assert_eq!(both, a.meet(b));
                if let Origins::Listed(list) = b {
                    let one_by_one = list.iter().fold(a.clone(), |sum, &origin| sum.with(origin));
                    assert_eq!(one_by_one, a.meet(b));
                }
            }
        }
    }

    /// Lists that interleave, with runs that are shared, older, newer, in front and behind.
    #[test]
    fn long_lists_absorb_as_they_meet() {
        let page = |number| PageId { kernel: KernelId(1), number };
        let list = |from: u32, to: u32, step: usize, recorded| {
            let numbers = (from..to).step_by(step);
            let listed = numbers.map(|n| Origin { page: page(n), recorded: Counter(recorded) });
            Origins::Listed(listed.collect())
        };
        let most = u32::try_from(MAX_ORIGINS).unwrap();
        let all = [
            list(0, 100, 1, 3),
            list(0, 100, 3, 2),
            list(1, 200, 2, 4),
            list(50, 60, 1, 1),
            list(90, 400, 7, 5),
            list(0, most, 1, 1),
            list(most, most + 1, 1, 1),
            list(0, 2 * most, 2, 1),
        ];
        for a in &all {
            for b in &all {
                let mut both = a.clone();
                both.absorb(b);
                assert_eq!(both, a.meet(b));
                for number in [0, 55, 95, most, most + 7] {
                    let origin = Origin { page: page(number), recorded: Counter(2) };
                    let own = Origins::of(origin.page, origin.recorded);
                    assert_eq!(a.with(origin), a.meet(&own));
                }
            }
        }
    }
}
