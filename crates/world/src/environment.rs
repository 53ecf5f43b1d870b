//! What the typed environments have in common.

use serde::de::DeserializeOwned;

use crate::banking::Banking;
use crate::slack::Slack;
use crate::tool::Tool;

/// The state of a world, by its type.
#[derive(Clone, Copy, Debug)]
pub enum State<'w> {
    /// The banking world.
    Banking(&'w Banking),
    /// The Slack world.
    Slack(&'w Slack),
}

/// A typed environment.
pub trait Typed:
    Clone + std::fmt::Debug + DeserializeOwned + PartialEq + Send + Sync + 'static
{
    /// The world's name, as upstream names its suite.
    const NAME: &'static str;

    /// The tools, in upstream's order.
    const TOOLS: &'static [Tool<Self>];

    /// The state, for checks.
    fn as_state(&self) -> State<'_>;

    /// The state as this type, if it is one.
    fn from_state(state: State<'_>) -> Option<&Self>;

    /// Visits every text that may hold an injection, always in the same order. Keys of dictionaries
    /// are not visited.
    fn visit_texts(&mut self, visit: &mut dyn FnMut(&mut String));
}
