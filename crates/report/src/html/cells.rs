//! Episodes in a page: a section a cell.

use std::collections::BTreeMap;

use maud::{Markup, html};
use trace::event::{CallOutcome, Event, Fault};
use trace::rows::CellRow;

use super::untrusted::Untrusted;
use crate::arms::NamedRun;
use crate::compare::CellName;
use crate::outcome::{is_attack, is_valid};
use crate::show::{
    Episode, Index, Step, act_words, arguments, channel_words, facts, fault_words, headline,
    in_advance_words, label_of, owner_words,
};
use crate::visible::line;

/// Episodes that a report shows unless it is told otherwise.
pub const CELLS: usize = 200;

/// Signs of a page that are shown at most; `bench show` prints all.
const SIGNS: usize = 4_000;

/// The episodes of a report.
pub(super) struct Episodes<'r> {
    /// Each with its anchor.
    shown: Vec<(String, Episode<'r>)>,
    /// Anchors by the run's name and the cell's id.
    anchors: BTreeMap<(&'r str, &'r str), String>,
    /// Cells with events, shown or not.
    traced: usize,
}

impl Episodes<'_> {
    /// Whether there is none.
    pub(super) fn is_empty(&self) -> bool {
        self.shown.is_empty()
    }

    /// The anchor of a run's cell, where it has a section.
    pub(super) fn anchor(&self, run: &str, cell: &str) -> Option<String> {
        self.anchors.get(&(run, cell)).cloned()
    }
}

/// The anchor of a cell's section; where there are several runs, with the run's number.
fn anchor(run: Option<usize>, cell: &str) -> String {
    let plain = |sign: char| if sign.is_ascii_alphanumeric() { sign } else { '-' };
    let cell = cell.chars().map(plain).collect::<String>();
    run.map_or_else(|| format!("cell-{cell}"), |run| format!("cell-{}-{cell}", run + 1))
}

/// The traced cells that most want to be looked at: attacks that landed behind a defense, then partial
/// ones, invalid cells, false blocks, other attacks behind a defense, and the rest.
pub(super) fn chosen<'r>(runs: &[NamedRun<'r>], most: usize) -> Episodes<'r> {
    let mut found: Vec<(usize, usize, &'r CellRow)> = Vec::new();
    let indexes: Vec<Index<'r>> = runs.iter().map(|run| Index::of(run.rows)).collect();
    for (at, (run, index)) in runs.iter().zip(&indexes).enumerate() {
        let traced = run.rows.cells.iter().filter(|cell| index.is_traced(cell));
        found.extend(traced.map(|cell| (interest(cell), at, cell)));
    }
    let traced = found.len();
    found.sort_by_key(|(interest, ..)| *interest);
    let mut anchors = BTreeMap::new();
    let mut shown = Vec::new();
    for (_, at, cell) in found.into_iter().take(most) {
        let anchor = anchor((runs.len() > 1).then_some(at), &cell.cell_id);
        let place = (runs[at].name, cell.cell_id.as_str());
        if anchors.insert(place, anchor.clone()).is_none() {
            shown.push((anchor, Episode::of(&indexes[at], cell)));
        }
    }
    Episodes { shown, anchors, traced }
}

fn interest(cell: &CellRow) -> usize {
    let defended = cell.defense != "none";
    let wants = [
        defended && is_attack(cell) && cell.attack_landed == Some(true),
        defended && cell.attack_partial == Some(true),
        !is_valid(cell),
        cell.false_blocks > 0 && !is_attack(cell),
        defended && is_attack(cell),
        is_attack(cell),
    ];
    wants.iter().position(|holds| *holds).unwrap_or(wants.len())
}

/// The section of all episodes; nothing without any.
pub(super) fn section(episodes: &Episodes<'_>) -> Markup {
    html! {
        @if !episodes.is_empty() {
            section id="episodes" {
                h2 { "Episodes" }
                p.note {
                    (episodes.shown.len()) " of " (episodes.traced) " traced cells: attacks that landed \
                     behind a defense first, then partial ones, false blocks, and the others. The text of \
                     tools and attackers is shown as text, never followed; characters that hide or \
                     reorder stand by their number. " code { "bench show CELL" } " prints any cell whole."
                }
                @for (anchor, episode) in &episodes.shown { (cell(anchor, episode)) }
            }
        }
    }
}

fn cell(anchor: &str, episode: &Episode<'_>) -> Markup {
    let row = episode.cell;
    html! {
        div.cell {
            details {
                summary {
                    (tags(row))
                    (line(&CellName::of(row).case())) " · " (line(&row.defense)) " · " (line(&row.owner))
                }
                div id=(anchor) {
                    @for fact in headline(row) { p.note { (fact) } }
                    dl.facts { @for (name, value) in facts(episode) { dt { (name) } dd { (value) } } }
                    @for one in &episode.steps { (step(row, one)) }
                }
            }
        }
    }
}

fn tags(cell: &CellRow) -> Markup {
    let attack = match (is_valid(cell), cell.attack_landed, cell.attack_partial) {
        (false, ..) => Some(("dull", "invalid")),
        (_, Some(true), _) => Some(("bad", "landed")),
        (_, _, Some(true)) => Some(("bad", "partial")),
        (_, Some(false), _) => Some(("good", "did not land")),
        _ => None,
    };
    let utility = cell.utility_done.map(|done| if done { "task done" } else { "task not done" });
    html! {
        @if let Some((class, word)) = attack.filter(|_| is_attack(cell) || !is_valid(cell)) {
            span.tag.(class) { (word) }
        }
        @if let Some(word) = utility { span.tag.dull { (word) } }
    }
}

fn step(cell: &CellRow, step: &Step<'_>) -> Markup {
    #[allow(unreachable_patterns, reason = "an event that comes later is shown as it is stored")]
    match &step.event {
        Some(Event::Entered { page, channel, text }) => {
            let label = label_of(cell, channel.as_str());
            html! {
                div.step.(channel.as_str()) {
                    p {
                        strong { "Page " (page) } " · " (channel_words(channel.as_str()))
                        @if let Some(label) = label { " · label " strong { (label) } }
                    }
                    (pre(text))
                }
            }
        }
        Some(Event::KeptOut { page, channel, fault }) => html! {
            div.step.kept-out {
                p { strong { "Page " (page) } " · " (channel_words(channel.as_str())) " · kept out" }
                (faults(std::slice::from_ref(fault), ""))
            }
        },
        Some(Event::Called {
            turn,
            call,
            effect,
            mediated,
            approval,
            in_advance,
            noted,
            outcome,
        }) => {
            let refused = matches!(outcome, CallOutcome::Refused { .. });
            let class = if refused { "refused" } else { "call" };
            let effect = effect.map_or("no such tool", trace::tool::Effect::as_str);
            html! {
                div.step.(class) {
                    p {
                        strong { "Turn " (turn) } " · call " code { (line(&call.function)) } " · " (effect)
                    }
                    @if !call.args.is_empty() { (pre(&arguments(call).join("\n"))) }
                    @if !mediated { p { "No defense judged it." } }
                    (faults(noted, "noted, not enforced: "))
                    @if let Some(approval) = approval {
                        (faults(&approval.faults, ""))
                        p { (owner_words(approval.granted, step.approval)) }
                    }
                    @if let Some(name) = in_advance { p { (in_advance_words(name)) } }
                    (ending(outcome, approval.is_some(), *mediated))
                }
            }
        }
        Some(Event::Answered { text }) => html! {
            div.step { p { strong { "Answer" } } (pre(text)) }
        },
        Some(Event::RoundsExhausted) => html! { div.step { p { "The rounds were used up." } } },
        Some(Event::OwnerActed { act, widens, fault, terms }) => html! {
            div.step {
                p { (act_words(act, *widens, terms)) }
                (faults(fault.as_slice(), "without effect: "))
            }
        },
        _ => html! {
            div.step { p { strong { (line(&step.row.event)) } } (pre(&step.row.detail)) }
        },
    }
}

fn ending(outcome: &CallOutcome, asked: bool, mediated: bool) -> Markup {
    match outcome {
        CallOutcome::Done if mediated && !asked => html! { p { "→ allowed and carried out" } },
        CallOutcome::Done => html! { p { "→ carried out" } },
        CallOutcome::Failed { error } => html! {
            p { "→ the world answered with an error: " (Untrusted(error)) }
        },
        CallOutcome::Refused { faults: why, .. } => html! {
            @if !asked { (faults(why, "")) }
            p { strong { "→ refused, the world never saw it" } }
        },
    }
}

fn faults(faults: &[Fault], prefix: &str) -> Markup {
    html! { @for fault in faults { p { (prefix) (fault_words(fault)) } } }
}

fn pre(text: &str) -> Markup {
    let end = text.char_indices().nth(SIGNS).map_or(text.len(), |(at, _)| at);
    let rest = text[end..].chars().count();
    html! {
        pre { (Untrusted(&text[..end])) @if rest > 0 { "\n… " (rest) " more characters" } }
    }
}
