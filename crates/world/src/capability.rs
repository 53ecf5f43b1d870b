//! The capability schemas of the worlds' tools, from the YAML files beside this module.
//!
//! They are part of a world's description, so that both the defenses that enforce them and the
//! code that decides what is inside a guarantee read one source.

use indexmap::IndexMap;
use serde::Deserialize;
use trace::tool::{ArgumentCapability, Capability, Effect, Kind, Parameter, Role};

use crate::yaml::{self, YamlError};

/// A capability schema that is absent or does not fit its tool.
#[derive(Debug, thiserror::Error)]
pub enum CapabilityError {
    /// The world has no file of capability schemas.
    #[error("world `{0}` has no capability schemas")]
    NoFile(String),
    /// The file cannot be read.
    #[error(transparent)]
    Yaml(#[from] YamlError),
    /// A tool has no entry.
    #[error("{file}: tool `{tool}` has no capability schema")]
    MissingTool {
        /// The file.
        file: String,
        /// The tool.
        tool: String,
    },
    /// An entry names no tool.
    #[error("{file}: `{tool}` is no tool of this world")]
    UnknownTool {
        /// The file.
        file: String,
        /// The name.
        tool: String,
    },
    /// An entry's arguments are not the tool's parameters.
    #[error("{file}: arguments of `{tool}` are `{got}`, expected `{expected}`")]
    Arguments {
        /// The file.
        file: String,
        /// The tool.
        tool: String,
        /// The arguments of the entry.
        got: String,
        /// The tool's parameters.
        expected: String,
    },
    /// Words for people have no form to be compared in, so they cannot be secured; and what is
    /// free is not compared.
    #[error("{file}: argument `{argument}` of `{tool}`: role `free` and kind `text` go together")]
    Text {
        /// The file.
        file: String,
        /// The tool.
        tool: String,
        /// The argument.
        argument: String,
    },
    /// A resource key names no argument.
    #[error("{file}: resource key `{key}` is no argument of `{tool}`")]
    ResourceKey {
        /// The file.
        file: String,
        /// The tool.
        tool: String,
        /// The name.
        key: String,
    },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    effect: Effect,
    #[serde(default)]
    resource_key: Option<String>,
    #[serde(default)]
    arguments: IndexMap<String, ArgumentCapability>,
}

const FILES: &[(&str, &str)] = &[
    ("travel", include_str!("capabilities/travel.yaml")),
    ("banking", include_str!("capabilities/banking.yaml")),
    ("slack", include_str!("capabilities/slack.yaml")),
    ("workspace", include_str!("capabilities/workspace.yaml")),
];

/// The capability schemas of one world, to be handed out tool by tool.
pub(crate) struct Capabilities {
    file: String,
    entries: IndexMap<String, Written>,
}

/// The capability schemas of a world.
pub(crate) fn of_world(world: &str) -> Result<Capabilities, CapabilityError> {
    let text = FILES
        .iter()
        .find(|(name, _)| *name == world)
        .map(|(_, text)| *text)
        .ok_or_else(|| CapabilityError::NoFile(world.to_owned()))?;
    let file = format!("capabilities/{world}.yaml");
    let entries = yaml::read(&file, text)?;
    Ok(Capabilities { file, entries })
}

impl Capabilities {
    /// The tool's schema; its arguments must be exactly the tool's parameters, in order.
    pub(crate) fn take(
        &mut self,
        tool: &str,
        parameters: &[Parameter],
    ) -> Result<Capability, CapabilityError> {
        let (file, owned) = (self.file.clone(), tool.to_owned());
        let Some(written) = self.entries.shift_remove(tool) else {
            return Err(CapabilityError::MissingTool { file, tool: owned });
        };
        let got: Vec<&str> = written.arguments.keys().map(String::as_str).collect();
        let expected: Vec<&str> = parameters.iter().map(|p| p.name.as_str()).collect();
        if got != expected {
            let (got, expected) = (got.join(", "), expected.join(", "));
            return Err(CapabilityError::Arguments { file, tool: owned, got, expected });
        }
        let mixed = written
            .arguments
            .iter()
            .find(|(_, entry)| (entry.role == Role::Free) != (entry.kind == Kind::Text));
        if let Some((argument, _)) = mixed {
            let argument = argument.clone();
            return Err(CapabilityError::Text { file, tool: owned, argument });
        }
        if let Some(key) = written.resource_key.as_ref()
            && !written.arguments.contains_key(key)
        {
            return Err(CapabilityError::ResourceKey { file, tool: owned, key: key.clone() });
        }
        Ok(Capability {
            effect: written.effect,
            resource_key: written.resource_key,
            arguments: written.arguments.into_iter().collect(),
        })
    }

    /// Refuses entries that name no tool.
    pub(crate) fn finish(self) -> Result<(), CapabilityError> {
        match self.entries.into_iter().next() {
            None => Ok(()),
            Some((tool, _)) => Err(CapabilityError::UnknownTool { file: self.file, tool }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tools_that_two_worlds_share_have_one_schema() {
        let text = |world: &str| FILES.iter().find(|(name, _)| *name == world).unwrap().1;
        let read = |world| -> IndexMap<String, serde_json::Value> {
            yaml::read(world, text(world)).unwrap()
        };
        let (workspace, travel) = (read("workspace"), read("travel"));
        let shared: Vec<_> = travel.keys().filter(|tool| workspace.contains_key(*tool)).collect();
        assert_eq!(shared.len(), 5, "{shared:?}");
        for tool in shared {
            assert_eq!(travel[tool], workspace[tool], "{tool}");
        }
    }
}
