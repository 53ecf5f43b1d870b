//! Approvals that an owner gives in advance: of calls that nobody has asked for yet.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::course::Content;
use crate::tool::{Channel, Kind, ParameterType, ToolSpec};

/// An approval given in advance. It is about whole calls: an argument that is not listed is not
/// covered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Allowance {
    /// Its name within the course, by which the owner takes it back.
    pub name: String,
    /// The tool.
    pub tool: String,
    /// The arguments, in order.
    pub arguments: Vec<(String, Allowed)>,
    /// Where the values must come from that the owner does not vouch for.
    pub source: Source,
    /// How much the calls may move.
    #[serde(default)]
    pub limit: Option<Limit>,
    /// How many calls it covers; any number where there is none.
    #[serde(default)]
    pub uses: Option<u32>,
    /// How long it holds, in seconds from the moment it is given, the last one included; for ever
    /// where there is none.
    #[serde(default)]
    pub expires: Option<u64>,
}

/// What an argument may be.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Allowed {
    /// Whatever comes from the source. It may be left out.
    Any,
    /// One of these, or several of them in a list. The owner vouches for them.
    OneOf(Vec<Value>),
}

/// Where values come from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Source {
    /// What came in by this channel.
    Channel(Channel),
    /// This content. Revoking it ends the approval.
    Content(Content),
}

/// The channels that values may come in by: all by which something enters that the owner did not type,
/// that is not the agent's own, and of which the channel is still known.
pub const CHANNELS: &[Channel] = &[
    Channel::Tool,
    Channel::Web,
    Channel::File,
    Channel::Mail,
    Channel::Peer,
    Channel::Pasted,
    Channel::Preference,
    Channel::Instruction,
];

/// How much calls may move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limit {
    /// The argument that says how much.
    pub argument: String,
    /// The largest amount of one call, in digits as [`is_amount`] reads them.
    pub each: String,
    /// The largest amount of all calls together.
    pub total: String,
}

/// Whether a text is an amount of a limit: at most 18 digits, and at most 9 behind a point.
pub fn is_amount(text: &str) -> bool {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    let digits = |text: &str, most: usize| {
        (1..=most).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
    };
    digits(whole, 18) && digits(fraction, 9)
}

/// Whether an argument of a tool is a number, so that a limit can be about it.
pub fn counts(tool: &ToolSpec, argument: &str) -> bool {
    let typed =
        tool.parameters.iter().find(|one| one.name == argument).is_some_and(|parameter| {
            matches!(parameter.ty, ParameterType::Int | ParameterType::Float)
        });
    let kind = tool.capability.argument(argument).map(|entry| entry.kind);
    typed || matches!(kind, Some(Kind::Number | Kind::Amount))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_digits_with_at_most_nine_behind_the_point() {
        for text in ["0", "600", "599.50", "0.000000001", "999999999999999999"] {
            assert!(is_amount(text), "{text}");
        }
        for text in ["", "-1", "1e3", "1,000", "1.", ".5", "0.0000000001", "1000000000000000000"] {
            assert!(!is_amount(text), "{text}");
        }
    }
}
