//! One world's tasks, in the version that is served.

use scenario::kind::Kind;
use scenario::scenario::Scenario;
use trace::call::ToolCall;
use world::template::Injections;

use super::bundle::{self, Version};
use super::ground::{Ground, PortedWorld, Scripts, Table, Then, TypedGround, Wanted};
use super::suite::SuiteError;

/// A task in the version that is served.
#[derive(Clone, Debug, PartialEq)]
pub struct Task {
    /// Its id, without its world.
    pub id: String,
    /// The version that it was registered for: the same task in two versions is the same code.
    pub registered: Version,
    /// The user's prompt, or the attacker's goal.
    pub text: String,
    /// Its calls on the pristine environment: the answer key.
    pub calls: Vec<ToolCall>,
    /// The same calls as an attack may spell them out, with placeholders for what only the environment
    /// knows; `None` where upstream has no such form of one of them.
    pub spelt: Option<Vec<ToolCall>>,
    /// What belongs to the final answer.
    pub output: String,
}

/// One world's tasks.
pub struct Benchmark {
    /// The world's name.
    pub world: &'static str,
    pub(super) ground: Box<dyn Ground>,
    /// The user tasks, in upstream's order.
    pub user_tasks: Vec<Task>,
    /// The injection tasks, in upstream's order.
    pub injection_tasks: Vec<Task>,
    /// The injection vectors that each user task's own calls show, in the order of `user_tasks`.
    pub candidates: Vec<Vec<String>>,
}

impl Benchmark {
    pub(super) fn load<W>(
        suite: &mut bundle::Suite,
        limit: Version,
        scripts: Scripts,
    ) -> Result<Self, SuiteError>
    where
        W: PortedWorld,
    {
        let ground = Box::new(TypedGround::<W>::load(suite, limit, scripts)?);
        let user_tasks = suite.user_tasks.iter().filter_map(|task| {
            let one = bundle::resolve(&task.versions, |one| one.version, limit)?;
            let all = task.versions.iter().map(|one| one.version).collect();
            let served = Task::of((&task.id, one.version), &one.prompt, &one.output, &one.script);
            Some((served, all, one.script.constant))
        });
        let user_tasks = check_ported(&*ground, Table::User, user_tasks)?;
        let injection_tasks = suite.injection_tasks.iter().filter_map(|task| {
            let one = bundle::resolve(&task.versions, |one| one.version, limit)?;
            let all = task.versions.iter().map(|one| one.version).collect();
            let served = Task::of((&task.id, one.version), &one.goal, &one.output, &one.script);
            Some((served, all, one.script.constant))
        });
        let injection_tasks = check_ported(&*ground, Table::Injection, injection_tasks)?;
        let candidates = user_tasks.iter().map(|task| candidates(W::NAME, &*ground, task));
        let candidates = candidates.collect::<Result<_, _>>()?;
        Ok(Self { world: W::NAME, ground, user_tasks, injection_tasks, candidates })
    }

    pub(super) fn path(&self, task: &str) -> String {
        format!("{}/{task}", self.world)
    }

    pub(super) fn user_task(&self, id: &str) -> &Task {
        let mut tasks = self.user_tasks.iter();
        tasks.find(|task| task.id == id).expect("scenarios come from this suite")
    }

    pub(super) fn injection_of(&self, scenario: &Scenario) -> Option<&Task> {
        let id = scenario.injection_task.as_ref()?;
        self.injection_tasks.iter().find(|task| task.id == *id)
    }

    pub(super) fn benign(&self, user: &Task, injection: Option<&Task>) -> Scenario {
        let kind = if injection.is_some() { Kind::BenignControl } else { Kind::Benign };
        self.scenario(kind, user, injection)
    }

    pub(super) fn scenario(&self, kind: Kind, user: &Task, injection: Option<&Task>) -> Scenario {
        let mut id = self.path(&user.id);
        if let Some(injection) = injection {
            id = format!("{id}/{}", injection.id);
        }
        Scenario {
            id,
            world: self.world.into(),
            kind,
            user_task: user.id.clone(),
            injection_task: injection.map(|task| task.id.clone()),
            setting: None,
            harm_kind: None,
            cluster_user: self.path(&user.id),
            cluster_attack: injection.map(|task| self.path(&task.id)),
            attack: None,
            prompt: user.text.clone(),
            injections: Vec::new(),
            payloads: Vec::new(),
            guarantee: Vec::new(),
        }
    }
}

/// The tasks, each of which must be ported, with checks of versions that upstream has registered, and
/// with a script that reads the environment where upstream's does.
fn check_ported(
    ground: &dyn Ground,
    table: Table,
    tasks: impl Iterator<Item = (Task, Vec<Version>, bool)>,
) -> Result<Vec<Task>, SuiteError> {
    tasks
        .map(|(task, versions, constant)| match ground.ported(table, &task.id, &versions) {
            Some(live) if live != constant => {
                let calls = ground.script(task.wanted(table), Then::only(ground.pristine()));
                Ok(Task { calls, ..task })
            }
            _ => Err(SuiteError::Task(task.id)),
        })
        .collect()
}

/// The injection vectors whose text a user task's own calls show (upstream:
/// `BaseAttack.get_injection_candidates`).
fn candidates(world: &str, ground: &dyn Ground, task: &Task) -> Result<Vec<String>, SuiteError> {
    let canary = |id: &str| format!("<CANARY---{id}--->");
    let vectors = ground.vectors();
    let injections: Injections = vectors.iter().map(|v| (v.id.clone(), canary(&v.id))).collect();
    let mut live = ground.open(&injections)?;
    let calls = ground.script(task.wanted(Table::User), Then::only(live.state()));
    let replies = calls.iter().filter_map(|call| live.call(call).ok());
    let replies: Vec<String> = replies.map(|reply| reply.text).collect();
    let seen = vectors.iter().map(|vector| &vector.id);
    let seen = seen.filter(|id| replies.iter().any(|reply| reply.contains(&canary(id))));
    let seen: Vec<String> = seen.cloned().collect();
    if seen.is_empty() {
        return Err(SuiteError::NotInjectable(format!("{world}/{}", task.id)));
    }
    Ok(seen)
}

impl Task {
    /// Its id with the version that it was registered for: `user_task_7@1.1.1`.
    pub fn key(&self) -> String {
        let [major, minor, patch] = self.registered;
        format!("{}@{major}.{minor}.{patch}", self.id)
    }

    pub(super) fn wanted(&self, table: Table) -> Wanted<'_> {
        Wanted { table, id: &self.id, calls: &self.calls, words: &self.text }
    }

    fn of(
        (id, registered): (&str, Version),
        text: &str,
        output: &str,
        script: &bundle::Script,
    ) -> Self {
        Self {
            id: id.to_owned(),
            registered,
            text: text.to_owned(),
            calls: script.calls.iter().map(ToolCall::from).collect(),
            spelt: script.calls.iter().map(bundle::Call::spelt).collect(),
            output: output.to_owned(),
        }
    }
}
