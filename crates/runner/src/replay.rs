//! Recorded agents: their jobs, which calls are the attack's own, and where a replay left its course.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use agents::roster::Character;
use harness::episode::Record;
use scenario::kind::Kind;
use scenario::scenario::Scenario;
use suites::suite::{Suite, SuiteError};
use trace::call::ToolCall;
use trace::trajectory::{Trajectory, agent_name};
use world::arguments::convert_string_lists;

/// Who acts in a job.
#[derive(Clone, Debug)]
pub enum Player {
    /// An agent that follows a script.
    Scripted(Character),
    /// An agent that does what was recorded.
    Recorded(Replay),
}

/// One recorded episode, to be replayed.
#[derive(Clone, Debug)]
pub struct Replay {
    /// The agent's name: `recorded/SET@DIGEST`.
    pub name: Arc<str>,
    /// What was recorded.
    pub trajectory: Arc<Trajectory>,
}

impl From<Character> for Player {
    fn from(character: Character) -> Self {
        Self::Scripted(character)
    }
}

impl fmt::Display for Player {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Scripted(character) => character.fmt(out),
            Self::Recorded(replay) => out.write_str(&replay.name),
        }
    }
}

impl Player {
    /// What is replayed, for recorded agents.
    pub fn replay(&self) -> Option<&Replay> {
        match self {
            Self::Scripted(_) => None,
            Self::Recorded(replay) => Some(replay),
        }
    }
}

impl Replay {
    /// The calls of the log as upstream's judges see them, in order: all that the model asked for,
    /// carried out or not, with texts that hold lists converted.
    pub(crate) fn requested(&self, left_out: &[usize]) -> Vec<ToolCall> {
        let calls = self.trajectory.calls().enumerate();
        let kept = calls.filter(|(at, _)| !left_out.contains(at));
        let kept = kept.map(|(_, call)| {
            let mut call = call.to_call();
            convert_string_lists(&mut call.args);
            call
        });
        kept.collect()
    }
}

/// A recorded set that is to be replayed: the trajectories of one model.
#[derive(Clone, Debug)]
pub struct Recording {
    /// The agent's name: `recorded/SET@DIGEST`.
    pub name: Arc<str>,
    /// What was recorded, in order.
    pub trajectories: Vec<Arc<Trajectory>>,
}

impl Recording {
    /// The sets among the trajectories, in the order in which they first occur.
    pub fn sets(trajectories: Vec<Trajectory>) -> Vec<Self> {
        let mut sets: Vec<(String, Vec<Arc<Trajectory>>)> = Vec::new();
        for trajectory in trajectories {
            let trajectory = Arc::new(trajectory);
            match sets.iter_mut().find(|(name, _)| *name == trajectory.set) {
                Some((_, set)) => set.push(trajectory),
                None => sets.push((trajectory.set.clone(), vec![trajectory])),
            }
        }
        let sets = sets.into_iter().map(|(set, trajectories)| Self {
            name: agent_name(&set, trajectories.iter().map(AsRef::as_ref)).into(),
            trajectories,
        });
        sets.collect()
    }
}

/// The scenarios of a suite by what trajectories say of them.
pub(crate) struct Scenarios<'s> {
    suite: &'s dyn Suite,
    by_tasks: HashMap<Tasks, Vec<Arc<Scenario>>>,
    /// Those made for injections that a log holds itself.
    own: Vec<Arc<Scenario>>,
}

#[derive(PartialEq, Eq, Hash)]
struct Tasks {
    world: String,
    user: String,
    injection: Option<String>,
    setting: Option<String>,
}

impl<'s> Scenarios<'s> {
    pub(crate) fn new(suite: &'s dyn Suite) -> Result<Self, SuiteError> {
        let mut by_tasks: HashMap<Tasks, Vec<Arc<Scenario>>> = HashMap::new();
        for scenario in suite.scenarios()? {
            let tasks = Tasks {
                world: scenario.world.to_string(),
                user: scenario.user_task.clone(),
                injection: scenario.injection_task.clone(),
                setting: scenario.setting.clone(),
            };
            by_tasks.entry(tasks).or_default().push(Arc::new(scenario));
        }
        Ok(Self { suite, by_tasks, own: Vec::new() })
    }

    /// The scenario that a trajectory was recorded in; `None` where the suite has none such.
    pub(crate) fn of(
        &mut self,
        trajectory: &Trajectory,
    ) -> Result<Option<Arc<Scenario>>, SuiteError> {
        let tasks = Tasks {
            world: trajectory.world.clone(),
            user: trajectory.user_task.clone(),
            injection: trajectory.injection_task.clone(),
            setting: trajectory.setting.clone(),
        };
        let found = self.by_tasks.get(&tasks).map_or(&[] as &[_], Vec::as_slice);
        let same_attack = |one: &&Arc<Scenario>| one.attack == trajectory.attack;
        let scenario = found.iter().find(same_attack).or_else(|| {
            // An attack of another's own: its texts stand in the log.
            let attacked = trajectory.attack.is_some() && trajectory.injections.is_some();
            found.iter().find(|one| attacked && one.kind == Kind::Attack)
        });
        let Some(scenario) = scenario.cloned() else { return Ok(None) };
        let injections: Vec<(String, String)> = match &trajectory.injections {
            Some(injections) => injections.clone().into_iter().collect(),
            None => match self.suite.recorded_injections(&scenario, trajectory)? {
                Some(injections) => injections,
                None => return Ok(Some(scenario)),
            },
        };
        if scenario.attack == trajectory.attack && same_texts(&scenario.injections, &injections) {
            return Ok(Some(scenario));
        }
        let made = Scenario { attack: trajectory.attack.clone(), ..(*scenario).clone() };
        let made = self.suite.with_injections(made, injections)?;
        let known = self.own.iter().find(|one| {
            one.id == made.id && one.attack == made.attack && one.injections == made.injections
        });
        if let Some(known) = known {
            return Ok(Some(Arc::clone(known)));
        }
        let made = Arc::new(made);
        self.own.push(Arc::clone(&made));
        Ok(Some(made))
    }
}

/// Whether two lists of injected texts are the same, whatever their order.
fn same_texts(one: &[(String, String)], other: &[(String, String)]) -> bool {
    one.len() == other.len() && one.iter().all(|text| other.contains(text))
}

/// Whether a replay's view left the undefended one's before the attack's first own call was answered,
/// or at all where there is none. `first_own` counts the calls that were asked for, from 0.
pub(crate) fn left_course(bare: &Record, replayed: &Record, first_own: Option<usize>) -> bool {
    // The user's words, then a message a call.
    let until = first_own.map_or(usize::MAX, |call| call + 1);
    let view = |record: &Record| record.messages.len().min(until);
    view(bare) != view(replayed)
        || bare.messages[..view(bare)] != replayed.messages[..view(replayed)]
}
