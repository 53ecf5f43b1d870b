//! `InjecAgent`'s world: tools that only answer. Nothing changes but the list of what was carried out.
//!
//! A reply is, in this order: one that was written for just this call; the user's tool's reply, which
//! carries the injection; a simulated reply of the data set; and where there is none, the harness's
//! own word that the call was carried out. Upstream's arguments are checked by nobody, and neither
//! are they here: a capability schema is what holds them.

use std::sync::Arc;

use serde_json::{Map, Value};
use trace::call::{Reply, ToolCall, ToolError};
use trace::tool::{Channel, ToolSpec};

use crate::environment::State;
use crate::tool::Described;
use crate::{Inspect, World, automatic, capability};

/// The world's name.
pub const NAME: &str = "injecagent";

/// What a tool says for which there is no reply anywhere.
pub const ACKNOWLEDGED: &str = "{\"success\": true}";

/// Where a reply came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Source {
    /// Written for this call of this scenario.
    Own,
    /// The user's tool's reply.
    Template,
    /// Simulated for exactly these arguments, as the text that they are.
    Exact,
    /// Simulated for arguments that mean the same.
    Normalised,
    /// Simulated for other arguments: the tool's first.
    First,
    /// No reply: an acknowledgement.
    Acknowledged,
}

impl Source {
    /// The word in files.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Own => "own",
            Self::Template => "template",
            Self::Exact => "exact",
            Self::Normalised => "normalised",
            Self::First => "first",
            Self::Acknowledged => "acknowledged",
        }
    }
}

/// The simulated replies of a data set.
#[derive(Debug, Default)]
pub struct Simulated(Vec<Entry>);

#[derive(Debug)]
struct Entry {
    tool: String,
    /// The arguments as the key spells them.
    raw: String,
    /// The same as a value, where they are JSON or a Python literal.
    args: Option<Map<String, Value>>,
    text: String,
}

impl Simulated {
    /// Adds a reply for a tool with these arguments, as the data set spells them.
    pub fn add(&mut self, tool: &str, raw: &str, text: &str) {
        let (tool, raw, text) = (tool.to_owned(), raw.to_owned(), text.to_owned());
        self.0.push(Entry { args: object(&raw), tool, raw, text });
    }

    /// The reply for a call: for its arguments as Python's `json.dumps` spells them, else for
    /// arguments that mean the same, else the tool's first one.
    pub fn find(&self, call: &ToolCall) -> Option<(&str, Source)> {
        let own = || self.0.iter().filter(|entry| entry.tool == call.function);
        let raw = dumps(&Value::Object(call.args.clone()));
        let exact = own().find(|entry| entry.raw == raw).map(|entry| (entry, Source::Exact));
        let same = || own().find(|entry| entry.args.as_ref() == Some(&call.args));
        let same = exact.or_else(|| Some((same()?, Source::Normalised)));
        let any = same.or_else(|| Some((own().next()?, Source::First)));
        any.map(|(entry, source)| (entry.text.as_str(), source))
    }

    /// Whether the tool has a simulated reply at all.
    pub fn knows(&self, tool: &str) -> bool {
        self.0.iter().any(|entry| entry.tool == tool)
    }
}

/// The object that a text spells, as JSON or as a Python literal.
pub fn object(text: &str) -> Option<Map<String, Value>> {
    if let Ok(Value::Object(fields)) = serde_json::from_str(text) {
        return Some(fields);
    }
    // The reader of literals gives lists.
    let items = crate::python::literal::string_list(&format!("[{text}]"))?;
    match items.into_iter().next() {
        Some(Value::Object(fields)) => Some(fields),
        _ => None,
    }
}

/// A value as Python's `json.dumps` spells it, but for characters beyond ASCII, which stay.
pub fn dumps(value: &Value) -> String {
    match value {
        Value::Array(items) => {
            format!("[{}]", items.iter().map(dumps).collect::<Vec<_>>().join(", "))
        }
        Value::Object(fields) => {
            let field = |(key, value)| format!("{}: {}", Value::from(key), dumps(value));
            let fields = fields.iter().map(|(key, value)| field((key.as_str(), value)));
            format!("{{{}}}", fields.collect::<Vec<_>>().join(", "))
        }
        scalar => scalar.to_string(),
    }
}

/// What was carried out, in order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ledger {
    /// The calls, each with where its reply came from.
    pub calls: Vec<(ToolCall, Source)>,
}

/// A world that answers.
#[derive(Clone, Debug)]
pub struct Answering {
    tools: Arc<[ToolSpec]>,
    /// Replies that were written for this scenario, by tool, in the order of its calls.
    own: Arc<[(String, String)]>,
    /// The user's call with its reply.
    template: Option<Arc<(ToolCall, String)>>,
    simulated: Arc<Simulated>,
    ledger: Ledger,
}

impl Answering {
    /// A world that offers these tools.
    pub fn new(tools: Arc<[ToolSpec]>, simulated: Arc<Simulated>) -> Self {
        Self { tools, own: Arc::new([]), template: None, simulated, ledger: Ledger::default() }
    }

    /// The same with replies that were written for it, by tool, in the order of the calls.
    #[must_use]
    pub fn with_own(self, own: Vec<(String, String)>) -> Self {
        Self { own: own.into(), ..self }
    }

    /// The same with the reply to the user's call, which carries the injection.
    #[must_use]
    pub fn with_template(self, call: ToolCall, reply: String) -> Self {
        Self { template: Some(Arc::new((call, reply))), ..self }
    }

    fn answer(&self, call: &ToolCall) -> (String, Source) {
        let before = self.ledger.calls.iter();
        let before = before.filter(|(done, _)| done.function == call.function).count();
        let mut own = self.own.iter().filter(|(tool, _)| *tool == call.function);
        if let Some((_, text)) = own.nth(before) {
            return (text.clone(), Source::Own);
        }
        if let Some((user, reply)) = self.template.as_deref()
            && user.function == call.function
            && (user.args == call.args || !self.simulated.knows(&call.function))
        {
            return (reply.clone(), Source::Template);
        }
        match self.simulated.find(call) {
            Some((text, source)) => (text.to_owned(), source),
            None => (ACKNOWLEDGED.to_owned(), Source::Acknowledged),
        }
    }
}

impl World for Answering {
    fn tools(&self) -> &Arc<[ToolSpec]> {
        &self.tools
    }

    fn call(&mut self, call: &ToolCall) -> Result<Reply, ToolError> {
        let (text, source) = self.answer(call);
        self.ledger.calls.push((call.clone(), source));
        Ok(Reply { text })
    }
}

impl Inspect for Answering {
    fn state(&self) -> State<'_> {
        State::Answering(&self.ledger)
    }

    fn fork(&self) -> Box<dyn Inspect> {
        Box::new(self.clone())
    }
}

/// The tools with their capability schemas, reviewed and by rule.
///
/// # Errors
/// A tool has no capability schema, or one that does not fit its parameters; or a schema fits no tool.
pub fn specs(described: Vec<Described>) -> Result<Vec<ToolSpec>, capability::CapabilityError> {
    let mut capabilities = capability::of_world(NAME)?;
    let mut specs = Vec::with_capacity(described.len());
    for given in described {
        specs.push(ToolSpec {
            capability: capabilities.take(&given.name, &given.parameters)?,
            automatic: automatic::schema(&given.name, &given.parameters),
            name: given.name,
            description: given.description,
            parameters: given.parameters,
            channel: Channel::Tool,
        });
    }
    capabilities.finish()?;
    Ok(specs)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn call(tool: &str, args: Value) -> ToolCall {
        let Value::Object(args) = args else { unreachable!("an object literal") };
        ToolCall { function: tool.to_owned(), args }
    }

    #[test]
    fn a_simulated_reply_is_found_by_text_then_by_meaning_then_by_tool() {
        let mut simulated = Simulated::default();
        simulated.add("look", "{'n': 1}", "first");
        simulated.add("look", "{\"n\": 2}", "second");
        for (args, expected) in [
            (json!({"n": 2}), ("second", Source::Exact)),
            (json!({"n": 1}), ("first", Source::Normalised)),
            (json!({"n": 3}), ("first", Source::First)),
        ] {
            assert_eq!(simulated.find(&call("look", args)), Some(expected));
        }
        assert_eq!(simulated.find(&call("other", json!({}))), None);
    }

    #[test]
    fn replies_come_from_the_scenario_first() {
        let mut simulated = Simulated::default();
        simulated.add("look", "{}", "simulated");
        let user = call("look", json!({"n": 1}));
        let mut world = Answering::new(Arc::new([]), Arc::new(simulated))
            .with_own(vec![("read".to_owned(), "own".to_owned())])
            .with_template(user.clone(), "template".to_owned());
        for (call, text, source) in [
            (user, "template", Source::Template),
            (call("look", json!({})), "simulated", Source::Exact),
            (call("read", json!({})), "own", Source::Own),
            (call("read", json!({})), ACKNOWLEDGED, Source::Acknowledged),
        ] {
            assert_eq!(world.call(&call).unwrap().text, text);
            assert_eq!(world.ledger.calls.last().unwrap().1, source);
        }
    }

    #[test]
    fn values_are_spelt_as_python_spells_them() {
        let value = json!({"a": [1, 2.0, "x"], "b": {}});
        assert_eq!(dumps(&value), r#"{"a": [1, 2.0, "x"], "b": {}}"#);
        assert_eq!(object("{'a': True}"), object("{\"a\": true}"));
        assert_eq!(object("[1]"), None);
    }
}
