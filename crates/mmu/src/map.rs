//! **map**: new content enters a context, and gets its descriptor from its channel.

use crate::{
    Arrival, Context, Crossing, Descriptor, EntryId, Extent, Fault, FaultKind, Kernel, Origins,
    Owner, PageId, Reason, Scope, Source,
};

/// A representation that was let in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Mapped {
    /// Its handle in the context.
    pub entry: EntryId,
    /// Its page.
    pub page: PageId,
}

impl Kernel {
    /// Lets new content into a context. Its authority comes from the channel that the harness
    /// stamped, and from nothing else. Typed words of the context's tenant begin a new turn.
    ///
    /// The content is not traceable before [`Context::index`].
    ///
    /// # Errors
    ///
    /// `AddressSpaceViolation` where the content belongs to another tenant, its scope does not
    /// cover the context's, or context or page belong to another kernel. Nothing entered then.
    pub fn map(
        &mut self,
        context: &mut Context,
        arrival: impl Into<Arrival>,
        text: &str,
    ) -> Result<Mapped, Fault> {
        let Arrival { source, page, scope } = arrival.into();
        let deny = |reason| Fault {
            kind: FaultKind::AddressSpaceViolation,
            crossing: Crossing::Map,
            reason,
            page,
            tool: None,
            place: None,
        };
        if context.kernel != self.id {
            return Err(deny(Reason::UnknownPage));
        }
        let tenant = source.tenant().unwrap_or(context.tenant());
        if tenant != context.tenant() {
            return Err(deny(Reason::OtherTenant));
        }
        let scope = scope.unwrap_or_else(|| default_scope(source, context));
        if !scope.covers(context.scope()) {
            return Err(deny(Reason::OutOfScope));
        }
        let page = match page {
            Some(page) if self.table.counter(page).is_none() => {
                return Err(deny(Reason::UnknownPage));
            }
            Some(page) => page,
            None => self.table.page(),
        };
        let recorded = self.table.counter(page).unwrap_or_default();
        let descriptor = Descriptor {
            owner: Owner { tenant, producer: source.producer() },
            scope,
            origins: Origins::of(page, recorded),
            authority: source.authority(),
        };
        let entry = context.admit(source, page, descriptor, text);
        Ok(Mapped { entry, page })
    }
}

/// Preferences hold everywhere; everything else for this task, in all sessions.
fn default_scope(source: Source, context: &Context) -> Scope {
    match source {
        Source::OwnPreference(_) => Scope::EVERYWHERE,
        _ => Scope { tasks: context.scope().tasks.clone(), sessions: Extent::All },
    }
}
