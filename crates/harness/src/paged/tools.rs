//! The tools of memory, as agents see them.

use std::sync::LazyLock;

use serde_json::Value;
use trace::course::tools;
use trace::tool::{Capability, Channel, Effect, Parameter, ParameterType, ToolSpec};

/// The tools of memory. None takes a label: what a record may count for is not the agent's to say.
pub static MEMORY_TOOLS: LazyLock<Vec<ToolSpec>> = LazyLock::new(|| {
    let text = ParameterType::Str;
    vec![
        spec(tools::STORE, "Stores a note for later sessions.", &[("text", &text, "The note.")]),
        spec(
            tools::SEARCH,
            "Brings back the notes that fit a query best.",
            &[("query", &text, "What the notes are about.")],
        ),
        spec(
            tools::SCHEDULE,
            "Schedules a job that is done later, when nobody is there.",
            &[
                ("after", &ParameterType::Int, "In how many seconds."),
                ("instruction", &text, "What is to be done."),
            ],
        ),
        spec(
            tools::MESSAGE,
            "Leaves a message for another agent.",
            &[("to", &text, "The agent's name."), ("text", &text, "The message.")],
        ),
    ]
});

fn spec(name: &str, description: &str, parameters: &[(&str, &ParameterType, &str)]) -> ToolSpec {
    let parameters = parameters.iter().map(|(name, ty, description)| Parameter {
        name: (*name).to_owned(),
        description: (*description).to_owned(),
        ty: (*ty).clone(),
        nullable: false,
        required: true,
        default: Value::Null,
    });
    // Nothing leaves the harness through them: what guards them is derive and reload.
    let capability = Capability { effect: Effect::Read, resource_key: None, arguments: Vec::new() };
    ToolSpec {
        name: name.to_owned(),
        description: description.to_owned(),
        parameters: parameters.collect(),
        channel: Channel::Harness,
        capability: capability.clone(),
        automatic: capability,
    }
}
