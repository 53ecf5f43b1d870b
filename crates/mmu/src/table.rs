//! The table outside checkpoints: revocation counters, asks, approvals, refusals and grants.
//!
//! Nothing in it rolls back. It lives in the kernel, and the kernel is never part of a checkpoint.

use std::{
    collections::{HashMap, HashSet, VecDeque},
    hash::BuildHasherDefault,
    sync::Arc,
};

use crate::{
    ApprovalId, Counter, KernelId, Origin, Origins, PageId, call::CallDigest, content::Raised,
    grant::Granted, standing::Running, trace::AlreadyHashed,
};

/// The most asks that wait for an answer; the oldest is forgotten and would be asked anew.
pub const MAX_PENDING: usize = 1024;

/// Digests need no second hash.
type Digested = BuildHasherDefault<AlreadyHashed>;

/// The counters that a call's holders had when the owner was asked.
#[derive(Clone, Debug)]
pub(crate) struct Binding {
    pages: Vec<(PageId, Counter)>,
    /// Where a holder's pages are no longer listed one by one: the epoch. Any revocation voids it.
    epoch: Option<u64>,
    /// The tool's name in its schema.
    pub(crate) tool: Option<Arc<str>>,
}

impl Binding {
    pub(crate) fn names(&self, page: PageId) -> bool {
        self.epoch.is_some() || self.pages.iter().any(|(bound, _)| *bound == page)
    }
}

/// A one-shot approval.
#[derive(Clone, Debug)]
pub(crate) struct OneShot {
    pub(crate) binding: Binding,
    pub(crate) given: u64,
}

#[derive(Clone)]
pub(crate) struct Table {
    kernel: KernelId,
    counters: Vec<Counter>,
    /// The least page that was ever revoked.
    first_revoked: Option<u32>,
    epoch: u64,
    pending: HashMap<CallDigest, Binding, Digested>,
    order: VecDeque<CallDigest>,
    approvals: HashMap<CallDigest, OneShot, Digested>,
    refused: HashSet<CallDigest, Digested>,
    /// Content approvals, oldest first.
    pub(crate) raised: Vec<Raised>,
    /// Standing approvals, oldest first.
    pub(crate) standing: Vec<Running>,
    /// Grants, oldest first.
    pub(crate) grants: Vec<Granted>,
    next_approval: u64,
}

impl Table {
    pub(crate) fn new(kernel: KernelId) -> Self {
        Self {
            kernel,
            counters: Vec::new(),
            first_revoked: None,
            epoch: 0,
            pending: HashMap::default(),
            order: VecDeque::new(),
            approvals: HashMap::default(),
            refused: HashSet::default(),
            raised: Vec::new(),
            standing: Vec::new(),
            grants: Vec::new(),
            next_approval: 0,
        }
    }

    /// Gives a new name for an approval or a grant.
    pub(crate) fn approval_id(&mut self) -> ApprovalId {
        self.next_approval += 1;
        ApprovalId(self.next_approval)
    }

    /// What an ablation does: everything but the names that were given goes back to what it was.
    pub(crate) fn roll_back(&mut self, saved: &Self) {
        let mut old = saved.clone();
        old.counters.resize(self.counters.len(), Counter(0));
        old.next_approval = self.next_approval;
        old.epoch = self.epoch + 1;
        *self = old;
    }

    /// Gives a new page.
    #[inline]
    pub(crate) fn page(&mut self) -> PageId {
        let number = u32::try_from(self.counters.len()).expect("memory ends before 2^32 pages");
        self.counters.push(Counter(0));
        PageId { kernel: self.kernel, number }
    }

    /// How often the page was revoked; `None` for a page that was never given out here.
    #[inline]
    pub(crate) fn counter(&self, page: PageId) -> Option<Counter> {
        let known = page.kernel == self.kernel;
        self.counters.get(page.number as usize).copied().filter(|_| known)
    }

    /// A page as an origin of what is made now.
    #[inline]
    pub(crate) fn now(&self, page: PageId) -> Origin {
        Origin { page, recorded: self.counter(page).unwrap_or_default() }
    }

    /// Whether no page of these origins was revoked since it was recorded.
    #[inline]
    pub(crate) fn is_live(&self, origins: &Origins) -> bool {
        match origins {
            Origins::Listed(list) => {
                list.iter().all(|origin| self.counter(origin.page) == Some(origin.recorded))
            }
            Origins::AllUpTo(last) => {
                self.counter(*last).is_some()
                    && self.first_revoked.is_none_or(|first| first > last.number)
            }
            Origins::Unknown => false,
        }
    }

    pub(crate) fn kernel(&self) -> KernelId {
        self.kernel
    }

    /// How many revocations there were.
    pub(crate) fn epoch(&self) -> u64 {
        self.epoch
    }

    /// Counts a revocation of a page. Answers the new counter, and how many approvals and asks it
    /// voided.
    pub(crate) fn revoke(&mut self, page: PageId) -> Option<(Counter, usize, usize)> {
        let counter = Counter(self.counter(page)?.0.saturating_add(1));
        self.counters[page.number as usize] = counter;
        self.epoch += 1;
        let first = self.first_revoked.map_or(page.number, |first| first.min(page.number));
        self.first_revoked = Some(first);
        let (approvals, pending) = (self.approvals.len(), self.pending.len());
        self.approvals.retain(|_, approval| !approval.binding.names(page));
        self.pending.retain(|_, binding| !binding.names(page));
        self.order.retain(|call| self.pending.contains_key(call));
        let (raised, standing) = (self.raised.len(), self.standing.len());
        self.raised.retain(|raised| !raised.origins.contains(page));
        self.standing.retain(|running| !running.pins(page));
        let voided = approvals - self.approvals.len() + raised - self.raised.len() + standing
            - self.standing.len();
        Some((counter, voided, pending - self.pending.len()))
    }

    /// Records the counters of these origins as they are now.
    /// Where there may be more holders, any revocation voids the binding.
    pub(crate) fn bind<'a>(
        &self,
        holders: impl Iterator<Item = &'a Origins>,
        more: bool,
    ) -> Binding {
        let epoch = more.then_some(self.epoch);
        let mut binding = Binding { pages: Vec::new(), epoch, tool: None };
        for origins in holders {
            match origins {
                Origins::Listed(list) => {
                    for origin in list {
                        if let Some(counter) = self.counter(origin.page) {
                            binding.pages.push((origin.page, counter));
                        }
                    }
                }
                Origins::AllUpTo(_) | Origins::Unknown => binding.epoch = Some(self.epoch),
            }
        }
        binding.pages.sort_unstable();
        binding.pages.dedup();
        binding
    }

    /// Whether nothing bound was revoked since.
    pub(crate) fn holds(&self, binding: &Binding) -> bool {
        binding.epoch.is_none_or(|epoch| epoch == self.epoch)
            && binding.pages.iter().all(|(page, counter)| self.counter(*page) == Some(*counter))
    }

    pub(crate) fn ask(&mut self, call: CallDigest, binding: Binding) {
        if self.pending.insert(call, binding).is_none() {
            self.order.push_back(call);
        }
        while self.order.len() > MAX_PENDING {
            if let Some(oldest) = self.order.pop_front() {
                self.pending.remove(&oldest);
            }
        }
    }

    /// Ends the ask for a call, where there is one.
    pub(crate) fn answered(&mut self, call: CallDigest) -> Option<Binding> {
        let binding = self.pending.remove(&call);
        self.order.retain(|waiting| *waiting != call);
        binding
    }

    pub(crate) fn approve(&mut self, call: CallDigest, approval: OneShot) {
        self.refused.remove(&call);
        self.approvals.insert(call, approval);
    }

    pub(crate) fn refuse(&mut self, call: CallDigest) {
        self.approvals.remove(&call);
        self.refused.insert(call);
    }

    pub(crate) fn approval(&self, call: CallDigest) -> Option<&OneShot> {
        self.approvals.get(&call)
    }

    pub(crate) fn use_up(&mut self, call: CallDigest) -> Option<OneShot> {
        self.approvals.remove(&call)
    }

    pub(crate) fn was_refused(&self, call: CallDigest) -> bool {
        self.refused.contains(&call)
    }

    /// Whether any approval is left to use up.
    pub(crate) fn has_approvals(&self) -> bool {
        !self.approvals.is_empty()
    }
}
