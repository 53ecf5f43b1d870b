//! Percentile distributions as text, as `HdrHistogram`'s own plotter reads them (`.hgrm`).

use std::fmt::Write as _;

use hdrhistogram::Histogram;
use store::StoreError;
use trace::rows::LatencyRow;

use crate::latency::by_hook;

/// Steps for each halving of the distance to 100 %.
const TICKS: u32 = 5;

/// The latencies of one hook under one defense of one suite.
pub struct Distribution {
    /// The suite.
    pub suite: String,
    /// The defense.
    pub defense: String,
    /// The hook.
    pub hook: String,
    /// The distribution as text, values in nanoseconds.
    pub text: String,
}

impl Distribution {
    /// A file's name for it: letters, digits, hyphens and dots.
    pub fn file_name(&self) -> String {
        let name = format!("latency-{}-{}-{}", self.suite, self.defense, self.hook);
        let plain = |sign: char| if sign.is_ascii_alphanumeric() { sign } else { '-' };
        format!("{}.hgrm", name.chars().map(plain).collect::<String>())
    }
}

/// The distributions of a run's hooks, whatever the hooks answered.
///
/// # Errors
/// A row holds no histogram.
pub fn distributions(rows: &[LatencyRow]) -> Result<Vec<Distribution>, StoreError> {
    let mut out = Vec::new();
    for ((suite, defense), hooks) in by_hook(rows)? {
        for (hook, found) in hooks {
            let text = text(&found.samples);
            let (suite, defense) = (suite.clone(), defense.clone());
            out.push(Distribution { suite, defense, hook, text });
        }
    }
    Ok(out)
}

/// The columns are `Value`, `Percentile`, `TotalCount` and `1/(1-Percentile)`.
fn text(samples: &Histogram<u64>) -> String {
    let mut out = format!(
        "{:>12} {:>14} {:>10} {:>14}\n\n",
        "Value", "Percentile", "TotalCount", "1/(1-Percentile)"
    );
    let mut total = 0;
    for step in samples.iter_quantiles(TICKS) {
        total += step.count_since_last_iteration();
        let (value, share) = (step.value_iterated_to(), step.quantile_iterated_to());
        let _ = write!(out, "{value:>12} {share:>14.12} {total:>10}");
        if share < 1.0 {
            let _ = write!(out, " {:>14.2}", 1.0 / (1.0 - share));
        }
        out.push('\n');
    }
    let _ = writeln!(
        out,
        "#[Mean    = {:>12.2}, StdDeviation   = {:>12.2}]\n\
         #[Max     = {:>12}, Total count    = {:>12}]\n\
         #[Buckets = {:>12}, SubBuckets     = {:>12}]",
        samples.mean(),
        samples.stdev(),
        samples.max(),
        samples.len(),
        samples.buckets(),
        2_u64 << (10 * u64::from(samples.sigfig()) / 3),
    );
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_distribution_ends_with_its_greatest_value_and_all_samples() {
        let mut samples = Histogram::<u64>::new(3).unwrap();
        for value in 1..=1000 {
            samples.record(value).unwrap();
        }
        let text = text(&samples);
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines[0].starts_with("       Value     Percentile TotalCount"), "{text}");
        let last = lines.iter().rfind(|line| !line.starts_with('#')).unwrap();
        let last: Vec<&str> = last.split_whitespace().collect();
        assert_eq!(last, ["1000", "1.000000000000", "1000"], "{text}");
        assert!(text.contains("Total count    =         1000]"), "{text}");
        let median = lines.iter().find(|line| line.contains(" 0.500000000000 ")).unwrap();
        assert_eq!(median.split_whitespace().next(), Some("500"), "{text}");
    }
}
