//! Latencies by hook, merged over what the hooks answered.

use std::collections::BTreeMap;

use hdrhistogram::Histogram;
use store::StoreError;
use trace::rows::LatencyRow;

/// The latencies of one hook under one defense of one suite.
pub(crate) struct HookHistogram {
    /// All samples, whatever the hook answered.
    pub(crate) samples: Histogram<u64>,
    /// Median cost of reading the clock twice; the greatest of several runs.
    pub(crate) clock_ns: u64,
}

/// Hooks by (suite, defense), then by name.
pub(crate) type Hooks = BTreeMap<(String, String), BTreeMap<String, HookHistogram>>;

/// Merges histograms over outcomes; percentiles are never averaged. Hooks without samples are left
/// out.
pub(crate) fn by_hook(rows: &[LatencyRow]) -> Result<Hooks, StoreError> {
    let pooled: Vec<_> =
        rows.iter().map(|row| LatencyRow { outcome: String::new(), ..row.clone() }).collect();
    let mut hooks = Hooks::new();
    for row in store::merge_latency(&pooled)? {
        if row.n == 0 {
            continue;
        }
        let merged = HookHistogram { samples: store::histogram(&row)?, clock_ns: row.clock_ns };
        hooks.entry((row.suite, row.defense)).or_default().insert(row.hook, merged);
    }
    Ok(hooks)
}
