//! An episode as a terminal shows it.

use report::show::{Episode, Index, Length, text};
use report::visible::is_hidden;

use crate::runs;

#[test]
fn an_episode_is_stable_and_nothing_in_it_hides() {
    let rows = runs::traced();
    let index = Index::of(&rows);
    let cell = rows.cells.iter().find(|cell| index.is_traced(cell)).unwrap();
    let text = text(&Episode::of(&index, cell), Length::Short);
    assert!(!text.chars().any(is_hidden), "{text}");
    insta::assert_snapshot!(text);
}

#[test]
fn a_cell_without_events_shows_what_there_is_and_what_to_do() {
    let rows = runs::traced();
    let index = Index::of(&rows);
    let cell = rows.cells.iter().find(|cell| !index.is_traced(cell)).unwrap();
    let text = text(&Episode::of(&index, cell), Length::Short);
    assert!(text.contains("run it with `--trace`"), "{text}");
    assert!(text.contains(&cell.cell_id), "{text}");
}

#[test]
fn a_long_page_is_cut_unless_it_is_asked_for() {
    let mut rows = runs::traced();
    let id = rows.events[0].cell_id.clone();
    let long: Vec<String> = (0..60).map(|line| format!("line {line} of a long page")).collect();
    rows.events = runs::events(&id, &long.join("\n"));
    let index = Index::of(&rows);
    let cell = rows.cells.iter().find(|cell| index.is_traced(cell)).unwrap();
    let episode = Episode::of(&index, cell);
    let (short, full) = (text(&episode, Length::Short), text(&episode, Length::Full));
    assert!(short.contains("… 36 more lines (--full)"), "{short}");
    assert!(!short.contains("│ line 59 ") && full.contains("│ line 59 "), "{full}");
}
