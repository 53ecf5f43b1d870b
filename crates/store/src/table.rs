//! Which field of which row is which column.
//!
//! A field that is missing here, or that the struct does not have, does not compile: rows are read
//! by naming every field of the struct.

use polars::prelude::DataFrame;
use trace::rows::{ApprovalRow, CellRow, EventRow, FaultRow, LatencyRow, ScenarioRow, TimingRow};

use crate::field::{BadColumn, Field};
use crate::schema::{Column, FileSchema};

/// A row type with its file.
pub(crate) trait Table: Clone {
    /// The file and its columns.
    const SCHEMA: FileSchema;

    /// The rows as a frame, in the order given.
    fn frame(rows: &[Self]) -> Result<DataFrame, BadColumn>;

    /// The rows of a frame, in its order. Columns that are not known are left aside.
    fn rows(frame: &DataFrame) -> Result<Vec<Self>, BadColumn>;
}

/// The values of a frame's column.
fn values<F: Field>(frame: &DataFrame, name: &'static str) -> Result<Vec<F>, BadColumn> {
    let column = frame
        .column(name)
        .map_err(|_| BadColumn { column: name, reason: "it is not in the file".into() })?;
    F::values(name, column)
}

/// Lists a row type's columns with the types of their fields.
macro_rules! table {
    ($row:ident in $file:literal { $($field:ident: $type:ty,)+ }) => {
        impl Table for $row {
            const SCHEMA: FileSchema = FileSchema {
                file: $file,
                columns: &[$(Column {
                    name: stringify!($field),
                    ty: <$type as Field>::TYPE,
                    nullable: <$type as Field>::NULLABLE,
                }),+],
            };

            fn frame(rows: &[Self]) -> Result<DataFrame, BadColumn> {
                let columns = vec![$(<$type as Field>::column(
                    stringify!($field),
                    rows.iter().map(|row| &row.$field),
                )?),+];
                DataFrame::new(rows.len(), columns)
                    .map_err(|error| BadColumn { column: $file, reason: error.to_string() })
            }

            fn rows(frame: &DataFrame) -> Result<Vec<Self>, BadColumn> {
                $(let mut $field = values::<$type>(frame, stringify!($field))?.into_iter();)+
                let rows = (0..frame.height()).map(|_| {
                    Some($row { $($field: $field.next()?),+ })
                });
                Ok(rows.collect::<Option<_>>().expect("a frame's columns have its height"))
            }
        }
    };
}

table!(CellRow in "cells.parquet" {
    cell_id: String,
    pair_id: String,
    suite: String,
    suite_version: String,
    world: String,
    setting: Option<String>,
    scenario: String,
    user_task: String,
    injection_task: Option<String>,
    kind: String,
    harm_kind: Option<String>,
    guarantee: Option<String>,
    cluster_user: String,
    cluster_attack: Option<String>,
    attack: Option<String>,
    harness: String,
    agent: String,
    defense: String,
    defense_tier: String,
    profile: Option<String>,
    owner: String,
    epoch: u32,
    seed: u64,
    status: String,
    invalid_reason: Option<String>,
    exposed: Option<bool>,
    delivered: Option<bool>,
    attempted: Option<bool>,
    executed: Option<bool>,
    attack_landed: Option<bool>,
    attack_partial: Option<bool>,
    attack_landed_upstream: Option<bool>,
    attack_landed_fixed: Option<bool>,
    utility_done: Option<bool>,
    utility_done_fixed: Option<bool>,
    starved: u32,
    unseen_values: u32,
    reply_source: Option<String>,
    utility_done_logged: Option<bool>,
    attack_landed_logged: Option<bool>,
    stopped_at: Option<String>,
    stop_fault: Option<String>,
    stop_reason: Option<String>,
    diverged: Option<bool>,
    asks: u32,
    asks_arguments: u32,
    asks_repeated: u32,
    granted: u32,
    asks_needed: u32,
    asks_from_evidence: u32,
    refused_unknown: u32,
    false_blocks: u32,
    false_completion: Option<bool>,
    turns: u32,
    calls_requested: u32,
    calls_executed: u32,
    calls_refused: u32,
    effects: u32,
    effects_mediated: u32,
    pages: u32,
    tokens_in: Option<u64>,
    tokens_out: Option<u64>,
    cost_usd: Option<f64>,
    injected: Option<bool>,
    retrieved: Option<bool>,
    used: Option<bool>,
    memory_entries: Option<u32>,
    recall_wanted: Option<u32>,
    recall_hits: Option<u32>,
    pager_refetch: Option<u32>,
    pager_duplicate_tool: Option<u32>,
    pager_bootstrap: Option<u32>,
    pager_flush_miss: Option<u32>,
    pager_silent_recall: Option<u32>,
    pager_pinned: Option<u32>,
    revocation_danger_gone: Option<bool>,
    revocation_records: Option<u32>,
    revocation_collateral: Option<u32>,
    revocation_acts: Option<u32>,
    owner_content: Option<u32>,
    owner_standing: Option<u32>,
    owner_grants: Option<u32>,
    owner_revocations: Option<u32>,
    owner_widened: Option<u32>,
    granted_in_advance: Option<u32>,
});

table!(ApprovalRow in "approvals.parquet" {
    cell_id: String,
    seq: u32,
    kind: String,
    tool: Option<String>,
    argument: Option<String>,
    reason: String,
    channel: Option<String>,
    decision: String,
    needed: bool,
    from_evidence: bool,
    widens: bool,
    scope_before: Option<String>,
    scope_after: Option<String>,
    authority_before: Option<String>,
    authority_after: Option<String>,
    uses: Option<u32>,
    expires: Option<String>,
});

table!(FaultRow in "faults.parquet" {
    cell_id: String,
    seq: u32,
    crossing: String,
    fault: String,
    reason: String,
    page: Option<String>,
    channel: Option<String>,
    tool: Option<String>,
    argument: Option<String>,
});

table!(TimingRow in "timings.parquet" {
    cell_id: String,
    defense_ns: u64,
    wall_ns: u64,
});

table!(ScenarioRow in "scenarios.parquet" {
    scenario: String,
    suite: String,
    suite_version: String,
    world: String,
    kind: String,
    user_task: String,
    injection_task: Option<String>,
    attack: Option<String>,
    cluster_user: String,
    cluster_attack: Option<String>,
    bundle_digest: String,
    digest: String,
    payload_digest: Option<String>,
    vectors: Option<String>,
    exposed_message: Option<u32>,
    exposed_start: Option<u32>,
    exposed_end: Option<u32>,
});

table!(LatencyRow in "latency.parquet" {
    suite: String,
    defense: String,
    hook: String,
    outcome: String,
    n: u64,
    min_ns: u64,
    p50_ns: u64,
    p90_ns: u64,
    p99_ns: u64,
    p999_ns: u64,
    p9999_ns: u64,
    max_ns: u64,
    mean_ns: f64,
    clock_ns: u64,
    hdr: Vec<u8>,
});

table!(EventRow in "events.parquet" {
    cell_id: String,
    seq: u32,
    event: String,
    tool: Option<String>,
    page: Option<u32>,
    channel: Option<String>,
    detail: String,
});
