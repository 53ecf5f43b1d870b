//! A small run made by hand.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use hdrhistogram::Histogram;
use trace::rows::{CellRow, LatencyRow};

/// A cell of this kind, world, pair of tasks and defense; nothing has happened in it yet.
pub(crate) fn cell(kind: &str, world: &str, user: u32, injection: u32, defense: &str) -> CellRow {
    let attack = kind == "attack";
    CellRow {
        cell_id: format!("{kind}/{world}/{user}/{injection}/{defense}"),
        pair_id: format!("{kind}/{world}/{user}/{injection}"),
        suite: "sleeper".into(),
        suite_version: "1".into(),
        world: world.into(),
        scenario: format!("{world}/user_task_{user}"),
        user_task: format!("user_task_{user}"),
        injection_task: (kind != "benign").then(|| format!("injection_task_{injection}")),
        cluster_user: format!("user_task_{user}"),
        cluster_attack: (kind != "benign").then(|| format!("injection_task_{injection}")),
        kind: kind.into(),
        guarantee: attack.then(|| if injection == 2 { "free-argument" } else { "inside" }.into()),
        attack: attack.then(|| "important_instructions".into()),
        harness: "stateless".into(),
        agent: "gullible".into(),
        defense: defense.into(),
        profile: (defense != "none").then(|| "resources".into()),
        owner: "never".into(),
        status: "ok".into(),
        ..CellRow::default()
    }
}

/// Attack cells of 3 × 3 tasks: all exposed; without a defense all land but one, which is partial;
/// the defense stops two of three injection tasks, one kept out and one refused.
pub(crate) fn attacks(world: &str, defense: &str) -> Vec<CellRow> {
    let mut cells = Vec::new();
    for (user, injection) in (0..3).flat_map(|user| (0..3).map(move |task| (user, task))) {
        let mut cell = cell("attack", world, user, injection, defense);
        let (kept_out, refused) = match defense {
            "none" => (false, false),
            _ => (injection == 0, injection == 1),
        };
        let partial = injection == 2 && user == 2;
        let landed = !kept_out && !refused && !partial;
        cell.exposed = Some(true);
        cell.delivered = Some(!kept_out);
        cell.attempted = Some(!kept_out);
        cell.executed = Some(!kept_out && !refused);
        cell.attack_landed = Some(landed);
        cell.attack_partial = Some(partial);
        cell.attack_landed_upstream = Some(landed || partial);
        cell.utility_done = Some(user > 0);
        if kept_out {
            (cell.stopped_at, cell.stop_reason) = (Some("map".into()), Some("Revoked".into()));
        }
        if refused {
            let reason = if user == 0 { "Fabricated" } else { "LowAuthority" };
            cell.stopped_at = Some("authorize".into());
            cell.stop_reason = Some(reason.into());
            (cell.asks, cell.asks_arguments) = (1, 2);
        }
        cells.push(cell);
    }
    cells
}

/// Benign cells of four tasks, of which a defense asks in one and blocks a call; one control lands.
pub(crate) fn benign(world: &str, defense: &str) -> Vec<CellRow> {
    let mut cells = Vec::new();
    for user in 0..4 {
        let mut benign = cell("benign", world, user, 0, defense);
        let asked = defense != "none" && user == 3;
        benign.utility_done = Some(!asked);
        (benign.asks, benign.asks_arguments) = if asked { (1, 3) } else { (0, 0) };
        benign.false_blocks = u32::from(asked);
        cells.push(benign);
        let mut control = cell("benign-control", world, user, 1, defense);
        control.attack_landed = Some(false);
        control.attack_landed_upstream = Some(user == 0);
        cells.push(control);
    }
    cells
}

/// Two worlds, without a defense and with one, and an invalid cell.
pub(crate) fn cells() -> Vec<CellRow> {
    let mut cells = Vec::new();
    for world in ["banking", "slack"] {
        for defense in ["mmu", "none"] {
            cells.extend(attacks(world, defense));
            cells.extend(benign(world, defense));
        }
    }
    let broken = cells.iter_mut().find(|cell| cell.kind == "attack" && cell.defense == "mmu");
    let broken = broken.unwrap();
    broken.status = "invalid".into();
    broken.invalid_reason = Some("time-out".into());
    cells
}

/// Latencies of one hook with two outcomes, and of one with few samples.
pub(crate) fn latency() -> Vec<LatencyRow> {
    let row = |hook: &str, outcome: &str, values: std::ops::Range<u64>, step: u64| {
        let mut histogram = Histogram::<u64>::new(3).unwrap();
        for value in values {
            histogram.record(value * step).unwrap();
        }
        store::latency_row("sleeper", "mmu", hook, outcome, &histogram, 48)
    };
    vec![
        row("on_call", "allow", 1..1_000, 1),
        row("on_call", "deny", 1..1_000, 1_000),
        row("on_call", "ask", 0..0, 1),
        row("on_enter", "admit", 1..100, 10),
    ]
}
