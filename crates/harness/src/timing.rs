//! How long a defense's hooks take.

use std::time::Instant;

use crate::defense::Hook;

/// One measured call of a hook.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    /// The hook.
    pub hook: Hook,
    /// What it answered, as a fixed word.
    pub outcome: &'static str,
    /// How long it took, the two clock reads included.
    pub nanoseconds: u64,
}

/// The samples of one episode, in order.
#[derive(Clone, Debug, Default)]
pub struct Timings {
    samples: Vec<Sample>,
}

impl Timings {
    /// Times one call of a hook; `outcome` names its answer.
    pub(crate) fn time<T>(
        &mut self,
        hook: Hook,
        outcome: impl FnOnce(&T) -> &'static str,
        run: impl FnOnce() -> T,
    ) -> T {
        let start = Instant::now();
        let answer = run();
        let nanoseconds = u64::try_from(start.elapsed().as_nanos()).unwrap_or(u64::MAX);
        self.samples.push(Sample { hook, outcome: outcome(&answer), nanoseconds });
        answer
    }

    /// The samples.
    pub fn samples(&self) -> &[Sample] {
        &self.samples
    }

    /// Time spent in hooks, in nanoseconds.
    pub fn total(&self) -> u64 {
        self.samples.iter().map(|sample| sample.nanoseconds).sum()
    }
}

/// The median cost of reading the clock twice, in nanoseconds: the floor of every sample.
pub fn clock_floor() -> u64 {
    const READINGS: usize = 1_001;
    let mut readings: Vec<u64> = (0..READINGS)
        .map(|_| u64::try_from(Instant::now().elapsed().as_nanos()).unwrap_or(u64::MAX))
        .collect();
    readings.sort_unstable();
    readings[READINGS / 2]
}
