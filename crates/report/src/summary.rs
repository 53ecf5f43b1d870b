//! The object of `summary.json`, which `bench run --format json` prints.

use std::borrow::Borrow;
use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use store::StoreError;
use trace::event::Crossing;
use trace::rows::{CellRow, LatencyRow};
use trace::version::SUMMARY_SCHEMA;

use crate::latency::{self, Hooks};
use crate::outcome::{Outcome, Tally, is_attack, is_benign, is_valid};
use crate::owner_acts::OwnerActs;
use crate::recorded;

/// The run that is summarised.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RunInfo {
    /// The run's name.
    pub run: String,
    /// The id of the plan that it carried out.
    pub plan_id: String,
}

/// A run in numbers. Within a `schema_version` fields are only ever added.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// Version of this format.
    pub schema_version: u32,
    /// The run's name.
    pub run: String,
    /// The id of the plan.
    pub plan_id: String,
    /// Disjoint groups of cells, sorted by their keys; there are no totals among them.
    pub groups: Vec<Group>,
}

impl Summary {
    /// The summary as indented JSON with a final newline.
    pub fn to_json(&self) -> String {
        let mut text =
            serde_json::to_string_pretty(self).expect("text keys and finite numbers are JSON");
        text.push('\n');
        text
    }
}

/// What the cells of a group have in common.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Key {
    /// The suite.
    pub suite: String,
    /// Its version.
    pub suite_version: String,
    /// `attack`, `benign`, `benign-control`, or a suite's own twin.
    pub kind: String,
    /// `inside`, or the class that says why not; null without an attack.
    pub guarantee: Option<String>,
    /// The attack; null without one.
    pub attack: Option<String>,
    /// The harness.
    pub harness: String,
    /// The agent.
    pub agent: String,
    /// The defense, with its options.
    pub defense: String,
    /// The owner.
    pub owner: String,
}

impl Key {
    fn of(cell: &CellRow) -> Self {
        Self {
            suite: cell.suite.clone(),
            suite_version: cell.suite_version.clone(),
            kind: cell.kind.clone(),
            guarantee: cell.guarantee.clone(),
            attack: cell.attack.clone(),
            harness: cell.harness.clone(),
            agent: cell.agent.clone(),
            defense: cell.defense.clone(),
            owner: cell.owner.clone(),
        }
    }
}

/// One group of cells.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Group {
    /// What its cells have in common.
    #[serde(flatten)]
    pub key: Key,
    /// Cells, invalid ones included.
    pub cells: u64,
    /// Invalid cells; they are in no other count.
    pub invalid: u64,
    /// How `low` and `high` are made.
    pub interval: IntervalInfo,
    /// See [`Outcome::Exposed`].
    pub exposed: Option<Rate>,
    /// See [`Outcome::Delivered`].
    pub delivered: Option<Rate>,
    /// See [`Outcome::Attempted`].
    pub attempted: Option<Rate>,
    /// See [`Outcome::Executed`].
    pub executed: Option<Rate>,
    /// See [`Outcome::AttackLanded`].
    pub attack_landed: Option<Rate>,
    /// See [`Outcome::AttackPartial`].
    pub attack_partial: Option<Rate>,
    /// See [`Outcome::AttackLandedUpstream`].
    pub attack_landed_upstream: Option<Rate>,
    /// See [`Outcome::UtilityDone`].
    pub utility_done: Option<Rate>,
    /// See [`Outcome::TasksAsked`].
    pub tasks_asked: Option<Rate>,
    /// See [`Outcome::FalseBlocks`].
    pub false_blocks: Option<Rate>,
    /// See [`Outcome::Diverged`].
    pub diverged: Option<Rate>,
    /// Approval requests a task, for benign cells.
    pub asks_per_task: Option<AsksPerTask>,
    /// What owners said unasked; null where they said nothing.
    pub owner_acts: Option<OwnerActs>,
    /// For recorded agents without a defense: cells whose verdicts are all those of their logs.
    pub upstream_agreement: Option<Agreement>,
    /// For attacks: cells whose attack was first stopped at each crossing.
    pub stopped_at: Option<BTreeMap<String, u64>>,
    /// Latencies by hook, over all cells of the group's suite and defense (they are not kept apart
    /// by the other keys).
    pub latency: BTreeMap<String, HookLatency>,
}

/// A share with its interval; the limits are null where the outcome is so by construction.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Rate {
    /// Cells where the outcome holds.
    pub k: u64,
    /// Valid cells that it applies to.
    pub n: u64,
    /// `k / n`.
    pub rate: f64,
    /// The interval's lower limit.
    pub low: Option<f64>,
    /// The interval's upper limit.
    pub high: Option<f64>,
}

impl From<Tally> for Rate {
    fn from(tally: Tally) -> Self {
        let interval = tally.interval();
        Self {
            k: tally.k,
            n: tally.n,
            rate: tally.rate(),
            low: interval.map(|interval| interval.low),
            high: interval.map(|interval| interval.high),
        }
    }
}

/// How intervals are made, at 95 %.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct IntervalInfo {
    /// `wilson`: every cell counts as a sample of its own, which clusters are not.
    pub method: &'static str,
    /// How many clusters the valid cells fall into.
    pub clusters: Clusters,
}

/// Clusters of the valid cells; worlds are kept apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Clusters {
    /// Clusters of user tasks.
    pub user: u64,
    /// Clusters of injection tasks; null without an injection task.
    pub attack: Option<u64>,
}

impl Clusters {
    /// Counts the clusters of the valid cells.
    pub fn of<'c>(cells: impl IntoIterator<Item = &'c CellRow>) -> Self {
        let (mut user, mut attack) = (BTreeSet::new(), BTreeSet::new());
        let mut last: Option<&CellRow> = None;
        for cell in cells.into_iter().filter(|cell| is_valid(cell)) {
            // Folded cells stand side by side, and are in one cluster.
            if last.replace(cell).is_some_and(|last| std::ptr::eq(last, cell)) {
                continue;
            }
            let place = (&cell.suite, &cell.world);
            user.insert((place, &cell.cluster_user));
            attack.extend(cell.cluster_attack.as_ref().map(|cluster| (place, cluster)));
        }
        let attack = (!attack.is_empty()).then_some(attack.len() as u64);
        Self { user: user.len() as u64, attack }
    }
}

/// Approval requests, a task.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct AsksPerTask {
    /// Requests, each about one call.
    pub per_call: f64,
    /// Arguments that the requests were about.
    pub per_argument: f64,
}

impl AsksPerTask {
    /// The mean over the valid cells; `None` without any.
    pub fn of<'c>(cells: impl IntoIterator<Item = &'c CellRow>) -> Option<Self> {
        let (mut n, mut requests, mut arguments) = (0_u64, 0_u64, 0_u64);
        for cell in cells.into_iter().filter(|cell| is_valid(cell)) {
            n += 1;
            requests += u64::from(cell.asks);
            arguments += u64::from(cell.asks_arguments);
        }
        (n > 0).then(|| Self {
            per_call: requests as f64 / n as f64,
            per_argument: arguments as f64 / n as f64,
        })
    }
}

/// Agreement with the verdicts that logs hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Agreement {
    /// Cells that agree.
    pub k: u64,
    /// Cells whose logs hold a verdict.
    pub n: u64,
}

/// The latencies of a hook, from its merged histogram.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct HookLatency {
    /// Samples.
    pub n: u64,
    /// Median, in nanoseconds.
    pub p50_ns: u64,
    /// 99th percentile, in nanoseconds.
    pub p99_ns: u64,
}

/// Summarises a run: its cells by what they have in common, and its latencies by hook.
///
/// # Errors
/// A row of `latency` holds no histogram.
pub fn summarize<C: Borrow<CellRow>>(
    cells: &[C],
    latency: &[LatencyRow],
    run: RunInfo,
) -> Result<Summary, StoreError> {
    let hooks = latency::by_hook(latency)?;
    let mut groups: BTreeMap<Key, Vec<&CellRow>> = BTreeMap::new();
    for same in runs(cells.iter().map(Borrow::borrow)) {
        groups.entry(Key::of(same[0])).or_default().extend(same);
    }
    Ok(Summary {
        schema_version: SUMMARY_SCHEMA,
        run: run.run,
        plan_id: run.plan_id,
        groups: groups.into_iter().map(|(key, cells)| group(key, &cells, &hooks)).collect(),
    })
}

/// The cells in runs of one row each, so that what folded cells share is worked out once.
pub(crate) fn runs<'c>(cells: impl IntoIterator<Item = &'c CellRow>) -> Vec<Vec<&'c CellRow>> {
    let mut runs: Vec<Vec<&CellRow>> = Vec::new();
    for cell in cells {
        match runs.last_mut() {
            Some(run) if std::ptr::eq(run[0], cell) => run.push(cell),
            _ => runs.push(vec![cell]),
        }
    }
    runs
}

fn group(key: Key, cells: &[&CellRow], hooks: &Hooks) -> Group {
    let rate = |outcome| Tally::of(outcome, cells.iter().copied()).map(Rate::from);
    let valid = cells.iter().filter(|cell| is_valid(cell)).count();
    Group {
        cells: cells.len() as u64,
        invalid: (cells.len() - valid) as u64,
        interval: IntervalInfo { method: "wilson", clusters: Clusters::of(cells.iter().copied()) },
        exposed: rate(Outcome::Exposed),
        delivered: rate(Outcome::Delivered),
        attempted: rate(Outcome::Attempted),
        executed: rate(Outcome::Executed),
        attack_landed: rate(Outcome::AttackLanded),
        attack_partial: rate(Outcome::AttackPartial),
        attack_landed_upstream: rate(Outcome::AttackLandedUpstream),
        utility_done: rate(Outcome::UtilityDone),
        tasks_asked: rate(Outcome::TasksAsked),
        false_blocks: rate(Outcome::FalseBlocks),
        diverged: rate(Outcome::Diverged),
        asks_per_task: AsksPerTask::of(cells.iter().copied().filter(|cell| is_benign(cell))),
        owner_acts: OwnerActs::of(cells.iter().copied()),
        upstream_agreement: recorded::agreement(cells.iter().copied()),
        stopped_at: stopped_at(cells),
        latency: hook_latency(hooks, &key),
        key,
    }
}

/// Every crossing is listed, so that readers need no default.
fn stopped_at(cells: &[&CellRow]) -> Option<BTreeMap<String, u64>> {
    if !cells.iter().any(|cell| is_attack(cell)) {
        return None;
    }
    let mut stops: BTreeMap<String, u64> =
        Crossing::ALL.iter().map(|crossing| (crossing.as_str().to_owned(), 0)).collect();
    for cell in cells.iter().filter(|cell| is_valid(cell)) {
        if let Some(crossing) = &cell.stopped_at {
            *stops.entry(crossing.clone()).or_default() += 1;
        }
    }
    Some(stops)
}

fn hook_latency(hooks: &Hooks, key: &Key) -> BTreeMap<String, HookLatency> {
    let Some(hooks) = hooks.get(&(key.suite.clone(), key.defense.clone())) else {
        return BTreeMap::new();
    };
    let figures = |hook: &latency::HookHistogram| HookLatency {
        n: hook.samples.len(),
        p50_ns: hook.samples.value_at_quantile(0.5),
        p99_ns: hook.samples.value_at_quantile(0.99),
    };
    hooks.iter().map(|(name, hook)| (name.clone(), figures(hook))).collect()
}
