//! Logs of AgentDojo's runs, in every published form, read into trajectories.
//!
//! - `native`: what upstream's own logger writes, a file an episode; the content of messages is a
//!   text (old) or a list of blocks (new).
//! - `conversations`: an object a line, with `conversations` in place of `messages`, as the harness of
//!   a defense writes it. What a tool answered stands there as the defense rewrote it.
//! - `explorer`: what Invariant's explorer exports, an object a line with `messages` and `metadata`;
//!   a file begins with a summary.

mod messages;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;
use serde_json::Value;
use trace::trajectory::{Logged, Provenance, Trajectory};
use trace::version::TRAJECTORY;
use world::banking::Banking;
use world::environment::Typed as _;
use world::slack::Slack;
use world::travel::Travel;
use world::workspace::Workspace;

use super::NAME;
use crate::import::{self, ImportError, Imported, Log};

/// Reads the logs, files of logs and files of trajectories at a path.
///
/// # Errors
/// The path cannot be read, or holds no file with the name of a log.
pub fn import(path: &Path) -> Result<Imported, ImportError> {
    import::import(path, &read)
}

/// The fields of a native log and of the `conversations` form.
#[derive(Deserialize)]
struct NativeLog {
    suite_name: String,
    pipeline_name: String,
    user_task_id: String,
    injection_task_id: Option<String>,
    attack_type: Option<String>,
    injections: Option<BTreeMap<String, String>>,
    error: Option<String>,
    utility: Option<bool>,
    security: Option<bool>,
    benchmark_version: Option<String>,
    source: Option<String>,
}

/// The metadata of an explorer's trace.
#[derive(Deserialize)]
struct ExplorerLog {
    suite_name: String,
    model: String,
    user_task_id: String,
    injection_task_id: Option<String>,
    attack_type: Option<String>,
    success: Option<bool>,
    security: Option<bool>,
    name: Option<String>,
}

/// Reads one log.
pub(super) fn read(log: &Value, provenance: Provenance) -> Result<Log, String> {
    if !log.is_object() {
        return Err("no log: a JSON object was expected".to_owned());
    }
    if let Some(conversations) = log.get("conversations") {
        return native(
            log,
            conversations,
            Provenance { form: "conversations".into(), ..provenance },
        );
    }
    match (log.get("messages"), log.get("metadata")) {
        (Some(messages), Some(metadata)) => {
            explorer(metadata, messages, Provenance { form: "explorer".into(), ..provenance })
        }
        (Some(messages), None) => {
            native(log, messages, Provenance { form: "native".into(), ..provenance })
        }
        // An explorer's file begins with a summary of itself.
        (None, Some(_)) if provenance.line == Some(1) => Ok(Log::NoLog),
        (None, _) => Err("no log: neither `messages` nor `conversations`".to_owned()),
    }
}

fn native(log: &Value, messages: &Value, provenance: Provenance) -> Result<Log, String> {
    let fields = NativeLog::deserialize(log).map_err(|error| error.to_string())?;
    if !is_known(&fields.suite_name) {
        return Ok(Log::Foreign(fields.suite_name));
    }
    let attack = fields.attack_type.filter(|attack| attack != "none");
    let course = messages::course(messages)?;
    Ok(Log::Recorded(Box::new(Trajectory {
        version: fields.benchmark_version,
        world: fields.suite_name,
        user_task: fields.user_task_id,
        injections: injections(attack.as_deref(), fields.injections),
        injection_task: fields.injection_task_id,
        attack,
        model: fields.pipeline_name,
        steps: course.steps,
        answer: course.answer,
        logged: Logged { utility: fields.utility, security: fields.security, error: fields.error },
        provenance: Provenance { origin: fields.source, ..provenance },
        ..empty()
    })))
}

fn explorer(metadata: &Value, messages: &Value, provenance: Provenance) -> Result<Log, String> {
    let fields =
        ExplorerLog::deserialize(metadata).map_err(|error| format!("in `metadata`: {error}"))?;
    if !is_known(&fields.suite_name) {
        return Ok(Log::Foreign(fields.suite_name));
    }
    let attack = fields.attack_type.filter(|attack| attack != "none");
    let course = messages::course(messages)?;
    Ok(Log::Recorded(Box::new(Trajectory {
        world: fields.suite_name,
        user_task: fields.user_task_id,
        injections: injections(attack.as_deref(), None),
        injection_task: fields.injection_task_id,
        attack,
        model: model_name(&fields.model),
        steps: course.steps,
        answer: course.answer,
        logged: Logged { utility: fields.success, security: fields.security, error: None },
        provenance: Provenance { origin: fields.name, ..provenance },
        ..empty()
    })))
}

/// The injected texts: what the log says; none without an attack, whatever it leaves out.
fn injections(
    attack: Option<&str>,
    logged: Option<BTreeMap<String, String>>,
) -> Option<BTreeMap<String, String>> {
    if attack.is_none() { Some(logged.unwrap_or_default()) } else { logged }
}

fn is_known(suite: &str) -> bool {
    [Workspace::NAME, Travel::NAME, Banking::NAME, Slack::NAME].contains(&suite)
}

/// A model's name as upstream's list has it: the explorer's file names have altered some.
fn model_name(altered: &str) -> String {
    altered.replacen("gemini-1-5-", "gemini-1.5-", 1).replacen("meta-llama_", "meta-llama/", 1)
}

fn empty() -> Trajectory {
    Trajectory {
        format: TRAJECTORY,
        set: String::new(),
        suite: NAME.to_owned(),
        version: None,
        world: String::new(),
        user_task: String::new(),
        injection_task: None,
        attack: None,
        setting: None,
        injections: None,
        model: String::new(),
        epoch: 0,
        steps: Vec::new(),
        answer: None,
        logged: Logged::default(),
        provenance: Provenance {
            form: String::new(),
            file: String::new(),
            line: None,
            origin: None,
            sha256: String::new(),
        },
    }
}
