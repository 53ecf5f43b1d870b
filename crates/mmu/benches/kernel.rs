//! What the kernel's checks cost: a decision, by the number of pages in the context, and the
//! indexing of a text, by the byte.

#[path = "common/mod.rs"]
mod common;

use std::time::Instant;

use clawmmu::{
    ArgumentRule, Authority, Call, Content, Deriver, Effect, Kernel, KernelId, Kind, Schema, Scope,
    Source, Value,
};
use common::{NOTE, OWNER, call, filled, note, page, payment, stored, write};
use divan::{Bencher, black_box, counter::BytesCount};

fn main() {
    divan::main();
}

/// The floor of every single measurement: two readings of the clock.
#[divan::bench]
fn clock(bencher: Bencher<'_, '_>) {
    bencher.bench_local(|| Instant::now().elapsed());
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

/// New content of 190 bytes, its copy included; the context is opened anew every thousand.
#[divan::bench(sample_count = 200, sample_size = 1_000)]
fn map(bencher: Bencher<'_, '_>) {
    let text = page(1);
    let mut kernel = Kernel::new(KernelId(1));
    let mut context = kernel.open(OWNER, Scope::of(1, 1));
    let mut done = 0;
    bencher.bench_local(|| {
        done += 1;
        if done % 1_000 == 0 {
            context = kernel.open(OWNER, Scope::of(1, 1));
        }
        kernel.map(&mut context, Source::Tool, black_box(&text))
    });
}

/// The comparison of counters alone.
#[divan::bench(args = [8, 1_000], sample_count = 200, sample_size = 1_000)]
fn reload_check(bencher: Bencher<'_, '_>, origins: usize) {
    let (kernel, _, copy, _) = stored(origins);
    bencher.bench_local(|| kernel.is_current(black_box(&copy)));
}

/// The whole crossing with the digest at hand: text, descriptor and label taken in.
#[divan::bench(args = [8, 1_000], sample_count = 200, sample_size = 1_000)]
fn reload(bencher: Bencher<'_, '_>, origins: usize) {
    let (mut kernel, _, copy, _) = stored(origins);
    let mut context = kernel.open(OWNER, Scope::of(1, 2));
    let mut done = 0;
    let bytes = note();
    bencher.bench_local(|| {
        done += 1;
        if done % 1_000 == 0 {
            context = kernel.open(OWNER, Scope::of(1, 2));
        }
        kernel.reload(&mut context, black_box(&copy), bytes, 0)
    });
}

/// The rule of inheritance alone.
#[divan::bench(args = [8, 1_000], sample_count = 200, sample_size = 1_000)]
fn derive_inherit(bencher: Bencher<'_, '_>, origins: usize) {
    let (kernel, context, _, input) = stored(origins);
    bencher.bench_local(|| kernel.inherit(&context, Deriver::Harness, black_box(&[&input])));
}

/// The whole crossing with the digest at hand: a new page, the catalogue and all.
#[divan::bench(args = [8, 1_000], sample_count = 200, sample_size = 1_000)]
fn derive(bencher: Bencher<'_, '_>, origins: usize) {
    let (mut kernel, context, _, input) = stored(origins);
    let bytes = note();
    bencher.bench_local(|| {
        kernel.derive(&context, &write(Deriver::Harness, black_box(&[&input])), bytes)
    });
}

/// A model's write, which inherits from everything its context ever admitted.
#[divan::bench(args = [10, 100, 1_000, 10_000], sample_count = 100, sample_size = 100)]
fn derive_by_model(bencher: Bencher<'_, '_>, pages: usize) {
    let (mut kernel, context) = filled(pages);
    let bytes = note();
    bencher.bench_local(|| kernel.derive(&context, &write(Deriver::Model, &[]), black_box(bytes)));
}

#[divan::bench]
fn digest(bencher: Bencher<'_, '_>) {
    bencher.counter(BytesCount::new(NOTE.len())).bench_local(|| Content::from(black_box(NOTE)));
}

#[divan::bench(args = [10, 1_000], sample_count = 50)]
fn checkpoint_and_restore(bencher: Bencher<'_, '_>, pages: usize) {
    let (mut kernel, context) = filled(pages);
    bencher.bench_local(|| {
        let saved = kernel.checkpoint(black_box(&context));
        kernel.restore(&saved, 0).context
    });
}

/// With everything that there was reported.
#[divan::bench(args = [10, 1_000], sample_count = 50, sample_size = 10)]
fn revoke(bencher: Bencher<'_, '_>, pages: usize) {
    let (mut kernel, context) = filled(pages);
    for _ in 0..pages {
        kernel.derive(&context, &write(Deriver::Model, &[]), note());
    }
    let page = kernel.page();
    bencher.bench_local(|| kernel.revoke(black_box(page)));
}
