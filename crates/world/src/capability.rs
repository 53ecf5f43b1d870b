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
    /// Two files of a world have an entry for one tool.
    #[error("{file}: tool `{tool}` has two capability schemas")]
    Twice {
        /// The second file.
        file: String,
        /// The tool.
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

/// A file of a world.
struct File {
    world: &'static str,
    name: &'static str,
    text: &'static str,
}

macro_rules! file {
    ($world:literal, $name:literal) => {
        File {
            world: $world,
            name: concat!("capabilities/", $name),
            text: include_str!(concat!("capabilities/", $name)),
        }
    };
}

/// The files of the worlds; a world may have several.
const FILES: &[File] = &[
    file!("travel", "travel.yaml"),
    file!("banking", "banking.yaml"),
    file!("slack", "slack.yaml"),
    file!("workspace", "workspace.yaml"),
    file!("injecagent", "injecagent/office.yaml"),
    file!("injecagent", "injecagent/money.yaml"),
    file!("injecagent", "injecagent/places.yaml"),
    file!("injecagent", "injecagent/people.yaml"),
];

/// The capability schemas of one world, to be handed out tool by tool.
pub(crate) struct Capabilities {
    file: String,
    entries: IndexMap<String, Written>,
}

/// The capability schemas of a world.
pub(crate) fn of_world(world: &str) -> Result<Capabilities, CapabilityError> {
    let files = || FILES.iter().filter(|file| file.world == world);
    let mut entries = IndexMap::new();
    for File { name, text, .. } in files() {
        let read: IndexMap<String, Written> = yaml::read(name, text)?;
        for (tool, written) in read {
            if entries.insert(tool.clone(), written).is_some() {
                return Err(CapabilityError::Twice { file: (*name).to_owned(), tool });
            }
        }
    }
    let names: Vec<&str> = files().map(|file| file.name).collect();
    if names.is_empty() {
        return Err(CapabilityError::NoFile(world.to_owned()));
    }
    let file = names.join(", ");
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
        let text = |world: &str| FILES.iter().find(|file| file.world == world).unwrap().text;
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
