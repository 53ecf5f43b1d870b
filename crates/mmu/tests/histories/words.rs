//! From an operation's numbers to the kernel's own types, and from its answers to words.

use std::{borrow::Cow, fmt::Write as _};

use clawmmu::{
    ArgumentRule, Authority, Descriptor, Effect, Extent, Fault, Kind, LeafFault, Origins, PageId,
    Schema, Scope, Source, Tenant, Value,
};

use crate::op::{PATHS, Pay, WORDS};

pub(crate) fn source(number: u8, tenant: Tenant) -> Source {
    match number {
        0..3 => Source::Typed(tenant),
        3 => Source::Typed(other(tenant)),
        4 => Source::OwnPreference(tenant),
        5 => Source::ApprovedInstruction(tenant),
        6 => Source::Tool,
        7 => Source::Web,
        8 => Source::Pasted,
        9 => Source::Peer,
        10 => Source::Mail,
        _ => Source::Model,
    }
}

pub(crate) fn other(tenant: Tenant) -> Tenant {
    Tenant(1 - tenant.0)
}

pub(crate) fn scope(number: u8) -> Option<Scope> {
    match number {
        0 => None,
        1 => Some(Scope::EVERYWHERE),
        2 => Some(Scope::of(0, 0)),
        3 => Some(Scope { tasks: Extent::of([0, 1]), sessions: Extent::All }),
        _ => Some(Scope { tasks: Extent::of([]), sessions: Extent::All }),
    }
}

pub(crate) fn extent(extent: &Extent) -> String {
    match extent {
        Extent::All => "*".into(),
        Extent::Set(ids) => format!("{ids:?}"),
    }
}

pub(crate) fn origins(origins: &Origins) -> String {
    let Origins::Listed(list) = origins else { return "many".into() };
    let mut text = String::new();
    for origin in list {
        let _ = write!(text, "{}#{} ", origin.page.number, origin.recorded.0);
    }
    text
}

pub(crate) fn described(descriptor: &Descriptor) -> String {
    format!(
        "of {} as {} in {}/{} from {}",
        descriptor.owner.tenant.0,
        descriptor.authority.name(),
        extent(&descriptor.scope.tasks),
        extent(&descriptor.scope.sessions),
        origins(&descriptor.origins),
    )
}

pub(crate) fn faulted(fault: &Fault) -> String {
    let page = fault.page.map(|page| page.number);
    format!("{} {} {page:?}", fault.kind.code(), fault.reason.code())
}

pub(crate) fn leaf_faults(faults: &[LeafFault]) -> String {
    let mut text = String::new();
    for fault in faults {
        let place = fault.place.as_ref().map(|place| (place.position, place.leaf));
        let from = fault.from.map(|page| page.number);
        let _ = write!(text, "{} {place:?} {from:?}; ", fault.reason.code());
    }
    text
}

pub(crate) fn schema() -> Schema {
    let secured = |required| ArgumentRule::secured(required, Kind::Identifier);
    Schema {
        tool: "pay".into(),
        effect: Effect::External,
        arguments: vec![
            ("to".into(), secured(Authority::Policy)),
            ("amount".into(), ArgumentRule::optional(Authority::Preference, Kind::Identifier)),
            ("note".into(), ArgumentRule::Free),
        ],
    }
}

pub(crate) type Arguments = Vec<(Cow<'static, str>, Value<'static>)>;

pub(crate) fn word(number: u8) -> Value<'static> {
    Value::Text(WORDS[usize::from(number)].into())
}

/// The arguments as the model sends them; `cited` is the page that it names for each.
pub(crate) fn arguments(pay: Pay, cited: Option<PageId>) -> Arguments {
    let mut sent: Arguments = Vec::new();
    let word = |number| match (word(number), cited) {
        (Value::Text(text), Some(page)) => Value::Cited { text, page },
        (plain, _) => plain,
    };
    let to = match pay.second {
        8.. => word(pay.to),
        second => Value::List(vec![word(pay.to), word(second)]),
    };
    if pay.odd != 5 {
        sent.push(("to".into(), to));
    }
    if pay.amount < 4 {
        sent.push(("amount".into(), word(pay.amount + 4)));
    }
    match pay.odd {
        1 => sent.push(("bcc".into(), word(0))),
        2 => sent.push(("to".into(), word(0))),
        4 => sent.push(("note".into(), word(7))),
        _ => {}
    }
    sent
}

pub(crate) fn file_tool(tool: &str) -> Schema {
    let free = |name: &str| (name.into(), ArgumentRule::Free);
    Schema {
        tool: tool.into(),
        effect: Effect::Write,
        arguments: ["path", "from", "to"].map(free).into(),
    }
}

pub(crate) fn path(name: &'static str, number: u8) -> (Cow<'static, str>, Value<'static>) {
    (name.into(), Value::Text(PATHS[usize::from(number)].into()))
}

pub(crate) fn authority(number: u8) -> Authority {
    Authority::ALL[usize::from(number)]
}

/// Which of so many.
pub(crate) fn pick(number: u8, length: usize) -> Option<usize> {
    (length > 0).then(|| usize::from(number) % length)
}
