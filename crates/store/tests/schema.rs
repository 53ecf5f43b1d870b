//! The table of columns says what the structs say.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod common;

use common::schema;
use store::{ColumnType, FILES};

/// The structs' source, whose documentation names the files.
const SOURCE: &str = include_str!("../../trace/src/rows.rs");

/// Each documented file with its fields and their types, from the source.
fn documented() -> Vec<(String, Vec<(String, String)>)> {
    let mut files = Vec::new();
    for part in SOURCE.split("/// A row of `").skip(1) {
        let (file, rest) = part.split_once('`').unwrap();
        let body = rest.split_once("pub struct").unwrap().1.split_once("\n}").unwrap().0;
        let fields = body.lines().filter_map(|line| {
            let (name, ty) = line.trim().strip_prefix("pub ")?.split_once(": ")?;
            Some((name.to_owned(), ty.trim_end_matches(',').to_owned()))
        });
        files.push((file.to_owned(), fields.collect()));
    }
    files
}

#[test]
fn files_and_columns_are_those_of_the_documented_structs() {
    let mut from_table: Vec<_> = FILES.iter().map(|schema| schema.file.to_owned()).collect();
    let mut from_source: Vec<_> = documented().into_iter().map(|(file, _)| file).collect();
    from_table.sort();
    from_source.sort();
    assert_eq!(from_table, from_source);
    for (file, fields) in documented() {
        let columns = schema(&file).columns;
        let names: Vec<_> = columns.iter().map(|column| column.name).collect();
        let expected: Vec<_> = fields.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, expected, "{file}");
        for (column, (name, ty)) in columns.iter().zip(&fields) {
            let plain = ty.strip_prefix("Option<").map(|inner| inner.trim_end_matches('>'));
            assert_eq!(column.nullable, plain.is_some(), "{file}: {name}");
            let expected = match plain.unwrap_or(ty) {
                "String" => ColumnType::Text,
                "u32" | "u64" => ColumnType::Int64,
                "f64" => ColumnType::Float64,
                "bool" => ColumnType::Bool,
                "Vec<u8>" => ColumnType::Bytes,
                other => panic!("{file}: {name} has the unknown type {other}"),
            };
            assert_eq!(column.ty, expected, "{file}: {name}");
        }
    }
}

/// What `scripts/read_results.py` says of the columns, which it compares with what pandas and `DuckDB`
/// see.
const SCRIPT: &str = include_str!("../../../scripts/read_results.py");

#[test]
fn the_script_that_reads_results_knows_every_column() {
    for (file, fields) in documented() {
        let name = file.trim_end_matches(".parquet");
        let (_, rest) = SCRIPT.split_once(&format!("\n    \"{name}\": ")).expect(name);
        let quoted = rest.trim_start_matches('"').split('"').next().unwrap();
        let listed: Vec<&str> =
            quoted.split_whitespace().map(|one| one.split(':').next().unwrap()).collect();
        let expected: Vec<&str> = fields.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(listed, expected, "{file}");
    }
}

#[test]
fn a_schema_prints_a_line_a_column() {
    let text = schema("timings.parquet").to_string();
    assert_eq!(
        text,
        "timings.parquet\n  cell_id     text\n  defense_ns  int64\n  wall_ns     int64\n"
    );
    let text = schema("cells.parquet").to_string();
    assert!(text.lines().any(|line| line.ends_with("bool     may be null")), "{text}");
}
