//! Statistics: plain numbers in, plain numbers out.
//!
//! Every function answers `None` where its value is not defined (no cases, more events than cases, a
//! confidence outside 0 to 1, a number that is not finite), never 0 or NaN. Rates and limits are
//! fractions from 0 to 1, intervals are two-sided unless they say otherwise.
//!
//! | Module | Question |
//! |---|---|
//! | [`proportion`] | how sure is one rate |
//! | [`difference`] | how far two rates or two paired series are apart |
//! | [`mcnemar`], [`fisher`], [`permutation`] | could that difference be chance |
//! | [`non_inferiority`] | is it a regression, is it none, or is it open |
//! | [`cluster`] | what if cases share a user task or an injection task |
//! | [`bootstrap`] | what resampling says of a mean |
//! | [`multiple`] | what if many questions are asked at once |
//! | [`repeats`] | what several epochs of a case say |
//! | [`quantile`], [`ranks`] | latencies |
//! | [`agreement`] | judges and owners |
//! | [`power`] | how many cases it takes |
//! | [`distribution`] | what all of these stand on |

#![allow(clippy::doc_markdown, reason = "names of statisticians and formulas")]
#![allow(clippy::many_single_char_names, reason = "formulas keep their letters")]

pub mod agreement;
pub mod bootstrap;
pub mod cluster;
pub mod difference;
pub mod distribution;
pub mod fisher;
pub mod mcnemar;
pub mod multiple;
pub mod non_inferiority;
pub mod permutation;
pub mod power;
pub mod proportion;
pub mod quantile;
pub mod ranks;
pub mod repeats;

pub use proportion::{
    clean_cases_for, clopper_pearson, clopper_pearson_upper, jeffreys, wilson, zero_event_upper,
};

use serde::Serialize;

/// An interval: of rates, of differences, of whatever its function says.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Interval {
    /// The lower limit.
    pub low: f64,
    /// The upper limit.
    pub high: f64,
}

impl Interval {
    /// Whether the value lies in it, the limits included.
    pub fn contains(self, value: f64) -> bool {
        self.low <= value && value <= self.high
    }

    /// The interval of the value with its sign changed.
    #[must_use]
    pub fn negated(self) -> Self {
        Self { low: -self.high, high: -self.low }
    }

    /// The interval of this half-width around a centre.
    pub(crate) fn around(centre: f64, half: f64) -> Self {
        Self { low: centre - half, high: centre + half }
    }
}

/// `None` unless it lies strictly between 0 and 1.
pub(crate) fn inside(value: f64) -> Option<f64> {
    (value > 0.0 && value < 1.0).then_some(value)
}

/// `None` if there are no values, or one of them is not finite.
pub(crate) fn finite(values: &[f64]) -> Option<()> {
    (!values.is_empty() && values.iter().all(|value| value.is_finite())).then_some(())
}

/// The arithmetic mean of values that there are.
pub(crate) fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// The sum of squared distances from the mean.
pub(crate) fn squares(values: &[f64]) -> f64 {
    let centre = mean(values);
    values.iter().map(|value| (value - centre).powi(2)).sum()
}
