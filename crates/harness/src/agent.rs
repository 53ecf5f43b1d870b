//! The trait [`Agent`], and what an agent sees.

use async_trait::async_trait;
use trace::call::ToolCall;
use trace::script::Occasion;
use trace::tool::{Channel, ToolSpec};

/// A message as the agent sees it.
#[derive(Clone, Debug, PartialEq)]
pub struct Message {
    /// Where its content came from.
    pub channel: Channel,
    /// Its text.
    pub text: String,
    /// Whether it stands for a call that was refused: its text is then the harness's own.
    pub refused: bool,
}

/// What an agent sees when it is its turn.
#[derive(Clone, Copy, Debug)]
pub struct View<'e> {
    /// The messages so far: the user's words, then a reply for each call, in order.
    pub messages: &'e [Message],
    /// The tools that it may call.
    pub tools: &'e [ToolSpec],
    /// The tools of its memory; none where the harness has no memory.
    pub memory_tools: &'e [ToolSpec],
}

/// What an agent does in its turn.
#[derive(Clone, Debug, PartialEq)]
pub enum Act {
    /// It calls tools; their replies are the next messages, in order.
    Call(Vec<ToolCall>),
    /// It is done and says this.
    Answer(String),
}

/// Why an episode has no verdict: an outage, never a success or a failure.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Invalid {
    /// The agent could not act.
    #[error("agent: {0}")]
    Agent(String),
    /// The course names what it does not have.
    #[error("course: {0}")]
    Course(String),
    /// The defense could not answer.
    #[error("defense: {0}")]
    Defense(String),
}

/// Who acts.
#[async_trait]
pub trait Agent: Send {
    /// A session opens, by its name within the course. A harness with one session does not say so.
    fn open(&mut self, session: &str) {
        let _ = session;
    }

    /// The texts that it wants stored on an occasion, from what it sees; none where the harness is to
    /// help itself.
    fn write(&mut self, occasion: Occasion, view: View<'_>) -> Vec<String> {
        let _ = (occasion, view);
        Vec::new()
    }

    /// The next act.
    ///
    /// # Errors
    /// The agent could not act; the cell is then invalid.
    async fn turn(&mut self, view: View<'_>) -> Result<Act, Invalid>;
}
