//! What the tests share: a kernel with one context, and calls in one line.
#![allow(dead_code, unused_macros, unused_imports, reason = "each test binary uses some of it")]

use std::borrow::Cow;

use clawmmu::{
    ArgumentRule, Authority, Call, Config, Context, Decision, Effect, EntryId, Kernel, KernelId,
    Kind, LeafFault, Mapped, Reason, Schema, Scope, Source, Tenant, Value,
};

/// Prints past the test harness's capture: the counts belong to what a test run shows.
macro_rules! say {
    ($($words:tt)*) => {{
        use std::io::Write as _;
        let _ = writeln!(std::io::stdout(), $($words)*);
    }};
}
pub(crate) use say;

pub(crate) const OWNER: Tenant = Tenant(1);

/// A kernel and one open context of [`OWNER`], in task 1 and session 1.
pub(crate) struct Desk {
    pub(crate) kernel: Kernel,
    pub(crate) context: Context,
}

impl Desk {
    pub(crate) fn new() -> Self {
        Self::with(Config::default())
    }

    pub(crate) fn with(config: Config) -> Self {
        let kernel = Kernel::with_config(KernelId(7), config);
        let context = kernel.open(OWNER, Scope::of(1, 1));
        Self { kernel, context }
    }

    pub(crate) fn add(&mut self, source: Source, text: &str) -> Mapped {
        let mapped = self
            .kernel
            .map(&mut self.context, source, text)
            .expect("it is the owner's, and in scope");
        self.context.index(mapped.entry);
        mapped
    }

    pub(crate) fn user(&mut self, text: &str) -> Mapped {
        self.add(Source::Typed(OWNER), text)
    }

    pub(crate) fn tool(&mut self, text: &str) -> Mapped {
        self.add(Source::Tool, text)
    }

    pub(crate) fn evict(&mut self, entry: EntryId) {
        self.context.evict(entry);
    }

    pub(crate) fn authorize(&mut self, schema: &Schema, arguments: &[Argument<'_>]) -> Decision {
        let call = Call { tool: "tool", arguments };
        self.kernel.authorize(&mut self.context, &call, Some(schema), 0)
    }

    /// The reasons for which a value of this kind, where Policy is required, is asked about.
    pub(crate) fn reasons(&mut self, kind: Kind, value: Value<'_>) -> Vec<Reason> {
        self.reasons_at(Authority::Policy, kind, value)
    }

    pub(crate) fn reasons_at(
        &mut self,
        required: Authority,
        kind: Kind,
        value: Value<'_>,
    ) -> Vec<Reason> {
        let schema = one(Effect::Write, ArgumentRule::secured(required, kind));
        reasons(&self.authorize(&schema, &[argument("value", value)]))
    }

    /// Whether a text value of this kind is allowed.
    pub(crate) fn traces(&mut self, kind: Kind, value: &str) -> bool {
        self.reasons(kind, text(value)).is_empty()
    }
}

pub(crate) type Argument<'a> = (Cow<'a, str>, Value<'a>);

pub(crate) fn argument<'a>(name: &'a str, value: Value<'a>) -> Argument<'a> {
    (name.into(), value)
}

pub(crate) fn text(value: &str) -> Value<'_> {
    Value::Text(value.into())
}

pub(crate) fn number(value: &str) -> Value<'_> {
    Value::Number(value.into())
}

pub(crate) fn list<'a>(values: &[&'a str]) -> Value<'a> {
    Value::List(values.iter().map(|value| text(value)).collect())
}

/// The schema of `tool` with these arguments.
pub(crate) fn schema(effect: Effect, arguments: &[(&str, ArgumentRule)]) -> Schema {
    let arguments = arguments.iter().map(|(name, rule)| ((*name).into(), rule.clone())).collect();
    Schema { tool: "tool".into(), effect, arguments }
}

/// The schema of `tool` with the one argument `value`.
pub(crate) fn one(effect: Effect, rule: ArgumentRule) -> Schema {
    schema(effect, &[("value", rule)])
}

pub(crate) fn faults(decision: &Decision) -> &[LeafFault] {
    match decision {
        Decision::Ask(faults) => faults,
        _ => &[],
    }
}

/// The reasons of an ask; none for an allowed call. A refusal is its own.
pub(crate) fn reasons(decision: &Decision) -> Vec<Reason> {
    match decision {
        Decision::Allow(_) => Vec::new(),
        Decision::Ask(faults) => faults.iter().map(|fault| fault.reason).collect(),
        Decision::Refused(fault) => vec![fault.reason],
    }
}

/// A call with two addresses, a nested list of objects, and free text.
pub(crate) fn rich() -> Schema {
    let address = ArgumentRule::secured(Authority::Policy, Kind::Address);
    let fields = vec![
        ("who".into(), address.clone()),
        ("note".into(), ArgumentRule::Free),
        ("cc".into(), ArgumentRule::optional(Authority::Policy, Kind::Address)),
    ];
    schema(
        Effect::External,
        &[
            ("to", address),
            ("guests", ArgumentRule::Fields { fields, absent_safe: true }),
            ("body", ArgumentRule::Free),
        ],
    )
}

pub(crate) fn object<'a>(fields: &[(&'a str, Value<'a>)]) -> Value<'a> {
    Value::Object(fields.iter().map(|(key, value)| ((*key).into(), value.clone())).collect())
}
