//! Runs a plan's jobs on worker tasks, and hands on what they came to in the plan's order.

use std::collections::{BTreeMap, HashMap};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use tokio::sync::mpsc;
use trace::rows::{LatencyRow, RunRows, ScenarioRow};

use crate::executor::{Executor, JobOutcome, RunError, Sighting};
use crate::latency::Latencies;
use crate::plan::Plan;

/// Asks a run to stop: jobs in flight are finished, no new ones begun.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Asks the run to stop.
    pub fn request(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    fn is_requested(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// What jobs came to, in the order in which they were added.
#[derive(Debug, Default)]
pub struct Gathered {
    /// The rows; without `scenarios` and `latency`.
    pub rows: RunRows,
    /// The histograms of the hooks.
    pub latencies: Latencies,
    /// Where payloads first showed, by the job's number.
    pub sightings: Vec<(usize, Sighting)>,
    /// Jobs that were run.
    pub jobs_done: usize,
}

impl Gathered {
    /// Adds what a job came to.
    pub fn add(&mut self, outcome: JobOutcome) {
        self.jobs_done += 1;
        self.sightings.extend(outcome.exposed.map(|sighting| (outcome.number, sighting)));
        for cell in outcome.cells {
            self.latencies.add(&cell.cell.defense, &cell.samples);
            let rows = &mut self.rows;
            rows.cells.push(cell.cell);
            rows.approvals.extend(cell.approvals);
            rows.faults.extend(cell.faults);
            rows.timings.push(cell.timing);
            rows.events.extend(cell.events);
        }
    }
}

/// Runs jobs of the plan, by their numbers, on `workers` tasks. `take` gets what each came to, in the
/// order of `jobs`, and may break off.
///
/// What is taken does not depend on the number of workers, but for how far a run that is stopped
/// gets: what was begun is finished and taken.
///
/// # Errors
/// A scenario's world cannot be opened; jobs in flight are then dropped.
pub async fn run(
    plan: Arc<Plan>,
    jobs: Arc<[usize]>,
    executor: Arc<Executor>,
    workers: usize,
    stop: &Stop,
    mut take: impl FnMut(JobOutcome) -> ControlFlow<()>,
) -> Result<(), RunError> {
    let next = Arc::new(AtomicUsize::new(0));
    let (sender, mut receiver) = mpsc::channel(workers.max(1) * 2);
    for _ in 0..workers.max(1) {
        let (plan, jobs, executor) = (Arc::clone(&plan), Arc::clone(&jobs), Arc::clone(&executor));
        let (next, stop, sender) = (Arc::clone(&next), stop.clone(), sender.clone());
        tokio::spawn(async move {
            while !stop.is_requested() {
                let place = next.fetch_add(1, Ordering::Relaxed);
                let Some(number) = jobs.get(place).copied() else { break };
                let outcome = executor.run(number, &plan.jobs[number]).await;
                if sender.send((place, outcome)).await.is_err() {
                    break;
                }
            }
        });
    }
    drop(sender);
    // Jobs end in another order than they begin: those that are early wait here.
    let mut early: BTreeMap<usize, JobOutcome> = BTreeMap::new();
    let mut wanted = 0;
    while let Some((place, outcome)) = receiver.recv().await {
        early.insert(place, outcome?);
        while let Some(outcome) = early.remove(&wanted) {
            wanted += 1;
            if take(outcome).is_break() {
                return Ok(());
            }
        }
    }
    Ok(())
}

/// Rows of the scenarios whose payload showed in these sightings.
pub fn sighted_rows(plan: &Plan, sightings: &[(usize, Sighting)]) -> Vec<ScenarioRow> {
    let rows = sightings.iter().map(|(number, sighting)| ScenarioRow {
        exposed_message: Some(sighting.message),
        exposed_start: Some(sighting.start),
        exposed_end: Some(sighting.end),
        ..plan.scenario_row(&plan.jobs[*number])
    });
    rows.collect()
}

/// A row a scenario of the plan, with where its payload first showed: of the rows in `sighted` the
/// first one's place.
pub fn scenario_rows(plan: &Plan, sighted: &[ScenarioRow]) -> Vec<ScenarioRow> {
    let key = |row: &ScenarioRow| (row.scenario.clone(), row.kind.clone(), row.attack.clone());
    let mut first: HashMap<_, &ScenarioRow> = HashMap::new();
    for row in sighted.iter().filter(|row| row.exposed_message.is_some()) {
        first.entry(key(row)).or_insert(row);
    }
    let mut rows = plan.scenario_rows();
    for row in &mut rows {
        let sighted = first.get(&key(row));
        row.exposed_message = sighted.and_then(|sighted| sighted.exposed_message);
        row.exposed_start = sighted.and_then(|sighted| sighted.exposed_start);
        row.exposed_end = sighted.and_then(|sighted| sighted.exposed_end);
    }
    rows
}

/// What a function must do that turns a histogram into a row.
pub type ToRow<'a> = &'a dyn Fn(&str, &str, &str, &hdrhistogram::Histogram<u64>) -> LatencyRow;

/// A row for each histogram.
pub fn latency_rows(latencies: &Latencies, to_row: ToRow<'_>) -> Vec<LatencyRow> {
    latencies
        .iter()
        .map(|((defense, hook, outcome), histogram)| to_row(defense, hook, outcome, histogram))
        .collect()
}
