//! The rows of a run's Parquet files, in memory.
//!
//! Field names are the columns' names; `Option` is a column that may be null, which always means
//! *does not apply to this cell*, never *unknown*.

use serde::{Deserialize, Serialize};

/// A row of `cells.parquet`: one cell. No time stands here: these rows are a function of the plan.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CellRow {
    /// Hash of everything that decides the cell.
    pub cell_id: String,
    /// The same without the defense: pairs runs of different defenses.
    pub pair_id: String,
    /// The suite's name.
    pub suite: String,
    /// The suite's version, as upstream names it.
    pub suite_version: String,
    /// The world.
    pub world: String,
    /// The suite's own setting, where it has one.
    pub setting: Option<String>,
    /// The scenario's id, with its world.
    pub scenario: String,
    /// The user task's id.
    pub user_task: String,
    /// The injection task's id, for attacks and benign controls.
    pub injection_task: Option<String>,
    /// `attack`, `benign`, `benign-control`, or a suite's own twin.
    pub kind: String,
    /// The suite's own kind of harm, where it has one.
    pub harm_kind: Option<String>,
    /// `inside`, or the class that says why not; null for cells without an attack.
    pub guarantee: Option<String>,
    /// The cluster of the user task.
    pub cluster_user: String,
    /// The cluster of the injection task.
    pub cluster_attack: Option<String>,
    /// How the injection is worded and placed; null for cells without one.
    pub attack: Option<String>,
    /// The harness.
    pub harness: String,
    /// The agent.
    pub agent: String,
    /// The defense, with its options.
    pub defense: String,
    /// `T1`, `T2` or `T3`: how exactly the defense is modelled.
    pub defense_tier: String,
    /// The profile of the capability schemas, for defenses that read them.
    pub profile: Option<String>,
    /// Who answers approval requests.
    pub owner: String,
    /// The repetition, from 0.
    pub epoch: u32,
    /// The run's seed.
    pub seed: u64,
    /// `ok` or `invalid`.
    pub status: String,
    /// Why a cell is invalid.
    pub invalid_reason: Option<String>,
    /// The payload reached the agent's view in the paired cell without a defense.
    pub exposed: Option<bool>,
    /// The payload reached the agent's view in this cell.
    pub delivered: Option<bool>,
    /// The agent asked for a call of the attack's own.
    pub attempted: Option<bool>,
    /// The world carried out a call of the attack's own.
    pub executed: Option<bool>,
    /// The injection task's check holds, refused calls taken out.
    pub attack_landed: Option<bool>,
    /// Not landed, but an effectful call of the attack's own was carried out.
    pub attack_partial: Option<bool>,
    /// Upstream's own verdict, bug for bug.
    pub attack_landed_upstream: Option<bool>,
    /// The verdict of a corrected check, where there is one.
    pub attack_landed_fixed: Option<bool>,
    /// The user task's check holds.
    pub utility_done: Option<bool>,
    /// The verdict of a corrected check, where there is one.
    pub utility_done_fixed: Option<bool>,
    /// Steps of the script whose values were withheld.
    pub starved: u32,
    /// Calls whose values came from nowhere the agent could see, as upstream's ground truth does.
    pub unseen_values: u32,
    /// How a simulated reply to the attack's first call was found: `exact`, `normalised` or `first`;
    /// null where nothing was simulated.
    pub reply_source: Option<String>,
    /// What the log says of the user's task, for recorded agents.
    pub utility_done_logged: Option<bool>,
    /// What the log says of the attack, for recorded agents.
    pub attack_landed_logged: Option<bool>,
    /// The crossing that first stopped a call of the attack's own.
    pub stopped_at: Option<String>,
    /// The fault it raised.
    pub stop_fault: Option<String>,
    /// The fault's reason.
    pub stop_reason: Option<String>,
    /// A recorded trajectory left its course before the attack's first own call, or at all where there
    /// is none: what came after is no evidence of what the model would have done.
    pub diverged: Option<bool>,
    /// Approval requests.
    pub asks: u32,
    /// Arguments that those requests were about.
    pub asks_arguments: u32,
    /// Requests for a call that had been asked for before.
    pub asks_repeated: u32,
    /// Requests that the owner granted.
    pub granted: u32,
    /// Requests for a call that the user's task needed.
    pub asks_needed: u32,
    /// Requests about a value that really came from a page of Evidence.
    pub asks_from_evidence: u32,
    /// Requests refused for calls that the key does not hold and that are not the attack's own: for
    /// recorded agents, right calls in other words may be among them.
    pub refused_unknown: u32,
    /// Calls of the user's task that were finally not carried out.
    pub false_blocks: u32,
    /// The final text claims what was refused.
    pub false_completion: Option<bool>,
    /// Turns of the agent.
    pub turns: u32,
    /// Calls that the agent asked for.
    pub calls_requested: u32,
    /// Calls that the world carried out.
    pub calls_executed: u32,
    /// Calls that were refused before the world saw them.
    pub calls_refused: u32,
    /// Calls with an effect that the world carried out.
    pub effects: u32,
    /// Those among them that a defense had judged.
    pub effects_mediated: u32,
    /// Pages that entered the context.
    pub pages: u32,
    /// Tokens sent to a model; null for scripted agents.
    pub tokens_in: Option<u64>,
    /// Tokens received from a model; null for scripted agents.
    pub tokens_out: Option<u64>,
    /// Cost of the model, in US dollars; null for scripted agents.
    pub cost_usd: Option<f64>,
    /// What the attack wants remembered was stored: a record, a checkpoint, a resource of the world.
    /// Null without memory, as is every column from here on.
    pub injected: Option<bool>,
    /// It came back into a later view.
    pub retrieved: Option<bool>,
    /// The agent asked for an effect of the attack's own once it had come back.
    pub used: Option<bool>,
    /// Records that the stores hold at the end.
    pub memory_entries: Option<u32>,
    /// Texts that agents looked for in a session and that stood in a record before it opened; null
    /// for scenarios without a course of their own.
    pub recall_wanted: Option<u32>,
    /// Those among them that came back into that session's view.
    pub recall_hits: Option<u32>,
    /// Tools asked again for what had been in view and was degraded or evicted.
    pub pager_refetch: Option<u32>,
    /// Tools asked again for what stood in view.
    pub pager_duplicate_tool: Option<u32>,
    /// Turns without all that a session begins with.
    pub pager_bootstrap: Option<u32>,
    /// Staged writes that were not written back.
    pub pager_flush_miss: Option<u32>,
    /// Queries that had fitting records, none of which came back.
    pub pager_silent_recall: Option<u32>,
    /// Evictions refused since they would have degraded a page below its least form.
    pub pager_pinned: Option<u32>,
    /// After a revocation no effect of the attack's own was carried out; null without a revocation.
    pub revocation_danger_gone: Option<bool>,
    /// Records that revocations invalidated.
    pub revocation_records: Option<u32>,
    /// Those among them that were not the attack's.
    pub revocation_collateral: Option<u32>,
    /// Calls that had been carried out on what was then revoked.
    pub revocation_acts: Option<u32>,
    /// Approvals of content that owners gave of their own accord. Here and below: those with an
    /// effect.
    pub owner_content: Option<u32>,
    /// Approvals in advance that they gave.
    pub owner_standing: Option<u32>,
    /// Grants of content to another tenant.
    pub owner_grants: Option<u32>,
    /// Revocations.
    pub owner_revocations: Option<u32>,
    /// Those approvals and grants that cover more than the last for the same tool or page; null where
    /// no defense was told of any.
    pub owner_widened: Option<u32>,
    /// Calls that were carried out on an approval given in advance, without a request.
    pub granted_in_advance: Option<u32>,
}

/// A row of `approvals.parquet`: an approval request, or something that an owner did of his own accord.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ApprovalRow {
    /// The cell.
    pub cell_id: String,
    /// Its number in the cell, from 0.
    pub seq: u32,
    /// `call`, `content`, `standing`, `grant`, `withdraw` or `revocation`.
    pub kind: String,
    /// The tool, for calls and approvals in advance.
    pub tool: Option<String>,
    /// The first argument that made the defense ask.
    pub argument: Option<String>,
    /// Why it asked, as a fixed code.
    pub reason: String,
    /// The channel of the page that holds the value, where one does; of the content that an owner
    /// speaks about, or that an approval in advance takes values from.
    pub channel: Option<String>,
    /// `granted` or `refused`; of an owner's own act, whether it had an effect.
    pub decision: String,
    /// Whether the user's task needed the call.
    pub needed: bool,
    /// Whether a value really came from a page of Evidence.
    pub from_evidence: bool,
    /// Whether it covers more than the last one for the same tool or page.
    pub widens: bool,
    /// The scope before.
    pub scope_before: Option<String>,
    /// The scope after.
    pub scope_after: Option<String>,
    /// The authority before.
    pub authority_before: Option<String>,
    /// The authority after.
    pub authority_after: Option<String>,
    /// How often it may be used.
    pub uses: Option<u32>,
    /// The last moment at which it holds, in seconds since the course began.
    pub expires: Option<String>,
}

/// A row of `faults.parquet`: one fault.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct FaultRow {
    /// The cell.
    pub cell_id: String,
    /// Its number in the cell, from 0.
    pub seq: u32,
    /// `map`, `derive`, `reload` or `authorize`.
    pub crossing: String,
    /// The fault's name.
    pub fault: String,
    /// The reason, as a fixed code.
    pub reason: String,
    /// The page that it is about, where there is one.
    pub page: Option<String>,
    /// The page's channel.
    pub channel: Option<String>,
    /// The tool, for calls.
    pub tool: Option<String>,
    /// The argument's path, for calls.
    pub argument: Option<String>,
}

/// A row of `timings.parquet`: a cell's time. It is measured, so it differs from run to run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TimingRow {
    /// The cell.
    pub cell_id: String,
    /// Time spent in the defense's hooks, the owner's wait excluded.
    pub defense_ns: u64,
    /// Time from the cell's start to its verdict.
    pub wall_ns: u64,
}

/// A row of `scenarios.parquet`: one scenario of the plan.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScenarioRow {
    /// The scenario's id, with its world.
    pub scenario: String,
    /// The suite's name.
    pub suite: String,
    /// The suite's version.
    pub suite_version: String,
    /// The world.
    pub world: String,
    /// `attack`, `benign` or `benign-control`.
    pub kind: String,
    /// The user task's id.
    pub user_task: String,
    /// The injection task's id.
    pub injection_task: Option<String>,
    /// The attack's name.
    pub attack: Option<String>,
    /// The cluster of the user task.
    pub cluster_user: String,
    /// The cluster of the injection task.
    pub cluster_attack: Option<String>,
    /// Digest of the data set's bundle.
    pub bundle_digest: String,
    /// Digest of what decides the scenario: prompt, injections, scripts.
    pub digest: String,
    /// Digest of the payload as it stands in the world, folded.
    pub payload_digest: Option<String>,
    /// The injection vectors that carry it, separated by commas.
    pub vectors: Option<String>,
    /// The message that first showed it without a defense, from 0 over the episode's messages.
    pub exposed_message: Option<u32>,
    /// First byte of the payload in that message.
    pub exposed_start: Option<u32>,
    /// Byte behind the payload in that message.
    pub exposed_end: Option<u32>,
}

/// A row of `latency.parquet`: one hook's latencies, over the cells of a (suite, defense, hook,
/// outcome). Percentiles are read from the histogram and never averaged.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LatencyRow {
    /// The suite.
    pub suite: String,
    /// The defense, with its options.
    pub defense: String,
    /// The hook.
    pub hook: String,
    /// What the hook answered.
    pub outcome: String,
    /// Samples.
    pub n: u64,
    /// Least.
    pub min_ns: u64,
    /// Median.
    pub p50_ns: u64,
    /// 90th percentile.
    pub p90_ns: u64,
    /// 99th percentile.
    pub p99_ns: u64,
    /// 99.9th percentile.
    pub p999_ns: u64,
    /// 99.99th percentile.
    pub p9999_ns: u64,
    /// Greatest.
    pub max_ns: u64,
    /// Mean.
    pub mean_ns: f64,
    /// Median cost of reading the clock twice, measured at the run's start.
    pub clock_ns: u64,
    /// The histogram, in `HdrHistogram`'s V2 format.
    pub hdr: Vec<u8>,
}

/// A row of `events.parquet`, written with `--trace`: one event of an episode.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EventRow {
    /// The cell.
    pub cell_id: String,
    /// Its number in the episode, from 0.
    pub seq: u32,
    /// The event's name.
    pub event: String,
    /// The tool, for calls.
    pub tool: Option<String>,
    /// The page, where there is one.
    pub page: Option<u32>,
    /// The page's channel.
    pub channel: Option<String>,
    /// The event in full, as JSON.
    pub detail: String,
}

/// Everything a run writes but its manifest.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RunRows {
    /// `cells.parquet`.
    pub cells: Vec<CellRow>,
    /// `approvals.parquet`.
    pub approvals: Vec<ApprovalRow>,
    /// `faults.parquet`.
    pub faults: Vec<FaultRow>,
    /// `timings.parquet`.
    pub timings: Vec<TimingRow>,
    /// `scenarios.parquet`.
    pub scenarios: Vec<ScenarioRow>,
    /// `latency.parquet`.
    pub latency: Vec<LatencyRow>,
    /// `events.parquet`; empty without `--trace`.
    pub events: Vec<EventRow>,
}
