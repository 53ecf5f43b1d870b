//! Many tests at once: p-values adjusted so that they can be read against one level.

/// How p-values are adjusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Adjustment {
    /// The chance of any false finding, step down (Holm, 1979): the default of gates.
    Holm,
    /// The same, m · p: simple and weaker.
    Bonferroni,
    /// The same, step up, for tests that are not negatively dependent (Hochberg, 1988).
    Hochberg,
    /// The share of false findings among the findings (Benjamini and Hochberg, 1995): for
    /// exploration.
    BenjaminiHochberg,
    /// The same under any dependence (Benjamini and Yekutieli, 2001).
    BenjaminiYekutieli,
}

impl Adjustment {
    /// The factor of the p-value at this rank, from 1, of `m`.
    fn factor(self, rank: usize, m: usize) -> f64 {
        let harmonic = || (1..=m).map(|at| 1.0 / at as f64).sum::<f64>();
        match self {
            Self::Holm | Self::Hochberg => (m - rank + 1) as f64,
            Self::Bonferroni => m as f64,
            Self::BenjaminiHochberg => m as f64 / rank as f64,
            Self::BenjaminiYekutieli => m as f64 / rank as f64 * harmonic(),
        }
    }

    /// Whether an adjusted value is the greatest of those below it, or the least of those above.
    fn steps_down(self) -> bool {
        matches!(self, Self::Holm | Self::Bonferroni)
    }
}

/// Adjusted p-values in the order given: reject where they are at most the level. `None` where a
/// p-value is not from 0 to 1; nothing adjusted is nothing.
pub fn adjust(p: &[f64], by: Adjustment) -> Option<Vec<f64>> {
    if !p.iter().all(|p| (0.0..=1.0).contains(p)) {
        return None;
    }
    let mut order: Vec<usize> = (0..p.len()).collect();
    order.sort_by(|left, right| p[*left].total_cmp(&p[*right]));
    let mut adjusted = vec![0.0; p.len()];
    let raw = |rank: usize, at: usize| (p[at] * by.factor(rank + 1, p.len())).min(1.0);
    if by.steps_down() {
        let mut bound = 0.0;
        for (rank, at) in order.into_iter().enumerate() {
            bound = raw(rank, at).max(bound);
            adjusted[at] = bound;
        }
    } else {
        let mut bound = 1.0;
        for (rank, at) in order.into_iter().enumerate().rev() {
            bound = raw(rank, at).min(bound);
            adjusted[at] = bound;
        }
    }
    Some(adjusted)
}
