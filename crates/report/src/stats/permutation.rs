//! The sign-flip permutation test of paired differences: under the null hypothesis each difference
//! might as well have the other sign (Fisher, 1935). On differences of 0 and ±1 it equals McNemar's
//! exact test.

use super::bootstrap::SplitMix;
use super::finite;

/// Both forms of the test of Σ differences.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SignFlip {
    /// The chance of a sum at least as far from 0.
    pub two_sided: f64,
    /// The chance of a sum at least as great.
    pub greater: f64,
}

/// How many different sums are kept apart at most.
const MOST_SUMS: usize = 1 << 14;

/// The test over all 2ⁿ sign assignments; `None` where there are no differences, or more than 16,384
/// different sums on the way (then [`sign_flip_sampled`] answers).
pub fn sign_flip(differences: &[f64]) -> Option<SignFlip> {
    finite(differences)?;
    let slack = slack(differences);
    let mut sums = vec![(0.0, 1.0)];
    for step in differences.iter().map(|value| value.abs()).filter(|step| *step > 0.0) {
        // Both halves are sorted: so is what merging them gives.
        let mut next: Vec<(f64, f64)> = Vec::with_capacity(2 * sums.len());
        let (mut up, mut down) = (0, 0);
        while up < sums.len() || down < sums.len() {
            let low = sums.get(down).map(|(sum, _): &(f64, f64)| sum - step);
            let high = sums.get(up).map(|(sum, _)| sum + step);
            let take_low = low.is_some_and(|low| high.is_none_or(|high| low <= high));
            let (at, sum) = if take_low { (&mut down, low) } else { (&mut up, high) };
            let (sum, chance) = (sum.unwrap_or_default(), sums[*at].1 / 2.0);
            *at += 1;
            match next.last_mut() {
                Some((last, total)) if sum - *last <= slack => *total += chance,
                _ => next.push((sum, chance)),
            }
        }
        if next.len() > MOST_SUMS {
            return None;
        }
        sums = next;
    }
    let observed: f64 = differences.iter().sum();
    let chance = |counts: &dyn Fn(f64) -> bool| {
        let hits = sums.iter().filter(|(sum, _)| counts(*sum)).map(|(_, chance)| chance);
        hits.sum::<f64>().min(1.0)
    };
    Some(SignFlip {
        two_sided: chance(&|sum| sum.abs() >= observed.abs() - slack),
        greater: chance(&|sum| sum >= observed - slack),
    })
}

/// The test over sampled sign assignments, (1 + hits)/(1 + samples) so that it is never 0 (Phipson and
/// Smyth, 2010); `None` without differences or samples.
pub fn sign_flip_sampled(differences: &[f64], samples: u32, seed: u64) -> Option<SignFlip> {
    finite(differences)?;
    if samples == 0 {
        return None;
    }
    let slack = slack(differences);
    let observed: f64 = differences.iter().sum();
    let mut random = SplitMix::new(seed);
    let (mut far, mut great) = (1_u32, 1_u32);
    for _ in 0..samples {
        let (mut bits, mut left, mut sum) = (0, 0, 0.0);
        for difference in differences {
            if left == 0 {
                (bits, left) = (random.next_u64(), 64);
            }
            sum += if bits & 1 == 0 { *difference } else { -difference };
            (bits, left) = (bits >> 1, left - 1);
        }
        far += u32::from(sum.abs() >= observed.abs() - slack);
        great += u32::from(sum >= observed - slack);
    }
    let share = |hits: u32| f64::from(hits) / (f64::from(samples) + 1.0);
    Some(SignFlip { two_sided: share(far), greater: share(great) })
}

/// How far apart two sums may be and count as the same, for rounding.
fn slack(differences: &[f64]) -> f64 {
    differences.iter().map(|value| value.abs()).sum::<f64>() * 1e-12
}
