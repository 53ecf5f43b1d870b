//! `plan.json`: a plan that a file says.

use std::fs;
use std::path::Path;

use runner::plan::Plan;
use serde_json::{Value, json};

use crate::exit;
use crate::failure::Failure;

/// Version of the file.
const SCHEMA: u32 = 1;

/// What the cells of a plan cost before anything runs: calls of a model, and US dollars; null where
/// that is not known before.
pub(crate) struct Cost {
    pub(crate) model_calls: Option<u64>,
    pub(crate) usd: Option<f64>,
}

impl Cost {
    /// Scripted and recorded agents call no model; of others nothing is known.
    pub(crate) fn of(plan: &Plan) -> Self {
        let free = |agent: &str| {
            report::outcome::is_scripted(agent)
                || ["recorded", "doubtful"].iter().any(|it| agent.starts_with(it))
        };
        let all_free = plan.jobs.iter().all(|job| free(&job.agent.to_string()));
        Self { model_calls: all_free.then_some(0), usd: all_free.then_some(0.0) }
    }
}

/// The plan as indented JSON: the same on every machine.
pub(crate) fn text(plan: &Plan) -> String {
    let cost = Cost::of(plan);
    let cells: Vec<Value> = plan
        .jobs
        .iter()
        .enumerate()
        .flat_map(|(number, job)| {
            job.cells.iter().map(move |cell| {
                json!({
                    "cell_id": cell.id.to_string(),
                    "pair_id": cell.pair.to_string(),
                    "job": number,
                    "scenario": job.scenario.id,
                    "kind": job.scenario.kind.as_str(),
                    "attack": job.scenario.attack,
                    "agent": job.agent.to_string(),
                    "defense": cell.defense.to_string(),
                    "owner": cell.owner.to_string(),
                    "epoch": job.epoch,
                })
            })
        })
        .collect();
    let document = json!({
        "schema_version": SCHEMA,
        "plan_id": plan.id.to_string(),
        "suite": plan.suite.name(),
        "suite_version": plan.suite.version(),
        "data_sha256": plan.suite.data_digest(),
        "seed": plan.seed,
        "jobs": plan.jobs.len(),
        "episodes": plan.episodes(),
        "model_calls": cost.model_calls,
        "cost_usd": cost.usd,
        "cells": cells,
    });
    let mut text = serde_json::to_string_pretty(&document).expect("text keys are JSON");
    text.push('\n');
    text
}

/// Refuses a plan that is not the file's.
///
/// # Errors
/// The file cannot be read, or says another plan.
pub(crate) fn check(path: &Path, plan: &Plan) -> Result<(), Failure> {
    let invalid = |message: String, hint: &str| Failure::new(exit::INVALID, message).hint(hint);
    let shown = path.display();
    let text = fs::read_to_string(path).map_err(|error| {
        invalid(format!("failed to read `{shown}`: {error}"), "write one with `bench plan -o`")
    })?;
    let said: Value = serde_json::from_str(&text).map_err(|error| {
        invalid(format!("`{shown}` is no plan: {error}"), "write one with `bench plan -o`")
    })?;
    let (said, made) = (&said["plan_id"], plan.id.to_string());
    if *said == made.as_str() {
        return Ok(());
    }
    let message =
        format!("`{shown}` says plan {}, the options make {made}", said.as_str().unwrap_or("?"));
    Err(invalid(message, "give the options that the plan was made with"))
}
