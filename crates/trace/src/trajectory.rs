//! Recorded episodes: one form for the logs of every tool that are replayed.
//!
//! A file of trajectories holds one JSON object a line, each a [`Trajectory`]: what a real model did
//! once, and what the log itself says of it. Importers write it, `recorded:PATH` replays it. Every
//! field is there; `null` says that the log does not tell. The JSON schema is
//! `bench schema trajectory`.

use std::collections::{BTreeMap, HashMap};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::call::ToolCall;
use crate::ids::{CellId, digest};
use crate::version::TRAJECTORY;

/// One recorded episode.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Trajectory {
    /// Version of this form.
    pub format: u32,
    /// Name of the recorded set, a part of the agent's name in a run's rows. A set is of one model.
    pub set: String,
    /// The suite, such as `agentdojo`.
    pub suite: String,
    /// The suite's version.
    pub version: Option<String>,
    /// The world.
    pub world: String,
    /// The user task's id, without its world.
    pub user_task: String,
    /// The injection task's id, without its world; null without an attack.
    pub injection_task: Option<String>,
    /// The attack's name; null without one.
    pub attack: Option<String>,
    /// The suite's own setting, where it has one.
    pub setting: Option<String>,
    /// The injected texts by vector, as the attacker wrote them; empty without an attack, null where
    /// the log does not hold them: they are then made anew.
    pub injections: Option<BTreeMap<String, String>>,
    /// The model or agent, as the log names it.
    pub model: String,
    /// How many logs of the same scenario stand before this one in the set.
    pub epoch: u32,
    /// What the model did, a message a step, in order.
    pub steps: Vec<RecordedStep>,
    /// The final answer; null where the log does not end on the model's words.
    pub answer: Option<String>,
    /// What the log says of how it ended.
    pub logged: Logged,
    /// Where it comes from.
    pub provenance: Provenance,
}

/// One message of the model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RecordedStep {
    /// Its text; null where it has none.
    pub text: Option<String>,
    /// The calls that it asks for, in order.
    pub calls: Vec<RecordedCall>,
}

/// A call that a model asked for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RecordedCall {
    /// The tool's name.
    pub function: String,
    /// Its arguments by name, in the order given.
    pub args: serde_json::Map<String, serde_json::Value>,
    /// What came back in the log; null where nothing did, so that the call was never carried out.
    pub reply: Option<RecordedReply>,
}

/// What a tool answered in the log, as far as the log shows it: another defense may have rewritten it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RecordedReply {
    /// The text; empty beside an error.
    pub text: String,
    /// The error, where there was one.
    pub error: Option<String>,
}

/// What a log says of how its episode ended.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Logged {
    /// Whether the user's task was done.
    pub utility: Option<bool>,
    /// The suite's own verdict on the attack, in upstream's sense: for `AgentDojo` true means that it
    /// succeeded, or that there was none.
    pub security: Option<bool>,
    /// The error that ended the episode.
    pub error: Option<String>,
}

/// Where a trajectory comes from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Provenance {
    /// The form of the log: `native`, `conversations`, `explorer`, or a name of the suite's own.
    pub form: String,
    /// The log's file: its path below the folder that was imported, or its name; never an absolute
    /// path.
    pub file: String,
    /// The line of the file, from 1; null where the file is one log.
    pub line: Option<u64>,
    /// What the log itself names as its origin.
    pub origin: Option<String>,
    /// SHA-256 of the log: of its line, or of the whole file.
    pub sha256: String,
}

impl RecordedCall {
    /// The call as an agent asks for it.
    pub fn to_call(&self) -> ToolCall {
        ToolCall { function: self.function.clone(), args: self.args.clone() }
    }
}

impl Trajectory {
    /// Every call, in order.
    pub fn calls(&self) -> impl Iterator<Item = &RecordedCall> {
        self.steps.iter().flat_map(|step| &step.calls)
    }

    /// The scenario's name in messages: `banking/user_task_0+injection_task_3`.
    pub fn scenario(&self) -> String {
        let injection = self.injection_task.iter().map(|task| format!("+{task}"));
        format!("{}/{}{}", self.world, self.user_task, injection.collect::<String>())
    }

    /// Reads a line of a file of trajectories.
    ///
    /// # Errors
    /// The line is no JSON of this form, or of another version of it.
    pub fn parse(line: &str) -> Result<Self, TrajectoryError> {
        #[derive(Deserialize)]
        struct Head {
            format: u32,
        }
        let head: Head = serde_json::from_str(line)?;
        if head.format != TRAJECTORY {
            return Err(TrajectoryError::Format(head.format));
        }
        Ok(serde_json::from_str(line)?)
    }

    /// The line of a file of trajectories, without its end.
    pub fn to_line(&self) -> String {
        serde_json::to_string(self).expect("text keys and plain values are JSON")
    }

    /// The digest of what was recorded: of everything but the set's name and the provenance.
    fn content_digest(&self) -> String {
        let content = (
            (&self.suite, &self.version, &self.world, &self.user_task, &self.injection_task),
            (&self.attack, &self.setting, &self.injections, &self.model, self.epoch),
            (&self.steps, &self.answer, &self.logged),
        );
        digest(&serde_json::to_string(&content).expect("plain data"))
    }

    /// What must be the same for two logs to be of one scenario.
    fn scenario_key(&self) -> CellId {
        let or_empty = |text: &Option<String>| text.clone().unwrap_or_default();
        CellId::of(&[
            &self.set,
            &self.suite,
            &or_empty(&self.version),
            &self.world,
            &self.user_task,
            &or_empty(&self.injection_task),
            &or_empty(&self.attack),
            &or_empty(&self.setting),
        ])
    }
}

/// A line that is no trajectory.
#[derive(Debug, thiserror::Error)]
pub enum TrajectoryError {
    /// It does not have the form.
    #[error("no trajectory: {0}")]
    Form(#[from] serde_json::Error),
    /// It has another version of the form.
    #[error("trajectory has form {0}, expected {TRAJECTORY}")]
    Format(u32),
}

/// Numbers the logs of each scenario: the second one of the same scenario is epoch 1.
pub fn number_epochs(trajectories: &mut [Trajectory]) {
    let mut seen: HashMap<CellId, u32> = HashMap::new();
    for trajectory in trajectories {
        let next = seen.entry(trajectory.scenario_key()).or_default();
        trajectory.epoch = *next;
        *next += 1;
    }
}

/// The name of a recorded set as an agent: `recorded/NAME@DIGEST`, never a path. The digest is over
/// what was recorded, in order, so that a set has the same name however its logs are filed.
pub fn agent_name<'t>(set: &str, trajectories: impl IntoIterator<Item = &'t Trajectory>) -> String {
    let digests = trajectories.into_iter().map(Trajectory::content_digest);
    let all = digest(&digests.collect::<Vec<_>>().join("\n"));
    format!("recorded/{set}@{}", &all[..12])
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn trajectory(user_task: &str) -> Trajectory {
        let line = json!({
            "format": TRAJECTORY, "set": "s", "suite": "agentdojo", "version": null,
            "world": "banking", "user_task": user_task, "injection_task": null, "attack": null,
            "setting": null, "injections": {}, "model": "m", "epoch": 0,
            "steps": [{"text": null, "calls": [
                {"function": "get_iban", "args": {}, "reply": {"text": "x", "error": null}}]}],
            "answer": "done", "logged": {"utility": true, "security": null, "error": null},
            "provenance": {"form": "native", "file": "a.json", "line": null, "origin": null,
                           "sha256": ""}
        });
        Trajectory::parse(&line.to_string()).expect("it has the form")
    }

    #[test]
    fn a_line_reads_as_it_was_written() {
        let one = trajectory("user_task_0");
        assert_eq!(Trajectory::parse(&one.to_line()).expect("it has the form"), one);
        assert_eq!(one.calls().count(), 1);
    }

    #[test]
    fn another_form_or_an_unknown_field_is_refused() {
        let line = trajectory("user_task_0").to_line();
        let later = line.replacen("\"format\":1", "\"format\":7", 1);
        let error = Trajectory::parse(&later).expect_err("another form");
        assert_eq!(error.to_string(), "trajectory has form 7, expected 1");
        let unknown = line.replacen("\"set\":", "\"sett\":", 1);
        let error = Trajectory::parse(&unknown).expect_err("a field is misspelt");
        assert!(error.to_string().contains("unknown field `sett`"), "{error}");
    }

    #[test]
    fn a_second_log_of_a_scenario_is_the_next_epoch() {
        let mut set = ["user_task_0", "user_task_1", "user_task_0"].map(trajectory);
        number_epochs(&mut set);
        assert_eq!(set.map(|one| one.epoch), [0, 0, 1]);
    }

    #[test]
    fn a_set_is_named_by_what_was_recorded_and_not_by_where() {
        let one = trajectory("user_task_0");
        let mut moved = one.clone();
        moved.provenance.file = "b.json".to_owned();
        assert_eq!(agent_name("s", [&one]), agent_name("s", [&moved]));
        let mut changed = one.clone();
        changed.steps[0].calls[0].function = "get_balance".to_owned();
        assert_ne!(agent_name("s", [&one]), agent_name("s", [&changed]));
        assert!(agent_name("s", [&one]).starts_with("recorded/s@"));
    }
}
