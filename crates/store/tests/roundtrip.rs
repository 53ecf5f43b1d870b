//! What is written is read back, bit for bit.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod common;

use common::{any_run, names, run};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use store::{RunReader, RunWriter, read, write};
use trace::rows::{EventRow, FaultRow, RunRows, TimingRow};

proptest! {
    #![proptest_config(ProptestConfig { cases: 16, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_run_is_read_as_it_was_written(rows in any_run()) {
        let dir = tempfile::tempdir().unwrap();
        write(dir.path(), &rows).unwrap();
        prop_assert_eq!(read(dir.path()).unwrap(), rows);
    }
}

#[test]
fn a_run_without_rows_has_all_files_but_events() {
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), &RunRows::default()).unwrap();
    let files = ["approvals", "cells", "faults", "latency", "scenarios", "timings"];
    assert_eq!(names(dir.path()), files.map(|name| format!("{name}.parquet")));
    assert_eq!(read(dir.path()).unwrap(), RunRows::default());
}

#[test]
fn texts_and_numbers_at_their_limits_survive() {
    let dir = tempfile::tempdir().unwrap();
    let mut rows = run(&["", "\0", "naïve \u{1F980} \u{202E}", &"long".repeat(50_000)]);
    rows.cells[0].seed = u64::try_from(i64::MAX).unwrap();
    rows.cells[1].epoch = u32::MAX;
    rows.cells[2].setting = Some(String::new());
    rows.cells[3].cost_usd = Some(f64::MIN_POSITIVE);
    rows.cells[3].tokens_in = Some(0);
    write(dir.path(), &rows).unwrap();
    assert_eq!(read(dir.path()).unwrap(), rows);
}

#[test]
fn equal_rows_give_equal_bytes() {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let rows = any_run().new_tree(&mut runner).unwrap().current();
    let (one, two) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    write(one.path(), &rows).unwrap();
    write(two.path(), &rows).unwrap();
    for name in names(one.path()) {
        let bytes = |dir: &std::path::Path| std::fs::read(dir.join(&name)).unwrap();
        assert_eq!(bytes(one.path()), bytes(two.path()), "{name}");
    }
}

#[test]
fn more_rows_than_a_row_group_keep_their_order() {
    let dir = tempfile::tempdir().unwrap();
    let row = |at: u64| TimingRow { cell_id: String::new(), defense_ns: at, wall_ns: 0 };
    let rows = RunRows { timings: (0..70_000).map(row).collect(), ..RunRows::default() };
    write(dir.path(), &rows).unwrap();
    assert_eq!(read(dir.path()).unwrap(), rows);

    let mut reader = RunReader::open(dir.path()).unwrap();
    let mut timings = Vec::new();
    while let Some(piece) = reader.next_rows().unwrap() {
        assert!(piece.timings.len() < rows.timings.len(), "a part at a time");
        timings.extend(piece.timings);
    }
    assert_eq!(timings, rows.timings);
}

#[test]
fn a_cells_rows_are_taken_together() {
    let dir = tempfile::tempdir().unwrap();
    let fault = |cell: &str, seq| FaultRow { cell_id: cell.into(), seq, ..FaultRow::default() };
    let faults = vec![fault("a", 0), fault("a", 1), fault("c", 0)];
    write(dir.path(), &RunRows { faults, ..run(&["a", "b", "c"]) }).unwrap();
    let mut reader = RunReader::open(dir.path()).unwrap();
    let mut of = || {
        let mut rows = RunRows::default();
        reader.take_cell(&mut rows).unwrap();
        let cell = rows.cells.first().map(|cell| cell.cell_id.clone());
        (cell, rows.faults.len())
    };
    assert_eq!(of(), (Some("a".to_owned()), 2));
    assert_eq!(of(), (Some("b".to_owned()), 0));
    assert_eq!(of(), (Some("c".to_owned()), 1));
    assert_eq!(of(), (None, 0));
}

#[test]
fn parts_are_read_as_one_run() {
    let dir = tempfile::tempdir().unwrap();
    let mut writer = RunWriter::create(dir.path()).unwrap();
    writer.push(&run(&["a", "b"])).unwrap();
    writer.push(&RunRows::default()).unwrap();
    let event = EventRow { cell_id: "c".into(), ..EventRow::default() };
    writer.push(&RunRows { events: vec![event.clone()], ..run(&["c"]) }).unwrap();
    writer.finish().unwrap();
    let expected = RunRows { events: vec![event], ..run(&["a", "b", "c"]) };
    assert_eq!(read(dir.path()).unwrap(), expected);
}

#[test]
fn events_of_an_earlier_run_do_not_outlive_it() {
    let dir = tempfile::tempdir().unwrap();
    let events = vec![EventRow::default()];
    write(dir.path(), &RunRows { events, ..run(&["a"]) }).unwrap();
    write(dir.path(), &run(&["b"])).unwrap();
    assert_eq!(read(dir.path()).unwrap(), run(&["b"]));
}
