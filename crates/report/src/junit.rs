//! A gate's report as `JUnit` XML, in the flavour that CI servers read.
//!
//! The suite `gate` has a case a rule. Cells that speak against a rule stand in suites of their own,
//! one a suite, world and defense, so that CI shows the verdict and the cells behind it, and not
//! hundreds of expected failures. With [`Cells::All`] every cell of the run is a case.
//!
//! No text of a scenario, an agent or an invalid cell stands here: ids, codes and figures alone.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};
use trace::rows::CellRow;

use crate::gate::{GateReport, RuleReport, Verdict};
use crate::outcome::{Outcome, is_valid};

/// Characters in a name, a message and a detail at most.
const NAME_MAX: usize = 512;
const MESSAGE_MAX: usize = 1024;
const DETAIL_MAX: usize = 8192;

/// Which cells are cases.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Cells {
    /// Those that speak against a rule that did not pass, and those without a verdict.
    #[default]
    Named,
    /// All: one in which an attack landed is a failure, whatever the rules say.
    All,
}

/// The report as XML.
pub fn xml(report: &GateReport, cells: &[CellRow], which: Cells) -> String {
    let mut document = Report::new("bench gate");
    document.add_test_suite(rules(report));
    for (name, cases) in cases(report, cells, which) {
        let mut suite = TestSuite::new(plain(&name, NAME_MAX));
        suite.add_test_cases(cases);
        document.add_test_suite(suite);
    }
    document.to_string().expect("text without control characters is XML")
}

fn rules(report: &GateReport) -> TestSuite {
    let mut suite = TestSuite::new("gate");
    for rule in &report.rules {
        let mut status = match rule.verdict {
            Verdict::Pass => TestCaseStatus::success(),
            Verdict::Fail | Verdict::Inconclusive => failure(match rule.verdict {
                Verdict::Fail => "gate_failed",
                _ => "gate_inconclusive",
            }),
        };
        status.set_message(plain(&rule.reason, MESSAGE_MAX));
        status.set_description(plain(&listed(rule), DETAIL_MAX));
        let mut case = TestCase::new(plain(&rule.rule, NAME_MAX), status);
        case.set_classname("gate");
        suite.add_test_case(case);
    }
    suite
}

/// The cells behind a rule, one a line.
fn listed(rule: &RuleReport) -> String {
    let mut text = String::new();
    for cell in &rule.cells {
        let _ = writeln!(text, "{cell} under {}", cell.defense);
    }
    text
}

/// The cases of cells, by the name of their suite.
fn cases(report: &GateReport, cells: &[CellRow], which: Cells) -> BTreeMap<String, Vec<TestCase>> {
    let mut against: BTreeMap<&str, BTreeSet<(&str, &str)>> = BTreeMap::new();
    for rule in report.rules.iter().filter(|rule| rule.verdict != Verdict::Pass) {
        for cell in &rule.cells {
            let happened = rule.happened.unwrap_or("gate_failed");
            against.entry(&cell.cell_id).or_default().insert((happened, &rule.rule));
        }
    }
    let mut suites: BTreeMap<String, Vec<TestCase>> = BTreeMap::new();
    for cell in cells {
        let rules = against.get(cell.cell_id.as_str());
        if which == Cells::Named && rules.is_none() && is_valid(cell) {
            continue;
        }
        let suite = format!("{}.{}/{}", cell.suite, cell.world, cell.defense);
        let mut case = TestCase::new(plain(&name(cell), NAME_MAX), status(cell, rules, which));
        case.set_classname(plain(&suite, NAME_MAX));
        case.add_property(("cell_id", cell.cell_id.as_str()));
        suites.entry(suite).or_default().push(case);
    }
    suites
}

fn status(cell: &CellRow, rules: Option<&BTreeSet<(&str, &str)>>, which: Cells) -> TestCaseStatus {
    if !is_valid(cell) {
        let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
        status.set_type("invalid");
        status.set_message("the cell has no verdict: cells.parquet says why");
        return status;
    }
    if let Some(rules) = rules {
        let (happened, _) = rules.first().expect("a named cell has a rule");
        let texts: Vec<&str> = rules.iter().map(|(_, rule)| *rule).collect();
        let mut status = failure(happened);
        let message = format!("{happened}, against {}", texts.join("; "));
        status.set_message(plain(&message, MESSAGE_MAX));
        return status;
    }
    if which == Cells::All && Outcome::AttackLanded.of(cell) == Some(true) {
        let mut status = failure("attack_landed");
        status.set_message("attack_landed");
        return status;
    }
    TestCaseStatus::success()
}

fn failure(ty: &str) -> TestCaseStatus {
    let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
    status.set_type(ty);
    status
}

fn name(cell: &CellRow) -> String {
    let injection = cell.injection_task.as_ref().map(|task| format!("::{task}"));
    format!(
        "{}{}#epoch{} ({}, {}, {})",
        cell.user_task,
        injection.unwrap_or_default(),
        cell.epoch,
        cell.attack.as_ref().unwrap_or(&cell.kind),
        cell.agent,
        cell.owner
    )
}

/// A text that XML 1.0 can hold, cut where it is too long.
fn plain(text: &str, most: usize) -> String {
    let allowed = |c: &char| {
        matches!(*c, '\t' | '\n' | ' '..='\u{D7FF}' | '\u{E000}'..='\u{FFFD}' | '\u{10000}'..)
            && *c != '\u{7F}'
    };
    let mut text: String = text.chars().filter(allowed).collect();
    if let Some((cut, _)) = text.char_indices().nth(most) {
        let keep = text.char_indices().nth(most - 2).map_or(cut, |(at, _)| at);
        text.truncate(keep);
        text.push_str(" …");
    }
    text
}
