//! A gate's report as a person reads it.

use super::{GateReport, RuleReport, Verdict};
use crate::stats::Interval;
use crate::table::format::{NONE, percent, points, time};
use crate::table::grid::Grid;
use crate::table::{Document, Section};

/// How many cells a reason names; the JSON names all.
const MOST_NAMED: usize = 5;

fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Pass => "pass",
        Verdict::Fail => "FAIL",
        Verdict::Inconclusive => "inconclusive",
    }
}

pub(super) fn document(report: &GateReport) -> Document {
    let count = |verdict| report.rules.iter().filter(|rule| rule.verdict == verdict).count();
    let title = format!(
        "Gate: {} ({} passed, {} failed, {} inconclusive)",
        word(report.verdict),
        count(Verdict::Pass),
        count(Verdict::Fail),
        count(Verdict::Inconclusive)
    );
    let rows = report.rules.iter().map(|rule| {
        let figures = [value(rule), bounds(rule)];
        let mut line = vec![rule.rule.clone(), word(rule.verdict).to_owned()];
        line.extend(figures);
        line
    });
    let grid = Grid {
        labels: 2,
        header: ["rule", "verdict", "value", "bounds"].map(str::to_owned).to_vec(),
        rows: rows.collect(),
    };
    let notes = report
        .rules
        .iter()
        .filter(|rule| rule.verdict != Verdict::Pass)
        .map(|rule| format!("{}: `{}`: {}.", word(rule.verdict), rule.rule, rule.reason));
    Document {
        title,
        notes: notes.collect(),
        sections: vec![Section {
            title: "Rules",
            grid,
            legend: "Bounds are one-sided, each at the rule's confidence (95 % where it names none): \
                     rates by Clopper and Pearson, differences (candidate less baseline, in points) \
                     by Newcombe's paired interval, percentiles by order statistics."
                .into(),
        }],
    }
}

/// The figures in words.
pub(super) fn reason(rule: &RuleReport) -> String {
    let RuleReport { n, .. } = rule;
    let Some(_) = rule.value else {
        return if rule.invalid > 0 {
            format!("none of {} cells was judged", rule.invalid)
        } else {
            "the owner was asked nothing".to_owned()
        };
    };
    let mut parts = Vec::new();
    let k = rule.k.unwrap_or(0);
    parts.push(match (rule.unit, rule.baseline_k) {
        ("difference", Some(before)) => {
            format!("{before}/{n} before, {k}/{n} now: {} points", value(rule))
        }
        ("count", _) => format!("{k} of {n} pairs{}", named(rule)),
        ("mean", _) => format!("{k} requests in {n} cells: {}", value(rule)),
        ("ns", _) => format!("{} of {n} samples", value(rule)),
        _ => value(rule),
    });
    match (rule.bounds, rule.unit) {
        (Some(_), _) => {
            let confidence = percent_of(rule.confidence);
            parts.push(format!("one-sided {confidence} % bounds {}", bounds(rule)));
        }
        (None, "rate" | "difference") if rule.scenarios.is_some() => {
            parts.push("so by construction".to_owned());
        }
        (None, _) => {}
    }
    if rule.invalid > 0 {
        let range = match (rule.if_judged, rule.unit) {
            (Some(Interval { low, high }), "rate") => {
                format!(", with which it would be {} to {} %", percent(low), percent(high))
            }
            _ => String::new(),
        };
        parts.push(format!("{} not judged{range}", rule.invalid));
    }
    if rule.missing > 0 {
        parts.push(format!("{} of the baseline's cells were not run", rule.missing));
    }
    parts.join("; ")
}

fn named(rule: &RuleReport) -> String {
    if rule.cells.is_empty() {
        return String::new();
    }
    let names: Vec<String> = rule.cells.iter().take(MOST_NAMED).map(ToString::to_string).collect();
    let more = match rule.cells.len().saturating_sub(MOST_NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!(": {}{more}", names.join(", "))
}

fn value(rule: &RuleReport) -> String {
    let Some(value) = rule.value else { return NONE.to_owned() };
    let k = rule.k.unwrap_or(0);
    match rule.unit {
        // Never a bare zero: its bound stands beside it.
        "rate" if k == 0 => format!("0/{}", rule.n),
        "rate" => format!("{k}/{} {} %", rule.n, percent(value)),
        "difference" => points(value),
        "ns" => time(nanoseconds(value)),
        "count" => k.to_string(),
        _ => format!("{value:.2}"),
    }
}

fn bounds(rule: &RuleReport) -> String {
    let Some(Interval { low, high }) = rule.bounds else { return NONE.to_owned() };
    match rule.unit {
        "rate" => format!("[{}, {}] %", percent(low), percent(high)),
        "difference" => format!("[{}, {}]", points(low), points(high)),
        _ => format!("[{}, {}]", time(nanoseconds(low)), time(nanoseconds(high))),
    }
}

/// A confidence in percent, without a decimal that says nothing: `95`, `99.9`.
fn percent_of(confidence: f64) -> String {
    let tenths = (confidence * 1e6).round() / 1e4;
    tenths.to_string()
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "was a u64 before")]
fn nanoseconds(value: f64) -> u64 {
    value as u64
}
