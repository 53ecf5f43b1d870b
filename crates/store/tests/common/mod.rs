//! Rows for tests, made from the schema itself.
#![allow(dead_code, reason = "each test uses a part")]
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use proptest::prelude::*;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use store::{ColumnType, FILES, FileSchema};
use trace::rows::RunRows;

/// Any row of a file.
pub(crate) fn any_row<T: DeserializeOwned + std::fmt::Debug>(
    file: &str,
) -> impl Strategy<Value = T> + use<T> {
    let columns = schema(file).columns;
    let fields: Vec<_> = columns
        .iter()
        .map(|column| {
            let value = match column.ty {
                ColumnType::Text => any::<String>().prop_map(Value::from).boxed(),
                ColumnType::Int64 => any::<u32>().prop_map(Value::from).boxed(),
                ColumnType::Float64 => (-1e18..1e18_f64).prop_map(Value::from).boxed(),
                ColumnType::Bool => any::<bool>().prop_map(Value::from).boxed(),
                ColumnType::Bytes => any::<Vec<u8>>().prop_map(|bytes| json!(bytes)).boxed(),
            };
            if column.nullable { prop_oneof![Just(Value::Null), value].boxed() } else { value }
        })
        .collect();
    fields.prop_map(move |values| {
        let names = columns.iter().map(|column| column.name.to_owned());
        let row: Map<String, Value> = names.zip(values).collect();
        serde_json::from_value(Value::Object(row)).expect("the schema describes the struct")
    })
}

/// Any small run.
pub(crate) fn any_run() -> impl Strategy<Value = RunRows> {
    let few = 0..4_usize;
    (
        prop::collection::vec(any_row("cells.parquet"), few.clone()),
        prop::collection::vec(any_row("approvals.parquet"), few.clone()),
        prop::collection::vec(any_row("faults.parquet"), few.clone()),
        prop::collection::vec(any_row("timings.parquet"), few.clone()),
        prop::collection::vec(any_row("scenarios.parquet"), few.clone()),
        prop::collection::vec(any_row("latency.parquet"), few.clone()),
        prop::collection::vec(any_row("events.parquet"), few),
    )
        .prop_map(|(cells, approvals, faults, timings, scenarios, latency, events)| RunRows {
            cells,
            approvals,
            faults,
            timings,
            scenarios,
            latency,
            events,
        })
}

/// The schema of a file.
pub(crate) fn schema(file: &str) -> FileSchema {
    *FILES.iter().find(|schema| schema.file == file).expect("a file of the table")
}

/// A small run whose cells bear these names.
pub(crate) fn run(cells: &[&str]) -> RunRows {
    let cell = |id: &&str| trace::rows::CellRow {
        cell_id: (*id).into(),
        status: "ok".into(),
        seed: 7,
        attack_landed: Some(true),
        ..trace::rows::CellRow::default()
    };
    RunRows { cells: cells.iter().map(cell).collect(), ..RunRows::default() }
}

/// The names in a folder, sorted.
pub(crate) fn names(dir: &std::path::Path) -> Vec<String> {
    let entries = std::fs::read_dir(dir).unwrap();
    let mut names: Vec<_> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}
