//! The values of scripts that stand in nothing the agent sees.

use std::fmt::Write as _;

use agents::sight;
use scenario::kind::Kind;
use scenario::scenario::Scenario;
use suites::agentdojo::{AgentDojo, Benchmark, Task};
use trace::call::ToolCall;
use world::World;

/// What an agent has been shown, and the values that it had to take from nowhere.
struct Course<'w> {
    world: &'w mut dyn World,
    seen: Vec<String>,
}

impl Course<'_> {
    /// Carries out a call, and gives the names of the arguments that stand in nothing seen before.
    fn call(&mut self, call: &ToolCall) -> Vec<String> {
        let texts = || self.seen.iter().map(String::as_str);
        let unseen = call.args.iter().filter(|(_, value)| !sight::all_shown(&texts(), value));
        let unseen = unseen.map(|(name, _)| name.clone()).collect();
        if let Ok(reply) = self.world.call(call) {
            self.seen.push(reply.text);
        }
        unseen
    }

    /// Whether the last answer shows one of the payloads.
    fn shows(&self, payloads: &[String]) -> bool {
        let last = self.seen.last().map_or("", String::as_str);
        payloads.iter().any(|payload| sight::find_rendered(last, payload).is_some())
    }
}

/// The rows so far: task, call, argument, why.
type Rows = Vec<(String, usize, String, &'static str)>;

/// A line for each such value, as candidates for `scenarios/agentdojo/v1.2.2/values.csv`: every one
/// needs a look, and `computed` or `unseen` by judgement. Those called `unseen` here stand in
/// something that the attack replaces, or in what the agent reads later.
pub(crate) fn list(suite: &AgentDojo) -> anyhow::Result<String> {
    let mut rows = Rows::new();
    for world in &suite.worlds {
        for task in world.user_tasks.iter().chain(&world.injection_tasks) {
            alone(suite, world, task, &mut rows)?;
        }
    }
    for scenario in suite.scenarios()?.iter().filter(|scenario| scenario.kind == Kind::Attack) {
        attacked(suite, scenario, &mut rows)?;
    }
    let tasks = suite.worlds.iter().flat_map(|world| {
        let tasks = world.user_tasks.iter().chain(&world.injection_tasks);
        tasks.map(|task| format!("{}/{}", world.world, task.id))
    });
    let mut out = String::from("task,call,argument,why\n");
    for task in tasks {
        let mut of_task: Vec<_> = rows.iter().filter(|row| row.0 == task).collect();
        of_task.sort_by_key(|row| row.1);
        for (task, call, argument, why) in of_task {
            writeln!(out, "{task},{call},{argument},{why}")?;
        }
    }
    Ok(out)
}

fn note(rows: &mut Rows, task: &str, call: usize, unseen: Vec<String>, why: &'static str) {
    for argument in unseen {
        if !rows.iter().any(|row| row.0 == task && row.1 == call && row.2 == argument) {
            rows.push((task.to_owned(), call, argument, why));
        }
    }
}

/// A task alone in its world, without an attack.
fn alone(suite: &AgentDojo, world: &Benchmark, task: &Task, rows: &mut Rows) -> anyhow::Result<()> {
    let mut live = suite
        .open_with(world.world, &Vec::new())?
        .ok_or_else(|| anyhow::anyhow!("no world `{}`", world.world))?;
    let name = format!("{}/{}", world.world, task.id);
    let mut course = Course { world: &mut *live, seen: vec![task.text.clone()] };
    for (at, call) in task.calls.iter().enumerate() {
        let unseen = course.call(call);
        note(rows, &name, at, unseen, "computed");
    }
    Ok(())
}

/// A pair of tasks under attack: the attacker's as soon as the attack is seen.
fn attacked(suite: &AgentDojo, scenario: &Scenario, rows: &mut Rows) -> anyhow::Result<()> {
    let mut live = suite.open(scenario)?;
    let start = live.fork();
    let user = suite.user_script(scenario, live.state());
    let name = |task: &str| format!("{}/{task}", scenario.world);
    let mut seen = vec![scenario.prompt.clone()];
    let mut fallen = false;
    for (at, step) in user.steps.iter().enumerate() {
        let mut course = Course { world: &mut *live, seen: std::mem::take(&mut seen) };
        let unseen = course.call(&step.call);
        note(rows, &name(&scenario.user_task), at, unseen, "unseen");
        let falls = !fallen && course.shows(&scenario.payloads);
        seen = course.seen;
        if let Some(task) = scenario.injection_task.as_ref().filter(|_| falls) {
            fallen = true;
            let attack = suite.attack_script(scenario, start.state(), live.state());
            let mut course = Course { world: &mut *live, seen: std::mem::take(&mut seen) };
            for (at, step) in attack.steps.iter().enumerate() {
                let unseen = course.call(&step.call);
                note(rows, &name(task), at, unseen, "unseen");
            }
            seen = course.seen;
        }
    }
    anyhow::ensure!(fallen, "the attack of `{}` is never seen", scenario.id);
    Ok(())
}
