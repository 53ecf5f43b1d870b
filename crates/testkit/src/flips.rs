//! Golden rows of which some are false: exactly those must be named.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::Value;
use suites::agentdojo::conform::{Conformance, conform};
use suites::datasets::{Places, load_bytes};

/// Fields of what is expected that are changed in a copy.
const FLIPS: usize = 100;

/// Judges a copy of the rows in which fields of what is expected were changed, and says so; the copy is
/// never written.
///
/// # Errors
/// The rows or the bundle cannot be read, or another set of fields than the changed ones is named
/// beside those that are named without a change.
pub fn check(places: &Places, rows: &Path, seed: u64) -> Result<(), String> {
    let text = std::fs::read_to_string(rows).map_err(|error| error.to_string())?;
    let bundle = load_bytes(places).map_err(|error| error.to_string())?;
    let judge = |text: &str| conform(&bundle, text, 2).map_err(|error| error.to_string());
    let (flipped, fields) = flip(&text, seed);
    let mut expected = named(&judge(&text)?);
    let count = fields.len();
    expected.extend(fields);
    let got = named(&judge(&flipped)?);
    if got == expected {
        println!("golden rows: {count} fields of a copy flipped, exactly those are named");
        return Ok(());
    }
    let missed: Vec<_> = expected.difference(&got).collect();
    let beside: Vec<_> = got.difference(&expected).collect();
    Err(format!("of {count} flipped fields {missed:?} are not named, and {beside:?} are"))
}

/// A field of a row: the row's number, from 1, and the field.
type Field = (usize, String);

/// Every field where ours and upstream's differ.
fn named(conformance: &Conformance) -> BTreeSet<Field> {
    let judged = conformance.judged();
    let named = judged.flat_map(|(number, judged)| {
        judged.mismatches.iter().map(move |mismatch| (number, mismatch.field.clone()))
    });
    named.collect()
}

/// A copy of the rows with `FLIPS` fields of what is expected changed, and which they are.
fn flip(text: &str, seed: u64) -> (String, BTreeSet<Field>) {
    let rows = text.lines().map(|line| serde_json::from_str(line).expect("rows are JSON"));
    let mut rows: Vec<Value> = rows.collect();
    let mut fields = BTreeSet::new();
    let mut state = seed;
    let mut draw = |bound: usize| {
        // Knuth's MMIX generator; its high bits are good enough to choose rows.
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 33).expect("31 bits") % bound
    };
    while fields.len() < FLIPS.min(rows.len()) {
        let at = draw(rows.len());
        let expect = &mut rows[at]["expect"];
        let outputs = expect["outputs"].as_array().map_or(0, Vec::len);
        let (field, pointer) = match draw(4) {
            0 => ("expect.utility".to_owned(), "/utility".to_owned()),
            1 if !expect["security"].is_null() => ("expect.security".into(), "/security".into()),
            2 if outputs > 0 => {
                let output = draw(outputs);
                (format!("expect.outputs[{output}].text"), format!("/outputs/{output}/text"))
            }
            3 if outputs > 0 => {
                let output = draw(outputs);
                (format!("expect.outputs[{output}].error"), format!("/outputs/{output}/error"))
            }
            _ => continue,
        };
        if fields.insert((at + 1, field)) {
            let value = expect.pointer_mut(&pointer).expect("the field is there");
            *value = match value.take() {
                Value::Bool(verdict) => (!verdict).into(),
                Value::String(text) if pointer.ends_with("text") => (text + " ").into(),
                Value::Null => "ValueError: flipped".into(),
                Value::String(_) => Value::Null,
                _ => true.into(),
            };
        }
    }
    let lines: Vec<String> = rows.iter().map(Value::to_string).collect();
    (lines.join("\n"), fields)
}
