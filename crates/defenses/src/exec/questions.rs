//! The lines to a program, but for the greeting.

use harness::defense::Page;
use harness::memory::{Form, Opening, Origin, OwnerAct, Reload, Subject, Write, Writer};
use serde_json::{Map, Value, json};
use trace::allowance::Allowed;
use trace::call::ToolCall;
use trace::tool::ToolSpec;

use super::hooks::Name;

/// A whole line: the hook, the question's number, and the hook's own fields.
pub(super) fn line(name: Name, id: u64, fields: Value) -> Value {
    let mut line = Map::new();
    line.insert("hook".to_owned(), name.as_str().into());
    line.insert("id".to_owned(), id.into());
    if let Value::Object(fields) = fields {
        line.extend(fields);
    }
    Value::Object(line)
}

/// A context is built.
pub(super) fn opening(opening: &Opening) -> Value {
    json!({
        "tenant": opening.tenant,
        "task": opening.task,
        "session": opening.session,
        "attended": opening.attended,
        "now": opening.now,
    })
}

/// A page is about to enter. Protocol 1 does not say who typed it, nor which call it answers.
pub(super) fn entering(page: Page<'_>, protocol: u32) -> Value {
    if protocol == 1 {
        return json!({
            "page": page.number,
            "channel": page.channel.as_str(),
            "text": page.text,
        });
    }
    let reply_to = page.reply_to;
    json!({
        "page": page.number,
        "channel": page.channel.as_str(),
        "text": page.text,
        "typed_by": page.typed_by,
        "reply_to": reply_to.map(|call| json!({ "tool": call.function, "arguments": call.args })),
    })
}

/// Something is stored.
pub(super) fn deriving(write: &Write<'_>) -> Value {
    let by = match write.by {
        Writer::Agent => "agent",
        Writer::Harness => "harness",
    };
    let form = match write.form {
        Form::Full => "full",
        Form::Compressed => "compressed",
        Form::Structured => "structured",
        Form::Pointer => "pointer",
    };
    json!({
        "record": write.record,
        "by": by,
        "pages": write.pages,
        "of": write.of,
        "remembered": write.remembered,
        "form": form,
        "text": write.text,
    })
}

/// These records fit a query.
pub(super) fn retrieving(candidates: &[u32]) -> Value {
    json!({ "candidates": candidates })
}

/// A record comes back.
pub(super) fn reloading(reload: &Reload<'_>) -> Value {
    json!({
        "record": reload.record,
        "page": reload.page,
        "text": reload.text,
        "now": reload.now,
    })
}

/// A page left the context.
pub(super) fn evicting(page: u32) -> Value {
    json!({ "page": page })
}

/// The context is saved.
pub(super) fn saving() -> Value {
    json!({})
}

/// A saved context comes back.
pub(super) fn restoring(state: &Value) -> Value {
    json!({ "state": state })
}

/// A call, to be judged or about to be carried out. The effect is null where there is no such tool.
pub(super) fn calling(call: &ToolCall, tool: Option<&ToolSpec>) -> Value {
    json!({
        "tool": call.function,
        "arguments": call.args,
        "effect": tool.map(|tool| tool.capability.effect.as_str()),
    })
}

/// The owner has answered.
pub(super) fn answered(call: &ToolCall, tool: Option<&ToolSpec>, granted: bool) -> Value {
    let mut fields = calling(call, tool);
    fields["granted"] = granted.into();
    fields
}

/// The owner acts of his own accord: `act` says what he does, and the other fields are that act's.
pub(super) fn acting(act: &OwnerAct<'_>) -> Value {
    match act {
        OwnerAct::Approve { subject: content, shown, values, ceiling, now } => json!({
            "act": "approve",
            "subject": subject(*content),
            "shown": shown,
            "values": values,
            "ceiling": ceiling.as_str(),
            "now": now,
        }),
        OwnerAct::Withdraw { subject: content } => json!({
            "act": "withdraw",
            "subject": subject(*content),
        }),
        OwnerAct::Grant { record, to, ceiling, accepted, now } => json!({
            "act": "grant",
            "subject": subject(Subject::Record(*record)),
            "to": to,
            "ceiling": ceiling.map(trace::course::Ceiling::as_str),
            "accepted": accepted,
            "now": now,
        }),
        OwnerAct::Allow { tenant, allowance, source, until, now } => {
            let arguments = allowance.arguments.iter().map(|(name, allowed)| {
                let values = match allowed {
                    Allowed::Any => Value::Null,
                    Allowed::OneOf(values) => values.as_slice().into(),
                };
                (name.clone(), values)
            });
            json!({
                "act": "allow",
                "tenant": tenant,
                "name": allowance.name,
                "tool": allowance.tool,
                "arguments": arguments.collect::<Map<_, _>>(),
                "source": match source {
                    Origin::Channel(channel) => json!({ "channel": channel.as_str() }),
                    Origin::Content(content) => subject(*content),
                },
                "limit": allowance.limit.as_ref().map(|limit| json!({
                    "argument": limit.argument, "each": limit.each, "total": limit.total,
                })),
                "uses": allowance.uses,
                "until": until,
                "now": now,
            })
        }
        OwnerAct::Disallow { name } => json!({ "act": "disallow", "name": name }),
    }
}

/// Time has gone by.
pub(super) fn ticking(now: u64) -> Value {
    json!({ "now": now })
}

/// The owner revokes content.
pub(super) fn revoking(subjects: &[Subject]) -> Value {
    json!({ "subjects": subjects.iter().copied().map(subject).collect::<Vec<_>>() })
}

fn subject(subject: Subject) -> Value {
    match subject {
        Subject::Page(page) => json!({ "page": page }),
        Subject::Record(record) => json!({ "record": record }),
    }
}
