//! A list that is short, or shared by its copies.

use std::{fmt, hash, ops::Deref, slice, sync::Arc};

/// A list of origins or of numbers. One item stands in place, and copies of a longer list share it,
/// so that a descriptor is copied without any allocation. It reads as a slice.
pub struct Few<T>(Repr<T>);

/// Each form is one word beside its tag, so that descriptors stay small.
#[expect(clippy::box_collection, reason = "a vector in place would make every descriptor larger")]
enum Repr<T> {
    None,
    One(T),
    Shared(Arc<Vec<T>>),
    /// A list that is added to: an accumulated label.
    Grown(Box<Vec<T>>),
}

impl<T> Few<T> {
    /// The list without items.
    pub const EMPTY: Self = Self(Repr::None);

    /// The list of one item.
    pub const fn of(item: T) -> Self {
        Self(Repr::One(item))
    }
}

impl<T: Copy> Few<T> {
    /// A copy with one item more at a place.
    #[inline]
    pub(crate) fn with(&self, at: usize, item: T) -> Self {
        if self.is_empty() {
            return Self::of(item);
        }
        let mut items = Vec::with_capacity(self.len() + 1);
        items.extend_from_slice(&self[..at]);
        items.push(item);
        items.extend_from_slice(&self[at..]);
        Self(Repr::Shared(Arc::new(items)))
    }

    /// The list as one that grows in place.
    #[inline]
    pub(crate) fn grown(&mut self) -> &mut Vec<T> {
        if !matches!(self.0, Repr::Grown(_)) {
            let mut grown = Vec::with_capacity(self.len() + 8);
            grown.extend_from_slice(self);
            self.0 = Repr::Grown(Box::new(grown));
        }
        match &mut self.0 {
            Repr::Grown(grown) => grown,
            _ => unreachable!("it was just made so"),
        }
    }
}

impl<T> Deref for Few<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        match &self.0 {
            Repr::None => &[],
            Repr::One(item) => slice::from_ref(item),
            Repr::Shared(items) => items,
            Repr::Grown(items) => items,
        }
    }
}

impl<T: Copy> Clone for Few<T> {
    #[inline]
    fn clone(&self) -> Self {
        match &self.0 {
            Repr::None => Self::EMPTY,
            Repr::One(item) => Self::of(*item),
            Repr::Shared(items) => Self(Repr::Shared(Arc::clone(items))),
            Repr::Grown(items) => items.as_slice().into(),
        }
    }
}

impl<T: Copy> From<&[T]> for Few<T> {
    fn from(items: &[T]) -> Self {
        match items {
            [] => Self::EMPTY,
            [item] => Self::of(*item),
            items => Self(Repr::Shared(Arc::new(items.to_vec()))),
        }
    }
}

impl<T: Copy> From<Vec<T>> for Few<T> {
    fn from(items: Vec<T>) -> Self {
        match items.as_slice() {
            [] => Self::EMPTY,
            [item] => Self::of(*item),
            _ => Self(Repr::Shared(Arc::new(items))),
        }
    }
}

impl<T: Copy> FromIterator<T> for Few<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        items.into_iter().collect::<Vec<_>>().into()
    }
}

impl<'a, T> IntoIterator for &'a Few<T> {
    type Item = &'a T;
    type IntoIter = slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<T: fmt::Debug> fmt::Debug for Few<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl<T: PartialEq> PartialEq for Few<T> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<T: Eq> Eq for Few<T> {}

impl<T: hash::Hash> hash::Hash for Few<T> {
    fn hash<H: hash::Hasher>(&self, state: &mut H) {
        (**self).hash(state);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_of_a_list_is_the_same_list() {
        let mut grown = Few::EMPTY;
        for item in 0..5_u64 {
            let before = grown.clone();
            grown.grown().push(item);
            let shared = grown.clone();
            let places = 0..=usize::try_from(item).unwrap();
            for at in places {
                let mut items = before.to_vec();
                items.insert(at, item);
                assert_eq!(before.with(at, item), items.into());
            }
            assert_eq!(shared, grown);
            assert_eq!(format!("{shared:?}"), format!("{grown:?}"));
            assert_eq!(shared, (0..=item).collect());
        }
    }
}
