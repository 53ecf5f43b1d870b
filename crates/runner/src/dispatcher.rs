//! Runs a plan's jobs on worker tasks, and gathers what they came to in the plan's order.

use std::collections::HashMap;
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

/// What a run came to.
#[derive(Debug)]
pub struct Gathered {
    /// The rows, sorted in the plan's order; without `scenarios` and `latency`.
    pub rows: RunRows,
    /// The histograms of the hooks.
    pub latencies: Latencies,
    /// Where payloads first showed, by the job's number.
    pub sightings: Vec<(usize, Sighting)>,
    /// Jobs that were run.
    pub jobs_done: usize,
}

/// Runs the plan's jobs on `workers` tasks. `progress` is told each time how many cells are done.
///
/// The rows do not depend on the number of workers. A run that is stopped keeps what was finished.
///
/// # Errors
/// A scenario's world cannot be opened; jobs in flight are then dropped.
pub async fn run(
    plan: Arc<Plan>,
    executor: Arc<Executor>,
    workers: usize,
    stop: &Stop,
    mut progress: impl FnMut(usize),
) -> Result<Gathered, RunError> {
    let next = Arc::new(AtomicUsize::new(0));
    let (sender, mut receiver) = mpsc::channel(workers.max(1) * 2);
    for _ in 0..workers.max(1) {
        let (plan, executor) = (Arc::clone(&plan), Arc::clone(&executor));
        let (next, stop, sender) = (Arc::clone(&next), stop.clone(), sender.clone());
        tokio::spawn(async move {
            while !stop.is_requested() {
                let number = next.fetch_add(1, Ordering::Relaxed);
                let Some(job) = plan.jobs.get(number) else { break };
                if sender.send(executor.run(number, job).await).await.is_err() {
                    break;
                }
            }
        });
    }
    drop(sender);
    let mut done: Vec<JobOutcome> = Vec::new();
    let mut cells = 0;
    while let Some(outcome) = receiver.recv().await {
        let outcome = outcome?;
        cells += outcome.cells.len();
        progress(cells);
        done.push(outcome);
    }
    Ok(gather(done))
}

fn gather(mut done: Vec<JobOutcome>) -> Gathered {
    done.sort_by_key(|outcome| outcome.number);
    let mut gathered = Gathered {
        rows: RunRows::default(),
        latencies: Latencies::default(),
        sightings: Vec::new(),
        jobs_done: done.len(),
    };
    for outcome in done {
        gathered.sightings.extend(outcome.exposed.map(|sighting| (outcome.number, sighting)));
        for cell in outcome.cells {
            gathered.latencies.add(&cell.cell.defense, &cell.samples);
            let rows = &mut gathered.rows;
            rows.cells.push(cell.cell);
            rows.approvals.extend(cell.approvals);
            rows.faults.extend(cell.faults);
            rows.timings.push(cell.timing);
            rows.events.extend(cell.events);
        }
    }
    gathered
}

/// A row a scenario of the plan, with where its payload first showed.
pub fn scenario_rows(plan: &Plan, gathered: &Gathered) -> Vec<ScenarioRow> {
    let mut first: HashMap<(&str, &str), Sighting> = HashMap::new();
    for (number, sighting) in &gathered.sightings {
        let scenario = &plan.jobs[*number].scenario;
        first.entry((&scenario.id, scenario.kind.as_str())).or_insert(*sighting);
    }
    let mut rows = plan.scenario_rows();
    for row in &mut rows {
        let sighting = first.get(&(row.scenario.as_str(), row.kind.as_str()));
        row.exposed_message = sighting.map(|sighting| sighting.message);
        row.exposed_start = sighting.map(|sighting| sighting.start);
        row.exposed_end = sighting.map(|sighting| sighting.end);
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
