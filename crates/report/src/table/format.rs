//! How figures are written: never a share without its counts, never a zero without its limit.

use crate::outcome::Tally;
use crate::summary::{AsksPerTask, Clusters};

/// What stands where a figure does not apply.
pub(crate) const NONE: &str = "–";

/// The mark of figures that are so by construction, where the words do not fit.
pub(crate) const MARK: &str = "†";

/// `41/629 6.5 % [4.8, 8.7]`, or `0/629 (≤ 0.6 %)`, or `629/629 by construction`.
pub(crate) fn full(tally: Option<Tally>) -> String {
    let Some(tally) = tally else { return NONE.to_owned() };
    let Tally { k, n, .. } = tally;
    match tally.interval() {
        None => format!("{k}/{n} by construction"),
        Some(interval) if k == 0 => format!("0/{n} (≤ {} %)", percent(interval.high)),
        Some(interval) => format!(
            "{k}/{n} {} % [{}, {}]",
            percent(tally.rate()),
            percent(interval.low),
            percent(interval.high)
        ),
    }
}

/// As [`full`], without the interval of what is not zero.
pub(crate) fn short(tally: Option<Tally>) -> String {
    let Some(tally) = tally else { return NONE.to_owned() };
    let Tally { k, n, .. } = tally;
    match tally.interval() {
        None => format!("{k}/{n} {MARK}"),
        Some(interval) if k == 0 => format!("0/{n} (≤ {} %)", percent(interval.high)),
        Some(_) => format!("{k}/{n} {} %", percent(tally.rate())),
    }
}

/// A share in percent: one decimal, and nearer than 0.1 to 0 or 100 as many as keep two digits of the
/// distance, so that nothing else reads as 0 or 100.
pub(crate) fn percent(share: f64) -> String {
    let value = share * 100.0;
    let distance = f64::min(value, 100.0 - value);
    let digits = if distance > 0.0 { (-distance.log10()).ceil().clamp(0.0, 12.0) } else { 0.0 };
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped")]
    let decimals = 1 + digits as usize;
    let decimals = if distance < 0.1 { decimals } else { 1 };
    format!("{value:.decimals$}")
}

/// A difference in points, with its sign: `+1.6`, `0.0`, `-12.5`.
pub(crate) fn points(difference: f64) -> String {
    let text = percent(difference.abs());
    match difference {
        apart if apart > 0.0 => format!("+{text}"),
        apart if apart < 0.0 => format!("-{text}"),
        _ => text,
    }
}

/// Valid cells with their clusters: `144 (16×9)`, or `16 (16)` without injection tasks.
pub(crate) fn cells(n: usize, clusters: Clusters) -> String {
    match clusters.attack {
        Some(attack) => format!("{n} ({}×{attack})", clusters.user),
        None => format!("{n} ({})", clusters.user),
    }
}

/// Requests a task by call, and in parentheses by argument.
pub(crate) fn asks(asks: Option<AsksPerTask>) -> String {
    let number = |value: f64| {
        if value > 0.0 && value < 0.005 { "<0.01".to_owned() } else { format!("{value:.2}") }
    };
    asks.map_or_else(
        || NONE.to_owned(),
        |asks| format!("{} ({})", number(asks.per_call), number(asks.per_argument)),
    )
}

/// A time with three digits or more, in the greatest unit that keeps it at 1 or above.
pub(crate) fn time(ns: u64) -> String {
    let (unit, size) = match ns {
        0..1_000 => return format!("{ns} ns"),
        1_000..1_000_000 => ("µs", 1e3),
        1_000_000..1_000_000_000 => ("ms", 1e6),
        _ => ("s", 1e9),
    };
    let value = ns as f64 / size;
    if value < 10.0 {
        format!("{value:.2} {unit}")
    } else if value < 100.0 {
        format!("{value:.1} {unit}")
    } else {
        format!("{value:.0} {unit}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(k: u64, n: u64, by_construction: bool) -> Tally {
        Tally { k, n, by_construction }
    }

    #[test]
    fn a_share_never_stands_without_its_counts_nor_a_zero_without_its_limit() {
        let cases = [
            (Some(tally(0, 249, false)), "0/249 (≤ 1.5 %)", "0/249 (≤ 1.5 %)"),
            (Some(tally(41, 629, false)), "41/629 6.5 % [4.8, 8.7]", "41/629 6.5 %"),
            (Some(tally(4, 4, false)), "4/4 100.0 % [51.0, 100.0]", "4/4 100.0 %"),
            (
                Some(tally(9999, 10_000, false)),
                "9999/10000 99.990 % [99.943, 99.9982]",
                "9999/10000 99.990 %",
            ),
            (Some(tally(4, 4, true)), "4/4 by construction", "4/4 †"),
            (Some(tally(0, 4, true)), "0/4 by construction", "0/4 †"),
            (
                Some(tally(1, 100_000, false)),
                "1/100000 0.0010 % [0.00018, 0.0057]",
                "1/100000 0.0010 %",
            ),
            (None, "–", "–"),
        ];
        for (tally, long, brief) in cases {
            assert_eq!(full(tally), long);
            assert_eq!(short(tally), brief);
        }
    }

    #[test]
    fn times_take_the_unit_that_fits() {
        let cases = [
            (0, "0 ns"),
            (999, "999 ns"),
            (1_000, "1.00 µs"),
            (12_345, "12.3 µs"),
            (2_500_000, "2.50 ms"),
            (123_000_000_000, "123 s"),
        ];
        for (ns, text) in cases {
            assert_eq!(time(ns), text);
        }
    }
}
