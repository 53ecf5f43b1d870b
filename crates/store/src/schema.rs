//! The columns of every file, in one table.

use std::fmt;

use trace::rows::{ApprovalRow, CellRow, EventRow, FaultRow, LatencyRow, ScenarioRow, TimingRow};

use crate::table::Table;

/// The type of a column, as plain as `DuckDB`, pandas and Spark all read it.
///
/// There are no unsigned types, since Spark has none: counts are `Int64`, and so are `seed` and times,
/// whose values must therefore lie in 0 to 2⁶³ − 1. A greater value is an error when written, never a
/// wrapped number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColumnType {
    /// UTF-8 text (`BYTE_ARRAY`, annotated as string).
    Text,
    /// A whole number, not negative (`INT64`).
    Int64,
    /// A number (`DOUBLE`).
    Float64,
    /// True or false (`BOOLEAN`).
    Bool,
    /// Bytes (`BYTE_ARRAY` without annotation).
    Bytes,
}

impl ColumnType {
    /// The word for people.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Int64 => "int64",
            Self::Float64 => "float64",
            Self::Bool => "bool",
            Self::Bytes => "bytes",
        }
    }
}

/// A column of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column {
    /// The column's name, which is the field's name in `trace::rows`.
    pub name: &'static str,
    /// Its type.
    pub ty: ColumnType,
    /// Whether it may hold null, which means *does not apply*.
    pub nullable: bool,
}

/// A file of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileSchema {
    /// The file's name in the run's folder.
    pub file: &'static str,
    /// Its columns in order.
    pub columns: &'static [Column],
}

impl fmt::Display for FileSchema {
    /// The schema as a table for people: a line a column.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(out, "{}", self.file)?;
        let widest = self.columns.iter().map(|column| column.name.len()).max().unwrap_or(0);
        for column in self.columns {
            let null = if column.nullable { "  may be null" } else { "" };
            let line = format!("  {:widest$}  {:7}{null}", column.name, column.ty.as_str());
            writeln!(out, "{}", line.trim_end())?;
        }
        Ok(())
    }
}

/// Every file of a run with its columns: what is written, what is read, what is documented.
///
/// Each file says the version of its format in its metadata, under the key `bench.run_schema`
/// ([`trace::version::RUN_SCHEMA`]). Within a version columns are only ever added.
pub const FILES: &[FileSchema] = &[
    CellRow::SCHEMA,
    ApprovalRow::SCHEMA,
    FaultRow::SCHEMA,
    TimingRow::SCHEMA,
    ScenarioRow::SCHEMA,
    LatencyRow::SCHEMA,
    EventRow::SCHEMA,
];
