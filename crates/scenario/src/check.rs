//! Checks: questions about how an episode ended.

use trace::call::ToolCall;

/// What an episode in world `W` left behind, and the answer key of the task that is judged.
#[derive(Debug)]
pub struct Ending<'a, W> {
    /// The world before the first turn.
    pub pre: &'a W,
    /// The world after the last.
    pub post: &'a W,
    /// The agent's final answer.
    pub answer: &'a str,
    /// The calls that the agent asked for, in order, carried out or not.
    pub requested: &'a [ToolCall],
    /// The task's own calls on the pristine world, for checks that compare with their texts.
    pub key: &'a [ToolCall],
    /// The task's own words: the user's prompt or the attacker's goal.
    pub words: &'a str,
    /// What the task's own answer is expected to say.
    pub output: &'a str,
}

/// Upstream's check stopped with an exception and gave no verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the check raised `{0}`")]
pub struct Raised(pub &'static str);

/// A question about an ending. It reads and never writes.
pub type Predicate<W> = fn(&Ending<'_, W>) -> Result<bool, Raised>;
