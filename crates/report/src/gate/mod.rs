//! Rules that a run must keep, and whether it does.
//!
//! A rule has three verdicts. One about a figure itself (`asr <= 0.05`, `new_landed == 0`) passes or
//! fails. One about a bound (`asr.upper95 <= 0.01`, `delta(asr).upper95 <= 0.02`) passes where the
//! bound keeps the limit, fails where the other bound shows that the rate does not (for differences:
//! as [`Policy`] says), and is inconclusive between. Too few cells or samples, or cells without a
//! verdict that could change the answer, are inconclusive. A rule that is about no cell is an error.
//!
//! Invalid cells are in no rate; what the rate would be if they had all held, or none, stands beside
//! it, and `error_rate` gates them.

mod cell;
mod evaluate;
mod figures;
mod filter;
mod parse;
mod render;
pub mod rule;

use serde::Serialize;
use store::StoreError;
use trace::rows::{CellRow, LatencyRow};

pub use crate::stats::non_inferiority::{Policy, Verdict};
pub use cell::GateCell;
pub use rule::{Rule, RuleError};

use crate::compare::{CompareError, quoted};
use crate::stats::Interval;

/// Version of the gate's JSON.
pub const GATE_SCHEMA: u32 = 1;

/// A run, as far as a gate needs it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Run<'r> {
    /// Its cells.
    pub cells: &'r [CellRow],
    /// Its latencies.
    pub latency: &'r [LatencyRow],
}

/// How rules are judged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Options {
    /// What is called a regression.
    pub policy: Policy,
    /// A rule about a figure of fewer scenarios than this is inconclusive.
    pub min_scenarios: u64,
    /// Whether bounds take into account that cases share user tasks: the number of cases is divided
    /// by the design effect, where that is above 1 (Korn and Graubard, 1998).
    pub clusters: bool,
}

/// What a gate says of a run. Within a `schema_version` fields are only ever added.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GateReport {
    /// Version of this format.
    pub schema_version: u32,
    /// The worst verdict of the rules.
    pub verdict: Verdict,
    /// Whether every rule passed.
    pub gate_passed: bool,
    /// 0 where the gate passed, 100 where it failed, 101 where it is inconclusive.
    pub exit_code: u8,
    /// How rules were judged.
    pub options: Options,
    /// The rules, in the order given.
    pub rules: Vec<RuleReport>,
}

/// What is said of one rule.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RuleReport {
    /// The rule as it was written.
    pub rule: String,
    /// Whether the run keeps it.
    pub verdict: Verdict,
    /// Why, in words.
    pub reason: String,
    /// The unit of the figures: `rate`, `difference`, `count`, `mean` or `ns`.
    pub unit: &'static str,
    /// The figure; null where it is not defined.
    pub value: Option<f64>,
    /// Its bounds, each one-sided at `confidence`; null where there are none.
    pub bounds: Option<Interval>,
    /// The one-sided confidence of the bounds.
    pub confidence: f64,
    /// How the bounds are made; null without them.
    pub method: Option<&'static str>,
    /// The rule's limit.
    pub limit: f64,
    /// Cells, requests or pairs where it holds, in the candidate.
    pub k: Option<u64>,
    /// Cells, requests, pairs or samples that it is about.
    pub n: u64,
    /// Pairs where it holds in the baseline, for rules that compare.
    pub baseline_k: Option<u64>,
    /// Scenarios among them: epochs are no more scenarios.
    pub scenarios: Option<u64>,
    /// Cells or pairs that were not judged.
    pub invalid: u64,
    /// Cells of the baseline that the candidate lacks.
    pub missing: u64,
    /// What the value would be if none of those not judged held, and if all did; null where there
    /// are none, or for other units than rates and counts.
    pub if_judged: Option<Interval>,
    /// What happened in `cells`: `attack_landed`, `utility_not_done` and so on; null where a rule is
    /// about no such thing.
    pub happened: Option<&'static str>,
    /// The candidate's cells that speak against the rule: those that flipped, for rules that count
    /// them or compare; those that count against it, for rules about a rate. Empty where a rule about
    /// a rate or a difference passed.
    pub cells: Vec<GateCell>,
}

/// Rules that cannot be judged.
#[derive(Debug, thiserror::Error)]
pub enum GateError {
    /// There are no rules.
    #[error("failed to judge the run: there are no rules")]
    NoRules,
    /// A rule is about no cell.
    #[error("failed to judge `{rule}`: it is about no cell\nhint: {hint}")]
    NoCells {
        /// The rule.
        rule: String,
        /// What may be wrong with it.
        hint: String,
    },
    /// A rule is about a hook without samples.
    #[error("failed to judge `{rule}`: no samples of `{hook}`\nhint: {hint}")]
    NoSamples {
        /// The rule.
        rule: String,
        /// The hook.
        hook: String,
        /// The hooks that there are.
        hint: String,
    },
    /// A rule about latencies filters by what latencies do not know.
    #[error(
        "failed to judge `{rule}`: latencies are kept by `suite` and `defense`, not by `{field}`"
    )]
    LatencyField {
        /// The rule.
        rule: String,
        /// The field.
        field: &'static str,
    },
    /// A rule would pool different defenses.
    #[error(
        "failed to judge `{rule}`: it is about several defenses: {}\n\
         hint: name one, as in `{{defense={}}}`, or pool them by `{{defense=*}}`",
        quoted(defenses),
        defenses.last().map_or("", String::as_str)
    )]
    SeveralDefenses {
        /// The rule.
        rule: String,
        /// The defenses.
        defenses: Vec<String>,
    },
    /// A rule compares with a baseline, and there is none.
    #[error("failed to judge `{rule}`: it compares with a baseline, and there is none")]
    NoBaseline {
        /// The rule.
        rule: String,
    },
    /// No cell of a rule has a partner in the baseline.
    #[error("failed to judge `{rule}`: none of its cells has a partner in the baseline")]
    NoPairs {
        /// The rule.
        rule: String,
    },
    /// The candidate (A) or the baseline (B) holds several cells of a pair.
    #[error("failed to judge `{rule}`")]
    Pairs {
        /// The rule.
        rule: String,
        /// What is wrong; A is the baseline, B the candidate.
        source: CompareError,
    },
    /// A histogram cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Judges a run by rules.
///
/// # Errors
/// There are no rules; a rule is about no cell or no sample, pools defenses, or lacks its baseline.
pub fn evaluate(
    rules: &[Rule],
    candidate: Run<'_>,
    baseline: Option<Run<'_>>,
    options: Options,
) -> Result<GateReport, GateError> {
    let judged = rules.iter().map(|rule| evaluate::rule(rule, candidate, baseline, options));
    let rules = judged.collect::<Result<Vec<RuleReport>, _>>()?;
    let verdict = rules.iter().map(|rule| rule.verdict).max().ok_or(GateError::NoRules)?;
    let exit_code = match verdict {
        Verdict::Pass => 0,
        Verdict::Fail => 100,
        Verdict::Inconclusive => 101,
    };
    Ok(GateReport {
        schema_version: GATE_SCHEMA,
        verdict,
        gate_passed: verdict == Verdict::Pass,
        exit_code,
        options,
        rules,
    })
}

impl GateReport {
    /// The report as indented JSON with a final newline.
    pub fn to_json(&self) -> String {
        let mut text =
            serde_json::to_string_pretty(self).expect("text keys and finite numbers are JSON");
        text.push('\n');
        text
    }

    /// The report as aligned plain text.
    pub fn text(&self) -> String {
        render::document(self).text()
    }

    /// The same as Markdown.
    pub fn markdown(&self) -> String {
        render::document(self).markdown()
    }
}
