//! What upstream's executor does with a call before the tool sees it (`ToolsExecutor.query`).

use serde_json::{Map, Value};

use trace::call::ToolCall;

use crate::World;
use crate::python::literal;

/// What upstream puts in place of a function's name where a model gave none.
const NO_NAME: &str = "<empty-function-name>";

/// The error of a call that no tool answers to; `None` where there is such a tool.
pub fn no_such_tool(world: &dyn World, call: &ToolCall) -> Option<String> {
    if call.function == NO_NAME {
        let error = "Empty function name provided. Provide a valid function name.";
        return Some(error.to_owned());
    }
    let known = world.tools().iter().any(|tool| tool.name == call.function);
    (!known).then(|| format!("Invalid tool {} provided.", call.function))
}

/// Turns every text that reads as a Python list into that list, in place, as upstream does in the
/// recorded call. Only whole arguments are looked at, never their parts.
pub fn convert_string_lists(args: &mut Map<String, Value>) {
    for value in args.values_mut() {
        if let Value::String(text) = value
            && let Some(items) = literal::string_list(text)
        {
            *value = Value::Array(items);
        }
    }
}
