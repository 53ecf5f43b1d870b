//! `bench.toml`: options that stand in a file.
//!
//! An option is taken from the command line, else from its `BENCH_*` variable, else from the profile,
//! else from the file, else it is built in. A section is a subcommand, a key one of its long options:
//!
//! ```toml
//! [run]
//! defense = ["none", "mmu"]
//!
//! [gate]
//! rules = ["new_landed == 0"]
//!
//! [profile.ci]
//! inherits = "base"
//! [profile.ci.run]
//! quiet = true
//! ```
//!
//! What stands there becomes the option's default, so that the command line reads it as it reads its
//! own. Unknown sections and keys are errors.

mod known;
mod read;
mod show;

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use clap::Command;

use crate::exit;
use crate::failure::Failure;

use known::SECTIONS;
pub(crate) use show::show;

/// Where the file is looked for, in each folder upward.
const NAMES: &[&str] = &["bench.toml", ".config/bench.toml"];

/// Options that stand in a file.
#[derive(Debug, Default)]
pub(crate) struct Config {
    /// The file.
    file: Option<PathBuf>,
    /// The profile that was asked for.
    profile: Option<String>,
    /// What is set, by section and key.
    settings: BTreeMap<(&'static str, String), Setting>,
}

/// What a key is set to, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Setting {
    /// The values as the command line would take them, each with its line.
    pub(crate) values: Vec<(String, u64)>,
    /// Whether they stand in a list.
    pub(crate) is_list: bool,
    /// The line of the key.
    pub(crate) line: u64,
    /// The profile that they stand in.
    pub(crate) profile: Option<String>,
}

/// Where the effective value of an option comes from.
pub(crate) enum Origin<'c> {
    /// The environment.
    Variable(String),
    /// The file.
    File(&'c Path, &'c Setting),
    /// The program.
    BuiltIn,
}

impl fmt::Display for Origin<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Variable(name) => write!(out, "environment {name}"),
            Self::File(path, setting) => {
                write!(out, "{}:{}", path.display(), setting.line)?;
                match &setting.profile {
                    Some(profile) => write!(out, " (profile {profile})"),
                    None => Ok(()),
                }
            }
            Self::BuiltIn => out.write_str("built in"),
        }
    }
}

impl Config {
    /// Reads the file that is named, or else the nearest one upward from `start`; none is no error.
    /// An empty name means that none is to be read. `cli` is what the options are compared with.
    ///
    /// # Errors
    /// The file cannot be read; an unknown section, key, value or profile.
    pub(crate) fn load(
        named: Option<&Path>,
        profile: Option<&str>,
        start: &Path,
        cli: &Command,
    ) -> Result<Self, Failure> {
        let found = match named {
            Some(path) if path.as_os_str().is_empty() => None,
            Some(path) => Some(path.to_path_buf()),
            None => nearest(start),
        };
        let Some(path) = found else {
            return match profile {
                None => Ok(Self::default()),
                Some(name) => {
                    let message = format!("no profile `{name}`: there is no `bench.toml`");
                    Err(Failure::new(exit::INVALID, message).hint("write one, or give --config"))
                }
            };
        };
        let text = std::fs::read_to_string(&path).map_err(|error| {
            let message = format!("failed to read `{}`: {error}", path.display());
            Failure::new(exit::INVALID, message).hint("give another file with --config")
        })?;
        // A path below the folder is shown as seen from there.
        let shown = path.strip_prefix(start).unwrap_or(&path).to_path_buf();
        let settings =
            read::settings(&text, profile, cli).map_err(|bad| bad.into_failure(&shown))?;
        Ok(Self { file: Some(shown), profile: profile.map(str::to_owned), settings })
    }

    /// The command line with what is set here as its defaults.
    pub(crate) fn apply(&self, mut cli: Command) -> Command {
        for section in SECTIONS {
            let settings = self.settings.iter().filter(|((of, _), _)| of == &section.name);
            let settings: Vec<_> = settings.map(|((_, key), setting)| (key, setting)).collect();
            for name in section.subcommands {
                if cli.find_subcommand(name).is_none() {
                    continue;
                }
                cli = cli.mut_subcommand(name, |mut command| {
                    for (key, setting) in &settings {
                        let values = setting.values.iter().map(|(value, _)| value.clone());
                        if let Some(id) = known::id_of(&command, key) {
                            command = command.mut_arg(id, |arg| arg.default_values(values));
                        }
                    }
                    command
                });
            }
        }
        cli
    }

    /// The setting of a key.
    pub(crate) fn setting(&self, section: &'static str, key: &str) -> Option<&Setting> {
        self.settings.get(&(section, key.to_owned()))
    }

    /// The file that was read.
    pub(crate) fn file(&self) -> Option<&Path> {
        self.file.as_deref()
    }

    /// The profile that was asked for.
    pub(crate) fn profile(&self) -> Option<&str> {
        self.profile.as_deref()
    }
}

/// The nearest file upward from a folder, no further than the folder that holds `.git`. Outside a
/// repository only the folder itself counts: the file may name a program to run, and folders above
/// may be anybody's.
fn nearest(start: &Path) -> Option<PathBuf> {
    let root = start.ancestors().find(|folder| folder.join(".git").exists()).unwrap_or(start);
    let folders = start.ancestors().take_while(|folder| folder.starts_with(root));
    let paths = folders.flat_map(|folder| NAMES.iter().map(|name| folder.join(name)));
    paths.into_iter().find(|path| path.is_file())
}
