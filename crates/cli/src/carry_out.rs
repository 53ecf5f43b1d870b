//! Carrying out a plan: jobs on workers, parts put aside on the way, all written in the end.

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::{Duration, Instant};

use report::folded::Folded;
use runner::dispatcher::{self, Gathered, Stop};
use runner::executor::Executor;
use runner::plan::Plan;
use store::RunWriter;
use trace::rows::{LatencyRow, RunRows, ScenarioRow};

use crate::exit;
use crate::failure::Failure;
use crate::parts::Parts;
use crate::progress::Progress;

/// A part is put aside once it has so many cells, or is so old as the user says.
const PART_CELLS: usize = 1 << 13;

/// How a plan is carried out.
pub(crate) struct Course<'a> {
    pub(crate) plan: &'a Arc<Plan>,
    /// The numbers of the jobs to do, in order.
    pub(crate) jobs: &'a [usize],
    pub(crate) workers: usize,
    pub(crate) trace: bool,
    pub(crate) quiet: bool,
    /// How old a part may be that was not put aside.
    pub(crate) save_every: Duration,
    /// Median cost of reading the clock twice.
    pub(crate) clock_ns: u64,
}

/// What is held in memory of a run's rows in the end.
#[derive(Default)]
pub(crate) struct Results {
    pub(crate) cells: Folded,
    pub(crate) latency: Vec<LatencyRow>,
}

impl Results {
    /// Takes in rows that were written: cells are folded, histograms merged.
    ///
    /// # Errors
    /// A row of latencies holds no histogram.
    pub(crate) fn take(&mut self, rows: RunRows) -> Result<(), Failure> {
        self.cells.extend(rows.cells);
        if rows.latency.is_empty() {
            return Ok(());
        }
        self.latency.extend(rows.latency);
        self.latency = store::merge_latency(&self.latency)
            .map_err(|error| Failure::new(exit::INVALID, error))?;
        Ok(())
    }
}

/// Where payloads first showed: of each scenario the first row that says so.
#[derive(Default)]
struct Sighted {
    rows: Vec<ScenarioRow>,
    known: HashSet<(String, String, Option<String>)>,
}

impl Sighted {
    fn take(&mut self, rows: Vec<ScenarioRow>) {
        for row in rows {
            let scenario = (row.scenario.clone(), row.kind.clone(), row.attack.clone());
            if row.exposed_message.is_some() && self.known.insert(scenario) {
                self.rows.push(row);
            }
        }
    }
}

impl Course<'_> {
    /// Does the jobs that are in no part yet. What is returned is in no part either.
    ///
    /// # Errors
    /// A world cannot be opened, or a part cannot be written.
    pub(crate) fn run(&self, parts: &mut Parts, stop: &Stop) -> Result<Gathered, Failure> {
        let (done, left) = self.jobs.split_at(parts.jobs_done().min(self.jobs.len()));
        let mut gathered = Gathered::default();
        if left.is_empty() {
            return Ok(gathered);
        }
        let mut executor = Executor::new(self.plan, self.trace)?;
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(self.workers)
            .enable_all()
            .build()
            .map_err(|error| Failure::new(exit::INTERNAL, error))?;
        let mut progress = Progress::new(self.cells(self.jobs), self.quiet);
        let mut cells = self.cells(done);
        let mut saved = Instant::now();
        let mut failure = None;
        let take = |outcome: runner::executor::JobOutcome| {
            cells += outcome.cells.len();
            progress.done(cells);
            gathered.add(outcome);
            let is_large = gathered.rows.cells.len() >= PART_CELLS;
            if !is_large && saved.elapsed() < self.save_every {
                return ControlFlow::Continue(());
            }
            let part = std::mem::take(&mut gathered);
            let jobs = part.jobs_done;
            if let Err(error) = parts.put(&self.rows(part), jobs) {
                failure = Some(error);
                return ControlFlow::Break(());
            }
            saved = Instant::now();
            ControlFlow::Continue(())
        };
        runtime.block_on(async {
            executor.learn_requests(self.plan).await?;
            let (plan, jobs) = (Arc::clone(self.plan), left.into());
            dispatcher::run(plan, jobs, Arc::new(executor), self.workers, stop, take).await
        })?;
        progress.finish();
        failure.map_or(Ok(gathered), Err)
    }

    /// Writes the rows of all parts and of the rest, in the plan's order. What is held of them does not
    /// grow with repetitions but for `pairs.csv` ([`Folded`]).
    ///
    /// # Errors
    /// A part cannot be read, or a file cannot be written.
    pub(crate) fn write(
        &self,
        parts: &Parts,
        rest: Gathered,
        mut writer: RunWriter,
    ) -> Result<Results, Failure> {
        let mut results = Results::default();
        let mut sighted = Sighted::default();
        let mut push = |mut rows: RunRows| {
            sighted.take(std::mem::take(&mut rows.scenarios));
            let latency = std::mem::take(&mut rows.latency);
            writer.push(&rows)?;
            results.take(RunRows { cells: rows.cells, latency, ..RunRows::default() })
        };
        parts.each(&mut push)?;
        push(self.rows(rest))?;
        let scenarios = dispatcher::scenario_rows(self.plan, &sighted.rows);
        let latency = results.latency.clone();
        writer.push(&RunRows { scenarios, latency, ..RunRows::default() })?;
        writer.finish()?;
        Ok(results)
    }

    fn cells(&self, jobs: &[usize]) -> usize {
        jobs.iter().map(|job| self.plan.jobs[*job].cells.len()).sum()
    }

    /// The rows of some jobs, with those of the scenarios whose payload showed.
    fn rows(&self, gathered: Gathered) -> RunRows {
        let scenarios = dispatcher::sighted_rows(self.plan, &gathered.sightings);
        let suite = self.plan.suite.name();
        let latency =
            dispatcher::latency_rows(&gathered.latencies, &|defense, hook, outcome, found| {
                store::latency_row(suite, defense, hook, outcome, found, self.clock_ns)
            });
        RunRows { scenarios, latency, ..gathered.rows }
    }
}
