//! Reading the file.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;

use clap::builder::Resettable;
use clap::error::ErrorKind;
use clap::{Arg, Command};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::Setting;
use super::known::{self, SECTIONS, Section};
use crate::exit;
use crate::failure::Failure;

/// What is wrong with a file, and where.
#[derive(Debug)]
pub(super) struct Bad {
    line: u64,
    message: String,
    hint: String,
}

impl Bad {
    pub(super) fn into_failure(self, path: &Path) -> Failure {
        let message = format!("{}:{}: {}", path.display(), self.line, self.message);
        Failure::new(exit::INVALID, message).hint(self.hint)
    }
}

type Settings = BTreeMap<(&'static str, String), Setting>;

struct Reader<'t> {
    text: &'t str,
    cli: &'t Command,
}

/// What is set in a file, the profile's settings over the others. Every profile is checked, also
/// those that are not asked for.
pub(super) fn settings(text: &str, profile: Option<&str>, cli: &Command) -> Result<Settings, Bad> {
    let reader = Reader { text, cli };
    let document = DeTable::parse(text).map_err(|error| Bad {
        line: reader.line(error.span().as_ref()),
        message: error.message().to_owned(),
        hint: "the file is TOML".to_owned(),
    })?;
    let mut settings = Settings::new();
    let mut profiles: BTreeMap<String, (Option<String>, u64, Settings)> = BTreeMap::new();
    for (key, value) in document.get_ref() {
        let line = reader.line(Some(&key.span()));
        if key.get_ref() != "profile" {
            settings.extend(reader.section(key.get_ref(), line, value, None)?);
            continue;
        }
        for (name, table) in reader.table("profile", value)? {
            let read = reader.profile(name.get_ref(), table)?;
            let line = reader.line(Some(&name.span()));
            profiles.insert(name.get_ref().to_string(), (read.0, line, read.1));
        }
    }
    for (name, (inherits, line, _)) in &profiles {
        chain(&profiles, name).map_err(|message| Bad {
            line: *line,
            message: format!("profile `{name}`: {message}"),
            hint: match inherits {
                Some(_) => "`inherits` names another profile of the file".to_owned(),
                None => "see `bench config --help`".to_owned(),
            },
        })?;
    }
    if let Some(name) = profile {
        let chain = chain(&profiles, name).map_err(|message| Bad {
            line: 1,
            message,
            hint: format!("the file has {}", listed(profiles.keys().map(String::as_str))),
        })?;
        for name in chain.iter().rev() {
            settings.extend(profiles[*name].2.clone());
        }
    }
    Ok(settings)
}

/// The profile and those that it inherits from, itself first.
fn chain<'p>(
    profiles: &'p BTreeMap<String, (Option<String>, u64, Settings)>,
    name: &str,
) -> Result<Vec<&'p str>, String> {
    let mut chain: Vec<&str> = Vec::new();
    let mut next = Some(name);
    while let Some(name) = next {
        let found = profiles.get_key_value(name);
        let Some((name, (inherits, ..))) = found else {
            return Err(format!("no profile `{name}`"));
        };
        if chain.contains(&name.as_str()) {
            return Err(format!("`{name}` inherits from itself"));
        }
        chain.push(name);
        next = inherits.as_deref();
    }
    Ok(chain)
}

impl Reader<'_> {
    fn line(&self, span: Option<&Range<usize>>) -> u64 {
        let before = span.and_then(|span| self.text.get(..span.start)).unwrap_or_default();
        before.matches('\n').count() as u64 + 1
    }

    fn table<'v>(
        &self,
        name: &str,
        value: &'v Spanned<DeValue<'v>>,
    ) -> Result<&'v DeTable<'v>, Bad> {
        value.get_ref().as_table().ok_or_else(|| Bad {
            line: self.line(Some(&value.span())),
            message: format!("`{name}` is a section, not a value"),
            hint: format!("write `[{name}]`"),
        })
    }

    /// A profile: whom it inherits from, and its sections.
    fn profile(
        &self,
        name: &str,
        value: &Spanned<DeValue<'_>>,
    ) -> Result<(Option<String>, Settings), Bad> {
        let mut settings = Settings::new();
        let mut inherits = None;
        for (key, value) in self.table(&format!("profile.{name}"), value)? {
            let line = self.line(Some(&key.span()));
            if key.get_ref() == "inherits" {
                inherits =
                    Some(value.get_ref().as_str().map(str::to_owned).ok_or_else(|| Bad {
                        line,
                        message: "`inherits` is a profile's name".to_owned(),
                        hint: "write it within quotes".to_owned(),
                    })?);
                continue;
            }
            settings.extend(self.section(key.get_ref(), line, value, Some(name))?);
        }
        Ok((inherits, settings))
    }

    fn section(
        &self,
        name: &str,
        line: u64,
        value: &Spanned<DeValue<'_>>,
        profile: Option<&str>,
    ) -> Result<Settings, Bad> {
        let there = || SECTIONS.iter().filter(|it| !known::options(self.cli, it).is_empty());
        let Some(section) = there().find(|section| section.name == name) else {
            let names = there().map(|section| section.name).chain(["profile"]);
            return Err(Bad {
                line,
                message: format!("unknown section `{name}`"),
                hint: unknown(name, names.collect()),
            });
        };
        let mut settings = Settings::new();
        for (key, value) in self.table(name, value)? {
            let line = self.line(Some(&key.span()));
            let Some(arg) = known::find(self.cli, section, key.get_ref()) else {
                let keys = known::options(self.cli, section);
                return Err(Bad {
                    line,
                    message: format!("unknown key `{}` in `[{name}]`", key.get_ref()),
                    hint: unknown(
                        key.get_ref(),
                        keys.into_iter().filter_map(known::key_of).collect(),
                    ),
                });
            };
            let setting = self.setting(section, arg, (line, value), profile)?;
            settings.insert((section.name, key.get_ref().to_string()), setting);
        }
        Ok(settings)
    }

    fn setting(
        &self,
        section: &Section,
        arg: &Arg,
        (line, value): (u64, &Spanned<DeValue<'_>>),
        profile: Option<&str>,
    ) -> Result<Setting, Bad> {
        let key = known::key_of(arg).unwrap_or_default();
        let bad = |line, message: String, hint: &str| Bad { line, message, hint: hint.to_owned() };
        let list = value.get_ref().as_array();
        let items: Vec<&Spanned<DeValue<'_>>> = match list {
            Some(list) if known::takes_several(arg) => list.iter().collect(),
            Some(_) => {
                return Err(bad(line, format!("`{key}` takes one value"), "leave out the list"));
            }
            None => vec![value],
        };
        let mut values = Vec::new();
        for item in items {
            let line = self.line(Some(&item.span()));
            let text = plain(item.get_ref()).ok_or_else(|| {
                let kind = item.get_ref().type_str();
                bad(line, format!("`{key}` cannot be a {kind}"), "give a text, a number or a list")
            })?;
            if known::is_switch(arg) && item.get_ref().as_bool().is_none() {
                return Err(bad(line, format!("`{key}` is true or false"), "without quotes"));
            }
            if let Err(message) = self.accepts(section, arg, &text) {
                return Err(bad(line, message, "see the option in `--help`"));
            }
            values.push((text, line));
        }
        let profile = profile.map(str::to_owned);
        Ok(Setting { values, is_list: list.is_some(), line, profile })
    }

    /// Whether the command line would take the value, by asking it.
    fn accepts(&self, section: &Section, arg: &Arg, value: &str) -> Result<(), String> {
        if known::is_switch(arg) {
            return Ok(());
        }
        let Some(command) = self.cli.find_subcommand(section.subcommands[0]) else { return Ok(()) };
        let long = arg.get_long().unwrap_or_default();
        // Neither the environment nor what is missing is in question here.
        let alone = command.clone().mut_args(|arg| arg.env(Resettable::Reset).required(false));
        let words = [section.name.to_owned(), format!("--{long}={value}")];
        match alone.try_get_matches_from(words) {
            Err(error)
                if matches!(error.kind(), ErrorKind::InvalidValue | ErrorKind::ValueValidation) =>
            {
                let text = error.to_string();
                let lines = text.lines().take_while(|line| !line.is_empty()).map(str::trim);
                let text = lines.collect::<Vec<_>>().join(" ");
                Err(text.trim_start_matches("error: ").to_owned())
            }
            _ => Ok(()),
        }
    }
}

/// A value as the command line would take it.
fn plain(value: &DeValue<'_>) -> Option<String> {
    match value {
        DeValue::String(text) => Some(text.to_string()),
        DeValue::Integer(number) if number.radix() == 10 => Some(number.as_str().replace('_', "")),
        DeValue::Float(number) => Some(number.as_str().replace('_', "")),
        DeValue::Boolean(yes) => Some(yes.to_string()),
        _ => None,
    }
}

/// What to write instead of an unknown word.
fn unknown(word: &str, known: Vec<&str>) -> String {
    let near = known.iter().map(|it| (strsim::damerau_levenshtein(word, it), *it)).min();
    match near {
        Some((distance, near)) if distance <= 2 => format!("did you mean `{near}`?"),
        _ => format!("there are {}", listed(known.into_iter())),
    }
}

fn listed<'w>(words: impl Iterator<Item = &'w str>) -> String {
    let words: Vec<String> = words.map(|word| format!("`{word}`")).collect();
    if words.is_empty() { "none".to_owned() } else { words.join(", ") }
}
