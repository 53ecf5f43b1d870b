//! The trait [`Owner`]: who answers approval requests.

use trace::call::ToolCall;
use trace::event::Fault;

/// An approval request.
#[derive(Clone, Copy, Debug)]
pub struct Request<'e> {
    /// The whole call, as the world would carry it out.
    pub call: &'e ToolCall,
    /// Why the defense asks.
    pub faults: &'e [Fault],
}

/// Who answers approval requests. What an owner knows is its own affair: the harness tells it what
/// it is asked and what was carried out.
pub trait Owner: Send {
    /// Whether the call may go ahead.
    fn grants(&mut self, request: Request<'_>) -> bool;

    /// A call was carried out, asked for or not.
    fn carried_out(&mut self, call: &ToolCall) {
        let _ = call;
    }
}
