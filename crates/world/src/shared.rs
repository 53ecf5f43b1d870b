//! Parts of an environment that worlds share until one of them changes its own.
//!
//! An episode reads far more than it changes, and every episode of a world begins with the same
//! state. So a part is copied when it is first changed, and what a record's tools show of it is made
//! once, for all worlds that hold it unchanged.

use std::fmt;
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use memchr::memmem::Finder;
use serde::{Deserialize, Deserializer};

use crate::python::yaml::{self, Node};

/// A part of an environment, copied when one of the worlds that share it changes it.
pub struct Shared<T>(Arc<T>);

impl<T: Clone> Shared<T> {
    /// The part, to be changed in this world alone.
    pub fn change(&mut self) -> &mut T {
        Arc::make_mut(&mut self.0)
    }
}

impl<T> Shared<T> {
    /// Whether both are one part that neither world has changed.
    pub fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// What a record shows of itself.
pub trait Shown {
    /// The record as a dump shows it; `None` where that depends on other records, too.
    fn alone(&self) -> Option<Node<'_>>;

    /// The two texts that a search looks through.
    fn searched(&self) -> [&str; 2];
}

/// A record of an environment, with what was made of it while it was as it is.
pub struct Record<T>(Arc<Kept<T>>);

struct Made<T> {
    /// The dump as an item of a list, without the last break; empty where it does not stand alone.
    item: OnceLock<Box<str>>,
    /// The dump by itself, without the last break; empty where it does not stand alone.
    whole: OnceLock<Box<str>>,
    /// The texts that are searched, in lower case.
    lowered: OnceLock<[Box<str>; 2]>,
    /// What it becomes by the change that most worlds make.
    usual: OnceLock<Record<T>>,
}

impl<T> Default for Made<T> {
    fn default() -> Self {
        Self {
            item: OnceLock::new(),
            whole: OnceLock::new(),
            lowered: OnceLock::new(),
            usual: OnceLock::new(),
        }
    }
}

struct Kept<T> {
    value: T,
    made: Made<T>,
}

impl<T> Record<T> {
    /// A record that was not shown yet.
    pub fn new(value: T) -> Self {
        Self(Arc::new(Kept { value, made: Made::default() }))
    }
}

impl<T: Clone> Record<T> {
    /// The record, to be changed in this world alone; what was made of it is forgotten.
    pub fn change(&mut self) -> &mut T {
        if Arc::get_mut(&mut self.0).is_none() {
            *self = Self::new(self.0.value.clone());
        }
        let kept = Arc::get_mut(&mut self.0).expect("nobody else holds it now");
        kept.made = Made::default();
        &mut kept.value
    }
}

impl<T: Clone> Record<T> {
    /// Makes the one change of such records that most worlds make, so that they share what comes of
    /// it. It must be the same change each time.
    pub(crate) fn change_as_usual(&mut self, change: impl FnOnce(&mut T)) {
        let changed = self.0.made.usual.get_or_init(|| {
            let mut value = self.0.value.clone();
            change(&mut value);
            Self::new(value)
        });
        *self = changed.clone();
    }
}

impl<T: Shown> Record<T> {
    /// The dump as an item of a list at the root; `None` where it depends on other records.
    pub(crate) fn item(&self) -> Option<&str> {
        let made = self.0.made.item.get_or_init(|| {
            let node = self.0.value.alone();
            node.map(|node| dump(&Node::List(vec![node]))).unwrap_or_default().into()
        });
        (!made.is_empty()).then_some(made)
    }

    /// The dump by itself; `None` where it depends on other records.
    pub(crate) fn whole(&self) -> Option<&str> {
        let made = self.0.made.whole.get_or_init(|| {
            self.0.value.alone().map(|node| dump(&node)).unwrap_or_default().into()
        });
        (!made.is_empty()).then_some(made)
    }

    /// Whether the searched text at a place holds the part that is looked for, which is in lower case
    /// (Python: `part in text.lower()`).
    pub(crate) fn holds(&self, place: usize, part: &Finder<'_>) -> bool {
        let lowered = self.0.made.lowered.get_or_init(|| {
            self.0.value.searched().map(|text| text.to_lowercase().into_boxed_str())
        });
        part.find(lowered[place].as_bytes()).is_some()
    }
}

/// A dump without its last break.
pub(crate) fn dump(node: &Node<'_>) -> String {
    let mut text = yaml::safe_dump(node);
    text.truncate(text.trim_end().len());
    text
}

impl<T> Deref for Shared<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> Deref for Record<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0.value
    }
}

impl<T> Clone for Shared<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<T> Clone for Record<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

/// What is shared is equal without a look: environments hold no number that differs from itself when
/// they are loaded, and what is put in later is in one world alone.
impl<T: PartialEq> PartialEq for Shared<T> {
    fn eq(&self, other: &Self) -> bool {
        self.is_same(other) || **self == **other
    }
}

impl<T: Eq> Eq for Shared<T> {}

/// As for [`Shared`].
impl<T: PartialEq> PartialEq for Record<T> {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || **self == **other
    }
}

impl<T: Eq> Eq for Record<T> {}

impl<T: fmt::Debug> fmt::Debug for Shared<T> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(out)
    }
}

impl<T: fmt::Debug> fmt::Debug for Record<T> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(out)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Shared<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        T::deserialize(from).map(|part| Self(Arc::new(part)))
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Record<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        T::deserialize(from).map(Self::new)
    }
}
