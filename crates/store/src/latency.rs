//! Latencies: histograms as rows and back, without loss.

use std::collections::BTreeMap;

use hdrhistogram::Histogram;
use hdrhistogram::serialization::{Deserializer, Serializer, V2Serializer};
use trace::rows::LatencyRow;

use crate::error::StoreError;

/// The row of one hook's latencies, in nanoseconds: figures, and the histogram in `HdrHistogram`'s V2
/// format. `clock_ns` is the median cost of reading the clock twice. An empty histogram gives zeros.
///
/// Figures are exact within the histogram's precision: a percentile is the greatest value of its
/// bucket, the least value the least of its bucket.
pub fn latency_row(
    suite: &str,
    defense: &str,
    hook: &str,
    outcome: &str,
    histogram: &Histogram<u64>,
    clock_ns: u64,
) -> LatencyRow {
    let mut hdr = Vec::new();
    V2Serializer::new()
        .serialize(histogram, &mut hdr)
        .expect("a histogram of u64 counts below 2^63 is written to memory");
    let mut row = LatencyRow {
        suite: suite.to_owned(),
        defense: defense.to_owned(),
        hook: hook.to_owned(),
        outcome: outcome.to_owned(),
        clock_ns,
        hdr,
        ..LatencyRow::default()
    };
    if !histogram.is_empty() {
        row.n = histogram.len();
        row.min_ns = histogram.min();
        row.p50_ns = histogram.value_at_quantile(0.5);
        row.p90_ns = histogram.value_at_quantile(0.9);
        row.p99_ns = histogram.value_at_quantile(0.99);
        row.p999_ns = histogram.value_at_quantile(0.999);
        row.p9999_ns = histogram.value_at_quantile(0.9999);
        row.max_ns = histogram.max();
        row.mean_ns = histogram.mean();
    }
    row
}

/// The histogram of a row. It grows as needed, so that others can be added to it: merges of
/// histograms of one precision are exact.
///
/// # Errors
/// The row's bytes are no histogram, or hold another number of samples than the row says.
pub fn histogram(row: &LatencyRow) -> Result<Histogram<u64>, StoreError> {
    let mut histogram: Histogram<u64> = Deserializer::new()
        .deserialize(&mut row.hdr.as_slice())
        .map_err(|error| broken(row, format!("{error:?}")))?;
    if histogram.len() != row.n {
        let reason = format!("it holds {} samples, and the row says {}", histogram.len(), row.n);
        return Err(broken(row, reason));
    }
    histogram.auto(true);
    Ok(histogram)
}

/// Rows of one (suite, defense, hook, outcome) made one, by their histograms, sorted by these keys.
/// Of several `clock_ns`, as partitions of a run measure them, the greatest stays.
///
/// # Errors
/// A row's bytes are no histogram.
pub fn merge_latency(rows: &[LatencyRow]) -> Result<Vec<LatencyRow>, StoreError> {
    let mut groups: BTreeMap<_, Vec<&LatencyRow>> = BTreeMap::new();
    for row in rows {
        groups.entry((&row.suite, &row.defense, &row.hook, &row.outcome)).or_default().push(row);
    }
    groups
        .into_iter()
        .map(|((suite, defense, hook, outcome), rows)| {
            let clock_ns = rows.iter().map(|row| row.clock_ns).max().unwrap_or(0);
            let mut merged = histogram(rows[0])?;
            for row in &rows[1..] {
                merged.add(histogram(row)?).map_err(|error| broken(row, error.to_string()))?;
            }
            Ok(latency_row(suite, defense, hook, outcome, &merged, clock_ns))
        })
        .collect()
}

fn broken(row: &LatencyRow, reason: String) -> StoreError {
    StoreError::Histogram { defense: row.defense.clone(), hook: row.hook.clone(), reason }
}
