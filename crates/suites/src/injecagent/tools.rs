//! The tools of the cases, and the users' calls of them.

use trace::call::ToolCall;
use trace::tool::{Parameter, ParameterType};
use world::injecagent::object;
use world::tool::Described;

use super::data::{ParameterEntry, UserCase};
use super::dataset::Dataset;
use super::error::DataError;

/// The call that upstream makes for the model, from the text of its arguments.
pub(super) fn user_call(user: &UserCase) -> Result<ToolCall, DataError> {
    let args = object(&user.parameters).ok_or_else(|| DataError::Content {
        file: "user_cases.jsonl".to_owned(),
        message: format!("the parameters of `{}` are no Python dictionary", user.tool),
    })?;
    Ok(ToolCall { function: user.tool.clone(), args })
}

/// The tools that occur in a case, in upstream's order.
pub(super) fn described(data: &Dataset) -> Vec<Described> {
    let attacks = data.attackers().flat_map(|(_, _, attacker)| &attacker.tools);
    let named: Vec<&String> = attacks.chain(data.users.iter().map(|user| &user.tool)).collect();
    let occurring = data.tools.iter().filter(|(name, _)| named.contains(name));
    occurring
        .map(|(name, tool)| Described {
            name: name.clone(),
            description: tool.summary.clone(),
            parameters: tool.parameters.iter().map(parameter).collect(),
        })
        .collect()
}

fn parameter(entry: &ParameterEntry) -> Parameter {
    let ty = match entry.ty.as_str() {
        "integer" => ParameterType::Int,
        "number" => ParameterType::Float,
        "boolean" => ParameterType::Bool,
        "array" => ParameterType::List { items: Box::new(ParameterType::Str) },
        "object" => ParameterType::Dict,
        _ => ParameterType::Str,
    };
    Parameter {
        name: entry.name.clone(),
        description: entry.description.clone(),
        ty,
        nullable: false,
        required: entry.required,
        default: serde_json::Value::Null,
    }
}
