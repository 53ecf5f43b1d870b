//! Judging one rule.

use std::collections::BTreeSet;

use trace::rows::{CellRow, LatencyRow};

use super::figures::Rate;
use super::rule::{Bound, Metric, Rule, Sign, Subject};
use super::{GateError, Options, Policy, RuleReport, Run, Verdict, cell, filter, render};
use crate::compare::{PairedOutcome, Pairs, Percentile};
use crate::latency::by_hook;
use crate::outcome::{CONFIDENCE, Outcome, is_valid};
use crate::stats::Interval;
use crate::stats::non_inferiority::Judgement;
use crate::stats::quantile::quantile_ranks;

pub(super) fn rule(
    rule: &Rule,
    candidate: Run<'_>,
    baseline: Option<Run<'_>>,
    options: Options,
) -> Result<RuleReport, GateError> {
    let metric = match &rule.subject {
        Subject::Latency { share, hook } => return latency(rule, *share, hook, candidate.latency),
        Subject::Absolute(metric) | Subject::Delta(metric) => *metric,
    };
    let cells = filter::select(rule, metric, candidate.cells);
    if cells.is_empty() {
        return Err(no_cells(rule, metric, candidate.cells));
    }
    let pools = metric == Metric::ErrorRate || filter::names(rule, "defense");
    let defenses: BTreeSet<&str> = cells.iter().map(|cell| cell.defense.as_str()).collect();
    one_defense(rule, &defenses, pools)?;
    if rule.needs_baseline() {
        let error = || GateError::NoBaseline { rule: rule.text.clone() };
        let baseline = baseline.ok_or_else(error)?;
        let pairs = pairs(rule, metric, &cells, candidate.cells, baseline.cells)?;
        return match metric.outcome() {
            Some(outcome) => delta(rule, metric, outcome, &pairs, options),
            None => Ok(flipped(rule, metric, &pairs)),
        };
    }
    match metric {
        Metric::AsksPerTask => Ok(asks(rule, &cells, options)),
        Metric::ApprovalRate => Ok(approvals(rule, &cells)),
        _ => rate(rule, metric, &cells, options)
            .ok_or_else(|| no_cells(rule, metric, candidate.cells)),
    }
}

fn no_cells(rule: &Rule, metric: Metric, cells: &[CellRow]) -> GateError {
    GateError::NoCells { rule: rule.text.clone(), hint: filter::hint(rule, metric, cells) }
}

fn one_defense(rule: &Rule, defenses: &BTreeSet<&str>, pools: bool) -> Result<(), GateError> {
    if pools || defenses.len() < 2 {
        return Ok(());
    }
    let defenses = defenses.iter().map(|&defense| defense.to_owned()).collect();
    Err(GateError::SeveralDefenses { rule: rule.text.clone(), defenses })
}

/// A report without figures.
fn blank(rule: &Rule, unit: &'static str) -> RuleReport {
    RuleReport {
        rule: rule.text.clone(),
        verdict: Verdict::Inconclusive,
        reason: String::new(),
        unit,
        value: None,
        bounds: None,
        confidence: rule.bound.map_or(CONFIDENCE, Bound::confidence),
        method: None,
        limit: rule.limit,
        k: None,
        n: 0,
        baseline_k: None,
        scenarios: None,
        invalid: 0,
        missing: 0,
        if_judged: None,
        happened: match &rule.subject {
            Subject::Absolute(metric) | Subject::Delta(metric) => metric.happened(),
            Subject::Latency { .. } => None,
        },
        cells: Vec::new(),
    }
}

fn held(sign: Sign, figure: f64, limit: f64) -> Verdict {
    if sign.holds(figure, limit) { Verdict::Pass } else { Verdict::Fail }
}

/// The verdict on a figure of one run: of itself, or of its bound.
fn judge(rule: &Rule, value: f64, bounds: Option<Interval>) -> Verdict {
    let (Some(bound), bounds) = (rule.bound, bounds) else {
        return held(rule.sign, value, rule.limit);
    };
    let Some(Interval { low, high }) = bounds else { return Verdict::Inconclusive };
    let (own, other) = match bound {
        Bound::Upper(_) => (high, low),
        Bound::Lower(_) => (low, high),
    };
    if rule.sign.holds(own, rule.limit) {
        Verdict::Pass
    } else if rule.sign.holds(other, rule.limit) {
        Verdict::Inconclusive
    } else {
        Verdict::Fail
    }
}

/// A report with its reason; too few scenarios make it inconclusive.
fn finished(mut report: RuleReport, options: Options) -> RuleReport {
    let few = report.scenarios.is_some_and(|scenarios| scenarios < options.min_scenarios);
    if few {
        report.verdict = Verdict::Inconclusive;
    }
    report.reason = render::reason(&report);
    if few {
        let text = format!("; fewer than {} scenarios", options.min_scenarios);
        report.reason.push_str(&text);
    }
    report
}

fn rate(rule: &Rule, metric: Metric, cells: &[&CellRow], options: Options) -> Option<RuleReport> {
    let mut report = blank(rule, "rate");
    // Of the error rate itself every cell is judged.
    let judged = metric != Metric::ErrorRate;
    report.invalid = cells.iter().filter(|cell| judged && !is_valid(cell)).count() as u64;
    let Some(rate) = Rate::of(metric, cells) else {
        // Nothing was judged, or what was judged is not what the rule is about.
        return (report.invalid > 0).then(|| finished(report, options));
    };
    let bounds = rate.bounds(report.confidence, options.clusters);
    report.verdict = judge(rule, rate.value, bounds);
    report.value = Some(rate.value);
    report.bounds = bounds;
    report.method = bounds.map(|_| "clopper_pearson");
    report.k = Some(rate.k);
    report.n = rate.n;
    report.scenarios = Some(rate.scenarios);
    report.if_judged = rate.with_more(report.invalid);
    let mut report = finished(report, options);
    if report.verdict != Verdict::Pass {
        report.cells = cell::against(metric, cells);
    }
    Some(report)
}

fn asks(rule: &Rule, cells: &[&CellRow], options: Options) -> RuleReport {
    let valid: Vec<_> = cells.iter().filter(|cell| is_valid(cell)).collect();
    let mut report = blank(rule, "mean");
    report.invalid = (cells.len() - valid.len()) as u64;
    report.n = valid.len() as u64;
    let requests: u64 = valid.iter().map(|cell| u64::from(cell.asks)).sum();
    report.k = Some(requests);
    if report.n > 0 {
        let value = requests as f64 / report.n as f64;
        report.value = Some(value);
        report.verdict = held(rule.sign, value, rule.limit);
    }
    finished(report, options)
}

fn approvals(rule: &Rule, cells: &[&CellRow]) -> RuleReport {
    let valid = || cells.iter().filter(|cell| is_valid(cell));
    let mut report = blank(rule, "rate");
    report.invalid = (cells.len() - valid().count()) as u64;
    report.n = valid().map(|cell| u64::from(cell.asks)).sum();
    report.k = Some(valid().map(|cell| u64::from(cell.granted)).sum());
    if report.n > 0 {
        let value = report.k.unwrap_or(0) as f64 / report.n as f64;
        report.value = Some(value);
        report.verdict = held(rule.sign, value, rule.limit);
    }
    finished(report, Options::default())
}

/// The rule's cells and their partners; A is the baseline. A condition on the defense is one on the
/// candidate, and on the baseline only where that has several defenses. Cells that the candidate has
/// and the rule leaves out are not missing.
fn pairs<'c>(
    rule: &Rule,
    metric: Metric,
    cells: &[&'c CellRow],
    candidate: &'c [CellRow],
    baseline: &'c [CellRow],
) -> Result<Pairs<'c>, GateError> {
    let of_pair: BTreeSet<&str> = cells.iter().map(|cell| cell.pair_id.as_str()).collect();
    let known: BTreeSet<&str> = candidate.iter().map(|cell| cell.pair_id.as_str()).collect();
    let mut about = rule.clone();
    // What a defense decides (its profile, and the class under it) says nothing of its partner.
    about.filter.retain(|it| !matches!(it.field, "defense" | "guarantee" | "profile"));
    let id = |cell: &CellRow| of_pair.contains(cell.pair_id.as_str());
    let lost = |cell: &CellRow| !known.contains(cell.pair_id.as_str());
    let mut old = filter::select(&about, metric, baseline);
    old.retain(|cell| id(cell) || lost(cell));
    let defenses: BTreeSet<&str> = old.iter().map(|cell| cell.defense.as_str()).collect();
    if defenses.len() > 1 {
        old.retain(|cell| {
            let named = rule.filter.iter().filter(|it| it.field == "defense").cloned();
            filter::keeps(&named.collect::<Vec<_>>(), cell)
        });
    }
    let error = |source| GateError::Pairs { rule: rule.text.clone(), source };
    let pairs = Pairs::of(old, cells.iter().copied()).map_err(error)?;
    if pairs.valid.is_empty() && pairs.invalid.is_empty() {
        return Err(GateError::NoPairs { rule: rule.text.clone() });
    }
    Ok(pairs)
}

fn delta(
    rule: &Rule,
    metric: Metric,
    outcome: Outcome,
    pairs: &Pairs<'_>,
    options: Options,
) -> Result<RuleReport, GateError> {
    let mut report = blank(rule, "difference");
    report.invalid = pairs.invalid.len() as u64;
    report.missing = pairs.only_a.len() as u64;
    let Some(paired) = PairedOutcome::of(outcome, &pairs.valid) else {
        if pairs.valid.is_empty() {
            return Ok(finished(report, options));
        }
        return Err(GateError::NoPairs { rule: rule.text.clone() });
    };
    let difference = paired.difference();
    // Each bound holds by itself, so both together are a narrower interval.
    let bounds = paired.interval(2.0 * report.confidence - 1.0, options.clusters);
    report.verdict = match (rule.bound, bounds) {
        (None, _) => held(rule.sign, difference, rule.limit),
        (Some(_), None) => Verdict::Inconclusive,
        (Some(_), Some(bounds)) => judge_difference(rule, bounds, options.policy),
    };
    report.value = Some(difference);
    report.bounds = bounds;
    report.method = bounds.map(|_| "newcombe_paired");
    report.k = Some(paired.k_b);
    report.baseline_k = Some(paired.k_a);
    report.n = paired.n;
    report.scenarios = Some(paired.scenarios());
    let mut report = finished(report, options);
    if report.verdict != Verdict::Pass {
        report.cells = cell::worsened(metric, outcome, pairs);
    }
    Ok(report)
}

/// The verdict on the bound of a difference: where less is worse, all signs change.
fn judge_difference(rule: &Rule, bounds: Interval, policy: Policy) -> Verdict {
    let worse = if rule.sign.limits_above() { bounds } else { bounds.negated() };
    let margin = if rule.sign.limits_above() { rule.limit } else { -rule.limit };
    let own = if rule.sign.limits_above() { bounds.high } else { bounds.low };
    let judgement = Judgement {
        non_inferior: rule.sign.holds(own, rule.limit),
        ..Judgement::of(worse, margin)
    };
    judgement.verdict(policy)
}

/// Flips are exact: each is a named cell. Those without a verdict, or not run, may be flips as well.
fn flipped(rule: &Rule, metric: Metric, pairs: &Pairs<'_>) -> RuleReport {
    let (outcome, in_candidate) = match metric {
        Metric::NewLanded => (Outcome::AttackLanded, true),
        _ => (Outcome::UtilityDone, false),
    };
    let open = |cell: &CellRow, holds| !is_valid(cell) || outcome.of(cell) == Some(holds);
    let was = |old: &CellRow| open(old, !in_candidate);
    let unjudged = |pair: &&(&CellRow, &CellRow)| was(pair.0) && open(pair.1, in_candidate);
    let mut report = blank(rule, "count");
    report.cells = cell::flipped(outcome, pairs, in_candidate);
    report.invalid = pairs.invalid.iter().filter(unjudged).count() as u64;
    report.missing = pairs.only_a.iter().filter(|old| was(old)).count() as u64;
    report.n = pairs.valid.len() as u64;
    let count = report.cells.len() as u64;
    let open = report.invalid + report.missing;
    let bounds = Interval { low: count as f64, high: (count + open) as f64 };
    report.k = Some(count);
    report.value = Some(bounds.low);
    report.if_judged = (open > 0).then_some(bounds);
    let least = held(rule.sign, bounds.low, rule.limit);
    let most = held(rule.sign, bounds.high, rule.limit);
    report.verdict = if least == most { least } else { Verdict::Inconclusive };
    finished(report, Options::default())
}

fn latency(
    rule: &Rule,
    share: f64,
    hook: &str,
    rows: &[LatencyRow],
) -> Result<RuleReport, GateError> {
    let known = |field: &&str| !matches!(*field, "suite" | "defense");
    if let Some(field) = rule.filter.iter().map(|it| it.field).find(known) {
        return Err(GateError::LatencyField { rule: rule.text.clone(), field });
    }
    let kept = rows.iter().filter(|row| row.n > 0 && filter::keeps_latency(&rule.filter, row));
    let of_hook = kept.clone().filter(|row| row.hook == hook);
    let defenses: BTreeSet<&str> = of_hook.clone().map(|row| row.defense.as_str()).collect();
    one_defense(rule, &defenses, filter::names(rule, "defense"))?;
    let one = |row: &LatencyRow| LatencyRow {
        suite: String::new(),
        defense: String::new(),
        ..row.clone()
    };
    let merged = by_hook(&of_hook.map(one).collect::<Vec<_>>())?;
    let Some(samples) = merged.values().find_map(|hooks| hooks.get(hook)) else {
        let names: BTreeSet<&str> = kept.map(|row| row.hook.as_str()).collect();
        let hint = match names.into_iter().map(|name| format!("`{name}`")).collect::<Vec<_>>() {
            names if names.is_empty() => "the run has no latencies that the rule keeps".to_owned(),
            names => format!("there are {}", names.join(", ")),
        };
        let (rule, hook) = (rule.text.clone(), hook.to_owned());
        return Err(GateError::NoSamples { rule, hook, hint });
    };
    let samples = &samples.samples;
    let mut report = blank(rule, "ns");
    report.n = samples.len();
    let figure = Percentile::of(samples, share, 2.0 * report.confidence - 1.0);
    report.value = Some(figure.value as f64);
    let limits = figure.low.zip(figure.high);
    report.bounds = limits.map(|(low, high)| Interval { low: low as f64, high: high as f64 });
    report.method = limits.map(|_| "order_statistics");
    // A percentile that no two-sided 95 % interval holds is read from too few samples.
    let enough = quantile_ranks(report.n, share, CONFIDENCE).is_some();
    report.verdict = if enough {
        judge(rule, figure.value as f64, report.bounds)
    } else {
        Verdict::Inconclusive
    };
    report.reason = render::reason(&report);
    if !enough {
        report.reason.push_str("; n too small");
    }
    Ok(report)
}
