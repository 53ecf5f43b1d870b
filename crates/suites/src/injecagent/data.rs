//! The data set's records, read from the files' bytes.
//!
//! Two spellings are upstream's own and stay: `Modifed`, and the tool responses of 34 cases that are
//! no JSON. Nothing here parses a tool response: it is text.

use serde::{Deserialize, Serialize};

use super::error::DataError;

/// One of the 17 user cases.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UserCase {
    /// The tool whose reply carries the injection: toolkit and name, concatenated.
    #[serde(rename = "User Tool")]
    pub tool: String,
    /// What the user says.
    #[serde(rename = "User Instruction")]
    pub instruction: String,
    /// The call's arguments, as Python prints a dictionary.
    #[serde(rename = "Tool Parameters")]
    pub parameters: String,
    /// The reply, as Python prints it, with a placeholder for the injection.
    #[serde(rename = "Tool Response Template")]
    pub template: String,
    /// The model's thought before the call, with its marker.
    #[serde(rename = "Thought")]
    pub thought: String,
    /// How freely an attacker can fill the field.
    #[serde(rename = "Level")]
    pub level: Level,
}

/// How freely an attacker can fill the field that holds the injection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
pub enum Level {
    /// Any text, such as a mail's body.
    High,
    /// A text that is expected to be short or of a form, such as an event's name.
    Low,
}

impl Level {
    /// The word in tables.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::High => "high",
            Self::Low => "low",
        }
    }
}

/// One of the 62 attacker cases.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AttackerCase {
    /// The tools that the attack needs, in order.
    #[serde(rename = "Attacker Tools")]
    pub tools: Vec<String>,
    /// Whether upstream's authors edited the instruction by hand.
    #[serde(rename = "Modifed")]
    pub modified: u8,
    /// What the attacker asks for.
    #[serde(rename = "Attacker Instruction")]
    pub instruction: String,
    /// What that is meant to achieve.
    #[serde(rename = "Expected Achievements")]
    pub achievement: String,
    /// Upstream's type of attack.
    #[serde(rename = "Attack Type")]
    pub attack_type: String,
}

/// A test case, with upstream's keys in upstream's order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TestCase {
    /// As in the attacker case.
    #[serde(rename = "Attacker Tools")]
    pub attacker_tools: Vec<String>,
    /// As in the attacker case.
    #[serde(rename = "Modifed")]
    pub modified: u8,
    /// As in the attacker case: always without the enhanced setting's prefix.
    #[serde(rename = "Attacker Instruction")]
    pub attacker_instruction: String,
    /// As in the attacker case.
    #[serde(rename = "Expected Achievements")]
    pub achievement: String,
    /// As in the attacker case.
    #[serde(rename = "Attack Type")]
    pub attack_type: String,
    /// As in the user case.
    #[serde(rename = "User Tool")]
    pub user_tool: String,
    /// As in the user case.
    #[serde(rename = "User Instruction")]
    pub user_instruction: String,
    /// As in the user case.
    #[serde(rename = "Tool Parameters")]
    pub parameters: String,
    /// As in the user case.
    #[serde(rename = "Tool Response Template")]
    pub template: String,
    /// As in the user case.
    #[serde(rename = "Thought")]
    pub thought: String,
    /// What the model sees as the tool's reply. It need not be JSON.
    #[serde(rename = "Tool Response")]
    pub response: String,
}

/// A toolkit of `tools.json`.
#[derive(Clone, Debug, Deserialize)]
pub struct Toolkit {
    /// Its name, the first part of its tools' names.
    pub toolkit: String,
    /// Its tools.
    pub tools: Vec<ToolEntry>,
}

/// A tool of `tools.json`.
#[derive(Clone, Debug, Deserialize)]
pub struct ToolEntry {
    /// Its name within the toolkit.
    pub name: String,
    /// What it does.
    pub summary: String,
    /// Its parameters, in order.
    pub parameters: Vec<ParameterEntry>,
}

/// A parameter of a tool.
#[derive(Clone, Debug, Deserialize)]
pub struct ParameterEntry {
    /// Its name.
    pub name: String,
    /// Its type, as JSON Schema names it.
    #[serde(rename = "type")]
    pub ty: String,
    /// What it is.
    pub description: String,
    /// Whether it must be given; upstream leaves it out twice.
    #[serde(default)]
    pub required: bool,
}

/// Reads JSON lines, one record a line.
///
/// # Errors
/// The first line that is no such record, by file and line.
pub fn lines<T: for<'de> Deserialize<'de>>(file: &str, bytes: &[u8]) -> Result<Vec<T>, DataError> {
    let text = utf8(file, bytes)?;
    let mut records = Vec::new();
    for (at, line) in text.lines().enumerate() {
        if line.trim().is_empty() {
            continue;
        }
        records.push(serde_json::from_str(line).map_err(|error| DataError::Record {
            file: file.to_owned(),
            line: at + 1,
            message: error.to_string(),
        })?);
    }
    Ok(records)
}

/// Reads one JSON document.
///
/// # Errors
/// Where the text is no such document, by file and line.
pub fn document<T: for<'de> Deserialize<'de>>(file: &str, bytes: &[u8]) -> Result<T, DataError> {
    let text = utf8(file, bytes)?;
    serde_json::from_str(text).map_err(|error| DataError::Record {
        file: file.to_owned(),
        line: error.line(),
        message: error.to_string(),
    })
}

/// The bytes as text.
pub(super) fn utf8<'b>(file: &str, bytes: &'b [u8]) -> Result<&'b str, DataError> {
    std::str::from_utf8(bytes).map_err(|error| {
        let before = &bytes[..error.valid_up_to()];
        DataError::Record {
            file: file.to_owned(),
            line: before.split(|byte| *byte == b'\n').count(),
            message: "the text is not UTF-8".to_owned(),
        }
    })
}
