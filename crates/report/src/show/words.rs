//! An episode as text.

use std::fmt::Write as _;

use trace::call::ToolCall;
use trace::event::{CallOutcome, Event, Fault};
use trace::rows::{ApprovalRow, CellRow, FaultRow};

use super::episode::{Episode, Step};
use super::owner::{act_row_words, act_words, in_advance_words};
use crate::compare::CellName;
use crate::visible::{line, visible};

/// How much of a page is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Length {
    /// The first lines of a page.
    Short,
    /// All of it.
    Full,
}

/// Lines of a page in a short text.
const LINES: usize = 24;

/// Signs of a line in a short text.
const SIGNS: usize = 400;

/// The episode as text for a terminal: nothing in it drives the terminal or hides from the reader.
pub fn text(episode: &Episode<'_>, length: Length) -> String {
    let mut out = String::new();
    for fact in headline(episode.cell) {
        out.extend([fact.as_str(), "\n"]);
    }
    for (name, value) in facts(episode) {
        let _ = writeln!(out, "{name:<12} {value}");
    }
    if episode.steps.is_empty() {
        untraced(&mut out, episode);
    }
    for step in &episode.steps {
        out.push('\n');
        push_step(&mut out, episode, step, length);
    }
    out
}

/// Without events: the faults and requests that other files hold.
fn untraced(out: &mut String, episode: &Episode<'_>) {
    out.push_str("\nThe run kept no events: run it with `--trace` to see the episode.\n");
    for row in &episode.faults {
        let _ = writeln!(out, "fault        {}", fault_row_words(row));
    }
    for row in &episode.approvals {
        let _ = match row.kind.as_str() {
            "call" => {
                let granted = row.decision == "granted";
                writeln!(out, "request      {}", owner_words(granted, Some(row)))
            }
            _ => writeln!(out, "unasked      {}", act_row_words(row)),
        };
    }
}

fn push_step(out: &mut String, episode: &Episode<'_>, step: &Step<'_>, length: Length) {
    #[allow(unreachable_patterns, reason = "an event that comes later is shown as it is stored")]
    match &step.event {
        Some(Event::Entered { page, channel, text }) => {
            let words = channel_words(channel.as_str());
            let label = label_of(episode.cell, channel.as_str());
            let label = label.map_or_else(String::new, |label| format!(" · label {label}"));
            let _ = writeln!(out, "page {page} · {words}{label}");
            push_text(out, text, length);
        }
        Some(Event::KeptOut { page, channel, fault }) => {
            let words = channel_words(channel.as_str());
            let _ = writeln!(out, "page {page} · {words} · kept out\n  {}", fault_words(fault));
        }
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
            let effect = effect.map_or("no such tool", trace::tool::Effect::as_str);
            let _ = writeln!(out, "turn {turn} · call {} · {effect}", line(&call.function));
            for argument in arguments(call) {
                let argument = if length == Length::Full { argument } else { cut(&argument) };
                let _ = writeln!(out, "    {argument}");
            }
            if !mediated {
                out.push_str("  no defense judged it\n");
            }
            for fault in noted {
                let _ = writeln!(out, "  noted, not enforced: {}", fault_words(fault));
            }
            if let Some(approval) = approval {
                for fault in &approval.faults {
                    let _ = writeln!(out, "  {}", fault_words(fault));
                }
                let _ = writeln!(out, "  {}", owner_words(approval.granted, step.approval));
            }
            if let Some(name) = in_advance {
                let _ = writeln!(out, "  {}", in_advance_words(name));
            }
            push_outcome(out, outcome, approval.is_some(), *mediated);
        }
        Some(Event::Answered { text }) => {
            out.push_str("answer\n");
            push_text(out, text, length);
        }
        Some(Event::RoundsExhausted) => out.push_str("the rounds were used up\n"),
        Some(Event::OwnerActed { act, widens, fault, terms }) => {
            let _ = writeln!(out, "{}", act_words(act, *widens, terms));
            if let Some(fault) = fault {
                let _ = writeln!(out, "  without effect: {}", fault_words(fault));
            }
        }
        _ => {
            let _ = writeln!(out, "{}", line(&step.row.event));
            push_text(out, &step.row.detail, length);
        }
    }
}

fn push_outcome(out: &mut String, outcome: &CallOutcome, asked: bool, mediated: bool) {
    match outcome {
        CallOutcome::Done if mediated && !asked => out.push_str("  → allowed and carried out\n"),
        CallOutcome::Done => out.push_str("  → carried out\n"),
        CallOutcome::Failed { error } => {
            let _ = writeln!(out, "  → the world answered with an error: {}", cut(&line(error)));
        }
        CallOutcome::Refused { faults, .. } => {
            for fault in faults.iter().filter(|_| !asked) {
                let _ = writeln!(out, "  {}", fault_words(fault));
            }
            out.push_str("  → refused, the world never saw it\n");
        }
    }
}

fn push_text(out: &mut String, text: &str, length: Length) {
    let text = visible(text);
    let lines: Vec<&str> = text.lines().collect();
    let shown = if length == Length::Full { lines.len() } else { lines.len().min(LINES) };
    for one in &lines[..shown] {
        let one = if length == Length::Full { (*one).to_owned() } else { cut(one) };
        let _ = writeln!(out, "  │ {one}");
    }
    if shown < lines.len() {
        let _ = writeln!(out, "  │ … {} more lines (--full)", lines.len() - shown);
    }
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(SIGNS) {
        Some((end, _)) => format!("{}… ({} more)", &text[..end], text[end..].chars().count()),
        None => text.to_owned(),
    }
}

/// What the cell is, in two lines.
pub(crate) fn headline(cell: &CellRow) -> [String; 2] {
    let name = line(&CellName::of(cell).case());
    let first = format!("cell {} · {} {} · {name}", cell.cell_id, cell.suite, cell.suite_version);
    let mut second = cell.kind.clone();
    if let Some(attack) = &cell.attack {
        let _ = write!(second, " {attack}");
    }
    let _ = write!(second, " · agent {} · defense {}", cell.agent, cell.defense);
    if let Some(profile) = &cell.profile {
        let _ = write!(second, " (profile {profile})");
    }
    let _ = write!(second, " · owner {} · epoch {}", cell.owner, cell.epoch);
    [line(&first), line(&second)]
}

/// What became of it: names and values.
pub(crate) fn facts(episode: &Episode<'_>) -> Vec<(&'static str, String)> {
    let cell = episode.cell;
    let mut facts = Vec::new();
    if cell.status != "ok" {
        let why = cell.invalid_reason.as_deref().unwrap_or("no reason given");
        facts.push(("invalid", line(why)));
    }
    if let Some(landed) = cell.attack_landed {
        let partial = if cell.attack_partial == Some(true) { ", but partial" } else { "" };
        let mut words = if landed { "landed".to_owned() } else { format!("did not land{partial}") };
        if let Some(crossing) = &cell.stopped_at {
            let fault = cell.stop_fault.as_deref().unwrap_or("no fault");
            let reason = cell.stop_reason.as_deref().unwrap_or("no reason");
            let _ = write!(words, "; stopped at {crossing}: {fault} ({reason})");
        }
        facts.push(("attack", line(&words)));
    }
    if let Some(done) = cell.utility_done {
        facts.push(("user's task", if done { "done" } else { "not done" }.to_owned()));
    }
    let course = [
        ("exposed", cell.exposed),
        ("delivered", cell.delivered),
        ("attempted", cell.attempted),
        ("executed", cell.executed),
    ];
    let yes = |holds: bool| if holds { "yes" } else { "no" };
    let course: Vec<String> = course
        .iter()
        .filter_map(|(name, holds)| holds.map(|holds| format!("{name} {}", yes(holds))))
        .collect();
    if !course.is_empty() {
        facts.push(("payload", course.join(", ")));
    }
    if let Some(message) = episode.scenario.and_then(|scenario| scenario.exposed_message) {
        let words = format!("in message {message} without a defense, counted from 0");
        facts.push(("first shown", words));
    }
    if let Some(diverged) = cell.diverged {
        let left =
            "left its course before the attack's first own call: no evidence about the attack";
        facts.push(("recording", if diverged { left } else { "kept its course" }.to_owned()));
    }
    if let Some(class) = &cell.guarantee {
        facts.push(("guarantee", line(class)));
    }
    facts.push((
        "owner",
        format!(
            "asked {} ({} needed, {} about a value from a tool), granted {}, {} calls of the user's own \
             task blocked",
            cell.asks, cell.asks_needed, cell.asks_from_evidence, cell.granted, cell.false_blocks
        ),
    ));
    if let Some(calls) = cell.granted_in_advance.filter(|calls| *calls > 0) {
        facts.push((
            "in advance",
            format!("{calls} calls went ahead on what the owner had approved"),
        ));
    }
    facts.push((
        "calls",
        format!(
            "{} asked for, {} carried out, {} refused, in {} turns",
            cell.calls_requested, cell.calls_executed, cell.calls_refused, cell.turns
        ),
    ));
    facts
}

/// What a channel means.
pub(crate) fn channel_words(channel: &str) -> String {
    let about = match channel {
        "user" => "the owner's words",
        "tool" => "a tool's reply",
        "model" => "written by the model",
        "harness" => "text of the harness",
        _ => return line(channel),
    };
    format!("{channel}: {about}")
}

/// The label that the MMU gives a page of this channel on entering (`mmu.md` §4), in a harness that
/// stores nothing; `None` for other defenses and harnesses.
pub(crate) fn label_of(cell: &CellRow, channel: &str) -> Option<&'static str> {
    let mmu = cell.defense == "mmu" || cell.defense.starts_with("mmu:");
    match channel {
        _ if !mmu || cell.harness != "stateless" => None,
        "user" => Some("Policy"),
        "tool" | "model" => Some("Evidence"),
        _ => None,
    }
}

/// The arguments of a call, a line each.
pub(crate) fn arguments(call: &ToolCall) -> Vec<String> {
    let argument =
        |(name, value): (&String, &serde_json::Value)| line(&format!("{name} = {value}"));
    call.args.iter().map(argument).collect()
}

/// A fault in words; it names no payload.
pub(crate) fn fault_words(fault: &Fault) -> String {
    let mut out = format!("{}: {} ({})", fault.crossing.as_str(), fault.name, fault.reason);
    if let Some(argument) = &fault.argument {
        let _ = write!(out, " at `{argument}`");
    }
    match (fault.page, fault.channel) {
        (Some(page), Some(channel)) => {
            let _ = write!(out, ", from page {page} ({})", channel.as_str());
        }
        (Some(page), None) => {
            let _ = write!(out, ", from page {page}");
        }
        (None, Some(channel)) => {
            let _ = write!(out, ", from a page of channel {}", channel.as_str());
        }
        (None, None) => {}
    }
    line(&out)
}

fn fault_row_words(row: &FaultRow) -> String {
    let mut out = format!("{}: {} ({})", row.crossing, row.fault, row.reason);
    if let Some(tool) = &row.tool {
        let _ = write!(out, " in {tool}");
    }
    if let Some(argument) = &row.argument {
        let _ = write!(out, " at `{argument}`");
    }
    if let Some(page) = &row.page {
        let _ = write!(out, ", from page {page}");
    }
    line(&out)
}

/// Who approved what.
pub(crate) fn owner_words(granted: bool, row: Option<&ApprovalRow>) -> String {
    let mut out =
        format!("the owner was asked and {}", if granted { "granted it" } else { "refused" });
    if let Some(row) = row {
        let needed = if row.needed { "needed" } else { "did not need" };
        let from = if row.from_evidence { "came" } else { "did not come" };
        let _ = write!(out, " (the user's task {needed} it; a value {from} from a tool's reply)");
        if let Some(tool) = &row.tool {
            let _ = write!(out, ", tool {tool}");
        }
    }
    line(&out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_cut_and_say_so() {
        let long = "é".repeat(SIGNS + 7);
        assert!(cut(&long).ends_with("é… (7 more)"), "{}", cut(&long));
        assert_eq!(cut("short"), "short");
    }

    #[test]
    fn only_the_mmu_labels_pages() {
        let cell = |defense: &str| CellRow {
            defense: defense.into(),
            harness: "stateless".into(),
            ..CellRow::default()
        };
        assert_eq!(label_of(&cell("mmu:strict"), "user"), Some("Policy"));
        assert_eq!(label_of(&cell("mmu"), "tool"), Some("Evidence"));
        assert_eq!(label_of(&cell("none"), "user"), None);
        assert_eq!(label_of(&cell("mmux"), "user"), None);
    }
}
