//! The template whose notes say nearly the same: what each way of merging lets through, takes from the
//! owner, and keeps.

use trace::rows::CellRow;

use super::{axes, landed, run, sleeper};

const ARMS: &[&str] = &["none", "mmu", "mmu:min-merge", "mmu:max-merge"];

fn of<'r>(rows: &'r [CellRow], arm: &str) -> Vec<&'r CellRow> {
    let ending = arm.split_once(':').map(|(_, option)| format!("+{option}"));
    let is_arm = |row: &&CellRow| match &ending {
        Some(ending) => row.defense.ends_with(ending),
        None => row.defense == arm || row.defense == format!("{arm}:resources"),
    };
    rows.iter().filter(is_arm).collect()
}

#[test]
fn only_a_label_that_is_lifted_lets_the_stranger_s_address_through() {
    let rows = run(sleeper(), ARMS, &["never"], "scenario = home/two-notes/* and kind = attack");
    for arm in ARMS {
        for row in of(&rows, arm) {
            let expected = match *arm {
                "none" => true,
                // Joined to the owner's own note it counts as hers, until she takes it back.
                "mmu:max-merge" => axes(row)[3] == "none",
                _ => false,
            };
            assert_eq!(landed(row), expected, "{arm} {}", row.scenario);
        }
    }
}

#[test]
fn the_least_label_takes_the_owner_s_word_from_her_and_apart_they_cost_an_entry() {
    let rows =
        run(sleeper(), ARMS, &["never"], "scenario = home/two-notes/* and kind = authorised");
    let entries =
        |arm: &str| -> u32 { of(&rows, arm).iter().filter_map(|row| row.memory_entries).sum() };
    for arm in ARMS {
        let of_arm = of(&rows, arm);
        assert_eq!(of_arm.len(), 8);
        let done = of_arm.iter().filter(|row| row.utility_done == Some(true)).count();
        assert_eq!(done, if *arm == "mmu:min-merge" { 0 } else { 8 }, "{arm}");
        // One for hers and both notes; without a defense, and wherever labels do not keep them apart.
        let apart = if *arm == "mmu" { 8 } else { 0 };
        assert_eq!(entries(arm), entries("none") + apart, "{arm}");
        for row in of_arm {
            assert_eq!((row.recall_wanted, row.recall_hits), (Some(1), Some(1)), "{arm}");
        }
    }
}
