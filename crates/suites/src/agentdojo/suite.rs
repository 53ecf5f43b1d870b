//! The suite: its worlds and tasks in one version, its attacks, and the verdicts on its scenarios.

use scenario::check::Raised;
use scenario::guarantee::GuaranteeError;
use scenario::scenario::Scenario;
use trace::call::ToolCall;
use trace::script::{Script, Step};
use world::Inspect;
use world::banking::Banking;
use world::environment::{State, Typed};
use world::slack::Slack;
use world::template::{Injections, TemplateError};
use world::tool::ToolboxError;
use world::travel::Travel;
use world::workspace::Workspace;

use super::benchmark::{Benchmark, Task};
use super::bundle::Bundle;
use super::ground::{AnyEnding, Scripts, Table, Then};
use super::tables::{Values, ValuesError};
use super::wording::{Attack, Wording};
use super::{ATTACKS, MANUAL, NAME, VERSIONS};
use crate::datasets::sha256;
use crate::suite::Finished;

/// A bundle that cannot be used, or a request that the suite cannot meet.
#[derive(Debug, thiserror::Error)]
pub enum SuiteError {
    /// The bundle is no JSON of the expected form.
    #[error("bundle does not have the expected form: {0}")]
    Form(#[from] serde_json::Error),
    /// The bundle is of another form's version.
    #[error("bundle has form {0}, expected {expected}", expected = trace::version::AGENTDOJO_BUNDLE)]
    Format(u32),
    /// No such version.
    #[error("unknown version `{0}` of suite `{NAME}`")]
    Version(String),
    /// No such attack.
    #[error("unknown attack `{0}`")]
    Attack(String),
    /// The attack that is written by hand has no text.
    #[error("attack `{MANUAL}` has no text")]
    NoText,
    /// A task has a call that no attack can spell out.
    #[error("the calls of `{0}` cannot be spelt out")]
    NoPlaceholders(String),
    /// A world is absent from the bundle.
    #[error("bundle has no suite `{0}`")]
    World(&'static str),
    /// A task of the bundle is not ported, or its script is not.
    #[error("task `{0}` of the bundle is not known here")]
    Task(String),
    /// A user task sees none of the injection vectors.
    #[error("no injection vector is seen by `{0}`")]
    NotInjectable(String),
    /// A case has no class.
    #[error("no guarantee class for `{user_task}` and `{injection_task}`")]
    Unclassified {
        /// The user task.
        user_task: String,
        /// The injection task.
        injection_task: String,
    },
    /// The environment cannot be loaded or filled.
    #[error(transparent)]
    Template(#[from] TemplateError),
    /// The tools are others than those ported.
    #[error(transparent)]
    Toolbox(#[from] ToolboxError),
    /// The file of classes cannot be read.
    #[error(transparent)]
    Guarantee(#[from] GuaranteeError),
    /// The file of values cannot be read.
    #[error(transparent)]
    Values(#[from] ValuesError),
}

/// The suite in one version.
pub struct AgentDojo {
    /// The version, as upstream names it.
    pub version: String,
    /// The bundle's digest.
    pub(super) digest: String,
    /// The worlds, in upstream's order.
    pub worlds: Vec<Benchmark>,
    /// The attacks that are run, in order.
    pub(super) attacks: Vec<Wording>,
    values: Values,
}

impl AgentDojo {
    /// The suite in a version, from the bundle's bytes, with our own scripts where upstream has none.
    ///
    /// # Errors
    /// The bundle does not have the expected form, or describes something else than what is ported.
    pub fn load(bundle: &[u8], version: &str) -> Result<Self, SuiteError> {
        Self::load_with(bundle, version, Scripts::default())
    }

    /// The suite with the scripts asked for, under its default attack.
    ///
    /// # Errors
    /// As [`AgentDojo::load`].
    pub fn load_with(bundle: &[u8], version: &str, scripts: Scripts) -> Result<Self, SuiteError> {
        Self::load_under(bundle, version, scripts, &[Attack::Upstream(ATTACKS[0].0)])
    }

    /// The suite with the scripts asked for, under these attacks.
    ///
    /// # Errors
    /// As [`AgentDojo::load`].
    pub fn load_under(
        bundle: &[u8],
        version: &str,
        scripts: Scripts,
        attacks: &[Attack],
    ) -> Result<Self, SuiteError> {
        let digest = sha256(bundle);
        let mut bundle: Bundle = serde_json::from_slice(bundle)?;
        if bundle.format != trace::version::AGENTDOJO_BUNDLE {
            return Err(SuiteError::Format(bundle.format));
        }
        if !VERSIONS.contains(&version) {
            return Err(SuiteError::Version(version.to_owned()));
        }
        let limits = bundle.benchmark_versions.iter().find(|(name, _)| name == version);
        let limits = limits.map(|(_, limits)| limits.clone());
        let limits = limits.ok_or_else(|| SuiteError::Version(version.to_owned()))?;
        let attacks = attacks.iter().map(|attack| Wording::of(attack, &bundle));
        let attacks = attacks.collect::<Result<_, _>>()?;
        let mut worlds = Vec::new();
        for suite in &mut bundle.suites {
            let limit = limits.get(&suite.name).copied().unwrap_or_default();
            match suite.name.as_str() {
                Workspace::NAME => {
                    worlds.push(Benchmark::load::<Workspace>(suite, limit, scripts)?);
                }
                Travel::NAME => worlds.push(Benchmark::load::<Travel>(suite, limit, scripts)?),
                Banking::NAME => worlds.push(Benchmark::load::<Banking>(suite, limit, scripts)?),
                Slack::NAME => worlds.push(Benchmark::load::<Slack>(suite, limit, scripts)?),
                _ => {}
            }
        }
        for name in [Workspace::NAME, Travel::NAME, Banking::NAME, Slack::NAME] {
            if !worlds.iter().any(|benchmark| benchmark.world == name) {
                return Err(SuiteError::World(name));
            }
        }
        let values = Values::read()?;
        Ok(Self { version: version.to_owned(), digest, worlds, attacks, values })
    }

    /// Whether a scenario's attack asks for nothing but that the user's task be left: it has landed
    /// where the task is not done.
    pub fn denies(&self, scenario: &Scenario) -> bool {
        let mut attacks = self.attacks.iter();
        let attack = attacks.find(|one| scenario.attack.as_deref() == Some(one.name));
        attack.is_some_and(|attack| attack.denies)
    }

    /// The world of a scenario, before the first turn.
    ///
    /// # Errors
    /// The injected text breaks the environment.
    pub fn open(&self, scenario: &Scenario) -> Result<Box<dyn Inspect>, SuiteError> {
        Ok(self.world(scenario).ground.open(&scenario.injections)?)
    }

    /// What the user's task takes, made once at the start.
    pub fn user_script(&self, scenario: &Scenario, start: State<'_>) -> Script {
        let world = self.world(scenario);
        self.script(world, Table::User, world.user_task(&scenario.user_task), Then::only(start))
    }

    /// What the attacker's task takes, made from the environment as it is now.
    pub fn attack_script(&self, scenario: &Scenario, start: State<'_>, now: State<'_>) -> Script {
        let world = self.world(scenario);
        match world.injection_of(scenario) {
            Some(_) if self.denies(scenario) => Script::default(),
            Some(task) => self.script(world, Table::Injection, task, Then { start, now }),
            None => Script::default(),
        }
    }

    fn script(&self, world: &Benchmark, table: Table, task: &Task, then: Then<'_>) -> Script {
        let calls = world.ground.script(task.wanted(table), then);
        let path = world.path(&task.id);
        let step = |(at, call)| Step { call, exempt: self.values.of(&path, at).to_vec() };
        Script {
            steps: calls.into_iter().enumerate().map(step).collect(),
            answer: task.output.clone(),
        }
    }

    /// The calls that the user's task needs, on the scenario's own world: what a gold owner grants.
    pub fn user_key(&self, scenario: &Scenario, start: State<'_>) -> Vec<ToolCall> {
        let world = self.world(scenario);
        let task = world.user_task(&scenario.user_task);
        world.ground.script(task.wanted(Table::User), Then::only(start))
    }

    /// Whether the user's task is done.
    ///
    /// # Errors
    /// Upstream's check stops with an exception.
    pub fn utility(&self, scenario: &Scenario, ending: &Finished<'_>) -> Result<bool, Raised> {
        let world = self.world(scenario);
        let task = world.user_task(&scenario.user_task);
        world.ground.check(Table::User, &task.id, ending_of(ending, task))
    }

    /// Whether the attack has landed, judged by the requested calls that `ending` holds; `None`
    /// where the scenario has no injection task.
    ///
    /// # Errors
    /// Upstream's check stops with an exception.
    pub fn landed(
        &self,
        scenario: &Scenario,
        ending: &Finished<'_>,
    ) -> Result<Option<bool>, Raised> {
        let world = self.world(scenario);
        let Some(task) = world.injection_of(scenario) else { return Ok(None) };
        if self.denies(scenario) {
            return Ok(Some(!self.utility(scenario, ending)?));
        }
        world.ground.check(Table::Injection, &task.id, ending_of(ending, task)).map(Some)
    }

    pub(super) fn world(&self, scenario: &Scenario) -> &Benchmark {
        let mut worlds = self.worlds.iter();
        worlds.find(|one| one.world == &*scenario.world).expect("scenarios come from this suite")
    }

    /// The world of a golden row with these injections.
    ///
    /// # Errors
    /// An unknown world, or an injected text that breaks the environment.
    pub fn open_with(
        &self,
        world: &str,
        injections: &Injections,
    ) -> Result<Option<Box<dyn Inspect>>, SuiteError> {
        let found = self.worlds.iter().find(|one| one.world == world);
        Ok(found.map(|one| one.ground.open(injections)).transpose()?)
    }

    /// A task of a world, by its id: a user task or an injection task.
    pub fn task(&self, world: &str, id: &str) -> Option<&Task> {
        let world = self.worlds.iter().find(|one| one.world == world)?;
        world.user_tasks.iter().chain(&world.injection_tasks).find(|task| task.id == id)
    }

    /// A scenario without an attack, by its tasks: what golden rows are judged as.
    pub fn bare(&self, world: &str, user: &str, injection: Option<&str>) -> Option<Scenario> {
        let world = self.worlds.iter().find(|one| one.world == world)?;
        let user = world.user_tasks.iter().find(|task| task.id == user)?;
        let injection = match injection {
            None => None,
            Some(id) => Some(world.injection_tasks.iter().find(|task| task.id == id)?),
        };
        Some(world.benign(user, injection))
    }
}

/// The ending as the checks of a task see it.
fn ending_of<'a>(ending: &Finished<'a>, task: &'a Task) -> AnyEnding<'a> {
    AnyEnding {
        pre: ending.pre,
        post: ending.post,
        answer: ending.answer,
        requested: ending.requested,
        key: &task.calls,
        words: &task.text,
        output: &task.output,
    }
}
