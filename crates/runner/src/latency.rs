//! Histograms of a run's hooks.

use std::collections::BTreeMap;

use harness::timing::Sample;
use hdrhistogram::Histogram;

/// What a histogram is about: the defense, the hook, and what the hook answered.
pub type Key = (String, &'static str, &'static str);

/// One histogram a (defense, hook, outcome). Values are nanoseconds, kept to three digits.
#[derive(Debug, Default)]
pub struct Latencies(BTreeMap<Key, Histogram<u64>>);

/// A minute: longer samples are counted as this long.
const LONGEST_NS: u64 = 60_000_000_000;

impl Latencies {
    /// Adds the samples of one episode.
    pub fn add(&mut self, defense: &str, samples: &[Sample]) {
        for sample in samples {
            let key = (defense.to_owned(), sample.hook.as_str(), sample.outcome);
            let histogram = self.0.entry(key).or_insert_with(|| {
                Histogram::new_with_bounds(1, LONGEST_NS, 3).expect("the bounds are valid")
            });
            histogram.saturating_record(sample.nanoseconds);
        }
    }

    /// The histograms, in order.
    pub fn iter(&self) -> impl Iterator<Item = (&Key, &Histogram<u64>)> {
        self.0.iter()
    }
}
