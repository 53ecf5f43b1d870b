//! Representations as they are stored: a descriptor, bound to the bytes that it describes.

use crate::{Authority, Descriptor, PageId, Scope, Tenant};

/// The digest of a representation's bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest([u8; 32]);

impl Digest {
    /// The digest of these bytes (BLAKE3).
    pub fn of(text: &str) -> Self {
        Self(*blake3::hash(text.as_bytes()).as_bytes())
    }
}

/// A text with its digest, which is computed once: a store that keeps both need not hash again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Content<'a> {
    text: &'a str,
    digest: Digest,
}

impl<'a> Content<'a> {
    /// The content that holds nothing, as a pointer does.
    pub(crate) fn nothing() -> Self {
        Self::from("")
    }

    /// The text.
    pub fn text(&self) -> &'a str {
        self.text
    }

    /// Its digest.
    pub fn digest(&self) -> Digest {
        self.digest
    }
}

impl<'a> From<&'a str> for Content<'a> {
    fn from(text: &'a str) -> Self {
        Self { text, digest: Digest::of(text) }
    }
}

/// One form of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Form {
    /// All of it.
    Full,
    /// A shortened form.
    Compressed,
    /// Fields taken out of it.
    Structured,
    /// A reference without content: following it is a reload.
    Pointer,
}

/// A representation in storage. The embedder keeps it beside the bytes; only the kernel makes it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Representation {
    /// Its page.
    pub page: PageId,
    /// Its form.
    pub form: Form,
    /// Its descriptor.
    pub descriptor: Descriptor,
    /// The digest of its bytes. Other bytes under this descriptor are new Evidence.
    pub digest: Digest,
    /// The page that this one is meant to update. The link is inert: the other page stays as it is.
    pub supersedes: Option<PageId>,
}

/// Who makes content from other content.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Deriver {
    /// The harness, by a fixed transform that takes no parameter from a model.
    Harness,
    /// A model: Evidence, and everything its context ever admitted, are among its inputs.
    Model,
}

/// What a write says of itself. It never counts; where it says too much, that is a fault.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Claim {
    /// The authority it claims.
    pub authority: Option<Authority>,
    /// The scope it claims.
    pub scope: Option<Scope>,
    /// The tenant it claims to belong to.
    pub tenant: Option<Tenant>,
}

/// Where a write goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target<'a> {
    /// A new page.
    New,
    /// One more representation of this page.
    Page(PageId),
    /// In the place of this representation. A model's update of one above Evidence becomes a new
    /// page with a link.
    Replace(&'a Representation),
}

/// A write to storage.
#[derive(Clone, Debug)]
pub struct Write<'a> {
    /// Who made it.
    pub by: Deriver,
    /// What it was made from. For a model, everything its context ever admitted is added.
    pub inputs: &'a [&'a Descriptor],
    /// Its form.
    pub form: Form,
    /// Where it goes.
    pub target: Target<'a>,
    /// What it says of itself.
    pub claimed: Claim,
}
