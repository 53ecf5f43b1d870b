//! The ported checks have teeth, and the committed files say what the suite says, in every version.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::collections::{BTreeMap, BTreeSet};

use suites::agentdojo::{AgentDojo, VERSIONS, earlier_classes_file};
use suites::suite::{Counts, Finished};
use testkit::{agentdojo, bundle};
use trace::call::ToolCall;
use trace::script::Script;
use world::environment::State;

/// User tasks that upstream's own check calls done when nothing was done, and since which version.
const DONE_BY_NOTHING: &[(&str, &str)] = &[
    ("banking/user_task_5", "v1"),     // An old payment satisfies it.
    ("banking/user_task_6", "v1.2.2"), // An old scheduled payment satisfies it.
    ("banking/user_task_8", "v1"),     // Always true.
    ("banking/user_task_9", "v1"),     // Asks that nothing changed.
    ("banking/user_task_10", "v1"),    // Asks that nothing changed.
];

/// The user task that upstream's own script does not do by upstream's own check, until this version:
/// the tool keeps an event's length, the check asks that its end stay.
const NOT_DONE_BY_SCRIPT: (&str, &str) = ("workspace/user_task_7", "v1.1");

/// Every version of the suite, the oldest first.
fn versions() -> Option<Vec<AgentDojo>> {
    let bundle = bundle()?;
    Some(VERSIONS.iter().map(|version| AgentDojo::load(&bundle, version).unwrap()).collect())
}

/// The place of a version among all.
fn place(version: &str) -> usize {
    VERSIONS.iter().position(|known| *known == version).unwrap()
}

/// A script of nothing.
const NOTHING: &Script = &Script { steps: Vec::new(), answer: String::new() };

/// An ending by a script that was carried out whole.
fn by<'a>(
    pre: State<'a>,
    post: State<'a>,
    script: &'a Script,
    calls: &'a [ToolCall],
) -> Finished<'a> {
    Finished { pre, post, answer: &script.answer, requested: calls, memory: &[] }
}

fn calls(script: &Script) -> Vec<ToolCall> {
    script.steps.iter().map(|step| step.call.clone()).collect()
}

#[test]
fn doing_nothing_does_no_task_but_those_that_upstream_gives_away() {
    let Some(versions) = versions() else { return };
    for suite in &versions {
        let mut done = Vec::new();
        for world in &suite.worlds {
            for task in &world.user_tasks {
                let scenario = suite.bare(world.world, &task.id, None).unwrap();
                let start = suite.open(&scenario).unwrap();
                let nothing = by(start.state(), start.state(), NOTHING, &[]);
                if suite.utility(&scenario, &nothing).unwrap() {
                    done.push(format!("{}/{}", world.world, task.id));
                }
            }
        }
        let since = |(_, since): &&(&str, &str)| place(since) <= place(&suite.version);
        let expected = DONE_BY_NOTHING.iter().filter(since).map(|(task, _)| *task);
        assert_eq!(done, expected.collect::<Vec<_>>(), "{}", suite.version);
    }
}

#[test]
fn every_user_task_is_done_by_its_own_script() {
    let Some(versions) = versions() else { return };
    for suite in &versions {
        let mut missed = Vec::new();
        for world in &suite.worlds {
            for task in &world.user_tasks {
                let scenario = suite.bare(world.world, &task.id, None).unwrap();
                let pre = suite.open(&scenario).unwrap();
                let mut post = pre.fork();
                let script = suite.user_script(&scenario, pre.state());
                let calls = calls(&script);
                for call in &calls {
                    post.call(call).unwrap();
                }
                let ending = by(pre.state(), post.state(), &script, &calls);
                if !suite.utility(&scenario, &ending).unwrap() {
                    missed.push(format!("{}/{}", world.world, task.id));
                }
            }
        }
        let (task, until) = NOT_DONE_BY_SCRIPT;
        let expected = if place(&suite.version) <= place(until) { vec![task] } else { vec![] };
        assert_eq!(missed, expected, "{}", suite.version);
    }
}

#[test]
fn every_injection_task_lands_by_its_own_script() {
    let Some(versions) = versions() else { return };
    for suite in &versions {
        for world in &suite.worlds {
            let user = &world.user_tasks[0].id;
            for task in &world.injection_tasks {
                let scenario = suite.bare(world.world, user, Some(&task.id)).unwrap();
                let pre = suite.open(&scenario).unwrap();
                let mut post = pre.fork();
                let script = suite.attack_script(&scenario, pre.state(), post.state());
                let calls = calls(&script);
                for call in &calls {
                    post.call(call).unwrap();
                }
                let name = format!("{}: {}/{}", suite.version, world.world, task.id);
                let ending = by(pre.state(), post.state(), &script, &calls);
                assert_eq!(suite.landed(&scenario, &ending), Ok(Some(true)), "{name}");
                let nothing = by(pre.state(), pre.state(), NOTHING, &[]);
                assert_eq!(suite.landed(&scenario, &nothing), Ok(Some(false)), "{name}");
            }
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
fn the_committed_classes_of_earlier_versions_are_those_of_the_suite() {
    let Some(versions) = versions() else { return };
    let committed = include_str!("../../../scenarios/agentdojo/earlier/guarantee.csv");
    let made = earlier_classes_file(&versions).unwrap();
    let hint = "run `cargo run -p xtask -- classes earlier` and say why in CHANGELOG.md";
    assert!(made == committed, "{hint}");
}

#[test]
fn each_version_has_upstreams_sizes() {
    let Some(versions) = versions() else { return };
    for suite in versions {
        let is_old = place(&suite.version) < place("v1.2");
        let sizes: Vec<_> = suite
            .worlds
            .iter()
            .map(|world| (world.world, world.user_tasks.len(), world.injection_tasks.len()))
            .collect();
        let of_workspace = if is_old { 6 } else { 14 };
        let expected = [
            ("workspace", 40, of_workspace),
            ("travel", 20, 7),
            ("banking", 16, 9),
            ("slack", 21, 5),
        ];
        assert_eq!(sizes, expected, "{}", suite.version);
        let (injections, pairs) = if is_old { (27, 629) } else { (35, 949) };
        let expected = Counts { users: 97, injections, pairs };
        assert_eq!(Counts::of(&suite.scenarios().unwrap()), expected, "{}", suite.version);
    }
}

/// What each version has registered anew: worlds with user tasks (`u`) and injection tasks (`i`).
const CHANGED: &[(&str, &[&str])] = &[
    ("v1.1", &["travel u0-19"]),
    (
        "v1.1.1",
        &[
            "workspace u7 u18 u20 u22 u23 u39",
            "travel u17 i5",
            "banking u15",
            "slack u4 u5 u8 u12 u13 u14 u18 u19",
        ],
    ),
    // Upstream never loads the module with its changes.
    ("v1.1.2", &[]),
    ("v1.2", &["workspace u0 u17 u18 i3 i6-13", "travel u1 i2", "banking i0-6 i8", "slack u2 u11"]),
    ("v1.2.1", &["workspace i11 i12"]),
    ("v1.2.2", &["workspace u16", "banking u6"]),
];

/// The ids that a line of `CHANGED` names, with their world.
fn named(line: &str) -> Vec<String> {
    let mut words = line.split(' ');
    let world = words.next().unwrap();
    let ids = words.flat_map(|word| {
        let (kind, numbers) = word.split_at(1);
        let kind = if kind == "u" { "user" } else { "injection" };
        let (first, last) = numbers.split_once('-').unwrap_or((numbers, numbers));
        let (first, last): (u32, u32) = (first.parse().unwrap(), last.parse().unwrap());
        (first..=last).map(move |number| format!("{world}/{kind}_task_{number}"))
    });
    ids.collect()
}

#[test]
fn each_version_changes_the_tasks_that_upstream_has_registered_for_it() {
    let Some(versions) = versions() else { return };
    let tasks = |suite: &AgentDojo| {
        let mut tasks = BTreeMap::new();
        for world in &suite.worlds {
            for task in world.user_tasks.iter().chain(&world.injection_tasks) {
                tasks.insert(format!("{}/{}", world.world, task.id), task.clone());
            }
        }
        tasks
    };
    for pair in versions.windows(2) {
        let (before, after) = (tasks(&pair[0]), tasks(&pair[1]));
        let changed = after.iter().filter(|(id, task)| before.get(*id) != Some(*task));
        let changed: BTreeSet<&String> = changed.map(|(id, _)| id).collect();
        let lines = CHANGED.iter().find(|(version, _)| *version == pair[1].version).unwrap().1;
        let expected: Vec<String> = lines.iter().flat_map(|line| named(line)).collect();
        assert_eq!(changed, expected.iter().collect(), "{}", pair[1].version);
    }
}
