//! Charts and their files.

use report::arms::NamedRun;
use report::chart::{Chart, charts};
use trace::rows::RunRows;

use crate::{common, runs};

fn of(runs: &[(&str, &RunRows)]) -> Vec<Chart> {
    let runs: Vec<NamedRun<'_>> = runs.iter().map(|(name, rows)| NamedRun { name, rows }).collect();
    charts(&runs, 0.02).unwrap()
}

#[test]
fn every_chart_is_there_with_its_data() {
    let rows = runs::run();
    let charts = of(&[("run", &rows)]);
    let slugs: Vec<&str> = charts.iter().map(|chart| chart.slug).collect();
    assert_eq!(
        slugs,
        ["trade-off", "rates", "differences", "pairs", "approvals", "stops", "latency"]
    );
    for chart in &charts {
        assert!(!chart.data.rows.is_empty() && !chart.panels.is_empty(), "{}", chart.slug);
        for row in &chart.data.rows {
            assert_eq!(row.len(), chart.data.header.len(), "{}: {row:?}", chart.slug);
        }
    }
}

#[test]
fn data_are_the_counts_of_the_cells() {
    let rows = runs::run();
    let charts = of(&[("run", &rows)]);
    let csv = |slug: &str| charts.iter().find(|chart| chart.slug == slug).unwrap().data.csv();
    insta::assert_snapshot!(["trade-off", "differences", "stops", "approvals"].map(csv).join("\n"));
    let pairs = csv("pairs");
    assert_eq!(pairs.lines().count(), 1 + 2 * 9, "{pairs}");
    // Of the first pair of banking the defense's cell is invalid, and without one it landed.
    assert!(
        pairs.contains("sleeper,banking,user_task_0,injection_task_0,landed,invalid"),
        "{pairs}"
    );
    assert!(
        pairs.contains("sleeper,slack,user_task_2,injection_task_2,partial,partial"),
        "{pairs}"
    );
}

#[test]
fn the_same_rows_give_the_same_bytes() {
    let rows = runs::run();
    let files = || -> Vec<(String, Vec<u8>)> {
        let charts = of(&[("run", &rows)]);
        // Two charts stand for all: rasterising is slow without optimisation.
        let some = charts.iter().filter(|chart| ["trade-off", "stops"].contains(&chart.slug));
        some.flat_map(|chart| chart.files(&|text| text.to_owned()).unwrap()).collect()
    };
    let first = files();
    assert_eq!(first, files());
    let names: Vec<&str> = first.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(
        names,
        ["trade-off.csv", "trade-off.png", "trade-off.svg", "stops.csv", "stops.png", "stops.svg"]
    );
    for (name, bytes) in &first {
        let png = bytes.starts_with(b"\x89PNG");
        assert_eq!(png, name.contains(".png"), "{name}");
        assert!(!png || bytes.len() > 8_000, "{name}: {} bytes", bytes.len());
    }
}

#[test]
fn two_runs_are_compared_with_each_other() {
    let (before, mut after) = (runs::run(), runs::run());
    after.cells.retain(|cell| cell.defense == "mmu");
    for cell in after.cells.iter_mut().filter(|cell| cell.kind == "attack") {
        cell.attack_landed = Some(true);
    }
    let charts = of(&[("before", &before), ("after", &after)]);
    let data = &charts.iter().find(|chart| chart.slug == "differences").unwrap().data;
    let row = data.rows.iter().find(|row| row[1] == "mmu · after − mmu · before").unwrap();
    assert_eq!(row[0], "attack_landed");
    // 17 valid pairs, of which 4 landed before and all after.
    assert_eq!((row[2].as_str(), row[3].as_str(), row[4].as_str()), ("17", "0", "13"), "{row:?}");
}

#[test]
fn nothing_is_drawn_of_nothing() {
    assert!(of(&[("run", &RunRows::default())]).is_empty());
    assert!(of(&[]).is_empty());
    let one = RunRows {
        cells: vec![common::cell("benign", "slack", 0, 0, "none")],
        ..RunRows::default()
    };
    let slugs: Vec<&str> = of(&[("one", &one)]).iter().map(|chart| chart.slug).collect();
    assert_eq!(slugs, ["rates"], "a benign task without a defense has rates alone");
}
