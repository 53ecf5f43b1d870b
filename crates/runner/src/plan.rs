//! The plan: which cells there are, in an order that depends on nothing but the request.

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

/// What is to be run.
#[derive(Clone, Debug)]
pub struct Request {
    /// The agents.
    pub agents: Vec<Character>,
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
    pub agent: Character,
    /// The harness.
    pub harness: HarnessChoice,
    /// The repetition, from 0.
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
        for scenario in suite.scenarios()? {
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
                let harness = match suite.course(&scenario) {
                    Some(_) => HarnessChoice::Paged { delay: 0 },
                    None => request.harness,
                };
                let origin = Origin { suite: &*suite, content: &content, harness };
                jobs.extend(origin.jobs(&scenario, *agent, request));
            }
            kept += usize::from(jobs.len() > before);
        }
        if jobs.is_empty() {
            return Err(PlanError::Nothing);
        }
        let ids = jobs.iter().flat_map(|job| &job.cells).map(|cell| cell.id.to_string());
        let ids: Vec<String> = ids.collect();
        let id = CellId::of(&ids.iter().map(String::as_str).collect::<Vec<_>>());
        let notes = notes(request, &jobs);
        Ok(Self { suite, seed: request.seed, harness: request.harness, jobs, id, notes })
    }

    /// How many cells there are.
    pub fn cells(&self) -> usize {
        self.jobs.iter().map(|job| job.cells.len()).sum()
    }

    /// A row a scenario, in order; where its payload first showed is filled in by the run.
    pub(crate) fn scenario_rows(&self) -> Vec<ScenarioRow> {
        let mut rows: Vec<ScenarioRow> = Vec::new();
        let mut last: Option<&Arc<Scenario>> = None;
        for job in &self.jobs {
            if last.is_some_and(|last| Arc::ptr_eq(last, &job.scenario)) {
                continue;
            }
            last = Some(&job.scenario);
            rows.push(self.scenario_row(job));
        }
        rows
    }

    fn scenario_row(&self, job: &Job) -> ScenarioRow {
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
        let jobs = epochs.map(|epoch| Job {
            scenario: Arc::clone(scenario),
            digest: Arc::clone(self.content),
            agent,
            harness: self.harness,
            epoch,
            cells: self.cells(scenario, agent, epoch, request),
        });
        jobs.filter(|job| !job.cells.is_empty()).collect()
    }

    fn cells(
        &self,
        scenario: &Scenario,
        agent: Character,
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
        agent: Character,
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
