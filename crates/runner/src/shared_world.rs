//! A world that an episode acts on while the runner may look at it.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use trace::call::{Reply, ToolCall, ToolError};
use trace::tool::ToolSpec;
use world::{Inspect, World};

/// A handle to a world. Late scripts read the live environment through it, at the moment they are
/// begun; nobody else has one but the runner.
#[derive(Clone)]
pub(crate) struct Handle(Arc<Mutex<Box<dyn Inspect>>>);

impl Handle {
    pub(crate) fn new(world: Box<dyn Inspect>) -> Self {
        Self(Arc::new(Mutex::new(world)))
    }

    /// The world, for as long as the guard lives.
    pub(crate) fn lock(&self) -> MutexGuard<'_, Box<dyn Inspect>> {
        // A panic within a call leaves the world as that call left it, which is what we would see
        // without a lock.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The world as an episode sees it.
pub(crate) struct SharedWorld {
    tools: Arc<[ToolSpec]>,
    handle: Handle,
}

impl SharedWorld {
    pub(crate) fn new(handle: Handle) -> Self {
        let tools = Arc::clone(handle.lock().tools());
        Self { tools, handle }
    }
}

impl World for SharedWorld {
    fn tools(&self) -> &Arc<[ToolSpec]> {
        &self.tools
    }

    fn call(&mut self, call: &ToolCall) -> Result<Reply, ToolError> {
        self.handle.lock().call(call)
    }
}
