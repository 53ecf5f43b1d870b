//! Histograms survive as rows, and merge without loss.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use hdrhistogram::Histogram;
use store::{StoreError, histogram, latency_row, merge_latency};
use trace::rows::LatencyRow;

fn samples(values: impl IntoIterator<Item = u64>) -> Histogram<u64> {
    let mut histogram = Histogram::new(3).unwrap();
    for value in values {
        histogram.record(value).unwrap();
    }
    histogram
}

fn row(outcome: &str, histogram: &Histogram<u64>) -> LatencyRow {
    latency_row("sleeper", "mmu", "on_call", outcome, histogram, 50)
}

#[test]
fn a_histogram_comes_back_equal() {
    let original = samples((0..5_000).map(|at| at * at));
    let row = row("allow", &original);
    assert_eq!(histogram(&row).unwrap(), original);
    assert_eq!((row.n, row.min_ns, row.clock_ns), (5_000, 0, 50));
    assert_eq!(row.p50_ns, original.value_at_quantile(0.5));
    assert_eq!(row.max_ns, original.max());
    assert!((row.mean_ns / 8_331_667.5 - 1.0).abs() < 1e-3, "{}", row.mean_ns);
}

#[test]
fn an_empty_histogram_gives_zeros() {
    let empty = row("allow", &samples([]));
    let expected = LatencyRow {
        suite: "sleeper".into(),
        defense: "mmu".into(),
        hook: "on_call".into(),
        outcome: "allow".into(),
        clock_ns: 50,
        hdr: empty.hdr.clone(),
        ..LatencyRow::default()
    };
    assert_eq!(empty, expected);
    assert!(histogram(&empty).unwrap().is_empty());
}

#[test]
fn merged_rows_are_those_of_all_samples_together() {
    let (low, high) = (samples(1..300), samples((1..300).map(|at| at * 1_000_000)));
    let rows =
        [row("allow", &low), row("deny", &low), row("allow", &high), row("allow", &samples([]))];
    let merged = merge_latency(&rows).unwrap();
    let both = samples((1..300).chain((1..300).map(|at| at * 1_000_000)));
    let outcomes: Vec<_> = merged.iter().map(|row| row.outcome.as_str()).collect();
    assert_eq!(outcomes, ["allow", "deny"]);
    assert_eq!(histogram(&merged[0]).unwrap(), both);
    assert_eq!(merged[0].p99_ns, both.value_at_quantile(0.99));
    assert_eq!(histogram(&merged[1]).unwrap(), low);
}

#[test]
fn bytes_that_are_no_histogram_are_named_by_their_hook() {
    let good = row("allow", &samples([1, 2, 3]));
    let torn = LatencyRow { hdr: good.hdr[..10].to_vec(), ..good.clone() };
    let other = LatencyRow { n: 4, ..good };
    for row in [torn, other, LatencyRow { hook: "on_call".into(), ..LatencyRow::default() }] {
        let error = histogram(&row).unwrap_err();
        assert!(matches!(error, StoreError::Histogram { .. }));
        assert!(error.to_string().contains("`on_call`"), "{error}");
    }
}
