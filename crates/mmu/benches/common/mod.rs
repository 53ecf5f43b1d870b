//! What the benchmarks share: filled contexts, stored content and calls.
#![allow(dead_code, reason = "each benchmark uses some of it")]

use clawmmu::{
    ArgumentRule, Authority, Claim, Content, Context, Deriver, Descriptor, Effect, Form, Kernel,
    KernelId, Kind, Representation, Schema, Scope, Source, Target, Tenant, Value, Write,
};

pub(crate) const OWNER: Tenant = Tenant(1);

pub(crate) fn page(number: usize) -> String {
    format!(
        "id_: '{number}'\nsender: person{number}@example.com\nrecipients: emma@example.com\n\
         subject: Invoice {number} is due\nbody: Please pay {number}.50 to GB29 NWBK 6016 \
         {number:04} before 2024-05-{:02} 10:00, or see https://example.com/invoice/{number}?v=1.\n",
        number % 28 + 1,
    )
}

pub(crate) fn filled(pages: usize) -> (Kernel, Context) {
    let mut kernel = Kernel::new(KernelId(1));
    let mut context = kernel.open(OWNER, Scope::of(1, 1));
    let words = "Pay 1,050.00 to GB29NWBK60161331926819 and write to alice.smith@corp.example.";
    let turn = kernel.map(&mut context, Source::Typed(OWNER), words).expect("it is the owner's");
    context.index(turn.entry);
    for number in 1..pages {
        let reply = kernel.map(&mut context, Source::Tool, &page(number)).expect("it is in scope");
        context.index(reply.entry);
    }
    (kernel, context)
}

pub(crate) fn payment() -> Schema {
    Schema {
        tool: "send_money".into(),
        effect: Effect::Irreversible,
        arguments: vec![
            ("recipient".into(), ArgumentRule::secured(Authority::Policy, Kind::Account)),
            ("amount".into(), ArgumentRule::secured(Authority::Policy, Kind::Amount)),
            ("notify".into(), ArgumentRule::secured(Authority::Policy, Kind::Address)),
            ("subject".into(), ArgumentRule::Free),
        ],
    }
}

pub(crate) fn call(recipient: &str) -> [(std::borrow::Cow<'_, str>, Value<'_>); 4] {
    [
        ("recipient".into(), Value::Text(recipient.into())),
        ("amount".into(), Value::Number("1050.0".into())),
        ("notify".into(), Value::Text("alice.smith@corp.example".into())),
        ("subject".into(), Value::Text("Invoice".into())),
    ]
}

/// A context of so many replies, and a harness copy of all of them.
pub(crate) fn stored(origins: usize) -> (Kernel, Context, Representation, Descriptor) {
    let mut kernel = Kernel::new(KernelId(1));
    let mut context = kernel.open(OWNER, Scope::of(1, 1));
    let mut inputs = Vec::new();
    // The copy's own page is one of its origins.
    for number in 1..origins {
        let reply = kernel.map(&mut context, Source::Tool, &page(number)).expect("it is in scope");
        inputs.push(context.descriptor(reply.entry).expect("it came in").clone());
    }
    let inputs: Vec<&Descriptor> = inputs.iter().collect();
    let copy = kernel.derive(&context, &write(Deriver::Harness, &inputs), NOTE).representation;
    let input = copy.descriptor.clone();
    (kernel, context, copy, input)
}

/// A context of so many replies, and a copy of all of them that came back and holds an address.
pub(crate) fn held_by_a_copy(origins: usize) -> (Kernel, Context) {
    let (mut kernel, context, _, input) = stored(origins - 1);
    let text = "Write to copied@example.com.";
    let copy = kernel.derive(&context, &write(Deriver::Harness, &[&input]), text).representation;
    let mut context = kernel.open(OWNER, Scope::of(1, 2));
    let back = kernel.reload(&mut context, &copy, text, 0).expect("it is in scope");
    context.index(back.mapped.entry);
    (kernel, context)
}

pub(crate) const NOTE: &str =
    "Invoice 1 is due: pay 1.50 to GB29 NWBK 6016 0001 before 2024-05-02.";

pub(crate) fn write<'a>(by: Deriver, inputs: &'a [&'a Descriptor]) -> Write<'a> {
    let claimed = Claim::default();
    Write { by, inputs, form: Form::Compressed, target: Target::New, claimed }
}

/// The note with its digest, as a store keeps it.
pub(crate) fn note() -> Content<'static> {
    Content::from(NOTE)
}
