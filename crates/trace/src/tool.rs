//! What is known of a tool without running it: its arguments, its effect, its capability schema.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::call::Step;
use crate::profile::Profile;

/// What a call of a tool may do outside the agent's own context.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Effect {
    /// Looks, and changes nothing.
    Read,
    /// Changes the owner's own records.
    Write,
    /// Reaches somebody or something else: sends, posts, pays, invites, fetches an address.
    External,
    /// Cannot be taken back.
    Irreversible,
}

impl Effect {
    /// Whether a call with this effect leaves a mark: everything but reading.
    pub fn is_effectful(self) -> bool {
        self != Self::Read
    }

    /// The word in files.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
            Self::External => "external",
            Self::Irreversible => "irreversible",
        }
    }
}

/// Where a page's content came from. The harness alone stamps it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Channel {
    /// Text of the harness itself: system prompt, fault texts. Never a source.
    Harness,
    /// Words that the tenant of the context typed.
    User,
    /// A tool's reply.
    Tool,
    /// What the model wrote.
    Model,
    /// A web page or a search result.
    Web,
    /// A file or an attachment.
    File,
    /// A mail or a chat message.
    Mail,
    /// Another agent's message.
    Peer,
    /// Text that the user pasted, or that a link prefilled: he sent it, and did not write it.
    Pasted,
    /// A teammate's instruction file whose exact bytes the tenant has approved.
    Instruction,
    /// A preference that the tenant set himself.
    Preference,
    /// What came back from storage; what it may count for was settled when it was stored.
    Memory,
}

impl Channel {
    /// The word in files.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Harness => "harness",
            Self::User => "user",
            Self::Tool => "tool",
            Self::Model => "model",
            Self::Web => "web",
            Self::File => "file",
            Self::Mail => "mail",
            Self::Peer => "peer",
            Self::Pasted => "pasted",
            Self::Instruction => "instruction",
            Self::Preference => "preference",
            Self::Memory => "memory",
        }
    }

    /// Whether others wrote what comes in here: neither the harness, nor the tenant, nor the agent's
    /// own model, nor storage, which says nothing of who wrote it.
    pub fn is_others(self) -> bool {
        matches!(self, Self::Tool | Self::Web | Self::File | Self::Mail | Self::Peer | Self::Pasted)
    }
}

/// The JSON type of a parameter, as upstream's signature declares it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum ParameterType {
    /// `str`
    Str,
    /// `int`
    Int,
    /// `float`
    Float,
    /// `bool`
    Bool,
    /// `dict`
    Dict,
    /// `list[items]`
    List {
        /// The type of the items.
        items: Box<ParameterType>,
    },
    /// An enumeration of texts.
    Enum {
        /// The values, in order.
        values: Vec<String>,
    },
}

/// One parameter of a tool, in signature order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Parameter {
    /// The parameter's name.
    pub name: String,
    /// What upstream's documentation says of it.
    pub description: String,
    /// Its type.
    #[serde(rename = "type")]
    pub ty: ParameterType,
    /// Whether `null` is accepted.
    pub nullable: bool,
    /// Whether it must be given.
    pub required: bool,
    /// What it is when left out; `null` where it is required.
    pub default: Value,
}

/// What an argument decides, judged from signature and effect alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Who or where the effect reaches, or who gets in: a payee, an address, a credential.
    Destination,
    /// Which of the owner's records is touched.
    Resource,
    /// How much, when, how often: a value that shapes the effect.
    Value,
    /// Words for people. Never secured.
    Free,
}

/// How two spellings of a value are compared (`mmu.md` §5).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Raw, exact token.
    Identifier,
    /// Raw, exact token.
    Path,
    /// Raw, exact token.
    Secret,
    /// Compatibility-normalised, case-folded, white space collapsed.
    Name,
    /// A mail address.
    Address,
    /// An account number such as an IBAN.
    Account,
    /// A web address: host and path are separate leaves.
    Url,
    /// A decimal number.
    Number,
    /// A decimal amount of money.
    Amount,
    /// A day.
    Date,
    /// A time of day, or a day and a time.
    Time,
    /// True or false: never traced.
    Boolean,
    /// One of a closed list: never traced.
    Enumeration,
    /// Words for people: only for arguments that are free.
    Text,
}

/// One argument of a capability schema.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ArgumentCapability {
    /// What the argument decides.
    pub role: Role,
    /// How its values are compared.
    pub kind: Kind,
    /// Whether leaving it out is safe.
    #[serde(default)]
    pub absent_safe: bool,
    /// Values that need no source, such as `false` for a switch.
    #[serde(default)]
    pub safe_values: Vec<Value>,
    /// Where the argument is an object or a list of objects: what each key decides. The argument's
    /// own role then says only which record it is about.
    #[serde(default)]
    pub fields: BTreeMap<String, ArgumentCapability>,
}

impl ArgumentCapability {
    /// The entry that decides a leaf of the argument: its own, or that of the first key on the leaf's
    /// path; `None` where the key has none.
    pub fn of_leaf(&self, path: &[Step]) -> Option<&Self> {
        if self.fields.is_empty() {
            return Some(self);
        }
        let key = path.iter().find_map(|step| match step {
            Step::Key(key) => Some(key),
            Step::Index(_) => None,
        });
        self.fields.get(key?)
    }
}

/// The capability schema of a tool: its effect, its resource key, its arguments.
#[derive(Clone, Debug, PartialEq)]
pub struct Capability {
    /// What a call may do.
    pub effect: Effect,
    /// The argument that names the record which is written or read, if any.
    pub resource_key: Option<String>,
    /// The arguments by name, in signature order.
    pub arguments: Vec<(String, ArgumentCapability)>,
}

impl Capability {
    /// The argument's entry.
    pub fn argument(&self, name: &str) -> Option<&ArgumentCapability> {
        self.arguments.iter().find(|(known, _)| known == name).map(|(_, entry)| entry)
    }
}

/// A tool as agents and defenses see it.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolSpec {
    /// The tool's name.
    pub name: String,
    /// What upstream's documentation says of it.
    pub description: String,
    /// Its parameters in signature order.
    pub parameters: Vec<Parameter>,
    /// The channel of its replies.
    pub channel: Channel,
    /// Its capability schema, reviewed.
    pub capability: Capability,
    /// The capability schema that a rule makes from names and types alone.
    pub automatic: Capability,
}

impl ToolSpec {
    /// The capability schema that a profile reads.
    pub fn capability_under(&self, profile: Profile) -> &Capability {
        match profile {
            Profile::Destinations | Profile::Resources | Profile::Strict => &self.capability,
            Profile::Auto => &self.automatic,
        }
    }
}
