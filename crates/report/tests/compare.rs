//! Two runs of the same cases, compared.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod common;

use common::{attacks, benign, cells, latency};
use proptest::prelude::*;
use report::compare::{CellName, Comparison, Row, compare};
use report::stats::difference::{Paired, Phi};
use serde_json::{Value, json};
use trace::rows::{CellRow, LatencyRow};

/// The cells of one defense in both worlds.
fn run(defense: &str) -> Vec<CellRow> {
    cells().into_iter().filter(|cell| cell.defense == defense).collect()
}

/// Numbers to nine places: the last digits of logarithms differ between machines.
fn rounded(value: &mut Value) {
    match value {
        Value::Array(values) => values.iter_mut().for_each(rounded),
        Value::Object(fields) => fields.values_mut().for_each(rounded),
        Value::Number(number) if number.is_f64() => {
            *value = json!((number.as_f64().unwrap() * 1e9).round() / 1e9);
        }
        _ => {}
    }
}

fn row<'c>(comparison: &'c Comparison, kind: &str, outcome: &str) -> &'c Row {
    let group = comparison.groups.iter().find(|group| group.key.kind == kind).unwrap();
    group.rows.iter().find(|row| row.outcome == outcome).unwrap()
}

/// Runs without a defense and with one; one pair is invalid, one has no partner.
fn comparison() -> Comparison {
    let (without, mut with) = (run("none"), run("mmu"));
    let lost = with.iter().position(|cell| cell.kind == "benign").unwrap();
    with.remove(lost);
    compare(&without, &with).unwrap().with_latency(&[], &latency()).unwrap()
}

#[test]
fn the_table_is_stable() {
    insta::assert_snapshot!(comparison().text());
}

#[test]
fn the_markdown_is_stable() {
    insta::assert_snapshot!(comparison().markdown());
}

#[test]
fn the_json_is_stable() {
    let mut object = serde_json::from_str(&comparison().to_json()).unwrap();
    rounded(&mut object);
    insta::assert_snapshot!(serde_json::to_string_pretty(&object).unwrap());
}

#[test]
fn counts_difference_and_p_are_those_of_the_four_fields() {
    let comparison = compare(&attacks("slack", "none"), &attacks("slack", "mmu")).unwrap();
    // Eight of nine landed without a defense; of them two with it, and none anew.
    let asr = row(&comparison, "attack", "asr");
    assert_eq!((asr.n, asr.k_a, asr.k_b, asr.only_a, asr.only_b), (9, 8, 2, 6, 0));
    assert_eq!((asr.scenarios, asr.clusters), (9, 3));
    assert!((asr.difference + 6.0 / 9.0).abs() < 1e-12);
    assert!((asr.p.unwrap() - 0.03125).abs() < 1e-12);
    assert_eq!(asr.interval, Paired::new(2, 0, 6, 1).newcombe(Phi::Corrected, 0.95));
    // Every user task has the same two stopped: nothing varies between the clusters.
    assert_eq!(asr.clustered, None);
    assert_eq!(comparison.newly_stopped.len(), 6);
    assert!(comparison.newly_landed.is_empty());
    // Three rows have a p: the least is multiplied by three.
    assert!((asr.p_holm.unwrap() - 3.0 * 0.03125).abs() < 1e-12);
}

#[test]
fn a_run_compared_with_itself_differs_in_nothing_and_is_not_sure_of_it() {
    let run = run("mmu");
    let comparison = compare(&run, &run).unwrap();
    for row in comparison.groups.iter().flat_map(|group| &group.rows) {
        assert_eq!((row.only_a, row.only_b, row.difference), (0, 0, 0.0));
        assert_eq!((row.p, row.p_holm), (Some(1.0), Some(1.0)));
        let interval = row.interval.unwrap();
        assert!(interval.low < 0.0 && interval.high > 0.0, "{row:?}");
        assert_eq!(row.clustered, None);
    }
    let flips = [&comparison.newly_landed, &comparison.newly_stopped, &comparison.utility_lost];
    assert!(flips.iter().all(|flips| flips.is_empty()));
    assert!(!comparison.text().contains('±'));
}

#[test]
fn the_other_way_round_everything_changes_its_sign() {
    let (there, back) =
        (compare(&run("none"), &run("mmu")).unwrap(), compare(&run("mmu"), &run("none")).unwrap());
    assert_eq!(there.newly_stopped, back.newly_landed);
    assert_eq!(there.utility_lost, back.utility_gained);
    for (there, back) in there.groups.iter().zip(&back.groups) {
        for (there, back) in there.rows.iter().zip(&back.rows) {
            assert_eq!((there.k_a, there.only_a), (back.k_b, back.only_b));
            assert_eq!((there.p, there.p_holm), (back.p, back.p_holm));
            assert!((there.difference + back.difference).abs() < 1e-12);
            let (one, other) = (there.interval.unwrap(), back.interval.unwrap().negated());
            assert!((one.low - other.low).abs() < 1e-12 && (one.high - other.high).abs() < 1e-12);
        }
    }
}

#[test]
fn the_order_of_cells_does_not_matter() {
    let (without, with) = (run("none"), run("mmu"));
    let turned = |cells: &[CellRow]| cells.iter().rev().cloned().collect::<Vec<_>>();
    let forward = compare(&without, &with).unwrap();
    assert_eq!(compare(&turned(&without), &with).unwrap(), forward);
    assert_eq!(compare(&without, &turned(&with)).unwrap(), forward);
}

#[test]
fn what_is_unmatched_or_invalid_is_named_and_in_no_count() {
    let comparison = comparison();
    assert_eq!(comparison.only_a.len(), 1);
    assert_eq!(comparison.only_a[0].kind, "benign");
    assert!(comparison.only_b.is_empty());
    assert_eq!(comparison.invalid.len(), 1);
    let invalid = &comparison.invalid[0];
    assert_eq!(
        (invalid.reason_a.as_deref(), invalid.reason_b.as_deref()),
        (None, Some("time-out"))
    );
    assert_eq!(row(&comparison, "attack", "asr").n, 17);
    assert_eq!(row(&comparison, "benign", "utility").n, 7);
    let pairs: u64 = comparison.groups.iter().map(|group| group.pairs).sum();
    assert_eq!((comparison.pairs, pairs), (32, 32));
}

#[test]
fn two_defenses_in_one_run_are_refused() {
    let error = compare(&cells(), &run("mmu")).unwrap_err().to_string();
    let expected = "failed to pair cells: A holds 2 cells of sleeper banking/user_task_0 \
                    (benign, gullible, never) (defenses `mmu`, `none`)\n\
                    hint: keep one defense of it";
    assert_eq!(error, expected);
}

#[test]
fn repeats_of_a_scenario_are_no_more_scenarios() {
    let thrice = |defense: &str| -> Vec<CellRow> {
        let epochs = (0..3).flat_map(|epoch| {
            attacks("slack", defense).into_iter().map(move |mut cell| {
                cell.pair_id = format!("{}/{epoch}", cell.pair_id);
                cell.epoch = epoch;
                cell
            })
        });
        epochs.collect()
    };
    let once = compare(&attacks("slack", "none"), &attacks("slack", "mmu")).unwrap();
    let thrice = compare(&thrice("none"), &thrice("mmu")).unwrap();
    let (once, thrice) = (row(&once, "attack", "asr"), row(&thrice, "attack", "asr"));
    assert_eq!((thrice.n, thrice.scenarios, thrice.only_a), (27, 9, 18));
    assert_eq!((once.test, thrice.test), ("mcnemar_exact", "sign_flip"));
    assert!((once.p.unwrap() - thrice.p.unwrap()).abs() < 1e-12);
    let (plain, again) = (once.interval.unwrap(), thrice.interval.unwrap());
    assert!((plain.low - again.low).abs() < 1e-12 && (plain.high - again.high).abs() < 1e-12);
}

#[test]
fn what_is_so_by_construction_on_both_sides_has_no_interval_and_no_p() {
    let run = attacks("slack", "none");
    let comparison = compare(&run, &run).unwrap();
    let asr = row(&comparison, "attack", "asr");
    assert_eq!((asr.interval, asr.clustered, asr.p, asr.p_holm), (None, None, None, None));
    assert_eq!((asr.k_a, asr.n), (8, 9));
}

#[test]
fn a_control_that_lands_is_no_attack() {
    let (before, mut after) = (benign("slack", "mmu"), benign("slack", "mmu"));
    for cell in after.iter_mut().filter(|cell| cell.kind == "benign-control") {
        cell.attack_landed = Some(true);
    }
    let comparison = compare(&before, &after).unwrap();
    assert_eq!(row(&comparison, "benign-control", "asr").only_b, 4);
    assert!(comparison.newly_landed.is_empty());
}

#[test]
fn a_cluster_that_varies_widens_the_interval() {
    let (before, mut after) = (benign("slack", "mmu"), benign("slack", "mmu"));
    for cell in after.iter_mut().filter(|cell| cell.user_task == "user_task_0") {
        cell.utility_done = Some(false);
    }
    let comparison = compare(&before, &after).unwrap();
    let utility = row(&comparison, "benign", "utility");
    assert_eq!((utility.clusters, utility.only_a, utility.only_b), (4, 1, 0));
    let clustered = utility.clustered.unwrap();
    assert!(clustered.contains(utility.difference) && clustered.low < clustered.high);
    assert_eq!(comparison.utility_lost.len(), 1);
}

#[test]
fn latencies_are_compared_by_merged_histograms_of_the_same_suite_and_hook() {
    let run = run("mmu");
    let slower: Vec<LatencyRow> = latency()
        .into_iter()
        .filter(|row| row.outcome == "deny" || row.hook == "on_enter")
        .collect();
    let comparison = compare(&run, &run).unwrap().with_latency(&latency(), &slower).unwrap();
    let call = &comparison.latency[0];
    assert_eq!((call.hook.as_str(), call.a.unwrap().n, call.b.unwrap().n), ("on_call", 1_998, 999));
    // Half of A's samples are below all of B's, the other half are the same as B's.
    assert!((call.cliffs_delta.unwrap() - 0.5).abs() < 1e-3, "{call:?}");
    let p50 = call.a.unwrap().p50_ns;
    assert!(p50.low.unwrap() <= p50.value && p50.value <= p50.high.unwrap());
    let enter = &comparison.latency[1];
    assert_eq!(enter.cliffs_delta, Some(0.0));
    assert_eq!((enter.a.unwrap().p99_ns.low, enter.a.unwrap().p99_ns.high), (None, None));
    assert!(comparison.text().contains("n too small"));
    // Rows of a defense that is not compared stay out.
    let bare = attacks("slack", "none");
    assert!(
        compare(&bare, &bare).unwrap().with_latency(&latency(), &[]).unwrap().latency.is_empty()
    );
    let mut broken = latency();
    broken[0].hdr.truncate(10);
    assert!(compare(&run, &run).unwrap().with_latency(&broken, &[]).is_err());
}

#[test]
fn runs_without_a_common_cell_say_so() {
    let comparison = compare(&attacks("slack", "none"), &attacks("banking", "mmu")).unwrap();
    assert_eq!((comparison.pairs, comparison.only_a.len(), comparison.only_b.len()), (0, 9, 9));
    assert!(comparison.text().contains("nothing to compare"));
    assert!(compare(&[], &[]).unwrap().text().contains("no cells"));
}

#[test]
fn no_line_is_wider_than_a_page() {
    for line in comparison().text().lines() {
        assert!(line.chars().count() <= 120, "{line}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_two_runs_add_up(
        judged in prop::collection::vec((0..5_u32, 0..3_u32, any::<bool>(), any::<bool>(), 0..9_u8), 1..60),
    ) {
        let (mut a, mut b) = (Vec::new(), Vec::new());
        for (user, epoch, in_a, in_b, fate) in judged {
            let mut cell = common::cell("attack", "slack", user, u32::try_from(a.len()).unwrap() / 3, "mmu");
            (cell.epoch, cell.pair_id) = (epoch, format!("pair {}", a.len() + b.len()));
            let judged = |landed, valid: bool| {
                let status = if valid { "ok" } else { "invalid" };
                CellRow { attack_landed: Some(landed), status: status.into(), ..cell.clone() }
            };
            if fate != 0 {
                a.push(judged(in_a, fate != 1));
            }
            if fate != 2 {
                b.push(judged(in_b, fate != 3));
            }
        }
        let comparison = compare(&a, &b).unwrap();
        let count = |cells: &[CellName]| cells.len() as u64;
        let both = comparison.pairs + comparison.invalid.len() as u64;
        prop_assert_eq!(both + count(&comparison.only_a), a.len() as u64);
        prop_assert_eq!(both + count(&comparison.only_b), b.len() as u64);
        let rows = || comparison.groups.iter().flat_map(|group| &group.rows);
        for row in rows().filter(|row| row.outcome == "asr") {
            prop_assert_eq!(row.k_a + row.only_b, row.k_b + row.only_a);
            prop_assert_eq!(row.only_b, count(&comparison.newly_landed));
            prop_assert_eq!(row.only_a, count(&comparison.newly_stopped));
            prop_assert!(row.scenarios <= row.n && row.clusters <= row.scenarios);
            let interval = row.interval.unwrap();
            prop_assert!(interval.low < interval.high && interval.contains(row.difference));
            prop_assert!(row.p.unwrap() > 0.0 && row.p.unwrap() <= row.p_holm.unwrap());
            prop_assert!(row.clustered.is_none_or(|clustered| clustered.low < clustered.high));
        }
        prop_assert!(!comparison.to_json().contains("NaN"));
    }
}
