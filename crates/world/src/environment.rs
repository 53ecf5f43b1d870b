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

    /// Visits every text that may hold an injection, always in the same order. Keys of dictionaries
    /// are not visited.
    fn visit_texts(&mut self, visit: &mut dyn FnMut(&mut String));

    /// Computes again what depends on the texts; called when injections were put in.
    fn settle(&mut self) {}
}
