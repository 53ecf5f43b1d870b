//! Capability schemas by rule, from names and types alone: what the profile `auto` reads.
//!
//! The rule was written down once and knows no attack and no task. Its worth beside the reviewed
//! schemas is measured, not assumed.
//!
//! - A tool whose name begins with `get_`, `search_`, `list_`, `read_` or `check_` reads; every other
//!   tool is taken to reach out.
//! - An argument is free where its name holds one of the words for people in `FREE`; every other one
//!   is secured.
//! - How a value is compared follows from the type, and for texts from the name (`kind_of`).
//! - What may be left out is safe to leave out. No value is safe by itself.
//! - An object has no entries for its keys, so that it is asked about.

use trace::tool::{ArgumentCapability, Capability, Effect, Kind, Parameter, ParameterType, Role};

/// How the names of tools that only read begin.
const READING: &[&str] = &["get_", "search_", "list_", "read_", "check_"];

/// Words in the names of arguments that hold words for people.
const FREE: &[&str] =
    &["body", "subject", "content", "title", "description", "message", "text", "query", "comment"];

/// Words in the names of texts, in the order in which they are looked for, with how such a text is
/// compared.
const TEXTS: &[(&str, Kind)] = &[
    ("url", Kind::Url),
    ("password", Kind::Secret),
    ("secret", Kind::Secret),
    ("token", Kind::Secret),
    ("iban", Kind::Account),
    ("account", Kind::Account),
    ("email", Kind::Address),
    ("recipients", Kind::Address),
    ("participants", Kind::Address),
    ("cc", Kind::Address),
    ("time", Kind::Time),
    ("date", Kind::Date),
    ("day", Kind::Date),
    ("path", Kind::Path),
    ("file", Kind::Path),
    ("channel", Kind::Identifier),
    ("permission", Kind::Identifier),
];

/// The capability schema of a tool by rule.
pub fn schema(tool: &str, parameters: &[Parameter]) -> Capability {
    let reads = READING.iter().any(|verb| tool.starts_with(verb));
    let argument = |parameter: &Parameter| (parameter.name.clone(), entry(parameter));
    Capability {
        effect: if reads { Effect::Read } else { Effect::External },
        resource_key: None,
        arguments: parameters.iter().map(argument).collect(),
    }
}

fn entry(parameter: &Parameter) -> ArgumentCapability {
    let is_text = matches!(parameter.ty, ParameterType::Str);
    let free = is_text && FREE.iter().any(|word| parameter.name.contains(word));
    ArgumentCapability {
        role: if free { Role::Free } else { Role::Value },
        kind: if free { Kind::Text } else { kind_of(&parameter.name, &parameter.ty) },
        absent_safe: !parameter.required,
        safe_values: Vec::new(),
        fields: std::collections::BTreeMap::new(),
    }
}

/// How values of this name and type are compared.
fn kind_of(name: &str, ty: &ParameterType) -> Kind {
    match ty {
        ParameterType::Bool => Kind::Boolean,
        ParameterType::Enum { .. } => Kind::Enumeration,
        ParameterType::Int | ParameterType::Float => Kind::Number,
        ParameterType::List { items } => kind_of(name, items),
        ParameterType::Dict => Kind::Identifier,
        ParameterType::Str if name == "id" || name.ends_with("_id") => Kind::Identifier,
        ParameterType::Str => {
            let known = TEXTS.iter().find(|(word, _)| name.contains(word));
            known.map_or(Kind::Name, |(_, kind)| *kind)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rule_reads_names_and_types() {
        let text = ParameterType::Str;
        let list = ParameterType::List { items: Box::new(ParameterType::Str) };
        for (name, ty, expected) in [
            ("email_id", &text, (Role::Value, Kind::Identifier)),
            ("user_email", &text, (Role::Value, Kind::Address)),
            ("cc", &list, (Role::Value, Kind::Address)),
            ("new_start_time", &text, (Role::Value, Kind::Time)),
            ("body", &text, (Role::Free, Kind::Text)),
            ("amount", &ParameterType::Float, (Role::Value, Kind::Number)),
            ("recurring", &ParameterType::Bool, (Role::Value, Kind::Boolean)),
            ("hotel", &text, (Role::Value, Kind::Name)),
        ] {
            let parameter = Parameter {
                name: name.to_owned(),
                description: String::new(),
                ty: ty.clone(),
                nullable: false,
                required: true,
                default: serde_json::Value::Null,
            };
            let entry = entry(&parameter);
            assert_eq!((entry.role, entry.kind), expected, "{name}");
        }
        assert_eq!(schema("get_webpage", &[]).effect, Effect::Read);
        assert_eq!(schema("send_money", &[]).effect, Effect::External);
    }
}
