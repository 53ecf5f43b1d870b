//! What the kernel's checks cost: a decision, by the number of pages in the context, and the
//! indexing of a text, by the byte.

use clawmmu::{
    ArgumentRule, Authority, Call, Context, Effect, Kernel, KernelId, Kind, Schema, Scope, Source,
    Tenant, Value,
};
use divan::{Bencher, black_box, counter::BytesCount};

fn main() {
    divan::main();
}

const OWNER: Tenant = Tenant(1);

fn page(number: usize) -> String {
    format!(
        "id_: '{number}'\nsender: person{number}@example.com\nrecipients: emma@example.com\n\
         subject: Invoice {number} is due\nbody: Please pay {number}.50 to GB29 NWBK 6016 \
         {number:04} before 2024-05-{:02} 10:00, or see https://example.com/invoice/{number}?v=1.\n",
        number % 28 + 1,
    )
}

fn filled(pages: usize) -> (Kernel, Context) {
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

fn payment() -> Schema {
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

fn call(recipient: &str) -> [(std::borrow::Cow<'_, str>, Value<'_>); 4] {
    [
        ("recipient".into(), Value::Text(recipient.into())),
        ("amount".into(), Value::Number("1050.0".into())),
        ("notify".into(), Value::Text("alice.smith@corp.example".into())),
        ("subject".into(), Value::Text("Invoice".into())),
    ]
}

#[divan::bench(args = [10, 100, 1_000, 10_000], sample_count = 200, sample_size = 200)]
fn authorize_allowed(bencher: Bencher<'_, '_>, pages: usize) {
    let (mut kernel, mut context) = filled(pages);
    let (schema, arguments) = (payment(), call("GB29NWBK60161331926819"));
    let call = Call { tool: "send_money", arguments: &arguments };
    bencher.bench_local(|| kernel.authorize(&mut context, black_box(&call), Some(&schema), 0));
}

#[divan::bench(args = [10, 100, 1_000, 10_000], sample_count = 200, sample_size = 200)]
fn authorize_asked(bencher: Bencher<'_, '_>, pages: usize) {
    let (mut kernel, mut context) = filled(pages);
    let (schema, arguments) = (payment(), call("US133000000121212121212"));
    let call = Call { tool: "send_money", arguments: &arguments };
    bencher.bench_local(|| kernel.authorize(&mut context, black_box(&call), Some(&schema), 0));
}

/// The worst case: every page holds the address, so its places are capped.
#[divan::bench(args = [10, 100, 1_000, 10_000], sample_count = 200, sample_size = 200)]
fn authorize_flooded(bencher: Bencher<'_, '_>, pages: usize) {
    let (mut kernel, mut context) = filled(pages);
    let schema = Schema {
        tool: "send".into(),
        effect: Effect::External,
        arguments: vec![("to".into(), ArgumentRule::secured(Authority::Policy, Kind::Address))],
    };
    let arguments = [("to".into(), Value::Text("emma@example.com".into()))];
    let call = Call { tool: "send", arguments: &arguments };
    bencher.bench_local(|| kernel.authorize(&mut context, black_box(&call), Some(&schema), 0));
}

#[divan::bench(args = [1, 100, 1_000])]
fn index(bencher: Bencher<'_, '_>, pages: usize) {
    let texts: Vec<String> = (0..pages).map(page).collect();
    let bytes = texts.iter().map(String::len).sum::<usize>();
    bencher
        .counter(BytesCount::new(bytes))
        .with_inputs(|| {
            let mut kernel = Kernel::new(KernelId(1));
            let mut context = kernel.open(OWNER, Scope::of(1, 1));
            let map = |text: &String| kernel.map(&mut context, Source::Tool, text);
            let entries: Vec<_> =
                texts.iter().map(map).map(|mapped| mapped.expect("it is in scope").entry).collect();
            (context, entries)
        })
        .bench_values(|(mut context, entries)| {
            for entry in entries {
                context.index(entry);
            }
            context
        });
}

#[divan::bench]
fn map(bencher: Bencher<'_, '_>) {
    let text = page(1);
    let mut kernel = Kernel::new(KernelId(1));
    let mut context = kernel.open(OWNER, Scope::of(1, 1));
    bencher.bench_local(|| kernel.map(&mut context, Source::Tool, black_box(&text)));
}
