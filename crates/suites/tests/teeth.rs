//! The ported checks have teeth, and the committed files say what the suite says.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use suites::suite::Finished;
use testkit::agentdojo;
use trace::call::ToolCall;

/// User tasks that upstream's own check calls done when nothing was done.
const DONE_BY_NOTHING: &[&str] = &[
    "banking/user_task_5",  // An old payment satisfies it.
    "banking/user_task_6",  // An old scheduled payment satisfies it.
    "banking/user_task_8",  // Always true.
    "banking/user_task_9",  // Asks that nothing changed.
    "banking/user_task_10", // Asks that nothing changed.
];

#[test]
fn doing_nothing_does_no_task_but_those_that_upstream_gives_away() {
    let Some(suite) = agentdojo() else { return };
    let mut done = Vec::new();
    for world in &suite.worlds {
        for task in &world.user_tasks {
            let scenario = suite.bare(world.world, &task.id, None).unwrap();
            let start = suite.open(&scenario).unwrap();
            let ending = Finished {
                pre: start.state(),
                post: start.state(),
                answer: "",
                requested: &[],
                memory: &[],
            };
            if suite.utility(&scenario, &ending).unwrap() {
                done.push(format!("{}/{}", world.world, task.id));
            }
        }
    }
    assert_eq!(done, DONE_BY_NOTHING);
}

#[test]
fn every_injection_task_lands_by_its_own_script() {
    let Some(suite) = agentdojo() else { return };
    for world in &suite.worlds {
        let user = &world.user_tasks[0].id;
        for task in &world.injection_tasks {
            let scenario = suite.bare(world.world, user, Some(&task.id)).unwrap();
            let pre = suite.open(&scenario).unwrap();
            let mut post = pre.fork();
            let script = suite.attack_script(&scenario, pre.state(), post.state());
            let calls: Vec<ToolCall> = script.steps.into_iter().map(|step| step.call).collect();
            for call in &calls {
                post.call(call).unwrap();
            }
            let ending = |requested| Finished {
                pre: pre.state(),
                post: post.state(),
                answer: &script.answer,
                requested,
                memory: &[],
            };
            let name = format!("{}/{}", world.world, task.id);
            assert_eq!(suite.landed(&scenario, &ending(&calls)), Ok(Some(true)), "{name}");
            let nothing = Finished { post: pre.state(), answer: "", ..ending(&[]) };
            assert_eq!(suite.landed(&scenario, &nothing), Ok(Some(false)), "{name}");
        }
    }
}

#[test]
fn the_committed_classes_are_those_of_the_suite() {
    let Some(suite) = agentdojo() else { return };
    let committed = include_str!("../../../scenarios/agentdojo/v1.2.2/guarantee.csv");
    let made = suite.classes_file().unwrap();
    assert!(made == committed, "run `cargo run -p xtask -- classes` and say why in CHANGELOG.md");
}

#[test]
fn the_worlds_have_upstreams_sizes() {
    let Some(suite) = agentdojo() else { return };
    let sizes: Vec<_> = suite
        .worlds
        .iter()
        .map(|world| (world.world, world.user_tasks.len(), world.injection_tasks.len()))
        .collect();
    let expected = [("workspace", 40, 14), ("travel", 20, 7), ("banking", 16, 9), ("slack", 21, 5)];
    assert_eq!(sizes, expected);
}
