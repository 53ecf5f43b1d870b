//! Which representations were made from which pages: for the report of a revocation.

use std::collections::{BTreeSet, VecDeque};

use crate::{Form, Origins, PageId};

/// The most derived representations whose origins are remembered; the oldest go first.
pub const MAX_REPRESENTATIONS: usize = 16_384;
/// The most origins remembered for all of them together.
const MAX_LISTED: usize = 1 << 21;

/// What was mapped and what was stored. It decides nothing.
#[derive(Default)]
pub(crate) struct Catalogue {
    /// By page number: whether content of the page came in as it is.
    mapped: Vec<bool>,
    derived: VecDeque<(PageId, Form, Origins)>,
    listed: usize,
}

impl Catalogue {
    /// Content of this page came in, made from nothing but the page.
    #[inline]
    pub(crate) fn mapped(&mut self, page: PageId) {
        let at = page.number as usize;
        if self.mapped.len() <= at {
            self.mapped.resize(at + 1, false);
        }
        self.mapped[at] = true;
    }

    /// Content that was made from several pages.
    #[inline]
    pub(crate) fn derived(&mut self, page: PageId, form: Form, origins: &Origins) {
        self.listed += length(origins);
        self.derived.push_back((page, form, origins.clone()));
        while self.derived.len() > MAX_REPRESENTATIONS || self.listed > MAX_LISTED {
            let Some((_, _, oldest)) = self.derived.pop_front() else { return };
            self.listed -= length(&oldest);
        }
    }

    pub(crate) fn tracing_to(&self, page: PageId) -> Vec<(PageId, Form)> {
        let itself = self.mapped.get(page.number as usize) == Some(&true);
        let derived = self.derived.iter().filter(|(_, _, origins)| origins.contains(page));
        let all: BTreeSet<(PageId, Form)> = derived
            .map(|(page, form, _)| (*page, *form))
            .chain(itself.then_some((page, Form::Full)))
            .collect();
        all.into_iter().collect()
    }
}

fn length(origins: &Origins) -> usize {
    match origins {
        Origins::Listed(list) => list.len(),
        Origins::AllUpTo(_) | Origins::Unknown => 0,
    }
}
