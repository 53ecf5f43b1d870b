//! Where a value comes from: canonical forms, token boundaries and the index.

mod account;
mod address;
mod index;
mod moment;
mod name;
mod needle;
mod number;
mod text;
mod url;

pub(crate) use index::{AlreadyHashed, Index};
pub use index::{MAX_POLICY_POSTINGS, MAX_POSTINGS};
pub(crate) use name::fold;
pub use needle::MAX_VALUE;
pub(crate) use needle::{Haystack, Needle, Sought, parts};
pub(crate) use number::Decimal;

/// The folded form that names are compared in; `None` where folding a text as it is searched does.
pub(crate) fn folded(text: &str) -> Option<Box<str>> {
    (!text.is_ascii()).then(|| name::fold(text).into_boxed_str())
}
