//! The values of scripts that stand in nothing the agent sees.

use std::fmt::Write as _;

use agents::sight;
use suites::agentdojo::{AgentDojo, Benchmark, Task};

/// A line for each such value, as candidates for `scenarios/agentdojo/v1.2.2/values.csv`: every one
/// needs a look, and `computed` or `unseen` by judgement.
pub(crate) fn list(suite: &AgentDojo) -> anyhow::Result<String> {
    let mut out = String::from("task,call,argument,why\n");
    for world in &suite.worlds {
        for task in world.user_tasks.iter().chain(&world.injection_tasks) {
            list_task(suite, world, task, &mut out)?;
        }
    }
    Ok(out)
}

fn list_task(
    suite: &AgentDojo,
    world: &Benchmark,
    task: &Task,
    out: &mut String,
) -> anyhow::Result<()> {
    let mut live = suite
        .open_with(world.world, &Vec::new())?
        .ok_or_else(|| anyhow::anyhow!("no world `{}`", world.world))?;
    let mut seen = vec![task.text.clone()];
    for (at, call) in task.calls.iter().enumerate() {
        for (name, value) in &call.args {
            if !sight::all_shown(&seen.iter().map(String::as_str), value) {
                writeln!(out, "{}/{},{at},{name},computed", world.world, task.id)?;
            }
        }
        if let Ok(reply) = live.call(call) {
            seen.push(reply.text);
        }
    }
    Ok(())
}
