//! What real models once put out for InjecAgent's cases, replayed under the MMU.

use std::collections::BTreeMap;
use std::sync::Arc;

use defenses::roster::Choice;
use runner::executor::Executor;
use runner::owners::OwnerChoice;
use runner::plan::{Plan, Request};
use runner::replay::Recording;
use suites::datasets::{injecagent, load_folder};
use suites::injecagent::InjecAgent;
use suites::injecagent::import::trajectories;
use suites::injecagent::rebuild::Setting;
use suites::injecagent::recorded::read_folder;
use trace::rows::CellRow;

/// Every cell of the four models' recordings, without a defense and under three.
fn cells() -> Option<Vec<CellRow>> {
    let data = testkit::shared("datasets/injecagent")?;
    let recorded = testkit::shared("datasets/injecagent/recorded")?;
    let files = load_folder(injecagent(), &data).expect("the pinned files are whole");
    let suite = InjecAgent::load(&files, Setting::ALL).expect("the pinned files fit together");
    let recordings = read_folder(&recorded, &suite.data).expect("the recordings are readable");
    let all = trajectories(&suite.data, &recordings).expect("they are of this suite");
    assert_eq!(all.len(), 8_432);
    let choices = ["none", "mmu", "ask-all", "deny-all"];
    let request = Request {
        agents: Vec::new(),
        recordings: Recording::sets(all),
        defenses: choices.map(|name| Choice::parse(name).expect("it exists")).to_vec(),
        owners: vec![OwnerChoice::Never],
        filter: None,
        limit: None,
        epochs: 1,
        seed: 0,
    };
    let plan = Arc::new(Plan::new(Arc::new(suite), &request).expect("there are cells"));
    let executor = Executor::new(&plan, false).expect("worlds open");
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("it starts");
    let mut cells = Vec::new();
    for (number, job) in plan.jobs.iter().enumerate() {
        let outcome = runtime.block_on(executor.run(number, job)).expect("the world opens");
        cells.extend(outcome.cells.into_iter().map(|outcome| outcome.cell));
    }
    Some(cells)
}

#[test]
fn recorded_attacks_are_stopped_or_diverged_and_counted_apart() {
    let Some(cells) = cells() else { return };
    assert_eq!(cells.len(), 4 * 8_432);
    for cell in &cells {
        let name = format!("{} {} {}", cell.agent, cell.scenario, cell.defense);
        assert_eq!(cell.status, "ok", "{name}");
        if let Some(logged) = cell.attack_landed_logged {
            assert_eq!(cell.attack_landed_upstream, Some(logged), "{name}");
        }
        if cell.defense == "none" {
            assert_eq!(cell.diverged, Some(false), "{name}");
        }
        if cell.stopped_at.is_some() && cell.defense == "mmu:resources" {
            assert_eq!(cell.stopped_at.as_deref(), Some("authorize"), "{name}");
            assert_eq!(cell.attack_landed, Some(false), "{name}");
        }
    }
    let mut got: BTreeMap<(&str, &str), [usize; 4]> = BTreeMap::new();
    for cell in cells.iter().filter(|cell| cell.attack_landed_logged == Some(true)) {
        let agent = cell.agent.trim_start_matches("recorded/");
        let agent = agent.split_once('@').map_or(agent, |(set, _)| set);
        let row = got.entry((agent, &cell.defense)).or_default();
        let diverged = cell.diverged == Some(true);
        for (at, is) in [
            true,
            diverged,
            !diverged && cell.stopped_at.is_some(),
            cell.attack_landed == Some(true),
        ]
        .into_iter()
        .enumerate()
        {
            row[at] += usize::from(is);
        }
    }
    for (key, row) in &got {
        eprintln!("{key:?} {row:?}");
    }
    for cell in
        cells.iter().filter(|c| c.defense == "mmu:resources" && c.attack_landed == Some(true))
    {
        eprintln!(
            "{} {} {:?} {:?} fixed {:?}",
            cell.agent,
            cell.scenario,
            cell.injection_task,
            cell.guarantee,
            cell.attack_landed_fixed
        );
    }
    for defense in ["none", "mmu:resources"] {
        let mut n = [0; 4];
        for cell in
            cells.iter().filter(|c| c.defense == defense && c.attack_landed_logged.is_none())
        {
            n[0] += 1;
            n[1] += usize::from(cell.attack_landed == Some(true));
            n[2] += usize::from(cell.diverged == Some(true));
            n[3] += usize::from(cell.stopped_at.is_some());
        }
        eprintln!("invalid by text {defense} {n:?}");
    }
}
