//! Fisher's exact test: two independent samples (Fisher, 1935).

use super::distribution::hypergeometric;

/// Both forms of Fisher's test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fisher {
    /// The chance of all tables that are no likelier than the observed one.
    pub two_sided: f64,
    /// The chance of at least as many of the events in the second sample.
    pub second_greater: f64,
}

/// Tables count as no likelier up to this relative difference, for rounding.
const SLACK: f64 = 1e-9;

/// Fisher's exact test of `k1` events in `n1` cases against `k2` in `n2`; `None` without cases.
/// Its time grows with the number of possible tables.
pub fn fisher(k1: u64, n1: u64, k2: u64, n2: u64) -> Option<Fisher> {
    if k1 > n1 || k2 > n2 || n1 == 0 || n2 == 0 {
        return None;
    }
    let (events, all) = (k1 + k2, n1 + n2);
    let chance = |second: u64| hypergeometric(second, events, n2, all);
    let observed = chance(k2);
    let (mut two_sided, mut second_greater) = (0.0, 0.0);
    for second in events.saturating_sub(n1)..=events.min(n2) {
        let chance = chance(second);
        if chance <= observed * (1.0 + SLACK) {
            two_sided += chance;
        }
        if second >= k2 {
            second_greater += chance;
        }
    }
    Some(Fisher { two_sided: f64::min(two_sided, 1.0), second_greater: second_greater.min(1.0) })
}
