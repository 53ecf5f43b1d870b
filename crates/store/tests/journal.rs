//! The journal keeps what is finished, whatever kills the process.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod common;

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::Path;

use common::names;
use store::{Finished, Journal, StoreError};
use trace::rows::{ApprovalRow, CellRow, EventRow, FaultRow, TimingRow};

fn finished(id: &str) -> Finished {
    let cell = CellRow {
        cell_id: id.into(),
        seed: u64::MAX,
        cost_usd: Some(0.1),
        stop_reason: Some("line\nbreak".into()),
        ..CellRow::default()
    };
    Finished {
        cell,
        approvals: vec![ApprovalRow { cell_id: id.into(), ..ApprovalRow::default() }],
        faults: vec![FaultRow::default(), FaultRow { seq: 1, ..FaultRow::default() }],
        timing: TimingRow { cell_id: id.into(), defense_ns: 1, wall_ns: 2 },
        events: vec![EventRow { detail: "{}".into(), ..EventRow::default() }],
    }
}

fn journal_of(dir: &Path, ids: &[&str]) {
    let (mut journal, _) = Journal::open(dir).unwrap();
    for id in ids {
        journal.append(&finished(id)).unwrap();
    }
}

#[test]
fn cells_come_back_whole_and_in_order_and_more_can_follow() {
    let dir = tempfile::tempdir().unwrap();
    let run = dir.path().join("run");
    assert_eq!(Journal::read(&run).unwrap(), []);
    journal_of(&run, &["a", "b"]);
    assert_eq!(Journal::read(&run).unwrap(), [finished("a"), finished("b")]);
    let (mut journal, cells) = Journal::open(&run).unwrap();
    assert_eq!(cells, [finished("a"), finished("b")]);
    journal.append(&finished("c")).unwrap();
    assert_eq!(Journal::read(&run).unwrap().len(), 3);
    journal.finish().unwrap();
    assert!(names(&run).is_empty());
}

#[test]
fn a_journal_cut_anywhere_gives_its_whole_lines_and_goes_on() {
    let dir = tempfile::tempdir().unwrap();
    journal_of(dir.path(), &["a", "b"]);
    let path = dir.path().join(Journal::FILE);
    let bytes = fs::read(&path).unwrap();
    for cut in (0..bytes.len()).step_by(37).chain([bytes.len() - 1, bytes.len()]) {
        fs::write(&path, &bytes[..cut]).unwrap();
        let lines = bytes[..cut].split(|byte| *byte == b'\n').count() - 1;
        let whole = lines.saturating_sub(1);
        assert_eq!(Journal::read(dir.path()).unwrap().len(), whole, "cut at {cut}");
        journal_of(dir.path(), &["c"]);
        let cells = Journal::read(dir.path()).unwrap();
        assert_eq!(cells.len(), whole + 1, "cut at {cut}");
        assert_eq!(cells.last(), Some(&finished("c")));
    }
}

#[test]
fn blocks_of_zeros_behind_a_power_failure_are_cut_off() {
    let dir = tempfile::tempdir().unwrap();
    journal_of(dir.path(), &["a"]);
    let path = dir.path().join(Journal::FILE);
    OpenOptions::new().append(true).open(&path).unwrap().write_all(&[0; 4096]).unwrap();
    assert_eq!(Journal::read(dir.path()).unwrap(), [finished("a")]);
    journal_of(dir.path(), &["b"]);
    assert_eq!(Journal::read(dir.path()).unwrap(), [finished("a"), finished("b")]);
}

#[test]
fn damage_before_the_last_line_is_an_error_that_names_the_line() {
    let dir = tempfile::tempdir().unwrap();
    journal_of(dir.path(), &["a", "b"]);
    let path = dir.path().join(Journal::FILE);
    let text = fs::read_to_string(&path).unwrap();
    for (from, to, line) in [("{\"cell\"", "{\"cull\"", 2), ("{\"run_schema\"", "{\"run\"", 1)] {
        fs::write(&path, text.replacen(from, to, 1)).unwrap();
        let error = Journal::read(dir.path()).unwrap_err();
        assert!(matches!(&error, StoreError::Journal { line: at, .. } if *at == line), "{error}");
    }
    fs::write(&path, text.replacen("{\"run_schema\":1}", "{\"run_schema\":9}", 1)).unwrap();
    assert!(matches!(Journal::read(dir.path()), Err(StoreError::Version { .. })));
}
