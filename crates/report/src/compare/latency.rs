//! Latencies of two runs, by merged histograms.

use std::collections::{BTreeMap, BTreeSet};

use hdrhistogram::Histogram;
use serde::Serialize;
use store::StoreError;
use trace::rows::LatencyRow;

use crate::latency::{HookHistogram, by_hook};
use crate::outcome::CONFIDENCE;
use crate::stats::quantile::quantile_ranks;
use crate::stats::ranks::cliffs_delta_counted;

/// One hook in both runs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LatencyPair {
    /// The suite.
    pub suite: String,
    /// The hook.
    pub hook: String,
    /// Its figures in A; null where A has no samples.
    pub a: Option<HookFigures>,
    /// Its figures in B; null where B has no samples.
    pub b: Option<HookFigures>,
    /// Cliff's δ, B over A: the share of pairs of samples in which B's took longer, less the share in
    /// which it was quicker. Null unless both have samples.
    pub cliffs_delta: Option<f64>,
}

/// A hook's figures, from its merged histogram. Limits are at 95 %, by order statistics, and take the
/// samples as independent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct HookFigures {
    /// Samples.
    pub n: u64,
    /// The median.
    pub p50_ns: Percentile,
    /// The 99th percentile.
    pub p99_ns: Percentile,
    /// Cost of reading the clock twice, contained in every sample.
    pub clock_ns: u64,
}

/// A percentile with its limits, in nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Percentile {
    /// The percentile itself.
    pub value: u64,
    /// The lower limit; null where there are too few samples.
    pub low: Option<u64>,
    /// The upper limit; null where there are too few samples.
    pub high: Option<u64>,
}

impl Percentile {
    /// Reads a percentile at a share, with limits of this two-sided confidence.
    pub(crate) fn of(samples: &Histogram<u64>, share: f64, confidence: f64) -> Self {
        let ranks = quantile_ranks(samples.len(), share, confidence);
        // Half a rank down, so that rounding never reads the next sample.
        let at = |rank: u64| samples.value_at_quantile((rank as f64 - 0.5) / samples.len() as f64);
        Self {
            value: samples.value_at_quantile(share),
            low: ranks.map(|(low, _)| at(low)),
            high: ranks.map(|(_, high)| at(high)),
        }
    }
}

/// Hooks by suite and name, over the rows of these defenses.
pub(crate) fn hooks(rows: &[LatencyRow], defenses: &BTreeSet<&str>) -> Result<Hooks, StoreError> {
    let rows: Vec<LatencyRow> = rows
        .iter()
        .filter(|row| defenses.contains(row.defense.as_str()))
        .map(|row| LatencyRow { defense: String::new(), ..row.clone() })
        .collect();
    let suites = by_hook(&rows)?.into_iter();
    let named = suites.flat_map(|((suite, _), hooks)| {
        hooks.into_iter().map(move |(name, hook)| ((suite.clone(), name), hook))
    });
    Ok(named.collect())
}

pub(crate) type Hooks = BTreeMap<(String, String), HookHistogram>;

/// Pairs hooks by suite and name.
pub(crate) fn pairs(a: &Hooks, b: &Hooks) -> Vec<LatencyPair> {
    let keys: BTreeSet<&(String, String)> = a.keys().chain(b.keys()).collect();
    let pair = |key: &(String, String)| {
        let (in_a, in_b) = (a.get(key), b.get(key));
        let delta = |(a, b): (&HookHistogram, &HookHistogram)| {
            cliffs_delta_counted(&counted(&a.samples), &counted(&b.samples))
        };
        LatencyPair {
            suite: key.0.clone(),
            hook: key.1.clone(),
            a: in_a.map(figures),
            b: in_b.map(figures),
            cliffs_delta: in_a.zip(in_b).and_then(delta),
        }
    };
    keys.into_iter().map(pair).collect()
}

fn figures(hook: &HookHistogram) -> HookFigures {
    HookFigures {
        n: hook.samples.len(),
        p50_ns: Percentile::of(&hook.samples, 0.5, CONFIDENCE),
        p99_ns: Percentile::of(&hook.samples, 0.99, CONFIDENCE),
        clock_ns: hook.clock_ns,
    }
}

fn counted(samples: &Histogram<u64>) -> Vec<(u64, u64)> {
    let buckets = samples.iter_recorded();
    buckets.map(|bucket| (bucket.value_iterated_to(), bucket.count_at_value())).collect()
}
