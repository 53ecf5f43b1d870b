//! What the typed environments have in common.

use serde::de::DeserializeOwned;

use crate::banking::Banking;
use crate::injecagent::Ledger;
use crate::slack::Slack;
use crate::tool::Tool;
use crate::travel::Travel;
use crate::workspace::Workspace;

/// The state of a world, by its type.
#[derive(Clone, Copy, Debug)]
pub enum State<'w> {
    /// The workspace world.
    Workspace(&'w Workspace),
    /// The travel world.
    Travel(&'w Travel),
    /// The banking world.
    Banking(&'w Banking),
    /// The Slack world.
    Slack(&'w Slack),
    /// A declarative world: an object.
    Declared(&'w serde_json::Value),
    /// `InjecAgent`'s world.
    Answering(&'w Ledger),
}

/// A typed environment.
pub trait Typed:
    Clone + std::fmt::Debug + DeserializeOwned + PartialEq + Send + Sync + 'static
{
    /// The world's name, as upstream names its suite.
    const NAME: &'static str;

    /// JSON pointers to what stands in the data set's environment a second time, and is not read.
    const REPEATED: &'static [&'static str] = &[];

    /// The tools, in upstream's order.
    const TOOLS: &'static [Tool<Self>];

    /// The state, for checks.
    fn as_state(&self) -> State<'_>;

    /// The state as this type, if it is one.
    fn from_state(state: State<'_>) -> Option<&Self>;

    /// Comes to every text that may hold an injection, always in the same order, and computes again
    /// what depends on a text that was wanted. Keys of dictionaries are left out.
    fn visit_texts(&mut self, texts: &mut Texts<'_>);
}

/// A walk over an environment's texts that touches those alone that are wanted, so that the others
/// stay shared.
pub struct Texts<'v> {
    /// The number of the next text.
    at: usize,
    /// The numbers of those that are still wanted, in order; `None` for all.
    wanted: Option<&'v [usize]>,
    visit: &'v mut dyn FnMut(&mut String),
}

impl<'v> Texts<'v> {
    /// A walk that visits every text.
    pub fn all(visit: &'v mut dyn FnMut(&mut String)) -> Self {
        Self { at: 0, wanted: None, visit }
    }

    /// A walk that visits the texts with these numbers, which are in ascending order.
    pub fn some(wanted: &'v [usize], visit: &'v mut dyn FnMut(&mut String)) -> Self {
        Self { at: 0, wanted: Some(wanted), visit }
    }

    /// Whether one of the next `count` texts is wanted. Where none is, the walk goes on behind them.
    pub(crate) fn enters(&mut self, count: usize) -> bool {
        let within = |wanted: &[usize]| wanted.first().is_some_and(|next| *next < self.at + count);
        let enters = self.wanted.is_none_or(within);
        if !enters {
            self.at += count;
        }
        enters
    }

    /// Comes to a text.
    pub(crate) fn text(&mut self, text: &mut String) {
        let at = self.at;
        self.at += 1;
        match &mut self.wanted {
            None => (self.visit)(text),
            Some(wanted) => {
                if let Some((_, rest)) = wanted.split_first().filter(|(next, _)| **next == at) {
                    *wanted = rest;
                    (self.visit)(text);
                }
            }
        }
    }
}
