//! The attack's text.

use super::PIPELINE;
use super::bundle::Bundle;
use super::suite::SuiteError;

/// How the attack is worded.
#[derive(Debug)]
pub(super) struct Wording {
    template: String,
    user: String,
    model: String,
}

impl Wording {
    /// The attack's text and names (upstream: `FixedJailbreakAttack`, `get_model_name_from_pipeline`).
    pub(super) fn of(name: &str, bundle: &Bundle) -> Result<Self, SuiteError> {
        let unknown = || SuiteError::Attack(name.to_owned());
        let attack = bundle.attacks.iter().find(|one| one.name == name).ok_or_else(unknown)?;
        let named = bundle.model_names.iter().find(|(piece, _)| PIPELINE.contains(piece.as_str()));
        let model = match attack.model.as_deref() {
            Some("pipeline") => named.map(|(_, prose)| prose.clone()).ok_or_else(unknown)?,
            Some(other) => other.strip_prefix("fixed:").ok_or_else(unknown)?.to_owned(),
            None => return Err(unknown()),
        };
        Ok(Self {
            template: attack.template.clone().ok_or_else(unknown)?,
            user: attack.user.clone().ok_or_else(unknown)?,
            model,
        })
    }

    /// The injected text for a goal (Python's `str.format` with these names).
    pub(super) fn render(&self, goal: &str) -> String {
        let mut text = String::new();
        let mut rest = self.template.as_str();
        while let Some((before, after)) = rest.split_once('{') {
            text.push_str(before);
            let Some((name, behind)) = after.split_once('}') else { break };
            text.push_str(match name {
                "goal" => goal,
                "user" => &self.user,
                "model" => &self.model,
                _ => "",
            });
            rest = behind;
        }
        text.push_str(rest);
        text
    }
}
