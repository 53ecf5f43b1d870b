//! The defenses by name.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use harness::defense::Defense;
use trace::profile::Profile;
use trace::tool::ToolSpec;

use crate::ask_all::AskAll;
use crate::deny_all::DenyAll;
use crate::exec::{BadCommand, Command, Exec};
use crate::mmu::{Merging, Mmu, Schemas, Setting};
use crate::none::NoDefense;

/// A defense that can be asked for.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// The name on the command line and in files.
    pub name: &'static str,
    /// How exactly it is modelled: `T1` exact, `T2` exact on a gold plan, `T3` a calibrated stub.
    pub tier: &'static str,
    /// What it does, in a line.
    pub about: &'static str,
    /// The options behind `:`, joined by `+`.
    pub options: &'static [(&'static str, &'static str)],
}

/// The defenses, in the order of the documentation.
pub const DEFENSES: &[Entry] = &[
    Entry {
        name: "none",
        tier: "T1",
        about: "no defense: every call is carried out",
        options: &[],
    },
    Entry {
        name: "mmu",
        tier: "T1",
        about: "ClawMMU: a call's secured arguments must trace to the owner's words",
        options: &[
            ("destinations", "secure who or where an effect reaches"),
            ("resources", "secure destinations and the records touched (default)"),
            ("strict", "secure everything but words for people"),
            ("auto", "secure everything but words for people, by a rule that nobody reviewed"),
            ("observe", "run every check, refuse nothing: the arm for cost"),
            ("forall", "every holder of a value must have the authority, not just one"),
            ("context", "the context's accumulated label decides, not the value's source"),
            ("no-merge", "records of different authority never become one (default)"),
            ("min-merge", "records become one, and count as the least of their parts"),
            ("max-merge", "the fault: records become one, and count as the highest of their parts"),
            ("no-map", "ablation: content is labelled by message role"),
            ("no-derive", "ablation: what a model writes is stored as the owner's preference"),
            ("no-reload", "ablation: a stored label is trusted"),
            ("no-recheck", "ablation: what is revoked is looked up on entry, and not again"),
            ("table-inside", "ablation: counters and approvals roll back with a checkpoint"),
            ("no-accumulate", "ablation: the context forgets what it no longer holds"),
            ("no-tool-storage", "ablation: who wrote a resource behind a tool is forgotten"),
            ("labels-as-text", "ablation: labels are printed and not checked"),
        ],
    },
    Entry {
        name: "ask-all",
        tier: "T1",
        about: "asks the owner about every call: the ceiling of what asking can buy",
        options: &[],
    },
    Entry { name: "deny-all", tier: "T1", about: "refuses every call: the floor", options: &[] },
    Entry {
        name: "exec",
        tier: "T1",
        about: "a program of your own, `exec:COMMAND`: see docs/exec-defense.md",
        options: &[],
    },
];

/// Where a setting keeps a switch.
type Switch = fn(&mut Setting) -> &mut bool;

/// The switches of the MMU, in the order in which they are shown.
const SWITCHES: &[(&str, Switch)] = &[
    ("forall", |setting| &mut setting.forall),
    ("context", |setting| &mut setting.context),
    ("observe", |setting| &mut setting.observe),
    ("no-map", |setting| &mut setting.ablations.no_map),
    ("no-derive", |setting| &mut setting.ablations.no_derive),
    ("no-reload", |setting| &mut setting.ablations.no_reload),
    ("no-recheck", |setting| &mut setting.ablations.no_recheck),
    ("table-inside", |setting| &mut setting.ablations.table_inside),
    ("no-accumulate", |setting| &mut setting.ablations.no_accumulate),
    ("no-tool-storage", |setting| &mut setting.ablations.no_tool_storage),
    ("labels-as-text", |setting| &mut setting.ablations.labels_as_text),
];

/// The ways of merging records.
const MERGINGS: &[(&str, Merging)] =
    &[("no-merge", Merging::Never), ("min-merge", Merging::Least), ("max-merge", Merging::Highest)];

/// A defense with its options.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Choice {
    /// `none`
    None,
    /// `mmu`
    Mmu {
        /// How much is secured.
        profile: Profile,
        /// How it is set up otherwise.
        setting: Setting,
    },
    /// `ask-all`
    AskAll,
    /// `deny-all`
    DenyAll,
    /// `exec:COMMAND`
    Exec(&'static Command),
}

/// A name or option that does not exist.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ChoiceError {
    /// No such defense.
    #[error("unknown defense `{0}`")]
    Defense(String),
    /// No such option.
    #[error("defense `{defense}` has no option `{option}`")]
    Option {
        /// The defense.
        defense: String,
        /// The option.
        option: String,
    },
    /// A command that cannot be started.
    #[error("defense `exec`: {0}")]
    Command(#[from] BadCommand),
    /// Two profiles.
    #[error("defense `{0}` takes one profile, got two")]
    Profiles(String),
    /// Two ways of merging.
    #[error("defense `{0}` takes one way of merging, got two")]
    Mergings(String),
}

impl Choice {
    /// Reads `NAME[:OPT[+OPT…]]`.
    ///
    /// # Errors
    /// The defense or the option does not exist.
    pub fn parse(text: &str) -> Result<Self, ChoiceError> {
        Self::parse_within(text, None)
    }

    /// The same, with the time that an external defense may take over one answer.
    ///
    /// # Errors
    /// As [`Self::parse`]; a command that cannot be started.
    pub fn parse_within(text: &str, within: Option<Duration>) -> Result<Self, ChoiceError> {
        let (name, options) = text.split_once(':').unwrap_or((text, ""));
        if name == "exec" {
            return Ok(Self::Exec(Command::parse(options, within)?));
        }
        let options: Vec<&str> = options.split('+').filter(|option| !option.is_empty()).collect();
        let plain = match name {
            "none" => Some(Self::None),
            "ask-all" => Some(Self::AskAll),
            "deny-all" => Some(Self::DenyAll),
            "mmu" => None,
            unknown => return Err(ChoiceError::Defense(unknown.to_owned())),
        };
        if let Some(plain) = plain {
            return match options.first() {
                None => Ok(plain),
                Some(option) => Err(ChoiceError::Option {
                    defense: name.to_owned(),
                    option: (*option).to_owned(),
                }),
            };
        }
        let (mut profile, mut named_merging) = (None, None);
        let mut setting = Setting::default();
        for option in options {
            if let Some((_, merging)) = MERGINGS.iter().find(|(name, _)| *name == option) {
                if named_merging.replace(*merging).is_some_and(|before| before != *merging) {
                    return Err(ChoiceError::Mergings(name.to_owned()));
                }
                setting.merging = *merging;
            } else if let Some((_, switch)) = SWITCHES.iter().find(|(name, _)| *name == option) {
                *switch(&mut setting) = true;
            } else if let Some(named) = Profile::parse(option) {
                if profile.replace(named).is_some_and(|before| before != named) {
                    return Err(ChoiceError::Profiles(name.to_owned()));
                }
            } else {
                let (defense, option) = (name.to_owned(), option.to_owned());
                return Err(ChoiceError::Option { defense, option });
            }
        }
        Ok(Self::Mmu { profile: profile.unwrap_or_default(), setting })
    }

    /// The defense's entry.
    pub fn entry(self) -> &'static Entry {
        let name = match self {
            Self::None => "none",
            Self::Mmu { .. } => "mmu",
            Self::AskAll => "ask-all",
            Self::DenyAll => "deny-all",
            Self::Exec(_) => "exec",
        };
        DEFENSES.iter().find(|entry| entry.name == name).expect("every choice has an entry")
    }

    /// How much of the capability schemas is secured, where it matters.
    pub fn profile(self) -> Option<Profile> {
        match self {
            Self::Mmu { profile, .. } => Some(profile),
            Self::None | Self::AskAll | Self::DenyAll | Self::Exec(_) => None,
        }
    }

    /// The defense with what it knows of a world's tools, made once for many episodes.
    pub fn prepare(self, tools: &[ToolSpec]) -> Prepared {
        let schemas = match self {
            Self::Mmu { profile, .. } => Schemas::new(tools, profile),
            Self::None | Self::AskAll | Self::DenyAll | Self::Exec(_) => Schemas::default(),
        };
        let tools = match self {
            Self::Exec(_) => tools.into(),
            _ => Arc::default(),
        };
        Prepared { choice: self, schemas: Arc::new(schemas), tools }
    }
}

/// A defense for the tools of one world.
#[derive(Clone, Debug)]
pub struct Prepared {
    choice: Choice,
    schemas: Arc<Schemas>,
    /// What an external defense is told; empty for others.
    tools: Arc<[ToolSpec]>,
}

impl Prepared {
    /// The defense, ready for one episode.
    pub fn build(&self) -> Box<dyn Defense> {
        match self.choice {
            Choice::None => Box::new(NoDefense),
            Choice::Mmu { setting, .. } => Box::new(Mmu::new(Arc::clone(&self.schemas), setting)),
            Choice::AskAll => Box::new(AskAll),
            Choice::DenyAll => Box::new(DenyAll),
            Choice::Exec(command) => Box::new(Exec::start(command, &self.tools)),
        }
    }
}

impl fmt::Display for Choice {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Self::Exec(command) = self {
            return command.fmt(out);
        }
        out.write_str(self.entry().name)?;
        if let Self::Mmu { profile, setting } = self {
            write!(out, ":{}", profile.as_str())?;
            let merging = setting.merging;
            let mut named = MERGINGS.iter().filter(|(_, one)| *one != Merging::default());
            if let Some((name, _)) = named.find(|(_, one)| *one == merging) {
                write!(out, "+{name}")?;
            }
            for (name, switch) in SWITCHES {
                if *switch(&mut setting.clone()) {
                    write!(out, "+{name}")?;
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_choice_reads_as_it_is_shown() {
        for (text, shown) in [
            ("none", "none"),
            ("mmu", "mmu:resources"),
            ("mmu:strict", "mmu:strict"),
            ("mmu:observe", "mmu:resources+observe"),
            ("mmu:observe+destinations", "mmu:destinations+observe"),
            ("mmu:auto+observe+forall", "mmu:auto+forall+observe"),
            ("mmu:context", "mmu:resources+context"),
            ("mmu:labels-as-text", "mmu:resources+labels-as-text"),
            ("mmu:forall+max-merge", "mmu:resources+max-merge+forall"),
            ("mmu:no-merge", "mmu:resources"),
            ("mmu:strict+no-map+observe", "mmu:strict+observe+no-map"),
        ] {
            let choice = Choice::parse(text).unwrap();
            assert_eq!(choice.to_string(), shown);
            assert_eq!(Choice::parse(shown), Ok(choice));
        }
    }

    #[test]
    fn an_unknown_name_or_option_is_named() {
        for (text, expected) in [
            ("mmuu", "unknown defense `mmuu`"),
            ("none:strict", "defense `none` has no option `strict`"),
            ("mmu:stric", "defense `mmu` has no option `stric`"),
            ("mmu:strict+resources", "defense `mmu` takes one profile, got two"),
            ("mmu:no-merge+max-merge", "defense `mmu` takes one way of merging, got two"),
            ("exec: ", "defense `exec`: `exec:` needs a command, as in `exec:python3 guard.py`"),
            (
                "exec:no-such-program-here x",
                "defense `exec`: no program `no-such-program-here`, neither as a file nor in PATH",
            ),
        ] {
            assert_eq!(Choice::parse(text).unwrap_err().to_string(), expected);
        }
    }
}
