//! How a value is traced to what holds it: the kernel's own method, and two to compare it with.

use crate::{Authority, Context, PageId, context::Holder};

/// How it is found out where a value comes from.
///
/// In all of them a value must stand in what is said to hold it, as a token of its own and in its
/// kind's canonical form: they differ in *which* of its holders count.
///
/// | | Every holder counts | What the model says counts |
/// |---|---|---|
/// | [`Exact`](Self::Exact) | yes | no |
/// | [`Declared`](Self::Declared) | the cited page's | yes, where it is true |
/// | [`Dataflow`](Self::Dataflow) | the handle's page; for a literal, Policy | of a handle |
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Method {
    /// Whatever holds the value counts, and a citation counts for nothing.
    #[default]
    Exact,
    /// The model cites a page for each value ([`crate::Value::Cited`]), and the citation is
    /// verified: the page must hold the value, and it alone decides.
    ///
    /// Against [`Self::Exact`] it lets through a value that a revoked page holds, too, as long as
    /// the model cites another page. It blocks whatever the model does not cite, or cites wrongly.
    /// It raises nothing: a page that may support a value when cited supports it uncited.
    Declared,
    /// A value is a handle to a page's value ([`crate::Value::Cited`]), or a literal of a Policy
    /// page.
    ///
    /// Against [`Self::Exact`] it lets through a literal that a revoked page below Policy holds,
    /// too. It blocks a literal that only pages below Policy hold, where less than Policy is
    /// required: that must be a handle.
    Dataflow,
}

impl Method {
    /// Leaves the holders that count.
    pub(crate) fn keep(
        self,
        context: &mut Context,
        cited: Option<PageId>,
        found: &mut Vec<Holder>,
        mut effective: impl FnMut(&mut Context, Holder) -> Authority,
    ) {
        match (self, cited) {
            (Self::Exact, _) => {}
            (Self::Declared | Self::Dataflow, Some(page)) => {
                found.retain(|holder| context.page(*holder) == page);
            }
            (Self::Declared, None) => found.clear(),
            (Self::Dataflow, None) => {
                found.retain(|holder| effective(context, *holder) == Authority::Policy);
            }
        }
    }
}
