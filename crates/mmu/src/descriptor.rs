//! The protection descriptor of a representation, and the meet of two.

use crate::{Authority, Origins, Scope};

/// A tenant: the person, or the organisation, that a context belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tenant(pub u32);

/// Who made a representation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Producer {
    /// A person, typing or setting something up himself.
    Person,
    /// A tool, a web page, a file: whatever answers a call.
    Tool,
    /// Another agent.
    Peer,
    /// The model of the context's own agent.
    Model,
}

/// Whose a representation is, and who made it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Owner {
    /// The tenant. Compartments and approvals look at nothing else.
    pub tenant: Tenant,
    /// The maker, for the record.
    pub producer: Producer,
}

/// What the kernel knows of a representation. Only the kernel writes it, from the channel that the
/// harness stamped or from the descriptors of the inputs; content and models never do.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Descriptor {
    /// Whose it is.
    pub owner: Owner,
    /// Where it may be used.
    pub scope: Scope,
    /// What it was made from.
    pub origins: Origins,
    /// The *base* authority. What decides is [`crate::Kernel::effective`].
    pub authority: Authority,
}

/// The part of descriptors that has a meet: what content inherits from all of its inputs.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Label {
    /// The least authority.
    pub authority: Authority,
    /// The intersection of the scopes.
    pub scope: Scope,
    /// The union of the origins.
    pub origins: Origins,
}

impl Label {
    /// The neutral element: what is made from nothing.
    pub const TOP: Self =
        Self { authority: Authority::Policy, scope: Scope::EVERYWHERE, origins: Origins::NONE };

    /// What content made from both inherits.
    #[must_use]
    pub fn meet(&self, other: &Self) -> Self {
        Self {
            authority: self.authority.meet(other.authority),
            scope: self.scope.meet(&other.scope),
            origins: self.origins.meet(&other.origins),
        }
    }

    /// Lowers this label to its meet with a descriptor's.
    #[inline]
    pub(crate) fn lower(&mut self, descriptor: &Descriptor) {
        self.authority = self.authority.meet(descriptor.authority);
        if !descriptor.scope.covers(&self.scope) {
            self.scope = self.scope.meet(&descriptor.scope);
        }
        self.origins.absorb(&descriptor.origins);
    }
}

impl From<&Descriptor> for Label {
    fn from(descriptor: &Descriptor) -> Self {
        Self {
            authority: descriptor.authority,
            scope: descriptor.scope.clone(),
            origins: descriptor.origins.clone(),
        }
    }
}
