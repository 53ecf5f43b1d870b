//! The summary says what the rows say, in the published form.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod common;

use common::{attacks, cell, cells, latency};
use report::summary::{RunInfo, summarize};
use serde_json::{Value, json};
use trace::rows::{CellRow, LatencyRow};

fn summary(cells: &[CellRow], latency: &[LatencyRow]) -> Value {
    let run = RunInfo { run: "test".into(), plan_id: "plan".into() };
    serde_json::from_str(&summarize(cells, latency, run).unwrap().to_json()).unwrap()
}

#[test]
fn the_whole_object_is_stable() {
    let run = RunInfo { run: "test".into(), plan_id: "plan".into() };
    insta::assert_snapshot!(summarize(&cells(), &latency(), run).unwrap().to_json());
}

#[test]
fn the_order_of_cells_does_not_matter() {
    let forward = cells();
    let backward: Vec<_> = forward.iter().rev().cloned().collect();
    assert_eq!(summary(&forward, &latency()), summary(&backward, &latency()));
}

#[test]
fn groups_are_disjoint_and_cover_the_cells() {
    let cells = cells();
    let summary = summary(&cells, &latency());
    let groups = summary["groups"].as_array().unwrap();
    let sum: u64 = groups.iter().map(|group| group["cells"].as_u64().unwrap()).sum();
    assert_eq!(sum, cells.len() as u64);
    let keys: std::collections::BTreeSet<String> = groups
        .iter()
        .map(|group| {
            let names = "suite suite_version kind guarantee attack harness agent defense owner";
            names.split(' ').map(|name| group[name].to_string()).collect::<Vec<_>>().join(" ")
        })
        .collect();
    assert_eq!(keys.len(), groups.len());
    for group in groups {
        let valid = group["cells"].as_u64().unwrap() - group["invalid"].as_u64().unwrap();
        for name in ["exposed", "attack_landed", "utility_done", "tasks_asked"] {
            assert!(group[name].is_null() || group[name]["n"] == valid, "{name} of {group}");
        }
    }
}

#[test]
fn intervals_are_null_where_the_script_decides() {
    let without = &summary(&attacks("slack", "none"), &[])["groups"];
    let with = &summary(&attacks("slack", "mmu"), &[])["groups"];
    let limits = |groups: &Value, name: &str| groups[0][name]["high"].is_number();
    for name in ["exposed", "attempted", "executed", "attack_landed"] {
        assert!(!limits(without, name), "{name}");
        assert!(without[0][name]["rate"].is_number(), "{name}");
        assert_eq!(limits(with, name), name != "exposed", "{name}");
    }
    assert!(limits(without, "utility_done"));
}

#[test]
fn percentiles_come_from_the_merged_histogram() {
    let summary = summary(&attacks("slack", "mmu"), &latency());
    let hook = &summary["groups"][0]["latency"]["on_call"];
    assert_eq!(hook["n"], 1_998);
    // Half of the samples are below 1 µs: the median is theirs, an average would lie near 250 µs.
    assert_eq!(hook["p50_ns"], 999);
    let p99 = hook["p99_ns"].as_u64().unwrap();
    assert!((979_000..982_000).contains(&p99), "{p99}");
}

#[test]
fn recorded_agents_say_how_often_they_agree_with_their_logs() {
    let mut cells = attacks("slack", "none");
    assert_eq!(summary(&cells, &[])["groups"][0]["upstream_agreement"], Value::Null);
    for cell in &mut cells {
        cell.agent = "recorded/set@1".into();
        cell.attack_landed_logged = cell.attack_landed;
    }
    // Class `free-argument`: of its three cells one is partial here and landed upstream.
    let groups = &summary(&cells, &[])["groups"];
    assert_eq!(groups[0]["guarantee"], "free-argument");
    assert_eq!(groups[0]["upstream_agreement"], json!({"k": 2, "n": 3}));
}

#[test]
fn what_owners_said_unasked_is_counted_where_they_spoke() {
    let mut cells = attacks("slack", "mmu");
    assert!(summary(&cells, &[])["groups"][0]["owner_acts"].is_null());
    for cell in &mut cells {
        cell.owner_content = Some(1);
        cell.owner_standing = Some(2);
        cell.owner_widened = Some(1);
        cell.granted_in_advance = Some(3);
    }
    let group = &summary(&cells, &[])["groups"][0];
    let n = group["cells"].as_u64().unwrap() - group["invalid"].as_u64().unwrap();
    let expected = json!({
        "content": n,
        "standing": 2 * n,
        "grants": 0,
        "revocations": 0,
        "widened": n,
        "calls_in_advance": 3 * n,
    });
    assert_eq!(group["owner_acts"], expected);
}

#[test]
fn a_group_of_invalid_cells_has_no_rates() {
    let broken = CellRow { status: "invalid".into(), ..cell("benign", "slack", 0, 0, "mmu") };
    let group = &summary(&[broken], &[])["groups"][0];
    assert_eq!((&group["cells"], &group["invalid"]), (&json!(1), &json!(1)));
    for name in ["utility_done", "tasks_asked", "false_blocks", "asks_per_task"] {
        assert_eq!(group[name], Value::Null, "{name}");
    }
}

#[test]
fn a_damaged_histogram_is_an_error() {
    let mut rows = latency();
    rows[0].hdr.truncate(10);
    assert!(summarize(&cells(), &rows, RunInfo::default()).is_err());
}
