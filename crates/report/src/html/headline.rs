//! What a reader wants first: a row an arm, over all its cells.

use maud::{Markup, html};
use trace::rows::CellRow;

use super::figure;
use crate::arms::Arm;
use crate::outcome::{Outcome, Tally};
use crate::summary::AsksPerTask;
use crate::table::format;

const HEADER: &[&str] = &[
    "arm",
    "landed of all",
    "partial",
    "landed inside",
    "tasks done",
    "tasks that ask",
    "asks a task",
];

/// The section; nothing without cells.
pub(super) fn section(arms: &[Arm<'_>]) -> Markup {
    let header: Vec<String> = HEADER.iter().map(|name| (*name).to_owned()).collect();
    let rows: Vec<Vec<String>> = arms.iter().map(row).collect();
    let cells = arms.iter().flat_map(|arm| &arm.cells);
    let diverged = cells.filter(|cell| cell.diverged == Some(true)).count();
    html! {
        section id="summary" {
            h2 { "Summary" }
            @if rows.is_empty() {
                p { "There are no cells." }
            } @else {
                (figure::table("Summary", 1, &header, &rows, &|_, _| None))
                p.note {
                    "k/n with Wilson's 95 % interval, over scenarios taken as independent; a zero has its \
                     upper end. Tasks are the benign ones; landed inside counts attacks inside the \
                     guarantee alone. By construction, and †: so by the making of agent and scenario, hence \
                     no interval. Partial: not landed, but a call of the attack's own with an effect was \
                     carried out. Landed counts all attacks, whatever their class; none inside is a \
                     conformance test of the defense, not a result. Asks a task: by call (by argument)."
                }
                @if diverged > 0 {
                    p.note {
                        (diverged) " cells are recordings that left their course before the attack's first \
                         call: how they ended is counted here, and is no evidence about the attack."
                    }
                }
            }
        }
    }
}

fn row(arm: &Arm<'_>) -> Vec<String> {
    let inside = |cell: &&CellRow| cell.guarantee.as_deref() == Some("inside");
    vec![
        arm.label.clone(),
        format::full(Tally::of(Outcome::AttackLanded, arm.attacks())),
        format::short(Tally::of(Outcome::AttackPartial, arm.attacks())),
        format::short(Tally::of(Outcome::AttackLanded, arm.attacks().filter(inside))),
        format::full(Tally::of(Outcome::UtilityDone, arm.benign())),
        format::short(Tally::of(Outcome::TasksAsked, arm.benign())),
        format::asks(AsksPerTask::of(arm.benign())),
    ]
}
