//! Which sections and keys there are: the options of the subcommands.

use clap::{Arg, ArgAction, Command};

/// A section of the file.
pub(crate) struct Section {
    /// Its name.
    pub(crate) name: &'static str,
    /// The subcommands that read it.
    pub(crate) subcommands: &'static [&'static str],
}

/// The sections.
pub(crate) const SECTIONS: &[Section] = &[
    Section { name: "run", subcommands: &["run", "plan"] },
    Section { name: "compare", subcommands: &["compare"] },
    Section { name: "gate", subcommands: &["gate"] },
    Section { name: "report", subcommands: &["report"] },
    Section { name: "show", subcommands: &["show"] },
];

/// Options that say what one call does, and are not set in a file.
const ONCE: &[&str] =
    &["help", "version", "config", "profile", "mmu", "dry-run", "resume", "plan", "partition"];

/// The options of a section, as its first subcommand has them; none where there is no such command.
pub(crate) fn options<'a>(cli: &'a Command, section: &Section) -> Vec<&'a Arg> {
    let command = section.subcommands.first().and_then(|name| cli.find_subcommand(name));
    let arguments = command.into_iter().flat_map(Command::get_arguments);
    arguments.filter(|arg| !arg.is_global_set() && key_of(arg).is_some()).collect()
}

/// The key of an option; `None` for what cannot be set in a file.
pub(crate) fn key_of(arg: &Arg) -> Option<&str> {
    let long = arg.get_long()?;
    if ONCE.contains(&long) {
        return None;
    }
    // A list is named by its plural, where the option has one.
    let plural = arg.get_all_aliases().unwrap_or_default().into_iter().find(|it| it.ends_with('s'));
    Some(plural.unwrap_or(long))
}

/// The option of a section by its key.
pub(crate) fn find<'a>(cli: &'a Command, section: &Section, key: &str) -> Option<&'a Arg> {
    options(cli, section).into_iter().find(|arg| key_of(arg) == Some(key))
}

/// The id of a subcommand's option by its key.
pub(crate) fn id_of(command: &Command, key: &str) -> Option<String> {
    let mut arguments = command.get_arguments();
    let found = arguments.find(|arg| key_of(arg) == Some(key));
    found.map(|arg| arg.get_id().to_string())
}

/// Whether an option takes several values.
pub(crate) fn takes_several(arg: &Arg) -> bool {
    matches!(arg.get_action(), ArgAction::Append) || arg.get_value_delimiter().is_some()
}

/// Whether an option is a switch.
pub(crate) fn is_switch(arg: &Arg) -> bool {
    matches!(arg.get_action(), ArgAction::SetTrue | ArgAction::SetFalse)
}
