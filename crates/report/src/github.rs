//! A gate's report where GitHub shows it: the summary of a step, and annotations.

use std::fmt::Write as _;

use crate::gate::{GateReport, RuleReport, Verdict};
use crate::sarif::Place;

/// The most that GitHub takes for the summary of one step, in bytes; above it shows none of it.
pub const SUMMARY_MAX: usize = 1 << 20;

/// GitHub shows so many annotations of a level and step.
const ANNOTATIONS_MAX: usize = 10;

/// What stands where the rest did not fit.
const CUT: &str = "\n\n… cut here: the rest is in the gate's JSON, `bench gate --format json`.\n";

/// The Markdown for `$GITHUB_STEP_SUMMARY`, in at most `room` bytes; empty where not even a line
/// fits.
pub fn summary(report: &GateReport, room: usize) -> String {
    let mut text = report.markdown();
    for rule in report.rules.iter().filter(|rule| rule.verdict != Verdict::Pass) {
        if rule.cells.is_empty() {
            continue;
        }
        let _ = write!(text, "\n## Against `{}`\n\n", rule.rule);
        for cell in &rule.cells {
            let _ = writeln!(text, "- {cell} under `{}`", cell.defense);
        }
    }
    text.push('\n');
    if text.len() <= room {
        return text;
    }
    let Some(room) = room.checked_sub(CUT.len()) else { return String::new() };
    let room = (0..=room).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    // Whole lines, so that no table ends within a row.
    let end = text[..room].rfind('\n').unwrap_or(0);
    text.truncate(end);
    text.push_str(CUT);
    text
}

/// A workflow command for each rule that did not pass, one a line: errors for those that failed,
/// warnings for those that are inconclusive. Where there are more than GitHub shows, the last says
/// how many.
pub fn annotations(report: &GateReport, places: &[Place]) -> String {
    let mut text = String::new();
    for (verdict, command) in [(Verdict::Fail, "error"), (Verdict::Inconclusive, "warning")] {
        let rules = report.rules.iter().enumerate();
        let rules: Vec<_> = rules.filter(|(_, rule)| rule.verdict == verdict).collect();
        let shown = if rules.len() > ANNOTATIONS_MAX { ANNOTATIONS_MAX - 1 } else { rules.len() };
        for (at, rule) in &rules[..shown] {
            let place = places.get(*at).cloned().unwrap_or_default();
            text.push_str(&annotation(command, rule, &place));
        }
        if rules.len() > shown {
            let _ = writeln!(text, "::{command}::{} more rules", rules.len() - shown);
        }
    }
    text
}

fn annotation(command: &str, rule: &RuleReport, place: &Place) -> String {
    let word = if command == "error" { "failed" } else { "is inconclusive" };
    format!(
        "::{command} file={},line={},title={}::{}\n",
        property(&place.uri),
        place.line,
        property(&format!("gate {word}: {}", rule.rule)),
        data(&rule.reason)
    )
}

fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
