//! Where a representation may be used: the tasks and the sessions.

use crate::Few;

/// All of something, or a set of numbered ones.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Extent {
    /// Every task, or every session, also those to come.
    All,
    /// These only, in ascending order and without repetition; empty means unusable.
    Set(Few<u64>),
}

impl Extent {
    /// The extent that holds just `ids`, in any order.
    pub fn of(ids: impl IntoIterator<Item = u64>) -> Self {
        let mut ids: Vec<u64> = ids.into_iter().collect();
        ids.sort_unstable();
        ids.dedup();
        Self::Set(ids.into())
    }

    /// What lies in both extents.
    #[must_use]
    pub fn meet(&self, other: &Self) -> Self {
        match (self, other) {
            (Self::All, some) | (some, Self::All) => some.clone(),
            (Self::Set(mine), Self::Set(theirs)) => {
                Self::of(mine.iter().copied().filter(|id| theirs.contains(id)))
            }
        }
    }

    /// Whether everything in `inner` lies in this extent.
    #[inline]
    pub fn covers(&self, inner: &Self) -> bool {
        match (self, inner) {
            (Self::All, _) => true,
            (Self::Set(_), Self::All) => false,
            (Self::Set(mine), Self::Set(theirs)) => theirs.iter().all(|id| mine.contains(id)),
        }
    }

    /// Whether nothing lies in this extent.
    #[inline]
    pub fn is_empty(&self) -> bool {
        matches!(self, Self::Set(ids) if ids.is_empty())
    }
}

/// The tasks and the sessions in which a representation may be used.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Scope {
    /// The tasks.
    pub tasks: Extent,
    /// The sessions.
    pub sessions: Extent,
}

impl Scope {
    /// Every task and every session.
    pub const EVERYWHERE: Self = Self { tasks: Extent::All, sessions: Extent::All };

    /// The scope of one task in one session: what a context is usually opened for.
    pub fn of(task: u64, session: u64) -> Self {
        Self { tasks: Extent::of([task]), sessions: Extent::of([session]) }
    }

    /// Where both scopes allow use.
    #[must_use]
    pub fn meet(&self, other: &Self) -> Self {
        Self { tasks: self.tasks.meet(&other.tasks), sessions: self.sessions.meet(&other.sessions) }
    }

    /// Whether content of this scope may enter a context of the scope `inner`.
    #[inline]
    pub fn covers(&self, inner: &Self) -> bool {
        self.tasks.covers(&inner.tasks) && self.sessions.covers(&inner.sessions)
    }

    /// Whether content of this scope can be used nowhere.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.tasks.is_empty() || self.sessions.is_empty()
    }
}
