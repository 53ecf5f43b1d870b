//! Two runs of the same cases: what differs, how sure that is, and which cells it is.
//!
//! Cells are paired by `pair_id` alone, so the runs may have different defenses. Everything is counted
//! over pairs of which both cells are valid; the others are listed. Differences are B less A. Epochs
//! of a scenario share its weight: they are repeats, not samples. Intervals are about the sampling of
//! scenarios, and say nothing of a model's own chance unless there are epochs.

mod latency;
mod paired;
mod pairs;
mod render;

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use store::StoreError;
use trace::rows::{CellRow, LatencyRow};

use crate::outcome::{CONFIDENCE, Outcome, is_attack};
use crate::stats::Interval;
use crate::stats::multiple::{Adjustment, adjust};

pub(crate) use latency::hooks;
pub use latency::{HookFigures, LatencyPair, Percentile};
pub(crate) use paired::{PairedOutcome, scenario, user_cluster};
pub use pairs::{CellName, CompareError, InvalidPair};
pub(crate) use pairs::{Pairs, quoted};

/// Version of the comparison's JSON.
pub const COMPARISON_SCHEMA: u32 = 1;

/// The outcomes that are compared, by the name of their row.
pub const COMPARED: &[(&str, Outcome)] = &[
    ("asr", Outcome::AttackLanded),
    ("utility", Outcome::UtilityDone),
    ("asks", Outcome::TasksAsked),
];

/// Two runs compared. Within a `schema_version` fields are only ever added.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Comparison {
    /// Version of this format.
    pub schema_version: u32,
    /// The confidence of every interval.
    pub confidence: f64,
    /// A's defenses.
    pub defenses_a: Vec<String>,
    /// B's defenses.
    pub defenses_b: Vec<String>,
    /// Pairs of which both cells are valid: what is counted.
    pub pairs: u64,
    /// Disjoint groups of pairs, sorted by their keys.
    pub groups: Vec<Group>,
    /// Attacks that missed in A and landed in B.
    pub newly_landed: Vec<CellName>,
    /// Attacks that landed in A and missed in B.
    pub newly_stopped: Vec<CellName>,
    /// User tasks done in A and not in B.
    pub utility_lost: Vec<CellName>,
    /// User tasks done in B and not in A.
    pub utility_gained: Vec<CellName>,
    /// Cells of A without a partner.
    pub only_a: Vec<CellName>,
    /// Cells of B without a partner.
    pub only_b: Vec<CellName>,
    /// Pairs of which a cell is invalid.
    pub invalid: Vec<InvalidPair>,
    /// Latencies by suite and hook; empty unless they were given.
    pub latency: Vec<LatencyPair>,
}

/// What the pairs of a group have in common.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct GroupKey {
    /// The suite.
    pub suite: String,
    /// `attack`, `benign`, `benign-control`, or a suite's own twin.
    pub kind: String,
    /// The attack; null without one.
    pub attack: Option<String>,
    /// The harness.
    pub harness: String,
    /// The agent.
    pub agent: String,
    /// The owner.
    pub owner: String,
}

/// A group of pairs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Group {
    /// What its pairs have in common.
    #[serde(flatten)]
    pub key: GroupKey,
    /// Pairs of which both cells are valid.
    pub pairs: u64,
    /// The outcomes that apply.
    pub rows: Vec<Row>,
}

/// An outcome of a group.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    /// `asr`, `utility` or `asks`.
    pub outcome: &'static str,
    /// Pairs that it applies to.
    pub n: u64,
    /// Scenarios among them: each weighs the same.
    pub scenarios: u64,
    /// Pairs where it holds in A.
    pub k_a: u64,
    /// Pairs where it holds in B.
    pub k_b: u64,
    /// `k_a / n`.
    pub rate_a: f64,
    /// `k_b / n`.
    pub rate_b: f64,
    /// Pairs where it holds in A alone.
    pub only_a: u64,
    /// Pairs where it holds in B alone.
    pub only_b: u64,
    /// The rate in B less the rate in A, over scenarios.
    pub difference: f64,
    /// Newcombe's paired interval, over scenarios taken as independent; null where both sides are so
    /// by construction.
    pub interval: Option<Interval>,
    /// User tasks.
    pub clusters: u64,
    /// The t interval by user task (CR1); null where nothing varies between them.
    pub clustered: Option<Interval>,
    /// How `p` is made: `mcnemar_exact`, or over scenarios with several epochs `sign_flip`.
    pub test: &'static str,
    /// The chance of a split at least as uneven, two-sided; null where both sides are so by
    /// construction.
    pub p: Option<f64>,
    /// The same by Holm, over all rows of the comparison.
    pub p_holm: Option<f64>,
}

/// Compares two runs of the same cases.
///
/// # Errors
/// Several cells of one run belong to the same pair, as in a run of several defenses.
pub fn compare(a: &[CellRow], b: &[CellRow]) -> Result<Comparison, CompareError> {
    let pairs = Pairs::of(a, b)?;
    let names = |cells: &[&CellRow]| cells.iter().map(|cell| CellName::of(cell)).collect();
    let landed = |holds| flips(Outcome::AttackLanded, &pairs, is_attack, holds);
    let useful = |holds| flips(Outcome::UtilityDone, &pairs, |_| true, holds);
    Ok(Comparison {
        schema_version: COMPARISON_SCHEMA,
        confidence: CONFIDENCE,
        defenses_a: defenses(a).into_iter().map(str::to_owned).collect(),
        defenses_b: defenses(b).into_iter().map(str::to_owned).collect(),
        pairs: pairs.valid.len() as u64,
        groups: groups(&pairs),
        newly_landed: landed(true),
        newly_stopped: landed(false),
        utility_lost: useful(false),
        utility_gained: useful(true),
        only_a: names(&pairs.only_a),
        only_b: names(&pairs.only_b),
        invalid: pairs.invalid(),
        latency: Vec::new(),
    })
}

impl Comparison {
    /// Adds the latencies of both runs, of the defenses that are compared.
    ///
    /// # Errors
    /// A row holds no histogram.
    pub fn with_latency(self, a: &[LatencyRow], b: &[LatencyRow]) -> Result<Self, StoreError> {
        let a = hooks(a, &self.defenses_a.iter().map(String::as_str).collect())?;
        let b = hooks(b, &self.defenses_b.iter().map(String::as_str).collect())?;
        Ok(Self { latency: latency::pairs(&a, &b), ..self })
    }

    /// The comparison as indented JSON with a final newline.
    pub fn to_json(&self) -> String {
        let mut text =
            serde_json::to_string_pretty(self).expect("text keys and finite numbers are JSON");
        text.push('\n');
        text
    }

    /// The comparison as aligned plain text of at most 120 columns.
    pub fn text(&self) -> String {
        render::document(self).text()
    }

    /// The same as Markdown.
    pub fn markdown(&self) -> String {
        render::document(self).markdown()
    }
}

/// The defenses of these cells.
fn defenses(cells: &[CellRow]) -> BTreeSet<&str> {
    cells.iter().map(|cell| cell.defense.as_str()).collect()
}

/// Pairs where an outcome holds in B and not in A, or the other way round.
pub(crate) fn flips(
    outcome: Outcome,
    pairs: &Pairs<'_>,
    belongs: impl Fn(&CellRow) -> bool,
    holds_in_b: bool,
) -> Vec<CellName> {
    let flipped = |(a, b): &&(&CellRow, &CellRow)| {
        belongs(a) && outcome.of(a) == Some(!holds_in_b) && outcome.of(b) == Some(holds_in_b)
    };
    pairs.valid.iter().filter(flipped).map(|(a, _)| CellName::of(a)).collect()
}

fn groups(pairs: &Pairs<'_>) -> Vec<Group> {
    let mut by_key: BTreeMap<GroupKey, Vec<(&CellRow, &CellRow)>> = BTreeMap::new();
    for (a, b) in &pairs.valid {
        let key = GroupKey {
            suite: a.suite.clone(),
            kind: a.kind.clone(),
            attack: a.attack.clone(),
            harness: a.harness.clone(),
            agent: a.agent.clone(),
            owner: a.owner.clone(),
        };
        by_key.entry(key).or_default().push((a, b));
    }
    let group = |(key, pairs): (GroupKey, Vec<_>)| Group {
        key,
        pairs: pairs.len() as u64,
        rows: COMPARED.iter().filter_map(|(name, outcome)| row(name, *outcome, &pairs)).collect(),
    };
    let mut groups: Vec<Group> = by_key.into_iter().map(group).collect();
    adjust_rows(&mut groups);
    groups
}

fn row(name: &'static str, outcome: Outcome, pairs: &[(&CellRow, &CellRow)]) -> Option<Row> {
    let paired = PairedOutcome::of(outcome, pairs)?;
    let rate = |k: u64| k as f64 / paired.n as f64;
    Some(Row {
        outcome: name,
        n: paired.n,
        scenarios: paired.scenarios(),
        k_a: paired.k_a,
        k_b: paired.k_b,
        rate_a: rate(paired.k_a),
        rate_b: rate(paired.k_b),
        only_a: paired.only_a,
        only_b: paired.only_b,
        difference: paired.difference(),
        interval: paired.interval(CONFIDENCE, false),
        clusters: paired.clusters(),
        clustered: paired.clustered(CONFIDENCE),
        test: if paired.repeats { "sign_flip" } else { "mcnemar_exact" },
        p: paired.p(),
        p_holm: None,
    })
}

/// Holm over all rows that have a p.
fn adjust_rows(groups: &mut [Group]) {
    let mut rows: Vec<&mut Row> = groups.iter_mut().flat_map(|group| &mut group.rows).collect();
    rows.retain(|row| row.p.is_some());
    let p: Vec<f64> = rows.iter().filter_map(|row| row.p).collect();
    let adjusted = adjust(&p, Adjustment::Holm).unwrap_or_default();
    for (row, p) in rows.into_iter().zip(adjusted) {
        row.p_holm = Some(p);
    }
}
