//! The plan: which cells there are, in an order that depends on nothing but the request.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use agents::roster::Character;
use defenses::roster::Choice;
use scenario::kind::Kind;
use scenario::scenario::Scenario;
use serde_json::{Value, json};
use suites::suite::{Suite, SuiteError};
use trace::ids::{CellId, digest};
use trace::rows::ScenarioRow;

use crate::filter::{Facts, Filter};
use crate::harness::HarnessChoice;
use crate::owners::OwnerChoice;
use crate::replay::{Player, Recording, Replay, Scenarios};

/// What is to be run.
#[derive(Clone, Debug)]
pub struct Request {
    /// The agents.
    pub agents: Vec<Character>,
    /// The recorded agents; what they did is replayed once, whatever `epochs` says.
    pub recordings: Vec<Recording>,
    /// The defenses, side by side.
    pub defenses: Vec<Choice>,
    /// The owners.
    pub owners: Vec<OwnerChoice>,
    /// The harness. Scenarios with several sessions run in the paged one in any case.
    pub harness: HarnessChoice,
    /// Which cells to keep.
    pub filter: Option<Filter>,
    /// How many scenarios to keep, the first ones.
    pub limit: Option<usize>,
    /// How often each cell runs.
    pub epochs: u32,
    /// The seed of whatever is random.
    pub seed: u64,
}

/// A cell of the plan.
#[derive(Clone, Debug)]
pub struct Cell {
    /// The hash of everything that decides it.
    pub id: CellId,
    /// The same without the defense.
    pub pair: CellId,
    /// The defense.
    pub defense: Choice,
    /// The owner.
    pub owner: OwnerChoice,
}

/// Cells that share everything but defense and owner, and so one undefended episode.
#[derive(Clone, Debug)]
pub struct Job {
    /// The scenario.
    pub scenario: Arc<Scenario>,
    /// The digest of what decides it.
    pub digest: Arc<str>,
    /// The agent.
    pub agent: Player,
    /// The harness.
    pub harness: HarnessChoice,
    /// The repetition, from 0; for recorded agents, which log of the scenario it is.
    pub epoch: u32,
    /// The cells.
    pub cells: Vec<Cell>,
}

/// A plan that is ready to run.
pub struct Plan {
    /// The suite.
    pub suite: Arc<dyn Suite>,
    /// The seed.
    pub seed: u64,
    /// The harness of scenarios that are a single prompt.
    pub harness: HarnessChoice,
    /// The jobs, in order.
    pub jobs: Vec<Job>,
    /// The hash over all cells, in order.
    pub id: CellId,
    /// Why cells that one might expect are not there, in words.
    pub notes: Vec<String>,
}

/// A plan that cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum PlanError {
    /// The suite cannot say its scenarios.
    #[error(transparent)]
    Suite(#[from] SuiteError),
    /// No cell is left.
    #[error("nothing is selected: no cell fits the filter, agents and limit")]
    Nothing,
}

impl Plan {
    /// The cells that were asked for.
    ///
    /// # Errors
    /// The suite cannot say its scenarios, or no cell is left.
    pub fn new(suite: Arc<dyn Suite>, request: &Request) -> Result<Self, PlanError> {
        let mut jobs = Vec::new();
        let mut kept = 0;
        let scripted = !request.agents.is_empty();
        for scenario in if scripted { suite.scenarios()? } else { Vec::new() } {
            if request.limit.is_some_and(|limit| kept >= limit) {
                break;
            }
            let before = jobs.len();
            let scenario = Arc::new(scenario);
            let content: Arc<str> = scenario_digest(&*suite, &scenario)?.into();
            for agent in &request.agents {
                if scenario.kind == Kind::Attack && !agent.heeds_payloads() {
                    continue;
                }
                let harness = request.harness.of_scenario(&*suite, &scenario);
                let origin = Origin { suite: &*suite, content: &content, harness };
                jobs.extend(origin.jobs(&scenario, *agent, request));
            }
            kept += usize::from(jobs.len() > before);
        }
        let mut notes = notes(request, &jobs);
        for recording in &request.recordings {
            jobs.extend(recorded_jobs(&*suite, recording, request, &mut notes)?);
        }
        if jobs.is_empty() {
            return Err(PlanError::Nothing);
        }
        let ids = jobs.iter().flat_map(|job| &job.cells).map(|cell| cell.id.to_string());
        let id = CellId::of_each(ids);
        Ok(Self { suite, seed: request.seed, harness: request.harness, jobs, id, notes })
    }

    /// How many cells there are.
    pub fn cells(&self) -> usize {
        self.jobs.iter().map(|job| job.cells.len()).sum()
    }

    /// How many episodes are run for them: one a cell with a defense, and one without a defense a job
    /// that has such cells or an attack.
    pub fn episodes(&self) -> usize {
        let of = |job: &Job| {
            let bare = job.cells.iter().filter(|cell| cell.defense == Choice::None).count();
            let shared = job.scenario.attack.is_some() || bare > 0;
            job.cells.len() - bare + usize::from(shared)
        };
        self.jobs.iter().map(of).sum()
    }

    /// A row a scenario, in order; where its payload first showed is filled in by the run.
    pub(crate) fn scenario_rows(&self) -> Vec<ScenarioRow> {
        let mut rows: Vec<ScenarioRow> = Vec::new();
        let mut listed = HashSet::new();
        for job in &self.jobs {
            if listed.insert((&job.scenario.id, job.scenario.kind, &job.digest)) {
                rows.push(self.scenario_row(job));
            }
        }
        rows
    }

    /// The row of a job's scenario, but for where its payload showed.
    pub(crate) fn scenario_row(&self, job: &Job) -> ScenarioRow {
        let scenario = &job.scenario;
        let vectors: Vec<&str> = scenario.injections.iter().map(|(id, _)| id.as_str()).collect();
        let payload = scenario.payloads.join("\u{0}");
        ScenarioRow {
            scenario: scenario.id.clone(),
            suite: self.suite.name().to_owned(),
            suite_version: self.suite.version().to_owned(),
            world: scenario.world.to_string(),
            kind: scenario.kind.to_string(),
            user_task: scenario.user_task.clone(),
            injection_task: scenario.injection_task.clone(),
            attack: scenario.attack.clone(),
            cluster_user: scenario.cluster_user.clone(),
            cluster_attack: scenario.cluster_attack.clone(),
            bundle_digest: self.suite.data_digest().to_owned(),
            digest: job.digest.to_string(),
            payload_digest: scenario.attack.as_ref().map(|_| digest(&payload)),
            vectors: scenario.attack.as_ref().map(|_| vectors.join(",")),
            exposed_message: None,
            exposed_start: None,
            exposed_end: None,
        }
    }
}

/// What all cells of a scenario share.
struct Origin<'a> {
    suite: &'a dyn Suite,
    content: &'a Arc<str>,
    harness: HarnessChoice,
}

impl Origin<'_> {
    fn jobs(&self, scenario: &Arc<Scenario>, agent: Character, request: &Request) -> Vec<Job> {
        let epochs = 0..request.epochs;
        let jobs = epochs.map(|epoch| self.job(scenario, agent.into(), epoch, request));
        jobs.filter(|job| !job.cells.is_empty()).collect()
    }

    fn job(&self, scenario: &Arc<Scenario>, agent: Player, epoch: u32, request: &Request) -> Job {
        let cells = self.cells(scenario, &agent, epoch, request);
        let (scenario, digest) = (Arc::clone(scenario), Arc::clone(self.content));
        Job { scenario, digest, agent, harness: self.harness, epoch, cells }
    }

    fn cells(
        &self,
        scenario: &Scenario,
        agent: &Player,
        epoch: u32,
        request: &Request,
    ) -> Vec<Cell> {
        let mut cells = Vec::new();
        for defense in &request.defenses {
            for owner in &request.owners {
                let facts = Facts {
                    suite: self.suite.name(),
                    scenario,
                    agent: agent.to_string(),
                    defense: defense.to_string(),
                    owner: owner.to_string(),
                };
                if request.filter.as_ref().is_none_or(|filter| filter.keeps(&facts)) {
                    let seed = request.seed;
                    cells.push(self.cell(agent, *defense, *owner, (epoch, seed)));
                }
            }
        }
        cells
    }

    fn cell(
        &self,
        agent: &Player,
        defense: Choice,
        owner: OwnerChoice,
        (epoch, seed): (u32, u64),
    ) -> Cell {
        let (agent, owner_name, defense_name) =
            (agent.to_string(), owner.to_string(), defense.to_string());
        let (epoch, seed) = (epoch.to_string(), seed.to_string());
        let schema = trace::version::RUN_SCHEMA.to_string();
        let harness = self.harness.to_string();
        let shared = [
            schema.as_str(),
            self.suite.data_digest(),
            self.suite.name(),
            self.suite.version(),
            self.content,
            &harness,
            &agent,
            &owner_name,
            &epoch,
            &seed,
        ];
        let mut own = shared.to_vec();
        own.push(&defense_name);
        Cell { id: CellId::of(&own), pair: CellId::of(&shared), defense, owner }
    }
}

/// A job for each trajectory of the set whose scenario the suite has. Those without one are counted
/// in the notes.
fn recorded_jobs(
    suite: &dyn Suite,
    recording: &Recording,
    request: &Request,
    notes: &mut Vec<String>,
) -> Result<Vec<Job>, SuiteError> {
    let mut scenarios = Scenarios::new(suite)?;
    let mut digests: HashMap<*const Scenario, Arc<str>> = HashMap::new();
    let mut kept: HashSet<*const Scenario> = HashSet::new();
    let mut taken: HashSet<(Arc<str>, u32)> = HashSet::new();
    let mut unknown: Vec<String> = Vec::new();
    let mut jobs = Vec::new();
    for trajectory in &recording.trajectories {
        let Some(scenario) = scenarios.of(trajectory)?.filter(|_| trajectory.suite == suite.name())
        else {
            unknown.push(format!("{} ({})", trajectory.scenario(), trajectory.provenance.file));
            continue;
        };
        let place = Arc::as_ptr(&scenario);
        let full = request.limit.is_some_and(|limit| kept.len() >= limit);
        if full && !kept.contains(&place) {
            continue;
        }
        let content = if let Some(content) = digests.get(&place) {
            Arc::clone(content)
        } else {
            let content: Arc<str> = scenario_digest(suite, &scenario)?.into();
            digests.insert(place, Arc::clone(&content));
            content
        };
        // Logs of several versions may be replayed as one scenario: each has an epoch of its own.
        let mut epoch = trajectory.epoch;
        while !taken.insert((Arc::clone(&content), epoch)) {
            epoch += 1;
        }
        let (name, trajectory) = (Arc::clone(&recording.name), Arc::clone(trajectory));
        let agent = Player::Recorded(Replay { name, trajectory });
        // What was recorded knows of no memory.
        let harness = HarnessChoice::Stateless;
        let job =
            Origin { suite, content: &content, harness }.job(&scenario, agent, epoch, request);
        if !job.cells.is_empty() {
            kept.insert(place);
            jobs.push(job);
        }
    }
    if let Some(first) = unknown.first() {
        let (count, name, version) = (unknown.len(), suite.name(), suite.version());
        notes.push(format!(
            "{count} logs of `{}` have no scenario in {name}@{version}, the first one: {first}",
            recording.name
        ));
    }
    Ok(jobs)
}

/// The digest of what decides a scenario: its id and kind, the prompt, the injected texts, the
/// attack, both scripts as they are at the start,
/// and where it has several sessions, its course and parts.
fn scenario_digest(suite: &dyn Suite, scenario: &Scenario) -> Result<String, SuiteError> {
    let world = suite.open(scenario)?;
    let mut calls = Vec::new();
    for script in [
        suite.user_script(scenario, world.state()),
        suite.attack_script(scenario, world.state(), world.state()),
    ] {
        calls.push(Value::from(script.answer));
        calls.extend(script.steps.into_iter().map(|step| {
            let exempt = step.exempt.iter().map(|(name, why)| format!("{name}:{}", why.as_str()));
            json!([step.call.function, step.call.args, exempt.collect::<Vec<_>>()])
        }));
    }
    let mut parts = json!([
        scenario.id,
        scenario.kind.as_str(),
        scenario.prompt,
        scenario.attack,
        scenario.injections,
        calls
    ]);
    if let (Some(course), Value::Array(parts)) = (suite.course(scenario), &mut parts) {
        parts.push(json!([course, format!("{:?}", suite.parts(scenario))]));
    }
    Ok(digest(&parts.to_string()))
}

/// The class of a scenario's guarantee as a row shows it: under the defense's profile, or under the
/// default one where the defense reads no capability schemas.
pub(crate) fn guarantee(scenario: &Scenario, defense: Choice) -> Option<String> {
    let profile = defense.profile().unwrap_or_default();
    scenario.class(profile).map(|class| class.to_string())
}

fn notes(request: &Request, jobs: &[Job]) -> Vec<String> {
    let mut notes = Vec::new();
    for agent in request.agents.iter().filter(|agent| !agent.heeds_payloads()) {
        notes.push(format!("agent `{agent}` never acts on a payload: it has no attack cells"));
    }
    let guarded = request.defenses.iter().any(|defense| defense.profile().is_some());
    if guarded && !jobs.iter().any(|job| job.harness.has_memory()) {
        notes.push(
            "harness `stateless` stores nothing: of the MMU's crossings, derive and reload have \
             nothing to do"
                .to_owned(),
        );
    }
    notes
}
