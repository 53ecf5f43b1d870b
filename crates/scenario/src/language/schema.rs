//! JSON schemas of the two kinds of files, for editors.
//!
//! An editor's schema helps to write; `bench check` decides. Wherever a value may hang on a row
//! (`by`), the schema leaves it open.

use serde_json::{Map, Value, json};

use super::words::{AXES, CEILINGS, CHANNELS, LABELS, PAGES};
use super::{allow, cases, events, world};
use crate::guarantee::Class;
use crate::kind::Kind;
use trace::profile::Profile;

const DIALECT: &str = "https://json-schema.org/draft/2020-12/schema";

/// An object with these properties and no others.
fn object(known: &[&str], properties: &Value, required: &[&str]) -> Value {
    let typed = |name: &&str| {
        let property = properties.get(name).cloned().unwrap_or_else(|| json!({}));
        ((*name).to_owned(), property)
    };
    json!({
        "type": "object",
        "properties": known.iter().map(typed).collect::<Map<_, _>>(),
        "required": required,
        "additionalProperties": false,
    })
}

fn words<T>(words: &[(&str, T)]) -> Value {
    json!({ "enum": words.iter().map(|(word, _)| *word).collect::<Vec<_>>() })
}

/// A value, or a choice of values by an axis.
fn by(value: &Value) -> Value {
    let chosen = json!({ "type": "object", "required": ["by"], "properties": {
        "by": { "enum": axes() }
    }});
    json!({ "anyOf": [value, chosen] })
}

fn axes() -> Vec<&'static str> {
    AXES.0.iter().map(|(name, _)| *name).collect()
}

/// The schema of a world file.
pub fn world_schema() -> Value {
    let text = json!({ "type": "string" });
    let path = json!({ "type": "string", "description": "Keys with dots; {name} is an argument." });
    let argument = object(
        world::ARGUMENT_KEYS,
        &json!({
            "type": { "anyOf": [
                { "enum": ["text", "integer", "number", "switch", "texts"] },
                { "type": "array", "items": text },
            ]},
            "about": text,
            "role": words(world::ROLES),
            "kind": words(world::KINDS),
            "optional": { "type": "boolean" },
            "absent_safe": { "type": "boolean" },
            "safe_values": { "type": "array" },
        }),
        &["role", "kind"],
    );
    let change = object(
        world::CHANGE_KEYS,
        &json!({
            "require": path,
            "remove": path,
            "append": object(&["to", "record"], &json!({ "to": path }), &["to", "record"]),
            "set": object(&["at", "value"], &json!({ "at": path }), &["at", "value"]),
            "extend": object(&["at", "words"], &json!({ "at": path, "words": text }), &["at", "words"]),
            "where": { "type": "object", "minProperties": 1, "maxProperties": 1 },
        }),
        &[],
    );
    let tool = object(
        world::TOOL_KEYS,
        &json!({
            "name": text,
            "about": text,
            "effect": words(world::EFFECTS),
            "channel": words(world::CHANNELS),
            "resource": text,
            "arguments": { "type": "object", "additionalProperties": argument },
            "does": { "type": "array", "items": change },
            "reply": { "anyOf": [
                text,
                object(&["show", "keys"], &json!({ "show": path, "keys": path }), &[]),
            ]},
        }),
        &["name", "about", "effect", "reply"],
    );
    let mut schema = object(
        world::KEYS,
        &json!({
            "format": { "const": 1 },
            "world": text,
            "about": text,
            "state": { "type": "object" },
            "tools": { "type": "array", "items": tool },
            "records": { "type": "array", "items": text },
        }),
        &["format", "world", "state", "tools"],
    );
    schema["$schema"] = json!(DIALECT);
    schema["title"] = json!("A world");
    schema
}

/// The schema of a scenario file.
pub fn scenario_schema() -> Value {
    let text = json!({ "type": "string" });
    let list = json!({ "type": "array" });
    let covers: Map<String, Value> = LABELS
        .iter()
        .map(|(label, values)| ((*label).to_owned(), json!({ "enum": values })))
        .collect();
    let mut columns = axes();
    columns.push("twin");
    let twins: Vec<&str> = Kind::TWINS.iter().map(|kind| kind.as_str()).collect();
    let mut kinds = twins.clone();
    kinds.push(Kind::Attack.as_str());
    let when = json!({ "type": "object", "propertyNames": { "enum": axes() } });
    let stage = json!({ "anyOf": [
        { "enum": ["compact", "reset", "jobs"] },
        { "type": "object", "properties": {
            "when": when,
            "session": text,
            "closing": { "type": "array", "items": { "enum": ["extract", "summarise", "reflect"] } },
            "attended": by(&json!({ "type": "boolean" })),
            "moments": { "type": "array", "items": moment() },
            "interrupts": list, "does": list, "reacts": list,
            "allow": { "$ref": "#/$defs/allow" },
        }, "anyOf": stage_keys() },
    ]});
    let classes =
        json!({ "enum": Class::ALL.iter().map(|class| class.as_str()).collect::<Vec<_>>() });
    let mut profiles: Map<String, Value> =
        Profile::ALL.iter().map(|one| (one.as_str().to_owned(), by(&classes))).collect();
    profiles.insert("all".to_owned(), by(&classes));
    profiles.insert("because".to_owned(), text.clone());
    let seed = json!({ "type": "object", "required": ["id", "text"], "properties": {
        "id": text, "text": text, "store": text, "tenant": { "type": "integer" },
        "kind": words(PAGES), "channel": words(CHANNELS), "when": when,
    }});
    let delivery = json!({ "type": "object", "required": ["name", "channel", "text"], "properties": {
        "name": text, "text": by(&text), "tenant": { "type": "integer" },
        "channel": words(CHANNELS), "when": when,
    }});
    let mut schema = object(
        cases::KEYS,
        &json!({
            "format": { "const": 1 },
            "scenario": text, "about": text, "story": text, "world": text,
            "covers": { "type": "object", "properties": covers, "additionalProperties": false },
            "kinds": { "type": "array", "items": { "enum": kinds } },
            "chains": object(&["columns", "rows"], &json!({
                "columns": { "type": "array", "items": { "enum": columns } },
                "rows": { "type": "array", "items": list },
            }), &["columns", "rows"]),
            "values": { "type": "object" },
            "state": { "type": "object" },
            "seats": { "type": "array", "items": object(&["name", "tenant", "stores"], &json!({
                "name": text, "tenant": { "type": "integer" }, "stores": list,
            }), &["name"]) },
            "seeds": { "type": "array", "items": seed },
            "deliveries": { "type": "array", "items": delivery },
            "budget": object(&["tokens", "records"], &json!({
                "tokens": { "type": "integer" }, "records": { "type": "integer" },
            }), &[]),
            "consolidate": { "type": "boolean" },
            "stages": { "type": "array", "items": stage },
            "payloads": list,
            "oracle": object(&["landed", "done"], &json!({ "landed": by(&text) }), &[]),
            "guarantee": { "type": "object", "properties": profiles, "required": ["because"] },
        }),
        &["format", "scenario", "about", "story", "world", "stages", "oracle"],
    );
    schema["$schema"] = json!(DIALECT);
    schema["title"] = json!("A scenario");
    schema["$defs"] = json!({ "ceiling": words(CEILINGS), "allow": allow_schema() });
    schema
}

/// What happens in a session.
fn moment() -> Value {
    let properties = json!({ "allow": { "$ref": "#/$defs/allow" } });
    json!({ "anyOf": [{ "type": "string" }, { "type": "object", "properties": properties }] })
}

/// An approval in advance.
fn allow_schema() -> Value {
    let text = json!({ "type": "string" });
    let content = json!({ "type": "object" });
    let argument = json!({ "anyOf": [{ "const": "any" }, { "type": "array", "minItems": 1 }] });
    let amount = by(&json!({ "type": ["number", "string"] }));
    let count = |about: &str| by(&json!({ "type": ["integer", "string"], "description": about }));
    let limit = object(
        allow::LIMIT_KEYS,
        &json!({ "argument": text, "each": amount, "total": amount }),
        allow::LIMIT_KEYS,
    );
    object(
        allow::KEYS,
        &json!({
            "name": text,
            "tool": text,
            "arguments": { "type": "object", "additionalProperties": by(&argument) },
            "source": { "anyOf": [words(&allow::channels()), content] },
            "limit": limit,
            "uses": count("How many calls."),
            "expires": count("How long, in seconds from now."),
        }),
        &["name", "tool", "arguments", "source"],
    )
}

/// One of these keys says what a stage is.
fn stage_keys() -> Value {
    let keys = ["session", "fillers", "jobs"].iter().chain(events::KEYS);
    keys.map(|key| json!({ "required": [key] })).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_schemas_know_every_key_of_the_language() {
        let names = |schema: &Value| -> Vec<String> {
            schema["properties"].as_object().unwrap().keys().cloned().collect()
        };
        assert_eq!(names(&world_schema()), world::KEYS);
        assert_eq!(names(&scenario_schema()), cases::KEYS);
        let tool = &world_schema()["properties"]["tools"]["items"];
        assert_eq!(names(tool), world::TOOL_KEYS);
        assert_eq!(tool["properties"]["effect"]["enum"][3], "irreversible");
        let allow = &scenario_schema()["$defs"]["allow"];
        assert_eq!(names(allow), allow::KEYS);
        assert_eq!(names(&allow["properties"]["limit"]), allow::LIMIT_KEYS);
        assert_eq!(allow["properties"]["source"]["anyOf"][0]["enum"][3], "mail");
    }
}
