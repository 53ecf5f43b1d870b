//! What the suite `sleeper` covers, and that its committed classes are those of its stories.

use std::collections::{BTreeMap, BTreeSet};

use scenario::classify;
use scenario::kind::Kind;
use scenario::language::words::{LABELS, REVOCATIONS, TRANSFORMS, TRIGGERS};
use suites::sleeper::{Sleeper, attack_calls, owner_words};
use suites::suite::Suite as _;
use trace::course::Stage;

#[test]
fn it_covers_what_it_says() {
    let suite = Sleeper::embedded().unwrap();
    let mut kinds: BTreeMap<Kind, usize> = BTreeMap::new();
    let mut axes: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    let mut labels: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    let mut worlds = BTreeSet::new();
    for template in suite.templates() {
        worlds.insert(template.world.declaration.name.as_str());
        assert!((30..=60).contains(&template.world.records.len()), "{}", template.name);
        for (label, value) in &template.covers {
            labels.entry(label).or_default().insert(value);
        }
        for case in &template.cases {
            *kinds.entry(case.kind).or_default() += 1;
            for (axis, value) in &case.axes {
                axes.entry(axis).or_default().insert(value);
            }
        }
    }
    assert!(suite.templates().len() >= 12 && worlds.len() >= 4);
    assert!(kinds[&Kind::Attack] >= 300, "{kinds:?}");
    let twins: Vec<usize> = Kind::TWINS.iter().map(|kind| kinds[kind]).collect();
    assert_eq!(twins, [kinds[&Kind::Attack] / 3; 3], "{kinds:?}");
    for (axis, all) in
        [("transform", TRANSFORMS), ("trigger", TRIGGERS), ("revocation", REVOCATIONS)]
    {
        assert_eq!(axes[axis], all.iter().copied().collect(), "{axis}");
    }
    let dormancy = BTreeSet::from(["0", "1", "3", "5", "8", "12", "20", "100"]);
    assert_eq!(axes["dormancy"], dormancy);
    for label in ["write_path", "content"] {
        let all = LABELS.iter().find(|(name, _)| *name == label).unwrap().1;
        assert_eq!(labels[label], all.iter().copied().collect(), "{label}");
    }
}

#[test]
fn chains_of_one_two_and_three_agents_are_there() {
    let suite = Sleeper::embedded().unwrap();
    let mut agents = BTreeSet::new();
    for case in suite.templates().iter().flat_map(|template| &template.cases) {
        let sessions = case.course.stages.iter().filter_map(|stage| match stage {
            Stage::Session(session) => Some(session.seat.as_str()),
            _ => None,
        });
        agents.insert(sessions.collect::<BTreeSet<_>>().len());
    }
    assert_eq!(agents, BTreeSet::from([1, 2, 3]));
}

#[test]
fn no_two_scenarios_are_the_same() {
    let suite = Sleeper::embedded().unwrap();
    let scenarios = suite.scenarios().unwrap();
    let ids: BTreeSet<&str> = scenarios.iter().map(|one| one.id.as_str()).collect();
    assert_eq!(ids.len(), scenarios.len());
    let mut seen = BTreeSet::new();
    for scenario in &scenarios {
        let (template, case) = suite.case(scenario);
        let what = format!("{}{:?}{:?}", template.name, case.course, case.parts);
        assert!(seen.insert(what), "{} is another one's double", scenario.id);
    }
}

/// The classes stand in the files, decided from each story. The rule that decides `AgentDojo`'s, which
/// knows no kernel either, must say the same.
#[test]
fn the_classes_are_those_of_the_rule() {
    let suite = Sleeper::embedded().unwrap();
    let mut differ = BTreeSet::new();
    for template in suite.templates() {
        for case in template.cases.iter().filter(|case| case.kind == Kind::Attack) {
            let (prompt, calls) = (owner_words(case), attack_calls(template, case));
            let goal = case.payloads.join("\n");
            let tools = &template.world.declaration.tools;
            let judged = classify::Case { prompt: &prompt, goal: &goal, calls: &calls, tools };
            for (profile, class) in &case.guarantee {
                let other = judged.class_in(*profile, &case.course, &case.parts);
                if other != *class {
                    let (name, profile) = (&template.name, profile.as_str());
                    differ.insert(format!("{name} {profile}: {class} here, {other} by the rule"));
                }
            }
        }
    }
    assert_eq!(differ, BTreeSet::new());
}
