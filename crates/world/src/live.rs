//! The traits [`World`] and [`Inspect`], and a typed environment with its tools as one.

use std::sync::Arc;

use trace::call::{Reply, ToolCall, ToolError};
use trace::tool::ToolSpec;

use crate::environment::{State, Typed};
use crate::tool::Toolbox;

/// An environment that tools act on.
pub trait World: Send {
    /// The tools, in upstream's order; shared by all worlds of a kind.
    fn tools(&self) -> &Arc<[ToolSpec]>;

    /// Carries out a call.
    ///
    /// A call that fails keeps what it had changed before it failed, as upstream's tools do.
    ///
    /// # Errors
    /// Whatever the tool refuses: arguments of a wrong type, a record that does not exist.
    fn call(&mut self, call: &ToolCall) -> Result<Reply, ToolError>;
}

/// A world whose state can be read: what checks see, and an episode does not.
pub trait Inspect: World {
    /// The state.
    fn state(&self) -> State<'_>;

    /// A world of its own with the same state.
    fn fork(&self) -> Box<dyn Inspect>;
}

/// A typed environment and the tools that act on it.
#[derive(Clone, Debug)]
pub struct Live<W: Typed> {
    environment: W,
    toolbox: Arc<Toolbox<W>>,
}

impl<W: Typed> Live<W> {
    /// A world in the given state.
    pub fn new(environment: W, toolbox: Arc<Toolbox<W>>) -> Self {
        Self { environment, toolbox }
    }
}

impl<W: Typed> World for Live<W> {
    fn tools(&self) -> &Arc<[ToolSpec]> {
        self.toolbox.specs()
    }

    fn call(&mut self, call: &ToolCall) -> Result<Reply, ToolError> {
        let text = self.toolbox.call(&mut self.environment, call)?;
        Ok(Reply { text })
    }
}

impl<W: Typed> Inspect for Live<W> {
    fn state(&self) -> State<'_> {
        self.environment.as_state()
    }

    fn fork(&self) -> Box<dyn Inspect> {
        Box::new(self.clone())
    }
}
