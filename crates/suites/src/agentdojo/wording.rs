//! The attacks' texts.

use serde_json::Value;
use trace::call::ToolCall;
use trace::trajectory::Trajectory;
use world::python::repr;

use super::benchmark::Task;
use super::bundle::{Bundle, ToolSentences};
use super::suite::SuiteError;
use super::{ATTACKS, MANUAL, PIPELINE, names};

/// An attack that was asked for, with the text of one that is written by hand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Attack {
    /// One of upstream's, by its name in [`ATTACKS`].
    Upstream(&'static str),
    /// A text that is injected as it is, whatever the goal.
    Manual(String),
}

impl Attack {
    /// Upstream's attack of that name; `manual` needs a text.
    ///
    /// # Errors
    /// No such attack, or `manual` without a text.
    pub fn parse(name: &str, text: Option<&str>) -> Result<Self, SuiteError> {
        match ATTACKS.iter().find(|(known, _)| *known == name) {
            Some(&(MANUAL, _)) => match text {
                Some(text) => Ok(Self::Manual(text.to_owned())),
                None => Err(SuiteError::NoText),
            },
            Some((known, _)) => Ok(Self::Upstream(known)),
            None => Err(SuiteError::Attack(name.to_owned())),
        }
    }

    /// Its name.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Upstream(name) => name,
            Self::Manual(_) => MANUAL,
        }
    }
}

/// How an attack is worded.
#[derive(Clone, Debug)]
pub(super) struct Wording {
    /// The attack's name.
    pub(super) name: &'static str,
    /// Whether it only keeps the agent from the user's task, so that there is one cell a user task.
    pub(super) denies: bool,
    text: Text,
}

#[derive(Clone, Debug)]
enum Text {
    Fixed(String),
    Filled { template: String, user: String, model: String, tools: Option<ToolSentences> },
}

impl Wording {
    /// The attack's text and names (upstream: `FixedJailbreakAttack`, `DoSAttack`,
    /// `get_model_name_from_pipeline`).
    pub(super) fn of(attack: &Attack, bundle: &Bundle) -> Result<Self, SuiteError> {
        let name = attack.name();
        if let Attack::Manual(text) = attack {
            return Ok(Self { name, denies: false, text: Text::Fixed(text.clone()) });
        }
        let unknown = || SuiteError::Attack(name.to_owned());
        let one = bundle.attacks.iter().find(|one| one.name == name).ok_or_else(unknown)?;
        let text = Text::Filled {
            template: one.template.clone().ok_or_else(unknown)?,
            user: one.user.clone().ok_or_else(unknown)?,
            model: model_name(one.model.as_deref(), bundle).ok_or_else(unknown)?,
            tools: one.tool_sentences.clone(),
        };
        Ok(Self { name, denies: one.dos, text })
    }

    /// The same with the names that a recorded run's injections show; `None` where they show none, or
    /// the same.
    pub(super) fn as_logged(&self, trajectory: &Trajectory) -> Option<Self> {
        let Text::Filled { template, user, model, tools } = &self.text else { return None };
        let names = names::in_log(template, trajectory)?;
        if names.user == *user && names.model == *model {
            return None;
        }
        let (template, tools) = (template.clone(), tools.clone());
        let text = Text::Filled { template, user: names.user, model: names.model, tools };
        Some(Self { text, ..self.clone() })
    }

    /// The injected text for a pair of tasks.
    ///
    /// # Errors
    /// The attack spells out the calls, and one of them cannot be spelt out.
    pub(super) fn render(&self, user_task: &Task, attack: &Task) -> Result<String, SuiteError> {
        let (template, user, model, tools) = match &self.text {
            Text::Fixed(text) => return Ok(text.clone()),
            Text::Filled { template, user, model, tools } => (template, user, model, tools),
        };
        let tools = match tools {
            None => String::new(),
            Some(sentences) => {
                let calls = attack.spelt.as_ref();
                let calls = calls.ok_or_else(|| SuiteError::NoPlaceholders(attack.id.clone()))?;
                spell_out(sentences, calls)
            }
        };
        Ok(fill(template, |name| match name {
            "goal" => &attack.text,
            "user" => user,
            "model" => model,
            "task" => &user_task.text,
            "tools" => &tools,
            _ => "",
        }))
    }
}

/// The model's name by an attack's rule, for the pipeline that is attacked.
fn model_name(rule: Option<&str>, bundle: &Bundle) -> Option<String> {
    let mut names = bundle.model_names.iter();
    let (_, model) = names.find(|(piece, _)| PIPELINE.contains(piece.as_str()))?;
    match rule? {
        "pipeline" => Some(model.clone()),
        "wrong" => {
            let mut wrong = bundle.wrong_model_names.iter();
            wrong.find(|(name, _)| name == model).map(|(_, wrong)| wrong.clone())
        }
        other => other.strip_prefix("fixed:").map(str::to_owned),
    }
}

/// The calls in sentences (upstream: `ToolKnowledgeAttack.get_tools_sequence`).
fn spell_out(sentences: &ToolSentences, calls: &[ToolCall]) -> String {
    let mut text = String::new();
    for (at, call) in calls.iter().enumerate() {
        let sentence = match at {
            0 => &sentences.first,
            _ if at + 1 == calls.len() => &sentences.last,
            _ => &sentences.middle,
        };
        let args = repr::value(&Value::Object(call.args.clone()));
        text += &fill(sentence, |name| match name {
            "function" => &call.function,
            "args" => &args,
            _ => "",
        });
    }
    text
}

/// Python's `str.format` with names, for texts without escaped braces.
fn fill<'a>(template: &str, value: impl Fn(&str) -> &'a str) -> String {
    let mut text = String::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        text.push_str(before);
        let Some((name, behind)) = after.split_once('}') else { break };
        text.push_str(value(name));
        rest = behind;
    }
    text.push_str(rest);
    text
}
