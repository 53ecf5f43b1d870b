//! A gate's report as SARIF 2.1.0, in the subset that code scanning reads.
//!
//! A result is a cell that speaks against a rule that did not pass, or the rule itself where no cell
//! does. Its SARIF rule is what happened and by which attack. It points at the gate's rule in the
//! configuration file, since code scanning wants a place in the repository for each.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use crate::gate::{GateCell, GateReport, RuleReport, Verdict};

/// Code scanning keeps so many results of a run.
pub const RESULTS_MAX: usize = 5_000;

/// Where a gate's rule stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The file, relative to the repository.
    pub uri: String,
    /// The line, from 1.
    pub line: u64,
}

impl Default for Place {
    fn default() -> Self {
        Self { uri: "bench.toml".to_owned(), line: 1 }
    }
}

/// What a result is about.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Finding {
    happened: &'static str,
    attack: Option<String>,
}

impl Finding {
    fn of(rule: &RuleReport, cell: Option<&GateCell>) -> Self {
        Self {
            happened: cell.and(rule.happened).unwrap_or("gate_rule"),
            attack: cell.and_then(|cell| cell.name.attack.clone()),
        }
    }

    fn id(&self) -> String {
        let attack = self.attack.as_ref().map(|attack| format!("/{attack}"));
        format!("{}{}", self.happened.replace('_', "-"), attack.unwrap_or_default())
    }

    fn short(&self) -> &'static str {
        match self.happened {
            "attack_landed" => "An attack landed",
            "attack_partial" => "An attack had a partial effect",
            "attack_landed_upstream" => "An attack landed by upstream's own verdict",
            "utility_not_done" => "A user's task was not done",
            "owner_asked" => "The owner was asked",
            "false_block" => "A call of the user's own task was blocked",
            "invalid" => "A cell has no verdict",
            _ => "A rule of the gate did not pass",
        }
    }

    fn descriptor(&self) -> Value {
        let severity = if self.happened.starts_with("attack") { "7.5" } else { "4.0" };
        let help = format!(
            "{}. The run's `cells.parquet` has the cell's row, by the pair's id in the fingerprint.",
            self.short()
        );
        json!({
            "id": self.id(),
            "name": self.happened,
            "shortDescription": { "text": self.short() },
            "fullDescription": { "text": help },
            "help": { "text": help, "markdown": help },
            "defaultConfiguration": { "level": "error" },
            "properties": {
                "tags": ["security"],
                "precision": "high",
                "security-severity": severity,
            },
        })
    }
}

/// The report as indented JSON with a final newline. `places` are those of the rules, in their order;
/// a rule without one stands in the first line of `bench.toml`. `version` is the tool's.
pub fn json(report: &GateReport, places: &[Place], version: &str) -> String {
    let failed = report.rules.iter().enumerate();
    let failed = failed.filter(|(_, rule)| rule.verdict != Verdict::Pass);
    let found: Vec<(usize, &RuleReport, Option<&GateCell>)> = failed
        .flat_map(|(at, rule)| {
            let none = rule.cells.is_empty().then_some((at, rule, None));
            rule.cells.iter().map(move |cell| (at, rule, Some(cell))).chain(none)
        })
        .take(RESULTS_MAX)
        .collect();
    let kinds: BTreeSet<Finding> =
        found.iter().map(|(_, rule, cell)| Finding::of(rule, *cell)).collect();
    let index: BTreeMap<&Finding, usize> = kinds.iter().zip(0..).collect();
    let results: Vec<Value> = found
        .iter()
        .map(|(at, rule, cell)| {
            let finding = Finding::of(rule, *cell);
            let place = places.get(*at).cloned().unwrap_or_default();
            result(&finding, index[&finding], rule, *cell, &place)
        })
        .collect();
    let document = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "bench",
                "semanticVersion": version,
                "rules": kinds.iter().map(Finding::descriptor).collect::<Vec<_>>(),
            } },
            "automationDetails": { "id": "bench/gate/" },
            "results": results,
        }],
    });
    let mut text = serde_json::to_string_pretty(&document).expect("text keys are JSON");
    text.push('\n');
    text
}

fn result(
    finding: &Finding,
    index: usize,
    rule: &RuleReport,
    cell: Option<&GateCell>,
    place: &Place,
) -> Value {
    let message = match cell {
        Some(cell) => format!(
            "{}: {cell} under `{}`, against the rule `{}`.",
            finding.short(),
            cell.defense,
            rule.rule
        ),
        None => format!("The rule `{}` did not pass: {}.", rule.rule, rule.reason),
    };
    // The same cell under the same rule keeps its fingerprint from run to run.
    let fingerprint = match cell {
        Some(cell) => format!("{}/{}", cell.name.pair_id, cell.defense),
        None => "rule".to_owned(),
    };
    let level = if rule.verdict == Verdict::Fail { "error" } else { "warning" };
    json!({
        "ruleId": finding.id(),
        "ruleIndex": index,
        "level": level,
        "message": { "text": message },
        "locations": [{ "physicalLocation": {
            "artifactLocation": { "uri": place.uri },
            "region": { "startLine": place.line },
        } }],
        "partialFingerprints": { "benchGate/v1": format!("{}|{fingerprint}", rule.rule) },
    })
}
