//! The example of `docs/write-a-scenario.md` is read and run as it stands there.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::fs;
use std::sync::Arc;

use agents::roster::{Character, Order};
use defenses::roster::Choice;
use runner::executor::Executor;
use runner::harness::HarnessChoice;
use runner::owners::OwnerChoice;
use runner::plan::{Plan, Request};
use suites::sleeper::Sleeper;

/// The files of the page: blocks whose first line is a comment with the file's name.
fn files(page: &str) -> Vec<(&str, &str)> {
    let blocks = page.split("```yaml\n").skip(1).map(|rest| rest.split("```").next().unwrap());
    blocks
        .map(|block| {
            let (name, _) = block.split_once('\n').unwrap();
            (name.strip_prefix("# ").unwrap(), block)
        })
        .collect()
}

/// What became of each cell of a folder with these files.
fn outcomes(files: &[(&str, &str)]) -> Vec<(String, String, Option<bool>)> {
    let dir = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = dir.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, *text).unwrap();
    }
    let suite = Sleeper::folder(&dir.path().join("mine")).unwrap();
    let request = Request {
        agents: vec![Character::Gullible(Order::AtSeen)],
        defenses: ["none", "mmu", "mmu:labels-as-text"]
            .map(|one| Choice::parse(one).unwrap())
            .into(),
        owners: vec![OwnerChoice::Never],
        harness: HarnessChoice::Stateless,
        filter: None,
        limit: None,
        epochs: 1,
        seed: 0,
        recordings: Vec::new(),
    };
    let plan = Plan::new(Arc::new(suite), &request).unwrap();
    let executor = Executor::new(&plan, false).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let mut got = Vec::new();
    for (number, job) in plan.jobs.iter().enumerate() {
        for outcome in runtime.block_on(executor.run(number, job)).unwrap().cells {
            let row = outcome.cell;
            got.push((row.scenario, row.defense, row.attack_landed.or(row.utility_done)));
        }
    }
    got
}

#[test]
fn the_example_lands_is_stopped_and_its_twins_are_done() {
    let page = files(include_str!("../../../docs/write-a-scenario.md"));
    let [world, scenario, stage] = page.as_slice() else { panic!("three blocks: {page:?}") };
    let mut expected = Vec::new();
    for (scenario, held) in [
        ("desk/subscription/01", [true, false, true]),
        ("desk/subscription/01/fresh-confirm", [true; 3]),
        ("desk/subscription/02", [true, false, true]),
        ("desk/subscription/02/authorised", [true; 3]),
    ] {
        let arms = ["none", "mmu:resources", "mmu:resources+labels-as-text"];
        for (defense, held) in arms.into_iter().zip(held) {
            expected.push((scenario.to_owned(), defense.to_owned(), Some(held)));
        }
    }
    assert_eq!(outcomes(&[*world, *scenario]), expected);

    // With the page's approval in advance the note, which came in by no channel, is as it was.
    assert_eq!(stage.0, "a stage of mine/subscription.yaml");
    let (_, stage) = stage.1.split_once('\n').unwrap();
    let (name, text) = scenario;
    let allowed = text.replacen("\nstages:\n", &format!("\nstages:\n{stage}"), 1);
    assert!(allowed.contains("allow:"), "{allowed}");
    assert_eq!(outcomes(&[*world, (name, &allowed)]), expected);
}
