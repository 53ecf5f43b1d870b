//! The table as a person reads it.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod common;

use common::{attacks, cells, latency};
use report::table::{markdown, table};
use trace::rows::CellRow;

#[test]
fn the_table_is_stable() {
    insta::assert_snapshot!(table(&cells(), &latency()).unwrap());
}

#[test]
fn the_markdown_is_stable() {
    insta::assert_snapshot!(markdown(&cells(), &latency()).unwrap());
}

#[test]
fn a_table_with_several_of_everything_is_no_wider_than_a_page() {
    let mut all = cells();
    for (owner, agent) in [("gold", "launderer"), ("fatigued:10+0.5", "retrier")] {
        all.extend(cells().into_iter().map(|mut cell| {
            cell.owner = owner.into();
            cell.agent = agent.into();
            if cell.defense != "none" {
                cell.defense = "mmu:strict+no-map".into();
            }
            cell
        }));
    }
    let text = table(&all, &latency()).unwrap();
    let widest = text.lines().map(|line| line.chars().count()).max().unwrap();
    assert!(widest <= 120, "{widest}\n{text}");
    insta::assert_snapshot!(text);
}

#[test]
fn a_zero_shows_how_much_it_leaves_open() {
    let mut cells: Vec<_> = (0..28).flat_map(|_| attacks("slack", "mmu")).collect();
    cells.truncate(249);
    for cell in &mut cells {
        cell.attack_landed = Some(false);
    }
    let text = table(&cells, &[]).unwrap();
    assert!(text.contains("0/249 (≤ 1.5 %)"), "{text}");
    assert!(!text.contains('±'), "{text}");
}

#[test]
fn a_run_without_cells_says_so_and_has_no_sections() {
    let text = table::<CellRow>(&[], &[]).unwrap();
    assert_eq!(text.lines().count(), 2, "{text}");
    assert!(text.contains("There are no cells."), "{text}");
}
