//! Pages, and the list of pages that a representation was made from.

use std::{cmp::Ordering, fmt};

/// How many origins are listed one by one; beyond it the list becomes [`Origins::AllUpTo`].
pub const MAX_ORIGINS: usize = 4096;

/// So few origins are put into a list one by one.
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
    Listed(Vec<Origin>),
    /// More than [`MAX_ORIGINS`] pages: invalid once any page up to this one was ever revoked.
    AllUpTo(PageId),
    /// Too many pages of several kernels: never valid.
    Unknown,
}

impl Origins {
    /// The origins of content that stands for itself.
    pub fn of(page: PageId, recorded: Counter) -> Self {
        Self::Listed(vec![Origin { page, recorded }])
    }

    /// The origins of content that was made from nothing: the neutral element of [`Self::meet`].
    pub const NONE: Self = Self::Listed(Vec::new());

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
                if all.len() > limit { collapse(None, &all) } else { Self::Listed(all) }
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

    /// [`Self::meet`] in place.
    pub(crate) fn absorb(&mut self, other: &Self) {
        match other {
            Self::Listed(list) if list.len() <= FEW => {
                for &origin in list {
                    self.add(origin);
                }
            }
            other => *self = self.meet(other),
        }
    }

    /// A copy with room for `more` pages.
    pub(crate) fn roomy(&self, more: usize) -> Self {
        match self {
            Self::Listed(list) => {
                let mut copy = Vec::with_capacity(list.len() + more);
                copy.extend_from_slice(list);
                Self::Listed(copy)
            }
            other => other.clone(),
        }
    }

    /// Adds one page in place: what [`Self::meet`] does, without a copy of the list.
    pub(crate) fn add(&mut self, origin: Origin) {
        match self {
            Self::Listed(list) => {
                insert(list, origin);
                if list.len() > MAX_ORIGINS {
                    *self = collapse(None, list);
                }
            }
            Self::AllUpTo(last) => *self = collapse(Some(*last), &[origin]),
            Self::Unknown => {}
        }
    }
}

fn insert(list: &mut Vec<Origin>, origin: Origin) {
    if list.last().is_none_or(|last| last.page < origin.page) {
        list.push(origin);
        return;
    }
    match list.binary_search_by_key(&origin.page, |known| known.page) {
        Ok(at) => list[at].recorded = list[at].recorded.min(origin.recorded),
        Err(at) => list.insert(at, origin),
    }
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
            all.push(Origins::Listed(list));
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
    fn adding_in_place_is_the_meet() {
        for a in &small() {
            for b in &small() {
                let Origins::Listed(list) = b else { continue };
                let mut sum = a.clone();
                for &origin in list {
                    sum.add(origin);
                }
                assert_eq!(sum, a.meet(b));
            }
        }
    }
}
