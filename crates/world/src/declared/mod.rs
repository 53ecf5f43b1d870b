//! The declarative world: a world that is data.
//!
//! Its state is a JSON value, its tools are described by a [`Declaration`]: what their arguments are,
//! what a call changes, and what it answers. Scenario files are read into such declarations; nothing
//! here reads files. A call changes everything that it says or nothing, and depends on its arguments
//! and the state alone.

mod change;
mod path;
mod text;

use std::sync::Arc;

use serde_json::{Map, Value};
use trace::call::{Reply, ToolCall, ToolError};
use trace::tool::{Parameter, ToolSpec};

use crate::environment::State;
use crate::live::{Inspect, World};
use crate::python::coercion;

pub use change::Change;
pub use path::{Path, Segment};
pub use text::{Part, Text, TextError};

/// What a tool answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Words, with arguments put in.
    Words(Text),
    /// A part of the state, as text.
    Show(Path),
    /// The keys of a part of the state, a line each.
    Keys(Path),
}

/// What a tool does: its changes in order, then its answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Behaviour {
    /// What is required and changed.
    pub changes: Vec<Change>,
    /// What is answered.
    pub answer: Answer,
}

/// A world as it is declared.
#[derive(Clone, Debug, PartialEq)]
pub struct Declaration {
    /// Its name.
    pub name: String,
    /// What is known of its tools.
    pub tools: Arc<[ToolSpec]>,
    /// What they do, in the same order.
    pub behaviours: Vec<Behaviour>,
    /// The state before the first call: an object.
    pub initial: Value,
}

/// The arguments of a call by name.
type Arguments = Map<String, Value>;

/// A declarative world with its state.
#[derive(Clone, Debug)]
pub struct Declared {
    declaration: Arc<Declaration>,
    state: Value,
}

impl Declared {
    /// The world in its initial state.
    pub fn new(declaration: Arc<Declaration>) -> Self {
        let state = declaration.initial.clone();
        Self { declaration, state }
    }

    /// The same world with a state of one's own, such as one that holds a delivery.
    pub fn with_state(declaration: Arc<Declaration>, state: Value) -> Self {
        Self { declaration, state }
    }

    fn checked(spec: &ToolSpec, call: &ToolCall) -> Result<Arguments, ToolError> {
        let named = |parameter: &Parameter, value| (parameter.name.clone(), value);
        let values = coercion::validate(&spec.name, &spec.parameters, &call.args)?;
        Ok(spec.parameters.iter().zip(values).map(|(one, value)| named(one, value)).collect())
    }
}

impl World for Declared {
    fn tools(&self) -> &Arc<[ToolSpec]> {
        &self.declaration.tools
    }

    fn call(&mut self, call: &ToolCall) -> Result<Reply, ToolError> {
        let mut tools = self.declaration.tools.iter().zip(&self.declaration.behaviours);
        let Some((spec, behaviour)) = tools.find(|(spec, _)| spec.name == call.function) else {
            return Err(ToolError {
                kind: "ToolNotFoundError",
                message: format!("The requested function `{}` is not available.", call.function),
            });
        };
        let arguments = Self::checked(spec, call)?;
        let mut state = self.state.clone();
        for change in &behaviour.changes {
            change.apply(&mut state, &arguments)?;
        }
        let text = match &behaviour.answer {
            Answer::Words(words) => words.fill(&arguments),
            Answer::Show(path) => text::render(path.find(&state, &arguments)?),
            Answer::Keys(path) => text::keys(path.find(&state, &arguments)?),
        };
        self.state = state;
        Ok(Reply { text })
    }
}

impl Inspect for Declared {
    fn state(&self) -> State<'_> {
        State::Declared(&self.state)
    }

    fn fork(&self) -> Box<dyn Inspect> {
        Box::new(self.clone())
    }
}

#[cfg(test)]
mod tests;
