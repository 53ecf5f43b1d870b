//! **derive**: content leaves for storage, with the descriptor that it inherits.

use std::borrow::Cow;

use crate::{
    Act, Authority, Content, Context, Crossing, Deriver, Descriptor, EntryId, Event, Fault,
    FaultKind, Form, Kernel, Label, Origins, Outcome, Owner, PageId, Producer, Reason,
    Representation, Rights, Scope, Target, Write, content::rights_of,
};

/// What was stored, and what the kernel objected to. Nothing is lost: the content is stored in any
/// case, with the descriptor that it inherits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Derived {
    /// The representation as it is to be kept.
    pub representation: Representation,
    /// `TypeConfusion` for a claim above what is inherited or a write above Evidence,
    /// `AddressSpaceViolation` for inputs that share no scope.
    pub faults: Vec<Fault>,
}

/// What content inherits, before it is anything of its own.
struct Inherited<'a> {
    authority: Authority,
    scope: Scope,
    origins: Cow<'a, Origins>,
}

impl Kernel {
    /// What content made from these inputs inherits: the least authority, the intersection of the
    /// scopes, the union of the origins. For a model, Evidence and everything that its context
    /// ever admitted are inputs too. Content made from nothing is Evidence.
    pub fn inherit(&self, context: &Context, by: Deriver, inputs: &[&Descriptor]) -> Label {
        let Inherited { authority, scope, origins } = self.inherited(context, by, inputs);
        Label { authority, scope, origins: origins.into_owned() }
    }

    /// [`Self::inherit`], with the origins where they are until something is added to them.
    #[inline]
    fn inherited<'a>(
        &self,
        context: &'a Context,
        by: Deriver,
        inputs: &[&'a Descriptor],
    ) -> Inherited<'a> {
        let mut inputs = inputs.iter();
        let mut made = match by {
            Deriver::Model if self.config.ablations.no_accumulate => {
                let Label { scope, origins, .. } = context.inherited(false);
                Inherited { authority: Authority::Evidence, scope, origins: Cow::Owned(origins) }
            }
            Deriver::Model => Inherited {
                authority: Authority::Evidence,
                scope: context.inherited_scope(),
                origins: Cow::Borrowed(context.origins()),
            },
            Deriver::Harness => match inputs.next() {
                None => Inherited {
                    authority: Authority::Evidence,
                    scope: context.default_scope(),
                    origins: Cow::Owned(Origins::NONE),
                },
                Some(first) => Inherited {
                    authority: first.authority,
                    scope: first.scope.clone(),
                    origins: Cow::Borrowed(&first.origins),
                },
            },
        };
        for input in inputs {
            made.authority = made.authority.meet(input.authority);
            made.scope = made.scope.meet(&input.scope);
            made.origins.to_mut().absorb(&input.origins);
        }
        if by == Deriver::Model && self.config.ablations.no_derive {
            made.authority = Authority::Preference;
        }
        made
    }

    /// Takes content out to storage. Its descriptor is inherited, whatever the write claims.
    /// A model's update of a representation above Evidence becomes a new page with an inert link.
    pub fn derive<'a>(
        &mut self,
        context: &Context,
        write: &Write<'_>,
        bytes: impl Into<Content<'a>>,
    ) -> Derived {
        let label = self.inherited(context, write.by, write.inputs);
        let mut faults = Vec::new();
        let (page, supersedes) = self.target(write, &mut faults);
        if label.scope.is_empty() {
            let kind = FaultKind::AddressSpaceViolation;
            faults.push(Fault::of(kind, Crossing::Derive, Reason::EmptyScope, Some(page)));
        }
        let claimed = &write.claimed;
        if claimed.authority.is_some_and(|claimed| claimed > label.authority)
            || claimed.scope.as_ref().is_some_and(|claimed| !label.scope.covers(claimed))
            || claimed.tenant.is_some_and(|claimed| claimed != context.tenant())
        {
            let kind = FaultKind::TypeConfusion;
            faults.push(Fault::of(kind, Crossing::Derive, Reason::ClaimExceeds, Some(page)));
        }
        for fault in &faults {
            self.record_fault(context.tenant(), fault, Outcome::Relabelled, Some(label.authority));
        }
        let bytes = match write.form {
            Form::Pointer => Content::nothing(),
            _ => bytes.into(),
        };
        let producer = match write.by {
            Deriver::Model => Producer::Model,
            Deriver::Harness => Producer::Tool,
        };
        let place = (page, write.form, supersedes);
        Derived { representation: self.stored(context, place, producer, label, bytes), faults }
    }

    /// The page that a write goes to, and the one that it is meant to update.
    fn target(&mut self, write: &Write<'_>, faults: &mut Vec<Fault>) -> (PageId, Option<PageId>) {
        match write.target {
            Target::Page(page) if self.table.counter(page).is_some() => (page, None),
            Target::Replace(old) => match self.may_remove(old, write.by) {
                Ok(()) if self.table.counter(old.page).is_some() => (old.page, None),
                Ok(()) => (self.table.page(), Some(old.page)),
                Err(fault) => {
                    faults.push(fault);
                    (self.table.page(), Some(old.page))
                }
            },
            Target::New | Target::Page(_) => (self.table.page(), None),
        }
    }

    #[inline]
    fn stored(
        &mut self,
        context: &Context,
        (page, form, supersedes): (PageId, Form, Option<PageId>),
        producer: Producer,
        Inherited { authority, scope, origins }: Inherited<'_>,
        bytes: Content<'_>,
    ) -> Representation {
        let origins = origins.with(self.table.now(page));
        self.catalogue.derived(page, form, &origins);
        let owner = Owner { tenant: context.tenant(), producer };
        let descriptor = Descriptor { owner, scope, origins, authority };
        Representation { page, form, descriptor, digest: bytes.digest(), supersedes }
    }

    /// Whether somebody may replace, delete, merge or let expire a representation. A model may not
    /// where it is above Evidence.
    ///
    /// # Errors
    ///
    /// `TypeConfusion`: the representation must stay.
    pub fn may_remove(&self, representation: &Representation, by: Deriver) -> Result<(), Fault> {
        let raised = self.table.raised.iter().any(|raised| {
            raised.is_of(representation.digest) && raised.rights.authority > Authority::Evidence
        });
        if by == Deriver::Model
            && (representation.descriptor.authority > Authority::Evidence || raised)
        {
            let page = Some(representation.page);
            return Err(Fault::of(
                FaultKind::TypeConfusion,
                Crossing::Derive,
                Reason::WriteUp,
                page,
            ));
        }
        Ok(())
    }

    /// Stores a harness copy of a whole turn that the tenant typed, because he said so: an approval
    /// given in advance. It is a Preference of his in every task, with no model among its inputs.
    ///
    /// # Errors
    ///
    /// `TypeConfusion` where the entry does not hold his typed words.
    pub fn remember(
        &mut self,
        context: &Context,
        entry: EntryId,
        now: u64,
    ) -> Result<Representation, Fault> {
        self.tick(now);
        let typed = context.is_typed(entry) && context.is_of(self.id);
        let words = context.text(entry).zip(context.descriptor(entry)).filter(|_| typed);
        let Some((text, turn)) = words else {
            let page = context.page_of(entry);
            let fault =
                Fault::of(FaultKind::TypeConfusion, Crossing::Derive, Reason::NotTyped, page);
            self.record_fault(context.tenant(), &fault, Outcome::Refused, None);
            return Err(fault);
        };
        let authority = turn.authority.meet(Authority::Preference);
        let origins = Cow::Borrowed(&turn.origins);
        let label = Inherited { authority, scope: Scope::EVERYWHERE, origins };
        let page = self.table.page();
        let place = (page, Form::Full, None);
        let copy = self.stored(context, place, Producer::Person, label, Content::from(text));
        let event = Event::Act {
            act: Act::Remember,
            id: None,
            tool: None,
            page: Some(page),
            before: Some(rights_of(turn)),
            after: Some(Rights { authority, scope: Scope::EVERYWHERE }),
            widens: !turn.scope.covers(&Scope::EVERYWHERE),
        };
        self.audit.push(self.latest(), Some(context.tenant()), event);
        Ok(copy)
    }
}
