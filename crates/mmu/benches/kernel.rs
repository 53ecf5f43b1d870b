//! What the kernel's crossings cost: one table at the end, each figure beside its goal and beside
//! the clock's own floor. Goals: each crossing's in the README.
//!
//! A call is timed alone, so that its p99 means something. Cheaper crossings are timed by the
//! batch, since two readings of the clock cost more than they do. What an operation answers is
//! dropped within its time.

#[path = "common/mod.rs"]
mod common;
#[path = "common/table.rs"]
mod table;

use std::{env, hint::black_box};

use clawmmu::{
    ArgumentRule, Authority, Call, Content, Context, Deriver, Effect, EntryId, Kernel, KernelId,
    Kind, Schema, Scope, Source, Value,
};
use common::{NOTE, OWNER, call, filled, held_by_a_copy, note, page, payment, stored, write};
use table::{Goal, Table, Times, amortised, singly, time};

/// The fourth is the worst: origins are listed one by one up to 4,096 of them.
const PAGES: [usize; 5] = [10, 100, 1_000, 4_000, 10_000];
const CALL: Goal = Goal { p50: 1_000.0, p99: 5_000.0 };
const CROSSING: Goal = Goal::p50(30.0);
const DERIVE: Goal = Goal::p50(100.0);
/// What growth from 10 to 10,000 pages is taken for noise.
const NO_GROWTH: f64 = 1.25;
const BATCH: (u32, u32) = (2_000, 250);

type Section = (&'static str, fn(&mut Table));

const SECTIONS: [Section; 6] = [
    ("authorize", authorize),
    ("map", map),
    ("reload", reload),
    ("derive", derive),
    ("index", index),
    ("rest", rest),
];

/// All sections, or those that the command line names: `cargo bench -p clawmmu -- map reload`.
fn main() {
    let named: Vec<String> = env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let mut table = Table::new();
    for (name, section) in SECTIONS {
        if named.is_empty() || named.iter().any(|known| known == name) {
            section(&mut table);
        }
    }
    table.print();
}

/// A call, with everything that it is judged by.
struct Desk {
    kernel: Kernel,
    context: Context,
    schema: Schema,
}

impl Desk {
    fn new(pages: usize, schema: Schema) -> Self {
        let (kernel, context) = filled(pages);
        Self { kernel, context, schema }
    }

    fn authorize(&mut self, call: &Call<'_>) -> clawmmu::Decision {
        self.kernel.authorize(&mut self.context, call, Some(&self.schema), 0)
    }
}

/// The sizes by turns, so that whatever else the machine does falls on all of them alike.
fn by_pages(table: &mut Table, what: &str, schema: &Schema, call: &Call<'_>) {
    let mut desks = PAGES.map(|pages| Desk::new(pages, schema.clone()));
    let mut all = PAGES.map(|_| Times::new(1));
    for _ in 0..200 {
        for (desk, times) in desks.iter_mut().zip(&mut all) {
            for _ in 0..200 {
                times.take(desk, |desk| desk.authorize(call));
            }
        }
    }
    for (pages, times) in PAGES.iter().zip(&all) {
        let goal = if *pages == 100 { CALL } else { Goal::NONE };
        table.add(&format!("authorize, {what}, {pages} pages"), times, goal);
    }
    let most = all[1..].iter().map(|times| times.at(0.5)).fold(0.0, f64::max);
    let growth = most / all[0].at(0.5);
    let what = format!("authorize, {what}, the slowest of more pages : 10 pages");
    table.figure(&what, &format!("× {growth:.2}"), "no growth", growth <= NO_GROWTH);
}

fn authorize(table: &mut Table) {
    table.head("one call with three secured values");
    let allowed = call("GB29NWBK60161331926819");
    let call_of = |arguments| Call { tool: "send_money", arguments };
    by_pages(table, "allowed", &payment(), &call_of(&allowed));
    let asked = call("US133000000121212121212");
    by_pages(table, "asked", &payment(), &call_of(&asked));
    table.head("the same, right after one more page came in, which is not timed");
    for pages in [100, 4_000] {
        let mut desk = Desk::new(pages, payment());
        let mut times = Times::new(1);
        for _ in 0..90 {
            desk.kernel.map(&mut desk.context, Source::Tool, "").expect("it is in scope");
            times.take(&mut desk, |desk| desk.authorize(&call_of(&allowed)));
        }
        table.add(&format!("authorize, allowed, {pages} pages and one"), &times, Goal::NONE);
    }
    table.head("one call with one secured value, in every page: its places are capped");
    let schema = Schema {
        tool: "send".into(),
        effect: Effect::External,
        arguments: vec![("to".into(), ArgumentRule::secured(Authority::Policy, Kind::Address))],
    };
    let arguments = [("to".into(), Value::Text("emma@example.com".into()))];
    by_pages(table, "flooded", &schema, &Call { tool: "send", arguments: &arguments });
    table.head("one call with one secured value, held by a copy of many pages");
    for origins in [8, 1_000] {
        let (kernel, context) = held_by_a_copy(origins);
        let mut desk = Desk { kernel, context, schema: schema.clone() };
        let arguments = [("to".into(), Value::Text("copied@example.com".into()))];
        let call = Call { tool: "send", arguments: &arguments };
        let times = singly(20_000, &mut desk, |desk| desk.authorize(&call));
        table.add(&format!("authorize, asked, {origins} origins"), &times, Goal::NONE);
    }
}

/// A kernel and an empty context, opened anew for each batch.
fn empty() -> (Kernel, Context) {
    let kernel = Kernel::new(KernelId(1));
    let context = kernel.open(OWNER, Scope::of(1, 1));
    (kernel, context)
}

fn map(table: &mut Table) {
    table.head("map: new content of a channel, its own page its one origin");
    let text = page(1);
    for (what, text) in [
        (format!("map, whole: {} bytes stored", text.len()), text.as_str()),
        ("map, label work: the same but for the bytes".to_owned(), ""),
    ] {
        let times = amortised(BATCH, empty, |(kernel, context)| {
            kernel.map(context, Source::Tool, text).expect("it is in scope")
        });
        table.add(&what, &times, CROSSING);
    }
}

fn reload(table: &mut Table) {
    table.head("reload: stored content comes back, its digest at hand");
    for origins in [8, 1_000] {
        let goal = if origins == 8 { CROSSING } else { Goal::NONE };
        let (mut kernel, context, copy, input) = stored(origins);
        let nothing = kernel.derive(&context, &write(Deriver::Harness, &[&input]), "");
        let batch = if origins == 8 { BATCH } else { (100, 100) };
        for (what, copy, bytes) in [
            (format!("whole: {} bytes stored", NOTE.len()), &copy, note()),
            ("label work: the same but for the bytes".into(), &nothing.representation, "".into()),
        ] {
            let opened = kernel.open(OWNER, Scope::of(1, 2));
            let times = amortised(
                batch,
                || opened.clone(),
                |context| kernel.reload(context, copy, bytes, 0).expect("it is in scope"),
            );
            table.add(&format!("reload, {origins} origins, {what}"), &times, goal);
        }
        let times = amortised(batch, || (), |()| kernel.is_current(&copy));
        table.add(&format!("reload, {origins} origins, comparing only"), &times, goal);
    }
}

fn derive(table: &mut Table) {
    table.head("derive: content is stored, its digest at hand");
    let bytes = note();
    for origins in [8, 1_000] {
        let goal = if origins == 8 { DERIVE } else { Goal::NONE };
        let batch = if origins == 8 { BATCH } else { (100, 100) };
        let (mut kernel, context, _, input) = stored(origins);
        let inputs = [&input];
        let by_harness = write(Deriver::Harness, &inputs);
        let times =
            amortised(batch, || (), |()| kernel.derive(&context, black_box(&by_harness), bytes));
        let what = format!("derive, {origins} origins, whole: page, descriptor, catalogue");
        table.add(&what, &times, goal);
        let times = amortised(
            batch,
            || (),
            |()| kernel.inherit(&context, Deriver::Harness, black_box(&inputs)),
        );
        table.add(&format!("derive, {origins} origins, the rule alone"), &times, goal);
    }
    for pages in PAGES {
        let (mut kernel, context) = filled(pages);
        let by_model = write(Deriver::Model, &[]);
        let times =
            amortised((100, 100), || (), |()| kernel.derive(&context, black_box(&by_model), bytes));
        table.add(&format!("derive by a model, {pages} pages"), &times, Goal::NONE);
    }
}

/// Contexts that hold texts which are not indexed yet.
fn unindexed(texts: &[String]) -> (Context, Vec<EntryId>) {
    let (mut kernel, mut context) = empty();
    let map = |text: &String| kernel.map(&mut context, Source::Tool, text).expect("it may").entry;
    let entries = texts.iter().map(map).collect();
    (context, entries)
}

fn index(table: &mut Table) {
    table.head("index: what tracing costs as content enters");
    for pages in [1, 100, 1_000] {
        let texts: Vec<String> = (0..pages).map(page).collect();
        let bytes = texts.iter().map(String::len).sum::<usize>() as f64;
        let batches = if pages == 1_000 { 50 } else { 1_000 };
        let mut times = Times::new(1);
        for _ in 0..batches {
            let mut state = unindexed(&texts);
            times.take(&mut state, |(context, entries)| {
                for entry in entries {
                    context.index(*entry);
                }
            });
        }
        let (p50, p99) = (times.at(0.5), times.at(0.99));
        table.add(&format!("index, {pages} pages, {bytes} bytes in all"), &times, Goal::NONE);
        let per_byte = p50 / bytes;
        let value = format!("{:.0} MB/s", bytes * 1e3 / p50);
        let what =
            format!("index, {pages} pages, {} a byte (p99 {})", time(per_byte), time(p99 / bytes));
        table.figure(&what, &value, "≥ 100 MB/s", per_byte <= 10.0);
    }
}

fn rest(table: &mut Table) {
    table.head("beside the crossings");
    let times = amortised((1_000, 100), || (), |()| Content::from(NOTE));
    table.add(&format!("digest of {} bytes", NOTE.len()), &times, Goal::NONE);
    for pages in [10, 1_000] {
        let (mut kernel, context) = filled(pages);
        let times = singly(200, &mut kernel, |kernel| {
            let saved = kernel.checkpoint(&context);
            kernel.restore(&saved, 0).context
        });
        table.add(&format!("checkpoint and restore, {pages} pages"), &times, Goal::NONE);
        for _ in 0..pages {
            kernel.derive(&context, &write(Deriver::Model, &[]), note());
        }
        let page = kernel.page();
        let times = singly(500, &mut kernel, |kernel| kernel.revoke(page));
        table.add(&format!("revoke with its report, {pages} stored copies"), &times, Goal::NONE);
    }
}
