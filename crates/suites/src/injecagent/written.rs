//! Values of calls as people write them in YAML: plain, by words of a text, or made by us.

use serde_json::{Map, Value};
use trace::call::ToolCall;
use trace::script::{Exemption, Step};

/// A call as it is written.
#[derive(Clone, Debug, PartialEq, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WrittenCall {
    /// The tool.
    pub(super) tool: String,
    /// Its arguments.
    #[serde(default)]
    pub(super) args: Map<String, Value>,
    /// What it answers, where that is written, too.
    #[serde(default)]
    pub(super) reply: Option<String>,
}

/// The step of a script that a call means. Plain values need not stand in a text here: the agent
/// looks for them in what it has seen.
///
/// # Errors
/// Words that the text does not have.
pub(super) fn step(tool: &str, args: &Map<String, Value>, text: &str) -> Result<Step, String> {
    let mut resolved = Map::new();
    let mut exempt = Vec::new();
    for (name, value) in args {
        let mut ours = false;
        resolved.insert(name.clone(), resolve(value, text, &mut ours)?);
        if ours {
            exempt.push((name.clone(), Exemption::Computed));
        }
    }
    Ok(Step { call: ToolCall { function: tool.to_owned(), args: resolved }, exempt })
}

/// The value that is meant. `ours` is set where a part of it is made by us.
fn resolve(value: &Value, text: &str, ours: &mut bool) -> Result<Value, String> {
    match value {
        Value::Array(items) => {
            items.iter().map(|item| resolve(item, text, ours)).collect::<Result<_, _>>()
        }
        Value::Object(fields) if fields.len() == 1 && fields.contains_key("ours") => {
            *ours = true;
            Ok(fields["ours"].clone())
        }
        Value::Object(fields) if fields.len() == 1 && fields.contains_key("words") => {
            words(&fields["words"], text)
        }
        Value::Object(fields) => {
            let field = |(name, value): (&String, &Value), ours: &mut bool| {
                Ok((name.clone(), resolve(value, text, ours)?))
            };
            let fields = fields.iter().map(|one| field(one, ours));
            Ok(Value::Object(fields.collect::<Result<_, String>>()?))
        }
        scalar => Ok(scalar.clone()),
    }
}

/// The text from one word to another, without quotes, brackets and stops around it.
fn words(span: &Value, text: &str) -> Result<Value, String> {
    let bounds = span.as_array().map(Vec::as_slice).unwrap_or_default();
    let bounds: Vec<usize> = bounds
        .iter()
        .filter_map(|bound| bound.as_u64().and_then(|bound| usize::try_from(bound).ok()))
        .collect();
    let [from, to] = bounds[..] else {
        return Err(format!("`words` takes two numbers, got `{span}`"));
    };
    let all: Vec<&str> = text.split(' ').collect();
    if from == 0 || from > to || to > all.len() {
        return Err(format!("there are no words {from} to {to}: the text has {}", all.len()));
    }
    let found = all[from - 1..to].join(" ");
    let outer = |c: char| matches!(c, '\'' | '"' | '(' | ')' | ',' | '.');
    Ok(Value::from(found.trim_matches(outer)))
}

/// The plain values of a call that do not stand in a text, as paths and values.
pub(super) fn absent(args: &Map<String, Value>, text: &str) -> Vec<String> {
    fn walk(value: &Value, text: &str, out: &mut Vec<String>) {
        match value {
            Value::Array(items) => items.iter().for_each(|item| walk(item, text, out)),
            Value::Object(fields)
                if fields.contains_key("ours") || fields.contains_key("words") => {}
            Value::Object(fields) => fields.values().for_each(|field| walk(field, text, out)),
            Value::String(wanted) if !text.contains(wanted.as_str()) => out.push(wanted.clone()),
            Value::Number(wanted) if !text.replace(',', "").contains(&wanted.to_string()) => {
                out.push(wanted.to_string());
            }
            _ => {}
        }
    }
    let mut out = Vec::new();
    args.values().for_each(|value| walk(value, text, &mut out));
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn args(value: Value) -> Map<String, Value> {
        let Value::Object(args) = value else { unreachable!("an object literal") };
        args
    }

    #[test]
    fn values_are_plain_or_words_or_ours() {
        let text = "Move it to (12 Main St, Troy) now.";
        let written = args(json!({
            "a": "Main", "b": { "words": [4, 7] }, "c": { "x": { "ours": [1] } }
        }));
        let step = step("move", &written, text).unwrap();
        let expected = json!({"a": "Main", "b": "12 Main St, Troy", "c": {"x": [1]}});
        assert_eq!(Value::Object(step.call.args), expected);
        assert_eq!(step.exempt, [("c".to_owned(), Exemption::Computed)]);
    }

    #[test]
    fn words_that_are_not_there_are_named() {
        for (span, expected) in [
            (json!([3, 9]), "there are no words 3 to 9: the text has 2"),
            (json!([0, 1]), "there are no words 0 to 1: the text has 2"),
            (json!("2"), "`words` takes two numbers, got `\"2\"`"),
        ] {
            let error = step("t", &args(json!({"a": { "words": span }})), "two words");
            assert_eq!(error.unwrap_err(), expected);
        }
    }

    #[test]
    fn plain_values_that_do_not_stand_in_the_text_are_found() {
        let written = args(json!({"a": "x1", "b": 3000, "c": ["y"], "d": {"ours": "z"}, "e": 7}));
        assert_eq!(absent(&written, "x1 for $3,000"), ["y", "7"]);
    }
}
