//! How often the checks allocate, and how much. Times are those of the other benchmark; counting
//! slows them down.

#[path = "common/mod.rs"]
mod common;

use clawmmu::{Call, Deriver, Kernel, KernelId, Scope, Source};
use common::{OWNER, call, filled, note, page, payment, stored, write};
use divan::{AllocProfiler, Bencher, black_box};

#[global_allocator]
static ALLOCATIONS: AllocProfiler = AllocProfiler::system();

fn main() {
    divan::main();
}

#[divan::bench(args = ["GB29NWBK60161331926819", "US133000000121212121212"], sample_size = 100)]
fn authorize(bencher: Bencher<'_, '_>, recipient: &str) {
    let (mut kernel, mut context) = filled(100);
    let (schema, arguments) = (payment(), call(recipient));
    let call = Call { tool: "send_money", arguments: &arguments };
    bencher.bench_local(|| kernel.authorize(&mut context, black_box(&call), Some(&schema), 0));
}

#[divan::bench(sample_size = 100)]
fn map(bencher: Bencher<'_, '_>) {
    let text = page(1);
    let mut kernel = Kernel::new(KernelId(1));
    let mut context = kernel.open(OWNER, Scope::of(1, 1));
    bencher.bench_local(|| kernel.map(&mut context, Source::Tool, black_box(&text)));
}

#[divan::bench(args = [8, 1_000], sample_size = 100)]
fn reload(bencher: Bencher<'_, '_>, origins: usize) {
    let (mut kernel, _, copy, _) = stored(origins);
    let mut context = kernel.open(OWNER, Scope::of(1, 2));
    bencher.bench_local(|| kernel.reload(&mut context, black_box(&copy), note(), 0));
}

#[divan::bench(args = [8, 1_000], sample_size = 100)]
fn derive(bencher: Bencher<'_, '_>, origins: usize) {
    let (mut kernel, context, _, input) = stored(origins);
    bencher.bench_local(|| {
        kernel.derive(&context, &write(Deriver::Harness, black_box(&[&input])), note())
    });
}

#[divan::bench(sample_size = 1)]
fn index(bencher: Bencher<'_, '_>) {
    let text = page(1);
    bencher
        .with_inputs(|| {
            let mut kernel = Kernel::new(KernelId(1));
            let mut context = kernel.open(OWNER, Scope::of(1, 1));
            let mapped = kernel.map(&mut context, Source::Tool, &text).expect("it is in scope");
            (context, mapped.entry)
        })
        .bench_values(|(mut context, entry)| {
            context.index(entry);
            context
        });
}
