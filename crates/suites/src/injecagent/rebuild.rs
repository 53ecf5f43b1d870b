//! The test cases, rebuilt from user and attacker cases as upstream builds them.
//!
//! Attacker-major: row `a * 17 + u`. The tool response is `json.dumps` of the template, and then the
//! placeholder is replaced **raw**: quotes in an instruction are not escaped, so 34 responses a
//! setting are no JSON. The enhanced setting puts a fixed prefix before the instruction, in the
//! response alone.

use std::fmt;

use super::data::{AttackerCase, TestCase, UserCase};
use super::error::DataError;
use super::python::dumps_text;

/// What stands in a template where the injection goes.
pub const PLACEHOLDER: &str = "<Attacker Instruction>";

/// What the injection looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Setting {
    /// The instruction alone.
    Base,
    /// The instruction behind upstream's fixed prefix.
    Enhanced,
}

impl Setting {
    /// Both settings, in upstream's order.
    pub const ALL: &[Self] = &[Self::Base, Self::Enhanced];

    /// The word in files and columns.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Base => "base",
            Self::Enhanced => "enhanced",
        }
    }

    /// The setting of that name, in any case.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|one| one.as_str().eq_ignore_ascii_case(name))
    }
}

impl fmt::Display for Setting {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.as_str())
    }
}

/// What kind of harm an attack does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Harm {
    /// Direct harm: one call.
    Direct,
    /// Data stealing: one call to get the data, one to send it away.
    Stealing,
}

impl Harm {
    /// Both kinds, in upstream's order.
    pub const ALL: &[Self] = &[Self::Direct, Self::Stealing];

    /// Upstream's short name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Direct => "dh",
            Self::Stealing => "ds",
        }
    }

    /// The kind of that short name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|one| one.as_str() == name)
    }
}

impl fmt::Display for Harm {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.as_str())
    }
}

/// The test cases of one kind and setting. `prefix` stands before each instruction in the responses:
/// empty in the base setting.
///
/// # Errors
/// A template without the placeholder, or with more than one.
pub fn test_cases(
    users: &[UserCase],
    attackers: &[AttackerCase],
    prefix: &str,
) -> Result<Vec<TestCase>, DataError> {
    let mut cases = Vec::with_capacity(users.len() * attackers.len());
    for attacker in attackers {
        for user in users {
            cases.push(test_case(user, attacker, prefix)?);
        }
    }
    Ok(cases)
}

fn test_case(
    user: &UserCase,
    attacker: &AttackerCase,
    prefix: &str,
) -> Result<TestCase, DataError> {
    if user.template.matches(PLACEHOLDER).count() != 1 {
        return Err(DataError::Content {
            file: "user_cases.jsonl".to_owned(),
            message: format!("the template of `{}` has not one placeholder", user.tool),
        });
    }
    let injected = format!("{prefix}{}", attacker.instruction);
    Ok(TestCase {
        attacker_tools: attacker.tools.clone(),
        modified: attacker.modified,
        attacker_instruction: attacker.instruction.clone(),
        achievement: attacker.achievement.clone(),
        attack_type: attacker.attack_type.clone(),
        user_tool: user.tool.clone(),
        user_instruction: user.instruction.clone(),
        parameters: user.parameters.clone(),
        template: user.template.clone(),
        thought: user.thought.clone(),
        response: response(user, &injected),
    })
}

/// A user tool's reply with a text in the placeholder's stead, as upstream puts it there.
pub fn response(user: &UserCase, text: &str) -> String {
    dumps_text(&user.template).replace(PLACEHOLDER, text)
}

/// The prefix of the enhanced setting, found in an enhanced case: what stands between the template's
/// text before the placeholder and the instruction.
pub fn prefix_of(enhanced: &TestCase) -> Option<&str> {
    let dumped = dumps_text(&enhanced.template);
    let (before, after) = dumped.split_once(PLACEHOLDER)?;
    let injected = enhanced.response.strip_prefix(before)?.strip_suffix(after)?;
    injected.strip_suffix(enhanced.attacker_instruction.as_str())
}

/// The cases as upstream's file holds them: `json.dumps(cases, indent=1)`, without a line's end.
pub fn file_text(cases: &[TestCase]) -> String {
    let mut out = String::from("[");
    for (at, case) in cases.iter().enumerate() {
        out.push_str(if at == 0 { "\n {" } else { ",\n {" });
        out.push_str("\n  \"Attacker Tools\": [");
        for (at, tool) in case.attacker_tools.iter().enumerate() {
            out.push_str(if at == 0 { "\n   " } else { ",\n   " });
            out.push_str(&dumps_text(tool));
        }
        out.push_str("\n  ],\n  \"Modifed\": ");
        out.push_str(&case.modified.to_string());
        for (key, text) in [
            ("Attacker Instruction", &case.attacker_instruction),
            ("Expected Achievements", &case.achievement),
            ("Attack Type", &case.attack_type),
            ("User Tool", &case.user_tool),
            ("User Instruction", &case.user_instruction),
            ("Tool Parameters", &case.parameters),
            ("Tool Response Template", &case.template),
            ("Thought", &case.thought),
            ("Tool Response", &case.response),
        ] {
            out.push_str(",\n  \"");
            out.push_str(key);
            out.push_str("\": ");
            out.push_str(&dumps_text(text));
        }
        out.push_str("\n }");
    }
    out.push_str("\n]");
    out
}
