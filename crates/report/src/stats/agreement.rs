//! Judges: how far two of them agree, and what a rate is behind an imperfect one.

use super::Interval;

/// The rate behind an observed one, given the judge's sensitivity and specificity (Rogan and Gladen,
/// 1978): (observed + specificity − 1)/(sensitivity + specificity − 1). It can leave 0 to 1; see
/// [`rogan_gladen`]. `None` where the judge is no better than chance.
pub fn rogan_gladen_raw(observed: f64, sensitivity: f64, specificity: f64) -> Option<f64> {
    let rates = [observed, sensitivity, specificity];
    let rates = rates.iter().all(|rate| (0.0..=1.0).contains(rate));
    let better = sensitivity + specificity - 1.0;
    (rates && better > 0.0).then(|| (observed + specificity - 1.0) / better)
}

/// [`rogan_gladen_raw`], held within 0 and 1.
pub fn rogan_gladen(observed: f64, sensitivity: f64, specificity: f64) -> Option<f64> {
    Some(rogan_gladen_raw(observed, sensitivity, specificity)?.clamp(0.0, 1.0))
}

/// Cohen's κ with its standard error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Kappa {
    /// Agreement beyond chance: 1 is perfect, 0 is chance.
    pub kappa: f64,
    /// Its standard error (Fleiss, Cohen and Everitt, 1969).
    pub standard_error: f64,
}

impl Kappa {
    /// κ ± z times its standard error.
    pub fn interval(self, confidence: f64) -> Option<Interval> {
        let z = super::distribution::z_of(confidence)?;
        Some(Interval::around(self.kappa, z * self.standard_error))
    }
}

/// Cohen's κ (1960) of a table of counts: row, what the first judge said; column, what the second
/// said. `None` where the table is empty or both only ever said one thing.
pub fn cohens_kappa<const N: usize>(table: &[[u64; N]; N]) -> Option<Kappa> {
    let total: u64 = table.iter().flatten().sum();
    if total == 0 {
        return None;
    }
    let n = total as f64;
    let share = |row: usize, column: usize| table[row][column] as f64 / n;
    let rows: Vec<f64> = (0..N).map(|row| (0..N).map(|column| share(row, column)).sum()).collect();
    let columns: Vec<f64> =
        (0..N).map(|column| (0..N).map(|row| share(row, column)).sum()).collect();
    let agreed: f64 = (0..N).map(|at| share(at, at)).sum();
    let chance: f64 = (0..N).map(|at| rows[at] * columns[at]).sum();
    if chance >= 1.0 {
        return None;
    }
    let kappa = (agreed - chance) / (1.0 - chance);
    let doubt = 1.0 - kappa;
    let mut variance = -(kappa - chance * doubt).powi(2);
    for (row, column) in (0..N).flat_map(|row| (0..N).map(move |column| (row, column))) {
        let margins = columns[row] + rows[column];
        let weight = if row == column { 1.0 - margins * doubt } else { margins * doubt };
        variance += share(row, column) * weight * weight;
    }
    let standard_error = (variance.max(0.0) / n).sqrt() / (1.0 - chance);
    Some(Kappa { kappa, standard_error })
}
