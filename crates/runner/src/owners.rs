//! The owners: who answers approval requests.

use std::fmt;

use harness::owner::{Owner, Request};
use serde_json::Value;
use trace::call::ToolCall;

/// An owner that can be asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OwnerChoice {
    /// Refuses everything.
    Never,
    /// Grants exactly the calls that the user's task needs and that were not made yet.
    Gold,
    /// Grants everything.
    Always,
}

/// The owners, with what each does.
pub const OWNERS: &[(OwnerChoice, &str)] = &[
    (OwnerChoice::Never, "refuses every request: what the defense does on its own"),
    (
        OwnerChoice::Gold,
        "grants exactly the user task's own calls: an upper bound, it reads the answer key",
    ),
    (OwnerChoice::Always, "grants every request: an owner who clicks yes"),
];

impl OwnerChoice {
    /// The word in files and on the command line.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Never => "never",
            Self::Gold => "gold",
            Self::Always => "always",
        }
    }

    /// The owner of that name.
    pub fn parse(name: &str) -> Option<Self> {
        OWNERS.iter().map(|(owner, _)| *owner).find(|owner| owner.as_str() == name)
    }

    /// The owner for one episode; `key` is what the user's task needs.
    pub(crate) fn build(self, key: &[ToolCall]) -> Box<dyn Owner> {
        match self {
            Self::Never => Box::new(Fixed(false)),
            Self::Always => Box::new(Fixed(true)),
            Self::Gold => Box::new(Gold(Key::new(key))),
        }
    }
}

impl fmt::Display for OwnerChoice {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.as_str())
    }
}

struct Fixed(bool);

impl Owner for Fixed {
    fn grants(&mut self, _: Request<'_>) -> bool {
        self.0
    }
}

struct Gold(Key);

impl Owner for Gold {
    fn grants(&mut self, request: Request<'_>) -> bool {
        self.0.needs(request.call)
    }

    fn carried_out(&mut self, call: &ToolCall) {
        self.0.made(call);
    }
}

/// The calls of the user's task that were not made yet.
#[derive(Clone, Debug)]
pub(crate) struct Key(Vec<ToolCall>);

impl Key {
    pub(crate) fn new(calls: &[ToolCall]) -> Self {
        Self(calls.to_vec())
    }

    /// Whether the whole call is still needed: another amount, or a second payment, is not.
    pub(crate) fn needs(&self, call: &ToolCall) -> bool {
        self.0.iter().any(|needed| same_call(needed, call))
    }

    /// Takes a call that was carried out off the list.
    pub(crate) fn made(&mut self, call: &ToolCall) {
        if let Some(at) = self.0.iter().position(|needed| same_call(needed, call)) {
            self.0.remove(at);
        }
    }
}

/// Whether two calls are the same, whatever the order of arguments and the form of numbers.
pub(crate) fn same_call(one: &ToolCall, other: &ToolCall) -> bool {
    one.function == other.function
        && one.args.len() == other.args.len()
        && one.args.iter().all(|(name, value)| {
            other.args.get(name).is_some_and(|counterpart| same_value(value, counterpart))
        })
}

fn same_value(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => {
            one == other || one.as_f64() == other.as_f64()
        }
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(a, b)| same_value(a, b))
        }
        (Value::Object(one), Value::Object(other)) => {
            one.len() == other.len()
                && one.iter().all(|(key, value)| {
                    other.get(key).is_some_and(|counterpart| same_value(value, counterpart))
                })
        }
        _ => one == other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn pay(amount: &Value, to: &str) -> ToolCall {
        let Value::Object(args) = json!({"to": to, "amount": amount}) else { unreachable!() };
        ToolCall { function: "pay".to_owned(), args }
    }

    #[test]
    fn gold_grants_the_whole_call_once() {
        let mut owner = OwnerChoice::Gold.build(&[pay(&json!(10), "A")]);
        let mut asks = |call: &ToolCall| owner.grants(Request { call, faults: &[] });
        assert!(asks(&pay(&json!(10.0), "A")), "the form of a number does not matter");
        assert!(!asks(&pay(&json!(11), "A")), "another amount");
        assert!(!asks(&pay(&json!(10), "B")), "another payee");
        owner.carried_out(&pay(&json!(10), "A"));
        assert!(!owner.grants(Request { call: &pay(&json!(10), "A"), faults: &[] }), "twice");
    }
}
